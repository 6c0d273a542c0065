import { SampleError } from '../contracts/errors.ts';
import type { Sample } from '../contracts/sample.ts';
import type { ModelDescription } from './define.ts';

/** From a dataset's label to what a model calls it: an output's index, name or wnid, or several. */
export type LabelMap = Readonly<Record<string, number | string | readonly (number | string)[]>>;

type Labelled = Pick<Sample, 'label' | 'targets'>;
type Outputs = Pick<ModelDescription, 'name' | 'labels' | 'wnids' | 'outputCount' | 'labelMap'>;

export interface ResolveOptions {
  readonly description: Outputs;
  /** The run's; the model's own comes first. */
  readonly labelMap?: LabelMap;
  readonly sample: Labelled;
}

/**
 * The outputs that are right for a sample, ascending: where the label meets the model's own list, by name or wnid; else
 * by the label map; else by the manifest's `target`. Throws `SampleError('label-unknown')`.
 */
export function resolveTargets({ description, labelMap, sample }: ResolveOptions): number[] {
  const targets = search(description, labelMap, sample);
  const { name, outputCount } = description;
  const outside = outputCount ? targets.find((target) => target < 0 || target >= outputCount) : undefined;
  if (outside !== undefined)
    throw unknown(
      `${name} has no output ${outside} for the label '${sample.label ?? ''}': its ${outputCount} outputs are numbered from 0`,
    );
  return [...new Set(targets)].sort((a, b) => a - b);
}

function search(description: Outputs, labelMap: LabelMap | undefined, { label, targets }: Labelled): number[] {
  const { name } = description;
  const named = label === undefined ? [] : outputsNamed(description, label);
  if (named.length === 1) return named;
  const entry = label === undefined ? undefined : (description.labelMap?.[label] ?? labelMap?.[label]);
  if (entry !== undefined) return mapped(description, label as string, entry);
  if (targets?.length) return targets;
  if (label === undefined) throw unknown('the sample has no label and no target');
  if (named.length > 1)
    throw unknown(
      `the label '${label}' names ${named.length} outputs of ${name} (${named.join(', ')}); say which in labelMap, or as target in the manifest`,
    );
  throw unknown(
    `${name} has no output for the label '${label}'; give a labelMap in the config, or target in the manifest`,
  );
}

function mapped(description: Outputs, label: string, entry: LabelMap[string]): number[] {
  return (typeof entry === 'object' ? entry : [entry]).flatMap((item) => {
    const outputs = typeof item === 'number' ? [item] : outputsNamed(description, item);
    if (outputs.length) return outputs;
    if (/^\d+$/.test(String(item))) return [Number(item)];
    throw unknown(`labelMap gives '${item}' for '${label}', which is not an output of ${description.name}`);
  });
}

const unknown = (message: string) => new SampleError('label-unknown', message);

/** Case, underscores, hyphens and spaces make no difference. */
export const normalizeLabel = (label: string) =>
  label
    .trim()
    .toLowerCase()
    .replace(/[\s_-]+/g, ' ');

interface Index {
  /** Whole labels, first names and wnids. */
  readonly primary: Map<string, number[]>;
  /** All other names, of labels that list several. */
  readonly further: Map<string, number[]>;
}

const indices = new WeakMap<readonly string[], Index>();

function outputsNamed({ labels, wnids }: Outputs, name: string): number[] {
  if (!labels) return [];
  let index = indices.get(labels);
  if (!index) indices.set(labels, (index = makeIndex(labels, wnids)));
  const key = normalizeLabel(name);
  return index.primary.get(key) ?? index.further.get(key) ?? [];
}

function makeIndex(labels: readonly string[], wnids: readonly string[] | undefined): Index {
  const primary = new Map<string, number[]>();
  const further = new Map<string, number[]>();
  const add = (map: Map<string, number[]>, name: string, output: number) => {
    const outputs = map.get(name) ?? [];
    if (name && !outputs.includes(output)) map.set(name, [...outputs, output]);
  };
  labels.forEach((label, output) => {
    const [first, ...others] = label.split(',').map(normalizeLabel);
    add(primary, normalizeLabel(label), output);
    add(primary, first, output);
    for (const name of others) add(further, name, output);
  });
  wnids?.forEach((wnid, output) => {
    add(primary, wnid, output);
  });
  return { primary, further };
}

/**
 * A model without a list of labels and with as many outputs as the dataset has classes: most training tools number
 * folders in alphabetical order, so that order is taken, and said.
 */
export function assumeClassOrder<D extends ModelDescription>(description: D, classes: readonly string[]): D {
  const { labels, labelMap, outputCount, kind, name } = description;
  if (labels || labelMap || kind !== 'classifier' || classes.length < 2 || outputCount !== classes.length)
    return description;
  const sorted = [...classes].sort();
  return {
    ...description,
    labels: sorted,
    labelsFrom: "the dataset's classes in alphabetical order (assumed)",
    identity: { ...description.identity, labels: sorted },
    warnings: [
      ...description.warnings,
      `no list of labels: the ${outputCount} outputs of ${name} are taken for the dataset's classes in alphabetical order (${sorted.slice(0, 3).join(', ')}${sorted.length > 3 ? ', …' : ''})`,
    ],
  };
}
