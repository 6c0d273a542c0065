import type { Gate } from '../contracts/config.ts';
import { UserError } from '../contracts/errors.ts';
import { fixedOf } from '../contracts/numbers.ts';
import type { Score } from '../contracts/score.ts';
import { shownLabel } from '../labels/imagenet-1k.ts';
import { isCounted } from './counted.ts';

type Interval = [number, number];

/** Accuracy and drop of one model on one scenario, over all samples or over one class. */
export interface GateRow {
  readonly model: string;
  readonly scenario: string;
  readonly class?: string;
  readonly top1: number;
  readonly top1Own: number | null;
  readonly ci: Interval | null;
  readonly drop: number | null;
  readonly dropCi: Interval | null;
}

export interface GateResult {
  readonly gate: Gate;
  readonly model: string;
  readonly scenario: string | null;
  readonly class: string | null;
  readonly value: number;
  /** The figure that was held against the limit: the estimate, or the interval's end on the wrong side. */
  readonly held: number;
  readonly passed: boolean;
  readonly message: string;
}

interface Measured {
  readonly value: number;
  readonly ci: Interval | null;
}

/** Holds a score against its limits. A gate that fits nothing is an error: it would otherwise pass unseen for ever. */
export function evaluateGates(gates: readonly Gate[], score: Score, byClass: readonly GateRow[]): GateResult[] {
  return gates.flatMap((gate, i) => {
    const results = resultsOf(gate, score, byClass);
    if (!results.length)
      throw new UserError(`gates.${i} (${describe(gate)}) fits no model, scenario and class of this run`);
    return results;
  });
}

function resultsOf(gate: Gate, score: Score, byClass: readonly GateRow[]): GateResult[] {
  if (gate.metric === 'robustness') return robustnessResults(gate, score);
  if (gate.metric === 'sceneLoss') return verdictResults(gate, score);
  return isSegmentation(gate.metric) ? segmentationResults(gate, score) : rowResults(gate, score, byClass);
}

/** A gate that names no scenario holds the shifts, and the original images where it is not about a loss against them. */
const countsByDefault = (scenario: string, isDrop: boolean) =>
  isCounted(scenario) || (!isDrop && scenario === 'original');

const segmentationMetrics = ['iou', 'dice', 'boundaryF', 'iouDrop'] as const;
const isSegmentation = (metric: Gate['metric']): metric is (typeof segmentationMetrics)[number] =>
  (segmentationMetrics as readonly string[]).includes(metric);

/**
 * Of the object as a whole, or of the model's class that the gate names. A scenario without the object has no such
 * figure, so the gate gives no result for it.
 */
function segmentationResults(gate: Gate, score: Score): GateResult[] {
  const rows = score.segmentation ?? [];
  const wanted = gate.class ?? 'object';
  return rows
    .filter((row) => !gate.model || gate.model === row.model)
    .filter((row) => wanted === '*' || wanted === row.class)
    .filter((row) =>
      gate.scenario ? gate.scenario === row.scenario : countsByDefault(row.scenario, gate.metric === 'iouDrop'),
    )
    .flatMap((row) => {
      const values = row[gate.metric === 'iouDrop' ? 'iou' : (gate.metric as 'iou' | 'dice' | 'boundaryF')];
      const isDrop = gate.metric === 'iouDrop';
      const [value, ci] = isDrop ? [values.drop, values.dropCi] : [values.mean, values.ci];
      if (value === null) return [];
      const original = rows.find(
        (other) => other.model === row.model && other.class === row.class && other.scenario === 'original',
      )?.[isDrop ? 'iou' : (gate.metric as 'iou' | 'dice' | 'boundaryF')].mean;
      const measured = scaled({ value, ci }, gate.relative ? original : 1);
      const place = { model: row.model, scenario: row.scenario, class: row.class };
      return measured ? [judge(gate, place, measured)] : [];
    });
}

function robustnessResults(gate: Gate, score: Score): GateResult[] {
  return score.models
    .filter(({ model }) => !gate.model || gate.model === model)
    .flatMap(({ model, robustness }) =>
      robustness
        ? [judge(gate, { model, scenario: null, class: null }, { value: robustness.score, ci: robustness.ci })]
        : [],
    );
}

/** The verdict's loss. A model that guesses has nothing to lose, so it does not pass. */
function verdictResults(gate: Gate, score: Score): GateResult[] {
  return score.models
    .filter(({ model }) => !gate.model || gate.model === model)
    .flatMap(({ model, verdict }) => {
      if (!verdict?.loss) return [];
      const { estimate: value, ci } = verdict.loss;
      const result = judge(gate, { model, scenario: null, class: null }, { value, ci });
      return [
        {
          ...result,
          passed: result.passed && verdict.reason !== 'guessing',
          message: `${result.message}. ${verdict.words}`,
        },
      ];
    });
}

function rowResults(gate: Gate, score: Score, byClass: readonly GateRow[]): GateResult[] {
  const overall: GateRow[] = score.models.flatMap(({ model, scenarios }) =>
    scenarios.map((row) => ({ ...row, model })),
  );
  const rows = gate.class ? byClass.filter((row) => gate.class === '*' || row.class === gate.class) : overall;
  const originals = new Map(rows.filter((row) => row.scenario === 'original').map((row) => [key(row), row]));
  return rows
    .filter((row) => !gate.model || gate.model === row.model)
    .filter((row) =>
      gate.scenario ? gate.scenario === row.scenario : countsByDefault(row.scenario, gate.metric === 'drop'),
    )
    .flatMap((row) => {
      const measured = measure(gate, row, originals.get(key(row)));
      return measured
        ? [judge(gate, { model: row.model, scenario: row.scenario, class: row.class ?? null }, measured)]
        : [];
    });
}

const key = (row: GateRow) => `${row.model}\u0000${row.class ?? ''}`;

function measure({ metric, relative }: Gate, row: GateRow, original: GateRow | undefined): Measured | undefined {
  if (metric === 'top1Own')
    return row.top1Own === null
      ? undefined
      : scaled({ value: row.top1Own, ci: null }, relative ? original?.top1Own : 1);
  const drop = row.drop === null ? undefined : { value: row.drop, ci: row.dropCi };
  if (metric === 'drop') return drop && scaled(drop, relative ? original?.top1 : 1);
  if (!relative) return { value: row.top1, ci: row.ci };
  // What is left of the original accuracy; its interval is the paired drop's, which is narrower than two apart.
  const base = original?.top1;
  if (!base || !drop) return undefined;
  return { value: 1 - drop.value / base, ci: drop.ci && [1 - drop.ci[1] / base, 1 - drop.ci[0] / base] };
}

function scaled({ value, ci }: Measured, by: number | null | undefined): Measured | undefined {
  return by ? { value: value / by, ci: ci && [ci[0] / by, ci[1] / by] } : undefined;
}

function judge(
  gate: Gate,
  where: Pick<GateResult, 'model' | 'scenario' | 'class'>,
  { value, ci }: Measured,
): GateResult {
  const sure = gate.bound === 'confidence';
  if (sure && !ci)
    throw new UserError(
      `gates: ${describe(gate)} asks for a confidence bound, and there is none for ${where.model}; use bound: estimate`,
    );
  const low = sure && ci ? ci[0] : value;
  const high = sure && ci ? ci[1] : value;
  const tooLow = gate.min !== undefined && !(low >= gate.min);
  const tooHigh = gate.max !== undefined && !(high <= gate.max);
  const held = tooHigh || gate.min === undefined ? high : low;
  const place = [where.model, where.scenario, where.class && shownLabel(where.class)].filter(Boolean).join(' · ');
  const bound = sure
    ? `${held === high ? 'upper' : 'lower'} 95 % bound ${round(held)} of ${gate.metric} ${round(value)}`
    : `${gate.metric} ${round(value)}`;
  const verdict = tooLow ? `is below ${gate.min}` : tooHigh ? `is above ${gate.max}` : 'holds';
  return {
    gate,
    ...where,
    value,
    held,
    passed: !tooLow && !tooHigh,
    message: `${place}: ${bound}${gate.relative ? ' (relative to original)' : ''} ${verdict}`,
  };
}

const round = (value: number) => fixedOf(value, 4);

const describe = ({ metric, model, scenario, class: className, min, max }: Gate) =>
  [metric, model, scenario, className, min !== undefined && `min ${min}`, max !== undefined && `max ${max}`]
    .filter(Boolean)
    .join(' ');
