import { copyFile, mkdir, readFile } from 'node:fs/promises';
import { basename, extname, join, relative } from 'node:path';
import { expected, UserError } from '../contracts/errors.ts';
import type { MiningRecord } from '../contracts/mining.ts';
import { type AcceptRule, defaultReviewQuestions, type ReviewQueue, type ReviewVote } from '../contracts/review.ts';
import { readCsvObjects } from '../formats/csv-rows.ts';
import { spreadsheetCsv } from '../formats/csv-write.ts';
import { decodeImage } from '../image/decode.ts';
import { encodeImage } from '../image/encode.ts';
import { resize } from '../image/resize.ts';
import { writeAtomic } from '../run/atomic.ts';
import { hashJson } from '../run/hash.ts';
import { hardPictures } from './hard-pictures.ts';

/** A picture's place in a review, whatever its sample is called. */
export const reviewId = ({ scenario, sample }: { scenario: string; sample: string }): string =>
  hashJson([scenario, sample]).slice(0, 12);

const thumbnailSide = 320;

/** What `src/review` makes a queue of; the pictures are copied into the folder, so that it can be carried elsewhere. */
export async function reviewQueueOf(
  record: MiningRecord,
  run: string,
  out: string,
  rule: AcceptRule,
): Promise<ReviewQueue> {
  const pictures = await hardPictures(record, run);
  await mkdir(join(out, 'images'), { recursive: true });
  const items = [];
  for (const { chosen, sample } of pictures) {
    const id = reviewId(chosen);
    const image = `images/${id}${extname(sample.image).toLowerCase()}`;
    await copyFile(sample.image, join(out, image));
    items.push({ id, image, label: chosen.label, facts: { nuisance: chosen.nuisance, sample: chosen.sample } });
  }
  if (!items.length) throw new UserError('The mined set is empty: there is nothing to review');
  return {
    version: 1,
    title: `Hard images of ${basename(run)}`,
    questions: [...defaultReviewQuestions],
    items,
    rule,
    seed: record.seed,
  };
}

/**
 * The queue as a table for people without the studio: a row a picture, an empty cell a question, a small picture beside.
 * `review.csv` for anybody, or a table with the name filled in for each who is named.
 */
export async function exportReviewTables(
  queue: ReviewQueue,
  out: string,
  names: readonly string[] = [],
): Promise<string[]> {
  for (const { id, image } of queue.items) {
    const picture = await decodeImage(join(out, image));
    const scale = Math.min(1, thumbnailSide / Math.max(picture.width, picture.height));
    const small = resize(
      picture,
      Math.max(1, Math.round(picture.width * scale)),
      Math.max(1, Math.round(picture.height * scale)),
      'bilinear',
    );
    await writeAtomic(out, `thumbnails/${id}.jpg`, await encodeImage(small, { format: 'jpeg', quality: 85 }));
  }
  // Not `label`: that is a question.
  const header = ['reviewer', 'id', 'category', 'thumbnail', ...queue.questions.map(({ id }) => id)];
  const tables = [];
  for (const [i, name] of (names.length ? names : ['']).entries()) {
    const rows = queue.items.map(({ id, label }) => [
      name,
      id,
      label,
      `thumbnails/${id}.jpg`,
      ...queue.questions.map(() => ''),
    ]);
    const file = name ? `review-${i + 1}-${name.replaceAll(/[^\p{L}\p{N}]+/gu, '_')}.csv` : 'review.csv';
    await writeAtomic(out, file, spreadsheetCsv(header, rows));
    tables.push(relative(process.cwd(), join(out, file)));
  }
  return tables;
}

/** Votes from filled tables; every row needs the reviewer's name, cells left empty are no votes. */
export async function importReviewTable(queue: ReviewQueue, file: string): Promise<ReviewVote[]> {
  const rows = readCsvObjects(await readFile(file, 'utf8'), file);
  const known = new Set(queue.items.map(({ id }) => id));
  const time = new Date().toISOString();
  return rows.flatMap((row, i) => {
    const filled = queue.questions.filter(({ id }) => row[id]?.trim());
    if (!filled.length) return [];
    const where = `row ${i + 2} of ${file}`;
    if (!row.reviewer?.trim()) throw expected("the reviewer's name", where, 'none');
    if (!known.has(row.id)) throw expected('a picture of this review', where, row.id);
    return filled.map(({ id: question, answers }) => {
      const answer = row[question].trim().toLowerCase();
      const found = answers.find(({ value, key }) => value === answer || key === answer);
      if (!found)
        throw expected(
          `one of ${answers.map(({ value }) => value).join(', ')}`,
          `${question} in ${where}`,
          row[question],
        );
      return { reviewer: row.reviewer.trim(), item: row.id, question, answer: found.value, time };
    });
  });
}
