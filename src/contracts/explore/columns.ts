/** What is known of every sample's object from its mask, and of its picture; NaN where there is no number. */
export interface SampleFacts {
  /** The object's share of the picture. */
  readonly size: Float32Array;
  /** The object's middle, as shares of width and height. */
  readonly x: Float32Array;
  readonly y: Float32Array;
  /** Mean of the picture's lightness, 0 to 1. */
  readonly brightness: Float32Array;
}

/**
 * The answers of a run, column by column, the answers to one variant side by side. Small enough for a browser, quick enough
 * that any question is one walk over the rows; the server and an exported site ask with the same code.
 */
export interface RunColumns {
  /** A head trained in a scenario is a model of its own: `resnet (trained on grey)`. */
  readonly models: readonly string[];
  readonly scenarios: readonly string[];
  readonly labels: readonly string[];
  readonly answers: readonly string[];
  readonly samples: readonly string[];
  readonly sampleLabel: Uint16Array;
  readonly facts: SampleFacts;
  readonly variantSample: Uint32Array;
  readonly variantScenario: Uint16Array;
  /** First row of each variant, and the number of rows at the end. */
  readonly rowStart: Uint32Array;
  readonly rowModel: Uint16Array;
  readonly rowAnswer: Uint16Array;
  readonly rowProbability: Float32Array;
  readonly rowFold: Int16Array;
  /** Bits of `rowFlag`. */
  readonly rowFlags: Uint8Array;
}

/** `lost`: right on the original, wrong here; `gained`: the other way; `changed`: another answer than there. */
export const rowFlag = { correct: 1, lost: 2, gained: 4, changed: 8 } as const;

export function noFacts(samples: number): SampleFacts {
  const unknown = () => new Float32Array(samples).fill(Number.NaN);
  return { size: unknown(), x: unknown(), y: unknown(), brightness: unknown() };
}

/** Marks every row against the same model's answer to the original of its sample. */
export function markFlips(columns: RunColumns): void {
  const { rowStart, rowModel, rowAnswer, rowFlags, variantSample, variantScenario, models, scenarios, samples } =
    columns;
  const original = scenarios.indexOf('original');
  if (original < 0) return;
  const before = new Int32Array(samples.length * models.length).fill(-1);
  const forEachRow = (visit: (row: number, place: number, isOriginal: boolean) => void) => {
    for (let v = 0; v < variantSample.length; v++)
      for (let row = rowStart[v]; row < rowStart[v + 1]; row++)
        visit(row, variantSample[v] * models.length + rowModel[row], variantScenario[v] === original);
  };
  forEachRow((row, place, isOriginal) => {
    if (isOriginal) before[place] = row;
  });
  forEachRow((row, place) => {
    const other = before[place];
    if (other < 0) return;
    const [was, is] = [rowFlags[other] & rowFlag.correct, rowFlags[row] & rowFlag.correct];
    if (was && !is) rowFlags[row] |= rowFlag.lost;
    if (!was && is) rowFlags[row] |= rowFlag.gained;
    if (rowAnswer[other] !== rowAnswer[row]) rowFlags[row] |= rowFlag.changed;
  });
}
