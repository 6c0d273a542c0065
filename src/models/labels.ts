import { SampleError, UserError } from '../contracts/errors.ts';
import type { Sample } from '../contracts/sample.ts';

/** From a dataset's label to what a model calls it: an output's index or name, or several. */
export type LabelMap = Readonly<Record<string, number | string | readonly (number | string)[]>>;

export interface LabellingOptions {
  /** The model's outputs by name; several names of one output are separated by commas, as ImageNet's are. */
  readonly labels: readonly string[] | undefined;
  /** WordNet ids of the outputs, where the labels are ImageNet's. */
  readonly wnids?: readonly string[];
  readonly outputCount?: number;
  readonly labelMap?: LabelMap;
  readonly samples: readonly Pick<Sample, 'id' | 'label' | 'targets'>[];
  /** The model's name, for messages. */
  readonly model: string;
}

export interface Labelling {
  /** Accepted outputs of a sample; throws `SampleError('label-unknown')`. */
  targets(sample: Pick<Sample, 'id' | 'label' | 'targets'>): ReadonlySet<number>;
  /** Outputs that belong to the dataset's own classes, ascending. */
  readonly own: readonly number[];
  /** An output in the dataset's own words, else in the model's. */
  nameOf(output: number): string;
  /** Labels that meet no output, with the reason. */
  readonly unknown: ReadonlyMap<string, string>;
  readonly warnings: readonly string[];
}

/**
 * Where a dataset's labels meet a model's outputs: the model's own list, by name or wnid; then the label map of the
 * config; then the manifest's `target`.
 */
export function createLabelling(options: LabellingOptions): Labelling {
  const { labels, outputCount, samples, model } = options;
  const warnings: string[] = [];
  const unknown = new Map<string, string>();
  let resolve = resolver(options);
  const classes = [...new Set(samples.flatMap(({ label }) => (label === undefined ? [] : [label])))].sort();
  const decided = samples.some((sample) => typeof resolve(sample) !== 'string');
  if (!decided && labels === undefined && classes.length > 1 && classes.length === outputCount) {
    warnings.push(
      `${model} has no list of labels: its ${outputCount} outputs are taken for the dataset's classes in alphabetical order (${classes[0]}, ${classes[1]}, …), as training tools number folders`,
    );
    resolve = resolver({ ...options, labels: classes });
  }

  const byKey = new Map<string, ReadonlySet<number> | string>();
  const targetsOf = (sample: Pick<Sample, 'label' | 'targets'>) => {
    const key = `${sample.label ?? ''}\n${sample.targets?.join() ?? ''}`;
    let found = byKey.get(key);
    if (found === undefined) {
      found = resolve(sample);
      if (typeof found !== 'string' && outputCount !== undefined) {
        const outside = [...found].find((target) => target < 0 || target >= outputCount);
        if (outside !== undefined)
          found = `output ${outside} of label '${sample.label ?? ''}' does not exist: ${model} has ${outputCount} outputs, numbered from 0`;
      }
      byKey.set(key, found);
    }
    return found;
  };

  const own = new Set<number>();
  const names = new Map<number, string>();
  for (const sample of samples) {
    const targets = targetsOf(sample);
    if (typeof targets === 'string') unknown.set(sample.label ?? '', targets);
    else
      for (const target of targets) {
        own.add(target);
        if (sample.label !== undefined && !names.has(target)) names.set(target, sample.label);
      }
  }
  if (samples.length > 0 && own.size === 0) throw nothingFits(model, classes, labels, [...unknown.values()][0]);
  warnings.push(...disagreements(samples, targetsOf));
  return {
    own: [...own].sort((a, b) => a - b),
    unknown,
    warnings,
    nameOf: (output) => names.get(output) ?? firstName(labels?.[output]) ?? `output ${output}`,
    targets(sample) {
      const targets = targetsOf(sample);
      if (typeof targets === 'string') throw new SampleError('label-unknown', targets);
      return targets;
    },
  };
}

const firstName = (label: string | undefined) => label?.split(',')[0].trim();

/** Case, underscores, hyphens and spaces make no difference. */
export const normalizeLabel = (label: string) =>
  label
    .trim()
    .toLowerCase()
    .replace(/[\s_-]+/g, ' ');

interface Index {
  readonly primary: Map<string, number[]>;
  readonly any: Map<string, number[]>;
}

function indexOf(labels: readonly string[], wnids: readonly string[] | undefined): Index {
  const primary = new Map<string, number[]>();
  const any = new Map<string, number[]>();
  const add = (map: Map<string, number[]>, name: string, output: number) => {
    const outputs = map.get(name);
    if (!outputs) map.set(name, [output]);
    else if (!outputs.includes(output)) outputs.push(output);
  };
  labels.forEach((label, output) => {
    const names = label.split(',').map(normalizeLabel).filter(Boolean);
    add(primary, normalizeLabel(label), output);
    if (names[0]) add(primary, names[0], output);
    for (const name of names) add(any, name, output);
  });
  wnids?.forEach((wnid, output) => {
    add(primary, wnid, output);
  });
  return { primary, any };
}

/** The accepted outputs, or why there are none. */
function resolver({ labels, wnids, labelMap, model }: LabellingOptions) {
  const index = labels && indexOf(labels, wnids);
  const byName = (name: string): number[] => {
    const key = normalizeLabel(name);
    return index?.primary.get(key) ?? index?.any.get(key) ?? [];
  };
  const mapped = (label: string): ReadonlySet<number> | string | undefined => {
    const entry = labelMap?.[label];
    if (entry === undefined) return undefined;
    const outputs = new Set<number>();
    for (const item of typeof entry === 'object' ? entry : [entry]) {
      const found = typeof item === 'number' ? [item] : /^\d+$/.test(item) ? [Number(item)] : byName(item);
      if (found.length === 0) return `label map: '${item}' (for '${label}') is not an output of ${model}`;
      for (const output of found) outputs.add(output);
    }
    return outputs;
  };
  return ({ label, targets }: Pick<Sample, 'label' | 'targets'>): ReadonlySet<number> | string => {
    const named = label === undefined ? [] : byName(label);
    if (named.length === 1) return new Set(named);
    const fromMap = label === undefined ? undefined : mapped(label);
    if (fromMap !== undefined) return fromMap;
    if (targets?.length) return new Set(targets);
    if (label === undefined) return 'the sample has no label and no target';
    if (named.length > 1)
      return `label '${label}' names ${named.length} outputs of ${model} (${named.join(', ')}); say which in labelMap or in the manifest's target`;
    return `label '${label}' is not among the outputs of ${model}`;
  };
}

function disagreements(
  samples: LabellingOptions['samples'],
  targetsOf: (sample: Pick<Sample, 'label' | 'targets'>) => ReadonlySet<number> | string,
): string[] {
  const lines = new Map<string, string>();
  for (const { label, targets } of samples) {
    if (label === undefined || !targets?.length || lines.has(label)) continue;
    const used = targetsOf({ label, targets });
    if (typeof used !== 'string' && !targets.some((target) => used.has(target)))
      lines.set(
        label,
        `label '${label}' is output ${[...used].join(', ')} by name or label map, but the manifest's target says ${targets.join(', ')}; the first is used`,
      );
  }
  return [...lines.values()];
}

function nothingFits(
  model: string,
  classes: readonly string[],
  labels: readonly string[] | undefined,
  reason: string,
): UserError {
  const some = (list: readonly string[]) =>
    `${list
      .slice(0, 3)
      .map((name) => `'${firstName(name)}'`)
      .join(', ')}${list.length > 3 ? ', …' : ''}`;
  if (classes.length === 0)
    return new UserError(`The dataset has no labels and no targets, so ${model} cannot be judged`);
  return new UserError(
    labels
      ? `None of the dataset's ${classes.length} labels (${some(classes)}) fits the ${labels.length} outputs of ${model} (${some(labels)}): ${reason}; write a labelMap in the config, or targets in the manifest`
      : `The names of ${model}'s outputs are not known, so the dataset's labels (${some(classes)}) cannot be matched; write "labels" in FILE.json beside it, a labelMap in the config, or targets in the manifest`,
  );
}
