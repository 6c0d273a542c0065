import type { ClassScore, ScenarioScore } from '../../contracts/score.ts';
import { partOf } from '../../scenarios/registry.ts';
import { holm } from '../../stats/multiple.ts';
import { type AnswerCell, originalScenario } from '../table/cells.ts';
import { type Predictions, rowsByCell } from '../table/predictions.ts';
import { accuracyOf } from './accuracy.ts';
import { type Difference, differenceOf, pairingWith } from './drop.ts';
import type { Draws } from './resample.ts';

/** One row per scenario of a head: accuracy, and the paired drop against `original` where that is there. */
export function scenarioRows(predictions: Predictions, cells: readonly AnswerCell[], draws?: Draws): ScenarioScore[] {
  const original = cells.find(({ scenario }) => scenario === originalScenario);
  const pair = original && pairingWith(predictions, original.rows);
  const rows = cells.map((cell): ScenarioScore => {
    const accuracy = accuracyOf(predictions, cell.rows);
    const pairing = pair && cell !== original ? pair(cell.rows) : undefined;
    const difference = pairing && differenceOf(pairing, draws);
    return {
      scenario: cell.scenario,
      part: partOf(cell.scenario),
      ...accuracy,
      ...dropFields(difference),
      ...(difference && { pairs: difference.pairs, lost: pairing.firstOnly, gained: pairing.secondOnly }),
      pHolm: null,
    };
  });
  return withHolm(rows);
}

const dropFields = (difference: Difference | undefined) => ({
  drop: difference?.difference ?? null,
  dropCi: difference?.ci ?? null,
  p: difference?.p ?? null,
});

/** Holm's correction over the scenarios that were tested. */
export function withHolm<Row extends { p: number | null; pHolm: number | null }>(rows: readonly Row[]): Row[] {
  const corrected = holm(rows.flatMap(({ p }) => (p === null ? [] : [p])));
  let next = 0;
  return rows.map((row) => (row.p === null ? row : { ...row, pHolm: corrected[next++] }));
}

/** One row per scenario and class. */
export function classRows(predictions: Predictions, cells: readonly AnswerCell[], draws?: Draws): ClassScore[] {
  const { label } = predictions;
  const byClass = new Map<string, Uint32Array[]>();
  const split = cells.map(({ rows }) => {
    const codes = Uint32Array.from(rows, (row) => label.codes[row]);
    const sorted = rowsByCell(codes);
    return (code: number) =>
      code + 1 < sorted.starts.length
        ? sorted.rows.subarray(sorted.starts[code], sorted.starts[code + 1]).map((at) => rows[at])
        : new Uint32Array(0);
  });
  for (const [code, name] of label.levels.entries())
    byClass.set(
      name,
      split.map((rows) => rows(code)),
    );
  const original = cells.findIndex(({ scenario }) => scenario === originalScenario);
  const rows: ClassScore[] = [];
  for (const [name, perCell] of byClass) {
    const pair = original >= 0 ? pairingWith(predictions, perCell[original]) : undefined;
    for (const [c, cell] of cells.entries()) {
      if (perCell[c].length === 0) continue;
      const pairing = pair && c !== original ? pair(perCell[c]) : undefined;
      rows.push({
        class: name,
        scenario: cell.scenario,
        part: partOf(cell.scenario),
        ...accuracyOf(predictions, perCell[c]),
        ...dropFields(pairing && differenceOf(pairing, draws)),
      });
    }
  }
  return rows;
}
