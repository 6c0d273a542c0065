import { resolve } from 'node:path';
import { expected, UserError } from '../contracts/errors.ts';
import type { MiningRecord } from '../contracts/mining.ts';
import { agreementText } from '../contracts/mining-words.ts';
import { readPool } from '../mine/read-pool.ts';
import { release } from '../mine/release.ts';
import { exportReviewTables, importReviewTable, reviewQueueOf } from '../mine/review-exchange.ts';
import { agreement, outcomes } from '../review/outcome.ts';
import { createReview, openReview, type Review } from '../review/review.ts';
import { inOwnFolder, withRunFolder } from '../run/folder/index.ts';
import { threadsFrom } from '../run/inputs.ts';
import { print } from './ui/output.ts';

interface ExchangeValues {
  readonly json: boolean;
  readonly accept: number;
  readonly reviewers: number;
  /** One table each, their names filled in. */
  readonly names: readonly string[];
  readonly votes?: readonly string[];
}

/** The mined set as a queue for the studio, and as tables for people without it. */
export async function exportReview(record: MiningRecord, run: string, folder: string, values: ExchangeValues) {
  const { accept, reviewers, names } = values;
  if (accept > reviewers)
    throw expected(`at most the ${reviewers} votes wanted of each picture`, '--accept', accept, 'raise --reviewers');
  const rule = { wanted: { object: 'yes', label: 'yes' }, atLeast: accept, votes: reviewers };
  const { queue, tables } = await inOwnFolder(folder, async () => {
    const queue = await reviewQueueOf(record, run, folder, rule);
    await createReview(folder, queue);
    return { queue, tables: await exportReviewTables(queue, folder, names) };
  });
  print(
    values.json,
    { folder, table: tables[0], tables, pictures: queue.items.length, rule },
    () =>
      `${queue.items.length} pictures to review in ${folder}; kept where at least ${accept} of ${reviewers} people say yes to object and label\nIn the studio: sceneshift studio ${folder}\nOr fill ${tables.join(', ')} and bring ${tables.length > 1 ? 'them' : 'it'} back with --review import --votes FILE`,
  );
}

/** Votes of filled tables join those of the studio; what the rule makes of all of them, and how far people agree. */
export async function importReview(folder: string, values: ExchangeValues): Promise<void> {
  if (!values.votes?.length) throw expected('a filled table', '--votes', undefined);
  const { votes } = values;
  // Whether there is a review, before the lock makes its folder.
  await (await openReview(folder)).close();
  await inOwnFolder(folder, () => importVotes(folder, votes, values.json));
}

async function importVotes(folder: string, tables: readonly string[], json: boolean): Promise<void> {
  const review = await openReview(folder);
  try {
    const known = new Map(
      review
        .votes()
        .filter(({ decides }) => !decides)
        .map(({ reviewer, item, question, answer }) => [JSON.stringify([reviewer, item, question]), answer]),
    );
    let count = 0;
    for (const file of tables)
      for (const { reviewer, item, question, answer } of await importReviewTable(review.queue, file)) {
        const vote = JSON.stringify([reviewer, item, question]);
        // The same table again, after a kill, adds what is missing.
        if (known.get(vote) !== answer) await review.vote(reviewer, item, { [question]: answer });
        known.set(vote, answer);
        count++;
      }
    const kept = outcomes(review.queue, review.votes());
    const tally = (outcome: string) => kept.filter((row) => row.outcome === outcome).length;
    const judged = summarise(review);
    const result = {
      ...{ votes: count, kept: tally('kept'), leftOut: tally('left-out'), open: tally('open') },
      ...{ disputed: kept.filter(({ disputed }) => disputed).length, ...judged },
    };
    print(json, result, () =>
      [
        `${count} answers taken in; ${result.kept} kept, ${result.leftOut} left out, ${result.open} open (${judged.rule})`,
        `${judged.reviewers.length} reviewers so far: ${judged.reviewers.join(', ')}; they disagree on ${result.disputed} pictures`,
        ...judged.agreement.map(({ question, alpha, ci }) => `  ${agreementText({ question, alpha, ci })}`),
      ].join('\n'),
    );
  } finally {
    await review.close();
  }
}

/** Who reviewed, by what rule, and how far they agree, question by question. */
function summarise({ queue, votes }: Review) {
  const { atLeast, votes: wanted, wanted: answers } = queue.rule;
  const said = Object.entries(answers).map(([question, answer]) => `${question}: ${answer}`);
  return {
    reviewers: [...new Set(votes().map(({ reviewer }) => reviewer))].sort(),
    rule: `kept where at least ${atLeast} of ${wanted} say ${said.join(' and ')}`,
    agreement: agreement(queue, votes())
      .filter(({ krippendorff }) => Number.isFinite(krippendorff.estimate))
      .map(({ question, krippendorff }) => ({ question, alpha: krippendorff.estimate, ci: krippendorff.ci })),
  };
}

interface ReleaseValues {
  readonly json: boolean;
  readonly release?: string;
  readonly factors?: string;
  readonly clip?: string;
  readonly threads?: number;
}

/** Writes what reviewers accept, or all of it where nobody was asked. */
export async function releaseReviewed(record: MiningRecord, run: string, folder: string, values: ReleaseValues) {
  const { pool, predictions } = await withRunFolder(run, (opened) => readPool(opened, { factors: values.factors }));
  const places = new Map(pool.items.map(({ scenario, sample }, i) => [`${scenario}\u0000${sample}`, i]));
  const answers = new Map(
    record.selection.surrogates.map((name) => [
      name,
      record.chosen.map(
        ({ scenario, sample }) => predictions.get(name)?.[places.get(`${scenario}\u0000${sample}`) ?? -1] ?? '',
      ),
    ]),
  );
  const reviewed = await openReview(folder).catch((error: unknown) => {
    if (error instanceof UserError) return undefined;
    throw error;
  });
  try {
    const judged = reviewed && outcomes(reviewed.queue, reviewed.votes());
    const kept = new Set(judged?.filter(({ outcome }) => outcome === 'kept').map(({ item }) => item.id));
    if (judged && !kept.size) {
      const open = judged.filter(({ outcome }) => outcome === 'open').length;
      throw new UserError(
        `Nothing to release: reviewers have kept none of ${judged.length} pictures, ${open} still lack votes (sceneshift studio ${folder})`,
      );
    }
    const review = reviewed && { ...summarise(reviewed), kept };
    const released = await release({
      ...{ record, run, out: resolve(values.release as string), review, answers },
      clip: values.clip
        ? {
            folder: resolve(values.clip),
            labels: pool.items.map(({ label }) => label),
            threads: threadsFrom(values.threads),
          }
        : undefined,
    });
    print(values.json, released, () =>
      [
        `${released.pictures} pictures in ${released.folder}, ${released.leftOut} left out by review`,
        review ? undefined : '! Nobody has reviewed them; the datasheet says so (sceneshift mine RUN --review export)',
      ]
        .filter(Boolean)
        .join('\n'),
    );
  } finally {
    await reviewed?.close();
  }
}
