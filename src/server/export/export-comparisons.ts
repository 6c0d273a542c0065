import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ExportedComparison } from '../../contracts/studio/exported-comparison.ts';
import { compare } from '../../metrics/compare/compare-answers.ts';
import { loadScores } from '../../metrics/table/load.ts';

/** Fifteen models are 105 pairs, and as many files. */
const mostModels = 15;

/**
 * Every two models of a run, compared as `sceneshift compare` does: the models in `compare/models.json`, each pair in a
 * file by their places there.
 */
export async function exportComparisons(run: { id: string; path: string }, folder: string): Promise<void> {
  await mkdir(join(folder, 'compare'), { recursive: true });
  const loaded = await loadScores(run.path);
  const models = loaded.kind === 'accuracy' ? [] : loaded.predictions.model.levels.slice(0, mostModels);
  await writeFile(join(folder, 'compare', 'models.json'), JSON.stringify(models));
  if (loaded.kind === 'accuracy') return;
  const { predictions } = loaded;
  for (const [i, first] of models.entries())
    for (const [j, second] of models.entries()) {
      if (j <= i) continue;
      const sides = [first, second].map((model) => ({ predictions, model }));
      const { overall, scenarios, flipped, flips, notes } = compare(sides[0], sides[1]).comparison;
      const pair: ExportedComparison = { overall, scenarios, flipped, flips, notes };
      await writeFile(join(folder, 'compare', `${i}-${j}.json`), JSON.stringify(pair));
    }
}
