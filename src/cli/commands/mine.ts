import { join, resolve } from 'node:path';
import { expected, UserError } from '../../contracts/errors.ts';
import { type MiningRecord, miningRecordSchema } from '../../contracts/mining.ts';
import { measureAgreement } from '../../metrics/measures/agreement.ts';
import { scoreRun } from '../../metrics/score-run.ts';
import { attackModels } from '../../mine/attack-run.ts';
import { hardPictures } from '../../mine/hard-pictures.ts';
import { copyBits, nearestInTraining } from '../../mine/leak-check.ts';
import { mineRun, verifyMining } from '../../mine/mine-run.ts';
import { readDocument, withRunFolder } from '../../run/folder/index.ts';
import { openInputs } from '../../run/inputs.ts';
import { listPictures } from '../../run/list-pictures.ts';
import { defineCommand } from '../command.ts';
import { readFinishedRun } from '../finished-run.ts';
import { onInterrupt } from '../interrupt.ts';
import { featureShare, withGrouping } from '../mine-features.ts';
import { exportReview, importReview, releaseReviewed } from '../mine-review.ts';
import { workOptions } from '../options.ts';
import { type AttackChoices, minePaths } from '../shares/mine.ts';
import { partFrom, type ShareValues, shareOptions } from '../shares/options.ts';
import { attackText, miningText } from '../ui/mining.ts';
import { print } from '../ui/output.ts';
import { createProgress } from '../ui/progress.ts';
import { version } from '../version.ts';

const list = (text: string | undefined) =>
  (text ?? '')
    .split(',')
    .map((name) => name.trim())
    .filter(Boolean);

export const mine = defineCommand({
  name: 'mine',
  summary:
    'Pictures that several models fail: choose them, see whether models held out fail them too, review, release.',
  args: ['RUN'],
  options: {
    surrogates: { type: 'string', value: 'A,B,C', describe: 'models whose failures choose' },
    targets: { type: 'string', value: 'D,E', describe: 'models held out of the choice; by default all others' },
    'at-least': { type: 'number', value: 'K', describe: 'surrogates that must be wrong; by default all' },
    'per-class': { type: 'number', value: 'N', describe: 'at most so many pictures of a class' },
    'per-nuisance': { type: 'number', value: 'N', describe: 'at most so many of a nuisance' },
    size: { type: 'number', value: 'N', describe: 'at most so many in all' },
    'on-seed': { type: 'number', value: 'S', describe: 'choose among pictures generated with this seed' },
    factors: {
      type: 'string',
      value: 'FILE',
      describe: "manifest with kind, nuisance and seed; by default the run's data",
    },
    backbone: {
      type: 'string',
      value: 'FILE',
      describe: 'ONNX network by whose features failure modes group pictures that look alike',
    },
    seed: { type: 'number', default: 0, describe: 'of the choice among equals and of the resampling' },
    full: { type: 'boolean', describe: 'also all failure modes, the audit and the confusions' },
    verify: { type: 'boolean', describe: "choose again from the surrogates' answers alone and compare" },
    review: {
      type: 'string',
      choices: ['export', 'import'],
      describe: 'write the review queue to --out, or take votes in',
    },
    votes: { type: 'string', value: 'FILE', multiple: true, describe: 'filled tables, for --review import' },
    names: {
      type: 'string',
      value: 'ADA,BOB',
      describe: 'reviewers who get a table of their own with --review export',
    },
    accept: { type: 'number', default: 2, describe: 'votes a picture needs to be released' },
    reviewers: { type: 'number', default: 3, describe: 'votes wanted of each picture' },
    release: { type: 'string', value: 'DIR', describe: "write the set in ImageNet-D's layout, with a datasheet" },
    clip: {
      type: 'string',
      value: 'DIR',
      describe: "with --release: CLIP-type pair of encoders, for question tables by its guesses as ImageNet-D's are",
    },
    attack: {
      type: 'boolean',
      describe: "attack the run's classifiers with the Square attack instead, a black-box measure",
    },
    pictures: { type: 'number', default: 24, describe: 'photographs to attack' },
    queries: { type: 'number', default: 200, describe: 'questions per photograph and model' },
    epsilon: { type: 'number', default: 4, describe: 'largest change of a channel, in levels of 255' },
    training: {
      type: 'string',
      value: 'DIR',
      describe: 'look for copies of the mined pictures in this folder instead',
    },
    ...shareOptions,
    threads: workOptions.threads,
    out: { type: 'string', value: 'DIR', describe: 'folder of the review; by default RUN/review' },
  },
  examples: [
    'sceneshift mine runs/pool --surrogates resnet,vit,mobilenet --targets convnext,swin --per-class 40',
    'sceneshift mine runs/pool --review export     # then sceneshift studio runs/pool, or fill review.csv',
    'sceneshift mine runs/pool --release hard/',
  ],
  async run(values, [path]) {
    const run = resolve(path);
    const folder = resolve(values.out ?? join(run, 'review'));
    if (values.verify) {
      const verified = await verifyMining(await minedBefore(run), run, values.factors);
      print(values.json, { verified }, () =>
        verified
          ? "✓ The surrogates' answers alone give this set: the held-out models had no part in it"
          : "✗ The surrogates' answers give another set: the run has changed since, or the record was edited",
      );
      if (!verified) process.exitCode = 1;
      return;
    }
    if (values.attack) return attack(values, run);
    const chooses = !values.training && !values.review && !values.release;
    if ((values.shard !== undefined || values.queue !== undefined) && !(values.backbone && chooses))
      throw expected(
        '--attack or --backbone as well',
        '--shard and --queue',
        undefined,
        "of mine, only the attack and a network's features are made of samples; choosing and reviewing need all answers together",
      );
    if (values.training) return leaks(values.json, values.training, run);
    const exchange = { ...values, names: list(values.names) };
    if (values.review === 'export') return exportReview(await minedBefore(run), run, folder, exchange);
    if (values.review === 'import') return importReview(folder, exchange);
    if (values.release) return releaseReviewed(await minedBefore(run), run, folder, values);
    if (values.shard !== undefined) return featureShare(values, run);
    const surrogates = list(values.surrogates);
    if (surrogates.length < 1) throw expected('one model or more', '--surrogates', values.surrogates);
    const targets = values.targets ? list(values.targets) : await otherModels(run, surrogates);
    const record = await withGrouping(values, run, (grouping) =>
      mineRun({
        run,
        surrogates,
        targets,
        atLeast: values['at-least'],
        perClass: values['per-class'],
        perNuisance: values['per-nuisance'],
        size: values.size,
        onSeed: values['on-seed'],
        seed: values.seed,
        factors: values.factors && resolve(values.factors),
        grouping,
      }),
    );
    print(values.json, record, () => miningText(record, values));
  },
});

async function minedBefore(run: string): Promise<MiningRecord> {
  const record = await readDocument(run, 'mining.json', miningRecordSchema, { remedy: 'mine the run again' });
  if (!record) throw new UserError(`${run} has not been mined; first: sceneshift mine RUN --surrogates A,B`);
  return record;
}

async function otherModels(run: string, surrogates: readonly string[]): Promise<string[]> {
  return withRunFolder(run, async (folder) => {
    const rows = await folder.query<{ model: string }>(
      "SELECT DISTINCT model FROM predictions WHERE trained = '' ORDER BY model",
    );
    return rows.map(({ model }) => model).filter((name) => !surrogates.includes(name));
  });
}

interface AttackValues extends ShareValues {
  readonly json: boolean;
  readonly pictures: number;
  readonly queries: number;
  readonly epsilon: number;
  readonly seed: number;
  readonly threads?: number;
}

/** The attack's accuracy beside the drop and the robustness of `score`, and how far they order the models alike. */
async function attack({ json, threads, ...options }: AttackValues, run: string): Promise<void> {
  const { config } = await readFinishedRun(run);
  const inputs = await openInputs({ ...config, threads }, { version: version() });
  const interrupt = onInterrupt('Finishing the picture in hand; the same command goes on from there');
  const progress = createProgress({ title: 'attack', noun: 'pictures', total: 1 });
  const { pictures, queries, epsilon, seed } = options;
  const choices: AttackChoices = { work: 'attack', run, pictures, queries, epsilon, seed };
  const { signal } = interrupt;
  const part = partFrom(options, { command: 'mine', config, choices, paths: minePaths, out: run, signal });
  const models = await attackModels(inputs, {
    ...choices,
    ...part,
    signal,
    onProgress: (done, total) => progress.update(done, total),
  }).finally(() => {
    progress.finish();
    interrupt.done();
  });
  if (part.share)
    return print(
      json,
      { share: part.share, models },
      () =>
        `Share ${options.shard} of the attack is in ${join(run, 'attack')}; the same command without --shard sums up when all are there`,
    );
  const score = await scoreRun(run);
  const mined = await readDocument(run, 'mining.json', miningRecordSchema, { remedy: 'mine the run again' });
  const measures: Record<string, ReadonlyMap<string, number>> = {
    'square attack': new Map(models.map(({ model, robust }) => [model, robust])),
    'mean drop': new Map(
      score.models.flatMap(({ model, meanDrop }) => (meanDrop === null ? [] : [[model, -meanDrop]])),
    ),
    robustness: new Map(
      score.models.flatMap(({ model, robustness }) => (robustness ? [[model, robustness.score]] : [])),
    ),
    ...(mined && { 'mined accuracy': new Map(mined.transfer.map(({ model, hard }) => [model, hard.estimate])) }),
  };
  const agreement = measureAgreement(measures);
  print(json, { models, agreement }, () => attackText(models, agreement));
}

async function leaks(json: boolean, training: string, run: string): Promise<void> {
  const pictures = await hardPictures(await minedBefore(run), run);
  const files = await listPictures(resolve(training), '--training');
  const neighbours = await nearestInTraining(
    pictures.map(({ sample }) => sample.image),
    files,
  );
  const copies = neighbours.filter(({ differingBits }) => differingBits <= copyBits);
  print(json, { pictures: neighbours.length, training: files.length, copies, neighbours }, () =>
    copies.length
      ? `${copies.length} of ${neighbours.length} pictures are in the training folder already:\n${copies.map(({ picture, nearest }) => `  ${picture} = ${nearest}`).join('\n')}`
      : `None of ${neighbours.length} pictures is a copy of one of the ${files.length} in the training folder; the nearest differs in ${neighbours[0]?.differingBits ?? '–'} of 64 bits`,
  );
}
