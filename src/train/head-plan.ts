import { UserError } from '../contracts/errors.ts';
import { assignFolds } from '../dataset/splits.ts';
import { hashJson } from '../run/hash.ts';
import { parseScenarioList } from '../scenarios/name.ts';
import type { FeaturePlan } from './feature-plan.ts';
import { innerFolds } from './folds.ts';
import { strengthPath } from './strength.ts';

/** A head to be trained, in every fold. */
export interface HeadPlan {
  /** The scenario, several joined by `+`, or `mix` for all of them. */
  readonly name: string;
  readonly scenarios: readonly string[];
  /** How its training pictures are shown; `plain` where left out. */
  readonly view?: string;
}

export const mixName = 'mix';

/** One head for each scenario, then those of `--on`. */
export function planHeads(scenarios: readonly string[], on: readonly string[]): HeadPlan[] {
  const heads = new Map<string, HeadPlan>(scenarios.map((name) => [name, { name, scenarios: [name] }]));
  for (const text of on) {
    const plan = readOn(text, scenarios);
    heads.set(plan.name, plan);
  }
  return [...heads.values()];
}

function readOn(text: string, scenarios: readonly string[]): HeadPlan {
  if (text.trim() === mixName) return { name: mixName, scenarios };
  const names = onScenarios([text]);
  const missing = names.find((name) => !scenarios.includes(name));
  if (missing)
    throw new UserError(`No image shows '${missing}', which --on names; the data has ${scenarios.join(', ')}`);
  return { name: names.join('+'), scenarios: names };
}

/** The scenarios that `--on` names; they are tested on, too. */
export const onScenarios = (on: readonly string[]): string[] =>
  on.flatMap((text) =>
    text.trim() === mixName ? [] : parseScenarioList(text, { field: '--on' }).map(({ name }) => name),
  );

/** Rows of one head: samples of its scenarios, with their features' keys. */
export interface HeadRows {
  readonly keys: readonly string[];
  readonly classes: Int32Array;
  readonly folds: Int32Array;
  /** Where the row comes from. */
  readonly sampleIndexes: Int32Array;
}

/** Every variant of the head's scenarios that has features, in an order that depends on nothing else. */
export function rowsOf(
  plan: FeaturePlan,
  head: HeadPlan,
  has: (key: string) => boolean,
  view = head.view ?? 'plain',
): HeadRows {
  const keys: string[] = [];
  const sampleIndexes: number[] = [];
  for (const scenario of head.scenarios) {
    const index = plan.wanted.findIndex((wanted) => wanted.scenario === scenario && wanted.view === view);
    for (const [sample, key] of plan.keys[index].entries())
      if (key && has(key)) {
        keys.push(key);
        sampleIndexes.push(sample);
      }
  }
  return {
    keys,
    sampleIndexes: Int32Array.from(sampleIndexes),
    classes: Int32Array.from(sampleIndexes, (sample) => plan.plannedSamples[sample].class),
    folds: Int32Array.from(sampleIndexes, (sample) => plan.plannedSamples[sample].fold),
  };
}

/** Which rows train a head, test it, and choose its strength. */
export interface Split {
  readonly training: Int32Array;
  readonly held: Int32Array;
  readonly inner: { readonly training: Int32Array; readonly validation: Int32Array };
}

/** `held` −1: nothing is held out. Inner rows are whole folds, or with two folds a fifth of the one that is left. */
export function splitRows(plan: FeaturePlan, rows: HeadRows, held: number): Split {
  const chosen = new Set(innerFolds(held, plan.folds));
  const part = chosen.size ? undefined : innerParts(plan, held);
  const isValidation = (row: number) =>
    part ? part.get(plan.plannedSamples[rows.sampleIndexes[row]].sample.id) === 0 : chosen.has(rows.folds[row]);
  const all = Array.from(rows.folds, (_, row) => row);
  const training = all.filter((row) => rows.folds[row] !== held);
  return {
    training: Int32Array.from(training),
    held: Int32Array.from(all.filter((row) => rows.folds[row] === held)),
    inner: {
      training: Int32Array.from(training.filter((row) => !isValidation(row))),
      validation: Int32Array.from(training.filter(isValidation)),
    },
  };
}

function innerParts(plan: FeaturePlan, held: number): Map<string, number> {
  const left = plan.plannedSamples
    .filter(({ fold }) => fold !== held)
    .map(({ sample, linkedTo }) => ({ id: sample.id, label: sample.label, group: linkedTo }));
  return assignFolds(left, { folds: 5, seed: 0 });
}

/** The name of a trained head: all that decides its weights. */
export function headKey(
  plan: FeaturePlan,
  rows: HeadRows,
  { held, classes, strength }: { held: number; classes: readonly string[]; strength?: number },
): string {
  return hashJson({
    keys: rows.keys,
    folds: Array.from(rows.folds),
    labels: Array.from(rows.classes),
    classes,
    foldCount: plan.folds,
    held,
    strengths: strength ?? strengthPath,
    method: 2,
  });
}
