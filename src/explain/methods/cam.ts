import type { Grid } from '../canvas.ts';
import type { Activation } from '../graph/layer-reader.ts';
import { classMaps, type Tail } from '../graph/tail.ts';

/** Zhou et al.'s class activation map of one class; of several accepted ones, that which scores highest. */
export async function cam(
  tail: Tail,
  activation: Activation,
  outputs: readonly number[],
  atOnce: number,
): Promise<{ map: Grid; evaluations: number }> {
  const { width, height } = activation.spatial;
  const best = outputs.reduce((a, b) => (activation.logits[b] > activation.logits[a] ? b : a));
  const { maps } = await classMaps(tail, activation, atOnce);
  return { map: { width, height, data: Float64Array.from(maps, (scores) => scores[best]) }, evaluations: 1 };
}
