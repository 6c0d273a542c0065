import type { MiningRecord } from '../contracts/mining.ts';
import { agreementText } from '../contracts/mining-words.ts';
import { percentOf as percent } from '../contracts/numbers.ts';

export interface DatasheetReview {
  readonly reviewers: readonly string[];
  readonly rule: string;
  readonly agreement: readonly {
    readonly question: string;
    readonly alpha: number;
    readonly ci: readonly [number, number];
  }[];
}

/** Names come from users: nothing in them is markup. */
const plain = (text: string) => text.replaceAll(/[\\`*_{}[\]<>()#+!|~-]/g, '\\$&').replaceAll(/[\r\n]+/g, ' ');

/** What one must know before using a mined set (after Gebru et al., 2021): how it was made, from what, by whom. */
export function datasheet(
  record: MiningRecord,
  { released, review }: { released: number; review?: DatasheetReview },
): string {
  const { selection, pool, transfer, freshSeed } = record;
  const names = (list: readonly string[]) => list.map(plain).join(', ') || 'none';
  const held = transfer.filter(({ role }) => role === 'target');
  return `# Datasheet

${released} pictures that models find hard, chosen out of ${pool.pictures}.

## How they were chosen

- Surrogates: ${names(selection.surrogates)}. A picture is a candidate where at least ${selection.atLeast} of them are wrong: ${selection.candidates} pictures.
- Held out: ${names(selection.targets)}. Their answers had no part in the choice; \`sceneshift mine --verify\` chooses again from the surrogates' answers alone (${selection.answersHash}).
- Quotas: ${selection.perClass ?? 'no'} limit per class, ${selection.perNuisance ?? 'no'} limit per nuisance, size ${selection.size ?? 'not limited'}. Left out by them: ${selection.leftOut.perClass + selection.leftOut.perNuisance + selection.leftOut.size}.
- Seed of the choice: ${record.seed}${selection.onSeed === null ? '' : `; chosen among pictures of seed ${selection.onSeed}`}.

## Who looked at them

${
  review
    ? `${review.reviewers.length} reviewers (${names(review.reviewers)}). Rule: ${plain(review.rule)}.\n\n${review.agreement
        .map(({ question, alpha, ci }) => `- ${agreementText({ question: plain(question), alpha, ci })}`)
        .join('\n')}`
    : 'Nobody: the pictures are released as they were mined. Labels and content are not confirmed.'
}

## How hard they are

| model | role | on this set | on a random set of the same size | fall |
| --- | --- | ---: | ---: | ---: |
${transfer
  .map(
    ({ model, role, hard, random, fall }) =>
      `| ${plain(model)} | ${role} | ${percent(hard.estimate)} | ${percent(random.estimate)} | ${percent(fall.estimate)} (${percent(fall.ci[0])} to ${percent(fall.ci[1])}) |`,
  )
  .join('\n')}

${
  freshSeed
    ? `Part of the fall is the luck of being chosen. On other pictures of the same prompts the held-out models fall by ${freshSeed
        .filter(({ model }) => held.some((row) => row.model === model))
        .map(({ model, freshSeed: fresh }) => `${percent(fresh.estimate)} (${plain(model)})`)
        .join(', ')}.`
    : 'How much of the fall is the luck of being chosen is not known: there is one seed of each prompt.'
}

## What they are not

They are chosen because models fail them: accuracy on them is no estimate of accuracy elsewhere. A model that took part in the choice is expected to do badly.
`;
}
