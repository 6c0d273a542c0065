import { SampleError } from '../contracts/errors.ts';
import type { KnownLabelMap } from '../contracts/model-config.ts';
import type { Sample } from '../contracts/sample.ts';
import { imagenet9Map } from './imagenet-9.ts';
import { matchLabel, normalizeLabel } from './match.ts';

type MapEntry = number | string | readonly (number | string)[];
/** From a dataset's label to what a model calls it: an output's index, name or wnid, or several; or a known map's name. */
export type LabelMap = Readonly<Record<string, MapEntry>> | KnownLabelMap;

export type Labelled = Pick<Sample, 'label' | 'targets'>;
/** What a model says of its outputs. */
export interface ModelOutputs {
  readonly name: string;
  readonly labels?: readonly string[];
  readonly wnids?: readonly string[];
  readonly outputCount?: number;
  /** The model's own. */
  readonly labelMap?: LabelMap;
}

export interface ResolveOptions {
  readonly description: ModelOutputs;
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

function search(description: ModelOutputs, labelMap: LabelMap | undefined, { label, targets }: Labelled): number[] {
  const { name } = description;
  const named = label === undefined ? [] : outputsNamed(description, label);
  if (named.length === 1) return [...named];
  const entry = label === undefined ? undefined : (entryOf(description.labelMap, label) ?? entryOf(labelMap, label));
  if (entry !== undefined) return mapped(description, label as string, entry);
  if (targets?.length) return targets;
  if (label === undefined) throw unknown('the sample has no label and no target');
  if (named.length > 1)
    throw unknown(
      `the label '${label}' names ${named.length} outputs of ${name} (${named.join(', ')}); say which in labelMap, or as target in the manifest`,
      named,
    );
  throw unknown(
    `${name} has no output for the label '${label}'; give a labelMap in the config, or target in the manifest`,
  );
}

const knownMaps: Record<KnownLabelMap, ReadonlyMap<string, readonly number[]>> = { 'imagenet-9': imagenet9Map };

const entryOf = (map: LabelMap | undefined, label: string): MapEntry | undefined =>
  typeof map === 'string' ? knownMaps[map].get(normalizeLabel(label)) : map?.[label];

function mapped(description: ModelOutputs, label: string, entry: MapEntry): number[] {
  return (typeof entry === 'object' ? entry : [entry]).flatMap((item) => {
    const outputs = typeof item === 'number' ? [item] : outputsNamed(description, item);
    if (outputs.length) return outputs;
    if (/^\d+$/.test(String(item))) return [Number(item)];
    throw unknown(`labelMap gives '${item}' for '${label}', which is not an output of ${description.name}`);
  });
}

/** `outputs`: those an ambiguous label names, for the advice that follows. */
const unknown = (message: string, outputs?: readonly number[]) =>
  new SampleError('label-unknown', message, { cause: outputs });

const outputsNamed = ({ labels, wnids }: ModelOutputs, name: string): readonly number[] =>
  labels ? matchLabel(name, { names: labels, wnids }).indices : [];
