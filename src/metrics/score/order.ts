import type { ModelScore } from '../../contracts/score.ts';
import { originalScenario } from '../table/cells.ts';

/** What a model is ranked by: its accuracy over the shifts; where nothing was shifted, on the photographs as they are. */
export function rankingValue({ overShifts, scenarios }: Pick<ModelScore, 'overShifts' | 'scenarios'>): number {
  return overShifts?.accuracy ?? scenarios.find(({ scenario }) => scenario === originalScenario)?.top1 ?? 0;
}

/** Models as they are shown everywhere: best first. */
export const inOrder = <Model extends Pick<ModelScore, 'model' | 'overShifts' | 'scenarios'>>(
  models: readonly Model[],
): Model[] => [...models].sort((a, b) => rankingValue(b) - rankingValue(a) || (a.model < b.model ? -1 : 1));
