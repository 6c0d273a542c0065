import type { ModelRecord, Preprocessing } from '../../contracts/model-record.ts';
import type { Raster } from '../../image/raster.ts';
import { type Interval, mcnemarExact, wilson } from '../../stats/proportion.ts';
import type { OnnxDescription } from '../onnx/describe.ts';
import { networkSize, preprocessor } from '../onnx/preprocess.ts';
import { createRunner } from '../onnx/runner.ts';
import { openSession } from '../onnx/session.ts';
import { candidateGeometries, candidateValues, type PreprocessingCandidate, sameCandidate } from './candidates.ts';

/** A photograph that is decoded when its turn comes, and the outputs that are right for it. */
export interface LabelledPicture {
  load(): Promise<Raster>;
  readonly targets: readonly number[];
}

export interface PreprocessingTrial {
  /** As it would stand in `FILE.json`. */
  readonly record: ModelRecord;
  readonly preprocessing: Preprocessing;
  /** What the model is run with as things stand. */
  readonly stated: boolean;
  /** When it was tried: what is stated first, then the more usual ones. */
  readonly order: number;
  readonly right: number;
  readonly n: number;
  readonly accuracy: number;
  readonly ci: Interval;
  /** Against the best on the same photographs: McNemar's exact test, and corrected for the number of trials (Bonferroni). */
  readonly pAgainstBest: number;
  readonly pCorrected: number;
}

export interface TryOptions {
  readonly threads?: number;
  readonly onProgress?: (done: number, total: number) => void;
}

/** So many of the best ways to treat the values are tried with other geometries. */
const finalists = 3;

/**
 * How often a classifier is right under each plausible preprocessing, best first. Values and channel order matter most,
 * so they are tried with the stated geometry first, and the best of them with every other geometry.
 */
export async function tryPreprocessings(
  described: OnnxDescription,
  pictures: readonly LabelledPicture[],
  { threads = 1, onProgress }: TryOptions = {},
): Promise<PreprocessingTrial[]> {
  const { onnx } = described;
  const session = await openSession({ path: onnx.path, quantized: onnx.quantized, threads });
  const tried: Tried[] = [];
  try {
    const first = candidateValues(described);
    const expected = (first.length + finalists * 4) * pictures.length;
    const tryAll = async (candidates: readonly PreprocessingCandidate[]) => {
      const fresh = candidates.filter(
        (candidate, i) =>
          !tried.some((other) => sameCandidate(other.candidate, candidate)) &&
          candidates.findIndex((other) => sameCandidate(other, candidate)) === i,
      );
      const ways = fresh.map((candidate) => ({
        candidate,
        right: [] as boolean[],
        isRight: answerer(described, session, candidate),
      }));
      const before = tried.length * pictures.length;
      tried.push(...ways);
      // Few photographs are in memory at a time, and each is decoded once for all of a round's candidates.
      for (let start = 0; start < pictures.length; start += described.batch) {
        const part = pictures.slice(start, start + described.batch);
        const images = await Promise.all(part.map((picture) => picture.load()));
        for (const way of ways) way.right.push(...(await way.isRight(images, part)));
        onProgress?.(before + (start + part.length) * ways.length, expected);
      }
    };
    await tryAll(first);
    const best = [...tried].sort((a, b) => count(b.right) - count(a.right)).slice(0, finalists);
    await tryAll(best.flatMap(({ candidate }) => candidateGeometries(candidate, onnx.input)));
  } finally {
    await session.release();
  }
  const [statedWay] = tried;
  // Of equals the more usual comes first: in the order of trying.
  const ranked = [...tried].sort((a, b) => count(b.right) - count(a.right));
  const best = ranked[0].right;
  return ranked.map((way) => {
    const { candidate, right } = way;
    const lost = best.filter((good, i) => good && !right[i]).length;
    const won = right.filter((good, i) => good && !best[i]).length;
    return {
      ...candidate,
      stated: way === statedWay,
      order: tried.indexOf(way),
      right: count(right),
      n: right.length,
      accuracy: count(right) / right.length,
      ci: wilson(count(right), right.length),
      pAgainstBest: mcnemarExact(lost, won),
      pCorrected: Math.min(1, mcnemarExact(lost, won) * tried.length),
    };
  });
}

interface Tried {
  readonly candidate: PreprocessingCandidate;
  readonly right: boolean[];
}

function answerer(
  { onnx, batch, outputs }: OnnxDescription,
  session: Awaited<ReturnType<typeof openSession>>,
  { preprocessing }: PreprocessingCandidate,
) {
  const { input, output, path: file, binary } = onnx;
  const runner = createRunner({ session, input, preprocessing, outputs: [output], batch, file });
  const prepare = preprocessor(preprocessing);
  // Where pictures keep their own shape they cannot share a batch.
  const together = preprocessing.crop || (preprocessing.resize && 'width' in preprocessing.resize) ? batch : 1;
  return async (images: readonly Raster[], pictures: readonly LabelledPicture[]): Promise<boolean[]> => {
    const right: boolean[] = [];
    for (let start = 0; start < images.length; start += together) {
      const part = images.slice(start, start + together);
      const prepared = part.map((image) => prepare(image));
      const [{ data }] = await runner.run(prepared, networkSize(preprocessing, part[0]));
      const each = data.length / part.length;
      for (let i = 0; i < part.length; i++) {
        const scores = data.subarray(i * each, (i + 1) * each);
        const answer = binary ? Number(scores[0] > (outputs === 'logits' ? 0 : 0.5)) : largest(scores);
        right.push(pictures[start + i].targets.includes(answer));
      }
    }
    return right;
  };
}

function largest(scores: Float32Array): number {
  let best = 0;
  for (let i = 1; i < scores.length; i++) if (scores[i] > scores[best]) best = i;
  return best;
}

const count = (right: readonly boolean[]) => right.reduce((sum, good) => sum + Number(good), 0);

/** Whether what is stated can stand, and what to write else: of those as good as the best, the most usual one. */
export function judgeTrials(trials: readonly PreprocessingTrial[], outputs: number) {
  const [best] = trials;
  const asGood = trials.filter(({ pAgainstBest }) => pAgainstBest >= 0.05);
  const better = asGood.reduce((first, trial) => (trial.order < first.order ? trial : first));
  const stated = trials.find((trial) => trial.stated) as PreprocessingTrial;
  const chance = 1 / Math.max(2, outputs);
  const verdict =
    best.ci[0] <= 2 * chance ? 'none works' : stated.pCorrected >= 0.05 ? 'stated stands' : 'another is better';
  return { best, better, stated, verdict } as const;
}
