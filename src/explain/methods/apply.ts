import type { Random } from '../../contracts/random.ts';
import type { SaliencyMethod } from '../../contracts/saliency.ts';
import type { Raster } from '../../image/raster.ts';
import type { Grid } from '../canvas.ts';
import type { OpenGraph } from '../graph/open-graph.ts';
import type { OutputScore } from '../model-probe.ts';
import type { ExplainSettings } from '../options.ts';
import { cam } from './cam.ts';
import { eigenCam } from './eigen-cam.ts';
import { occlusion } from './occlusion.ts';
import { rise } from './rise.ts';
import { scoreCam } from './score-cam.ts';

export interface MethodContext {
  readonly method: SaliencyMethod;
  readonly settings: ExplainSettings;
  /** What the network is shown. */
  readonly picture: Raster;
  readonly baseline: Raster;
  /** Outputs of the explained class. */
  readonly outputs: readonly number[];
  /** Its probability in the untouched picture. */
  readonly whole: number;
  readonly scorePictures: (pictures: readonly Raster[]) => Promise<OutputScore[]>;
  readonly batch: number;
  readonly random: Random;
  /** The graph at the chosen layer, for the methods that look inside. */
  readonly activate: (() => ReturnType<OpenGraph['reader']['read']>) | undefined;
  readonly tail: OpenGraph['tail'];
}

export interface MethodResult {
  readonly map: Grid;
  readonly evaluations: number;
  /** NaN for methods without chance. */
  readonly reliability: number;
}

export async function applyMethod(context: MethodContext): Promise<MethodResult> {
  const { method, settings, picture, batch, outputs, tail } = context;
  const side = Math.min(picture.width, picture.height);
  const exact = { reliability: Number.NaN };
  if (method === 'rise') return rise({ ...context, ...settings, baseline: context.baseline });
  if (method === 'occlusion') {
    const patchPx = Math.max(1, Math.round(settings.patch * side));
    const stridePx = Math.max(1, Math.round(settings.stride * side));
    return { ...exact, ...(await occlusion({ ...context, patchPx, stridePx })) };
  }
  if (!context.activate) throw new Error(`${method} needs the graph`);
  const activation = await context.activate();
  if (method === 'eigen-cam') return { ...exact, map: eigenCam(activation), evaluations: 1 };
  if (method === 'score-cam')
    return { ...exact, ...(await scoreCam({ ...context, activation, channels: settings.masks })) };
  if (!tail) throw new Error('CAM needs the end of the network');
  return { ...exact, ...(await cam(tail, activation, outputs, batch)) };
}
