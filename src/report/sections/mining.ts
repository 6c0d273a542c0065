import type { MiningRecord } from '../../contracts/mining.ts';
import {
  agreementText,
  curveSentence,
  freshSentence,
  selectionSentence,
  shownModes,
  transferSentence,
} from '../../contracts/mining-words.ts';
import { shownLabel } from '../../labels/imagenet-1k.ts';
import { wordAt } from '../../metrics/answers/answer-columns.ts';
import type { ReportData } from '../data/load.ts';
import type { Block, Section } from '../document.ts';
import { surrogateCurveChart } from '../figures/surrogate-curve.ts';
import { transferChart } from '../figures/transfer-chart.ts';
import { transferMap } from '../figures/transfer-map.ts';
import { said } from '../formats/inline.ts';
import { count, listWords } from '../show.ts';
import {
  auditTable,
  doubtfulModesTable,
  failsTable,
  freshSeedTable,
  matrixTable,
  modesTable,
  transferTable,
} from '../tables/mining.ts';

type MiningData = Pick<ReportData, 'mining' | 'released' | 'minedPictures' | 'answers'>;

/** Pictures that several models fail: the pool, what each model fails, what transfers, and what was released. */
export function miningSection({ mining, released, minedPictures, answers }: MiningData): Section | null {
  if (!mining) return null;
  const text = (sentence: string): Block => ({ kind: 'text', text: said(sentence) });
  const blocks: Block[] = [
    text(`${selectionSentence(mining)} ${transferSentence(mining)}`),
    {
      kind: 'text',
      text: `The pool: ${count(mining.pool.pictures, 'picture')} that all of ${count(mining.pool.models.length, 'model')} answered. The choice was made on the surrogates' answers alone; \`mine RUN --verify\` makes it again.`,
    },
    ...galleryBlocks(mining, minedPictures, answers),
    { kind: 'table', table: failsTable(mining) },
  ];
  if (mining.transfer.length)
    blocks.push(
      { kind: 'figures', figures: [transferChart(mining.transfer)] },
      { kind: 'table', table: transferTable(mining.transfer) },
    );
  blocks.push(text(freshSentence(mining)));
  if (mining.freshSeed) blocks.push({ kind: 'table', table: freshSeedTable(mining.freshSeed) });
  if (mining.matrix.length)
    blocks.push(
      { kind: 'figures', figures: [transferMap(mining.matrix)] },
      { kind: 'table', table: matrixTable(mining.matrix) },
    );
  if (mining.curve.points.length > 1)
    blocks.push({ kind: 'figures', figures: [surrogateCurveChart(mining.curve)] }, text(curveSentence(mining)));
  blocks.push({ kind: 'heading', text: 'What wrong answers have in common' });
  const modes = shownModes(mining);
  const doubtful = mining.modes.filter((mode) => !modes.includes(mode));
  if (modes.length) blocks.push({ kind: 'table', table: modesTable(modes) });
  else blocks.push(text('No property of the pictures is shown to go with being failed.'));
  if (doubtful.length) blocks.push({ kind: 'table', table: doubtfulModesTable(doubtful) });
  if (mining.modesMissing.length)
    blocks.push({ kind: 'list', items: mining.modesMissing.map((what) => said(`Not looked for: ${what}.`)) });
  blocks.push({ kind: 'table', table: auditTable(mining.audit) }, ...releasedBlocks(released));
  return { id: 'mining', title: 'Pictures that several models fail', blocks };
}

/** Some of the chosen pictures, with the commonest wrong answer to each. */
function galleryBlocks(
  { chosen, selection }: MiningRecord,
  pictures: ReportData['minedPictures'],
  answers: ReportData['answers'],
): Block[] {
  if (!pictures.length) return [];
  const wrong = wrongAnswers(answers);
  const some = pictures.length < chosen.length ? `${pictures.length} of the ${chosen.length} pictures` : 'The pictures';
  return [
    { kind: 'text', text: `${some} chosen, with the commonest wrong answer to each.` },
    {
      kind: 'gallery',
      pictures: pictures.map(({ label, nuisance, scenario, sample, failedBy, src, width, height }) => {
        const said = commonest(wrong.get(JSON.stringify([scenario, sample])) ?? []);
        return {
          ...{ title: shownLabel(label), src, width, height },
          notes: [
            ...(said ? [`✗ ${said}`] : []),
            `${nuisance}; ${failedBy.length} of ${selection.surrogates.length} surrogates fail`,
          ],
        };
      }),
    },
  ];
}

function wrongAnswers(answers: ReportData['answers']): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const row of answers?.rows ?? []) {
    if (!answers || answers.correct[row]) continue;
    const key = JSON.stringify([wordAt(answers.scenario, row), wordAt(answers.sample, row)]);
    found.set(key, [...(found.get(key) ?? []), wordAt(answers.prediction, row)]);
  }
  return found;
}

function commonest(words: readonly string[]): string | undefined {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))[0]?.[0];
}

function releasedBlocks(released: ReportData['released']): Block[] {
  if (!released) return [{ kind: 'text', text: 'Nothing has been released: `sceneshift mine RUN --release DIR`.' }];
  const { pictures, leftOut, review, byNuisance } = released;
  const parts = listWords(byNuisance.map(({ nuisance, pictures: n }) => `${n} ${nuisance}`));
  const looked = review
    ? `${count(review.reviewers.length, 'person', 'people')} looked at them (${review.reviewers.join(', ')}); ${review.rule}. ${count(leftOut, 'picture')} left out.`
    : 'Nobody reviewed them.';
  return [
    { kind: 'heading', text: 'The released set' },
    { kind: 'text', text: said(`${count(pictures, 'picture')} (${parts}). ${looked}`) },
    ...(review?.agreement.length
      ? [
          {
            kind: 'list' as const,
            items: review.agreement.map(({ question, alpha, ci }) =>
              said(`${agreementText({ question, alpha, ci })}.`),
            ),
          },
        ]
      : []),
  ];
}
