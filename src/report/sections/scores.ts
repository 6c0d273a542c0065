import type { ReportData } from '../data/load.ts';
import type { Block, Section } from '../document.ts';
import { scoreChart } from '../figures/score-chart.ts';
import { said as plain } from '../formats/inline.ts';
import { modelWordsTable } from '../tables/model-words.ts';
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
  const said = [...(data.score.ship ? [data.score.ship.words] : []), ...(data.score.notes ?? [])].map(plain);
  if (said.length) blocks.push({ kind: 'list', items: said });
  blocks.push({ kind: 'table', table: modelWordsTable(facts) });
  if (data.score.rank)
    blocks.push(
      { kind: 'heading', text: 'Which model to take when the scene changes' },
      { kind: 'text', text: data.score.rank.words },
      { kind: 'table', table: rankTable(data.score.rank) },
    );
  return { id: 'scores', title: 'Scores', blocks };
}
