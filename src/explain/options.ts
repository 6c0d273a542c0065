import type { BaselineKind, ExplainedClass, SaliencyMethod } from '../contracts/saliency.ts';

/** How maps are made and judged; part of what names a stored row. */
export interface ExplainSettings {
  readonly explained: ExplainedClass;
  readonly baseline: BaselineKind;
  /** Steps of the deletion and insertion curves. */
  readonly steps: number;
  /** RISE: masks at most; Score-CAM: channels at most. */
  readonly masks: number;
  readonly cells: number;
  readonly converge: number;
  /** Occlusion, as shares of the shown picture's shorter side. */
  readonly patch: number;
  readonly stride: number;
}

export const defaultSettings: ExplainSettings = {
  explained: 'truth',
  baseline: 'mean',
  steps: 32,
  masks: 2000,
  cells: 8,
  converge: 0.95,
  patch: 0.15,
  stride: 0.05,
};

/** The settings that a method's map depends on. */
export function settingsOf(method: SaliencyMethod, settings: ExplainSettings): Partial<ExplainSettings> {
  const { explained, baseline, steps, masks, cells, converge, patch, stride } = settings;
  const judged = { explained, baseline, steps };
  if (method === 'rise') return { ...judged, masks, cells, converge };
  if (method === 'occlusion') return { ...judged, patch, stride };
  return method === 'score-cam' ? { ...judged, masks } : judged;
}
