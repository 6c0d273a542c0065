import { type RunColumns, rowFlag } from './columns.ts';
import { type Filter, type ObjectPlace, places } from './filter.ts';

/** A filter made ready for a walk over the rows: small tables, one look-up each. */
export interface Match {
  readonly model: Uint8Array;
  readonly scenario: Uint8Array;
  readonly label: Uint8Array;
  readonly answer: Uint8Array;
  /** By sample, all that is not about its label. */
  readonly sample: Uint8Array;
  /** By variant, where a part of the map was chosen. */
  readonly variant: Uint8Array | undefined;
  readonly fold: ReadonlySet<number> | undefined;
  readonly flagsSet: number;
  readonly flagsClear: number;
  readonly confidence: readonly [number, number] | undefined;
}

/** `chosen`: the variants that the map's part of the filter (`cluster`, `lasso`) leaves. */
export function prepareMatch(columns: RunColumns, filter: Filter, chosen?: Uint8Array): Match {
  const { outcome, flip } = filter;
  const flip_ = flip === undefined ? 0 : rowFlag[flip];
  return {
    model: allow(columns.models, filter.model),
    scenario: allow(columns.scenarios, filter.scenario),
    label: allow(columns.labels, filter.class),
    answer: allow(columns.answers, filter.answered),
    sample: allowSamples(columns, filter),
    variant: chosen,
    fold: filter.fold && new Set(filter.fold),
    flagsSet: (outcome === 'right' ? rowFlag.correct : 0) | flip_,
    flagsClear: outcome === 'wrong' ? rowFlag.correct : 0,
    confidence: filter.confidence,
  };
}

const allow = (names: readonly string[], wanted: readonly string[] | undefined): Uint8Array => {
  if (!wanted) return new Uint8Array(names.length).fill(1);
  const set = new Set(wanted);
  return Uint8Array.from(names, (name) => (set.has(name) ? 1 : 0));
};

function allowSamples({ samples, facts }: RunColumns, { size, place, sample }: Filter): Uint8Array {
  const allowed = new Uint8Array(samples.length).fill(1);
  const [exact, text] = sample?.startsWith('=') ? [sample.slice(1), undefined] : [undefined, sample?.toLowerCase()];
  const wantedPlaces = place && new Set(place);
  for (let s = 0; s < samples.length; s++) {
    if (exact !== undefined && samples[s] !== exact) allowed[s] = 0;
    else if (text !== undefined && !samples[s].toLowerCase().includes(text)) allowed[s] = 0;
    // What is not known is in no range.
    else if (size && !(facts.size[s] >= size[0] && facts.size[s] <= size[1])) allowed[s] = 0;
    else if (wantedPlaces) {
      const found = placeOf(facts.x[s], facts.y[s]);
      if (!found || !wantedPlaces.has(found)) allowed[s] = 0;
    }
  }
  return allowed;
}

const third = (share: number) => Math.min(2, Math.floor(3 * share));
export const placeOf = (x: number, y: number): ObjectPlace | undefined =>
  Number.isNaN(x) || Number.isNaN(y) ? undefined : places[3 * third(y) + third(x)];
