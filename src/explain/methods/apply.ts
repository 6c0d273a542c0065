import type { Random } from '../../contracts/random.ts';
import type { SaliencyMethod } from '../../contracts/saliency.ts';
import type { Raster } from '../../image/raster.ts';
import type { ClassScore } from '../ask.ts';
import type { Grid } from '../canvas.ts';
import type { ExplainSettings } from '../options.ts';
import { occlusion } from './occlusion.ts';
import { rise } from './rise.ts';

export interface MethodContext {
  readonly method: SaliencyMethod;
  readonly settings: ExplainSettings;
  /** What the network is shown. */
  readonly picture: Raster;
  readonly baseline: Raster;
  /** Probability of the explained class in the untouched picture. */
  readonly whole: number;
  readonly ask: (pictures: readonly Raster[]) => Promise<ClassScore[]>;
  readonly batch: number;
  readonly random: Random;
}

export interface MethodResult {
  readonly map: Grid;
  readonly evaluations: number;
  /** NaN for methods without chance. */
  readonly reliability: number;
}

export async function applyMethod(context: MethodContext): Promise<MethodResult> {
  const { method, settings, picture } = context;
  const side = Math.min(picture.width, picture.height);
  const exact = { reliability: Number.NaN };
  switch (method) {
    case 'rise':
      return rise({ ...context, ...settings, baseline: context.baseline });
    case 'occlusion':
      return {
        ...exact,
        ...(await occlusion({
          ...context,
          patchPx: Math.max(1, Math.round(settings.patch * side)),
          stridePx: Math.max(1, Math.round(settings.stride * side)),
        })),
      };
    default:
      throw new Error(`no method ${method}`);
  }
}
