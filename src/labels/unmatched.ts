import { SampleError } from '../contracts/errors.ts';
import { type NearLabel, nearLabels } from './near-labels.ts';
import { type Labelled, type LabelMap, type ModelOutputs, resolveTargets } from './targets.ts';

export interface UnmatchedClass {
  readonly label: string;
  readonly samples: number;
  /** Why, for the first of them. */
  readonly reason: string;
  /** Outputs to choose from: those an ambiguous name fits, else those of a similar name. */
  readonly near: readonly NearLabel[];
}

export interface MatchOptions {
  readonly description: ModelOutputs;
  readonly labelMap?: LabelMap;
}

/** The classes of a dataset that meet no output of a model, in order of their names; the same rule as the run's. */
export function unmatchedClasses(samples: readonly Labelled[], options: MatchOptions): UnmatchedClass[] {
  const { labels: names = [], wnids } = options.description;
  const found = new Map<string, { samples: number; reason: string; outputs: readonly number[] }>();
  const asked = new Map<string, SampleError | null>();
  for (const { label, targets } of samples) {
    if (label === undefined) continue;
    const key = `${label}\u0000${targets?.join('|') ?? ''}`;
    if (!asked.has(key)) asked.set(key, reasonAgainst({ label, targets }, options));
    const reason = asked.get(key);
    if (!reason) continue;
    const known = found.get(label);
    if (known) known.samples++;
    else found.set(label, { samples: 1, reason: reason.message, outputs: ambiguousOutputs(reason) });
  }
  return [...found]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([label, { samples: count, reason, outputs }], i) => ({
      label,
      samples: count,
      reason,
      near: outputs.length
        ? outputs.map((output) => ({ output, name: names[output] }))
        : i < mostCompared
          ? nearLabels(label, { names, wnids })
          : [],
    }));
}

function reasonAgainst(sample: Labelled, options: MatchOptions): SampleError | null {
  try {
    resolveTargets({ ...options, sample });
    return null;
  } catch (error) {
    if (error instanceof SampleError) return error;
    throw error;
  }
}

const ambiguousOutputs = ({ cause }: SampleError): readonly number[] =>
  Array.isArray(cause) ? (cause as readonly number[]) : [];

/** Every one is compared with every name of every output. */
const mostCompared = 200;
const mostListed = 8;

/** What to tell the user: who does not fit, what is near, and a `labelMap` to paste and correct. */
export function describeUnmatched(unmatched: readonly UnmatchedClass[], model: string): string[] {
  if (!unmatched.length) return [];
  const count = unmatched.length === 1 ? '1 class fits' : `${unmatched.length} classes fit`;
  const listed = unmatched.slice(0, mostListed).map(({ label, near }) => {
    const names = near.map(({ name, output }) => `${name} (${output})`).join(', ');
    return `  ${label}${names ? ` → ${names}?` : ': no name is near'}`;
  });
  const more = unmatched.length > mostListed ? [`  … and ${unmatched.length - mostListed} more`] : [];
  return [`${count} no output of ${model}:`, ...listed, ...more, ...pasteableLabelMap(unmatched)];
}

/** YAML for the config; a class without a near name is a comment, since a guess would be scored as the truth. */
export function pasteableLabelMap(unmatched: readonly UnmatchedClass[]): string[] {
  if (!unmatched.length) return [];
  const lines = unmatched.map(({ label, near }) => {
    if (!near.length) return `  # ${yamlText(label)}: the output's name, wnid or number`;
    const names = near.map(({ name, output }, i) => (i ? `${output} ${oneLine(name)}` : oneLine(name)));
    return `  ${yamlText(label)}: ${near[0].output} # ${names.join('; or ')}`;
  });
  return ['To paste into sceneshift.yaml, where these are right:', 'labelMap:', ...lines];
}

const oneLine = (text: string) => text.replaceAll(/\s+/g, ' ');
/** JSON's strings are YAML's; plain words need no quotes. */
const yamlText = (text: string) =>
  /^[A-Za-z][\w -]*\w$/.test(text) && !/^(true|false|yes|no|on|off|null)$/i.test(text) ? text : JSON.stringify(text);
