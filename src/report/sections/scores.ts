import type { ReportData } from '../data/load.ts';
import type { Block, Section } from '../document.ts';
import { scoreChart } from '../figures/score-chart.ts';
import { rankTable } from '../tables/rank.ts';
import { scoreFacts, scoreTable } from '../tables/scores.ts';

export function scoresSection(data: ReportData): Section | null {
  const facts = scoreFacts(data);
  if (!facts.length) return null;
  const figure = scoreChart(
    facts.map(({ model, original, edited, editedCi, worst }) => ({
      model,
      original: original?.top1 ?? null,
      originalCi: original?.ci ?? null,
      edited,
      editedCi,
      worst: worst?.top1 ?? null,
      worstScenario: worst?.scenario ?? null,
    })),
  );
  const blocks: Block[] = [
    { kind: 'table', table: scoreTable(facts) },
    { kind: 'figures', figures: [figure] },
  ];
  const notes = [
    ...facts.flatMap(({ score }) => {
      const words = score.robustness?.words;
      return typeof words === 'string' ? [`**${score.model}**: ${words}`] : [];
    }),
    ...facts.flatMap(({ score }) =>
      score.background ? [`**${score.model}** and the background: ${score.background.words}`] : [],
    ),
    ...facts.flatMap(({ score }) =>
      (score.distribution ?? []).flatMap(({ warning }) => (warning ? [`**${score.model}**: ${warning}`] : [])),
    ),
    ...(data.score.ship ? [data.score.ship.words] : []),
    ...rankingWords(data),
    ...(data.score.notes ?? []),
  ];
  if (notes.length) blocks.push({ kind: 'list', items: notes });
  if (data.score.rank)
    blocks.push(
      { kind: 'heading', text: 'Which model to take when the scene changes' },
      { kind: 'text', text: data.score.rank.words },
      { kind: 'table', table: rankTable(data.score.rank) },
    );
  return { id: 'scores', title: 'Scores', blocks };
}

function rankingWords({ score }: ReportData): string[] {
  const [first, second] = score.ranking?.models ?? [];
  if (!score.ranking || !first || !second) return [];
  return [
    `Ranked by ${score.ranking.by} alone, **${first.model}** comes first in ${(100 * first.best).toFixed(0)} % of ${score.ranking.replicates} re-drawn samples and ${second.model} in ${(100 * second.best).toFixed(0)} %. That score rewards evenness, not accuracy: a model that is always wrong is perfectly even.`,
  ];
}
