import type { MaskSource } from '../contracts/sample.ts';
import { type DrawnSource, drawMask } from './masks/draw.ts';
import { encodeRleString } from './masks/rle.ts';

/** One mask of several objects of a picture. Polygons stay polygons; with run lengths among them all become run lengths. */
export function joinMasks(sources: readonly (MaskSource | undefined)[]): MaskSource | undefined {
  const drawn = sources.filter(
    (source): source is DrawnSource => source?.kind === 'polygons' || source?.kind === 'rle',
  );
  if (drawn.length < 2) return drawn[0];
  const [first] = drawn;
  if (drawn.every((source) => source.kind === 'polygons' && first.kind === 'polygons' && source.rule === first.rule)) {
    const polygons = drawn as Extract<DrawnSource, { kind: 'polygons' }>[];
    const circles = polygons.flatMap((source) => source.circles ?? []);
    return {
      ...polygons[0],
      polygons: polygons.flatMap((source) => source.polygons),
      ...(circles.length && { circles }),
    };
  }
  const { width, height } = first;
  if (drawn.some((source) => source.width !== width || source.height !== height)) return first;
  const plane = new Uint8Array(width * height);
  for (const source of drawn) {
    const part = drawMask(source);
    for (let i = 0; i < plane.length; i++) plane[i] |= part[i];
  }
  return { kind: 'rle', counts: encodeRleString(planeToRuns(plane, width, height)), width, height };
}

/** COCO's run lengths of a plane stored row by row. */
export function planeToRuns(plane: Uint8Array, width: number, height: number): number[] {
  const runs: number[] = [];
  let inside = false;
  let run = 0;
  for (let x = 0; x < width; x++)
    for (let y = 0; y < height; y++) {
      if (plane[y * width + x] > 0 !== inside) {
        runs.push(run);
        run = 0;
        inside = !inside;
      }
      run++;
    }
  runs.push(run);
  return runs;
}
