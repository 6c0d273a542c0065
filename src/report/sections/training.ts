import type { ReportData } from '../data/load.ts';
import type { Section } from '../document.ts';
import { trainingMap } from '../figures/training-map.ts';
import { scenarioTitle } from '../scenario-title.ts';
import { headRows, trainingTable } from '../tables/training.ts';

/** Heads trained on one scenario each, where the run has such. */
export function trainingSection({ score, models, answers }: ReportData): Section | null {
  const rows = answers ? headRows(score, answers.heads) : [];
  if (!rows.length) return null;
  const maps = models.flatMap((model, i) => {
    const own = rows.filter((row) => row.model === model);
    const cells = own.map(({ trained, scenario, top1 }) => ({
      trained: scenarioTitle(trained),
      tested: scenarioTitle(scenario),
      accuracy: top1,
    }));
    return cells.length ? [trainingMap(cells, { model, id: `training-${i + 1}` })] : [];
  });
  return {
    id: 'training',
    title: 'In-scenario training',
    blocks: [
      { kind: 'figures', figures: maps },
      { kind: 'table', table: trainingTable(rows) },
    ],
  };
}
