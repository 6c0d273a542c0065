import { copyFile, mkdir } from 'node:fs/promises';
import { extname, join } from 'node:path';
import type { MiningRecord, Released } from '../contracts/mining.ts';
import { machineCsv } from '../formats/csv-write.ts';
import { replaceFile } from '../formats/replace-file.ts';
import { imagenetDMap } from '../labels/imagenet-d.ts';
import { writeAtomic } from '../run/atomic.ts';
import { inOwnFolder } from '../run/folder/index.ts';
import { categoriesFor, clipGuesses, type Guesses } from './clip-guesses.ts';
import { type DatasheetReview, datasheet } from './datasheet.ts';
import { type HardPicture, hardPictures } from './hard-pictures.ts';
import { reviewId } from './review-exchange.ts';

export interface ReleaseOptions {
  readonly record: MiningRecord;
  readonly run: string;
  readonly out: string;
  /** Pictures that reviewers kept; without a review every chosen one is released, and the datasheet says so. */
  readonly review?: DatasheetReview & { readonly kept: ReadonlySet<string> };
  /** Per surrogate, its answers in the order of `record.chosen`: the wrong choice of the two-choice questions. */
  readonly answers: ReadonlyMap<string, readonly string[]>;
  /** A CLIP-type pair of encoders, by whose guesses a second set of question tables is made, as the paper's are. */
  readonly clip?: { readonly folder: string; readonly labels: readonly string[]; readonly threads?: number };
}

/**
 * ImageNet-D's layout (`NUISANCE/CATEGORY/ID.png`, `questions/NUISANCE.csv` with tabs; by CLIP's guesses in
 * `questions-clip/`), beside it our manifest, which every
 * other command reads, and a datasheet. The run folder keeps what was released.
 */
export const release = (options: ReleaseOptions): Promise<Released> =>
  inOwnFolder(options.out, () => releaseInto(options));

async function releaseInto({ record, run, out, review, answers, clip }: ReleaseOptions): Promise<Released> {
  const all = await hardPictures(record, run);
  const pictures = review ? all.filter(({ chosen }) => review.kept.has(reviewId(chosen))) : all;
  const rows = await Promise.all(pictures.map((picture) => copyPicture(picture, out)));
  const targets = ({ chosen: { label }, sample }: HardPicture) =>
    (sample.targets ?? imagenetDMap.get(label) ?? []).join('|');
  const manifest = machineCsv(
    ['image', 'label', 'target', 'group', 'kind', 'source', 'seed'],
    pictures.map((picture, i) => {
      const { chosen, sample } = picture;
      return [rows[i], chosen.label, targets(picture), sample.group ?? '', chosen.nuisance, chosen.sample, chosen.seed];
    }),
  );
  await writeAtomic(out, 'manifest.csv', manifest);
  const asked = { pictures, rows };
  await writeQuestions(out, 'questions', { ...asked, guesses: surrogateGuesses(pictures, record, answers) });
  if (clip) {
    const files = pictures.map(({ sample }) => sample.image);
    const choice = { clip: clip.folder, categories: categoriesFor(clip.labels), threads: clip.threads };
    await writeQuestions(out, 'questions-clip', { ...asked, guesses: await clipGuesses(files, choice) });
  }
  await writeAtomic(out, 'DATASHEET.md', datasheet(record, { released: pictures.length, review }));
  const nuisances = [...new Set(pictures.map(({ chosen }) => chosen.nuisance))].sort();
  const released: Released = {
    version: 1,
    time: new Date().toISOString(),
    folder: out,
    pictures: pictures.length,
    leftOut: all.length - pictures.length,
    byNuisance: nuisances.map((nuisance) => ({
      nuisance,
      pictures: pictures.filter(({ chosen }) => chosen.nuisance === nuisance).length,
    })),
    released: pictures.map(({ chosen: { scenario, sample } }) => ({ scenario, sample })),
    review: review
      ? {
          reviewers: [...review.reviewers],
          rule: review.rule,
          agreement: review.agreement.map(({ question, alpha, ci }) => ({ question, alpha, ci: [ci[0], ci[1]] })),
        }
      : null,
  };
  await replaceFile(join(run, 'released.json'), `${JSON.stringify(released, null, 2)}\n`);
  return released;
}

async function copyPicture({ chosen, sample }: HardPicture, out: string): Promise<string> {
  const folder = `${fileWord(chosen.nuisance)}/${fileWord(chosen.label)}`;
  await mkdir(join(out, folder), { recursive: true });
  const path = `${folder}/${reviewId(chosen)}${extname(sample.image).toLowerCase()}`;
  await copyFile(sample.image, join(out, path));
  return path;
}

interface Questions {
  readonly pictures: readonly HardPicture[];
  /** Where each was written. */
  readonly rows: readonly string[];
  /** The two answers that a two-choice question takes its wrong choice from. */
  readonly guesses: readonly Guesses[];
}

/** A table for each nuisance, in the form of ImageNet-D's. */
async function writeQuestions(out: string, folder: string, { pictures, rows, guesses }: Questions): Promise<void> {
  const header = 'image_dir\tgt_category\ttop1_pred_cate\ttop2_pred_cate';
  for (const nuisance of new Set(pictures.map(({ chosen }) => chosen.nuisance))) {
    const lines = pictures.flatMap(({ chosen }, i) =>
      chosen.nuisance === nuisance
        ? [[rows[i], chosen.label, ...guesses[i]].map((cell) => cell.replaceAll(/[\t\r\n]/g, ' ')).join('\t')]
        : [],
    );
    await writeAtomic(
      out,
      `${folder}/${fileWord(nuisance)}.csv`,
      [header, ...lines].map((line) => `${line}\n`).join(''),
    );
  }
}

/** The surrogates' commonest wrong answers to each picture. */
function surrogateGuesses(
  pictures: readonly HardPicture[],
  record: MiningRecord,
  answers: ReleaseOptions['answers'],
): Guesses[] {
  const place = new Map(record.chosen.map((chosen, i) => [reviewId(chosen), i]));
  return pictures.map(({ chosen }) => {
    const at = place.get(reviewId(chosen)) as number;
    const wrong = [...answers.values()]
      .map((ofModel) => ofModel[at])
      .filter((answer) => answer && answer !== chosen.label);
    const [first = '', second = first] = mostFrequent(wrong);
    return [first, second];
  });
}

function mostFrequent(words: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).map(([word]) => word);
}

const fileWord = (text: string) => text.replaceAll(/[^\p{L}\p{N}._-]+/gu, '_').replace(/^\.+/, '_');
