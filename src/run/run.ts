import { resolve } from 'node:path';
import { UserError } from '../contracts/errors.ts';
import type { ErrorLine } from '../contracts/prediction.ts';
import { isInShare, type Share } from '../contracts/queue.ts';
import type { RunRecord } from '../contracts/run-record.ts';
import { unlessAborted } from '../net/unless-aborted.ts';
import { type AnsweredRun, answerMissing } from './answer-missing.ts';
import { answerTables, findMissing, type MissingFound } from './find-missing.ts';
import {
  checkOut,
  checkSameData,
  createShardWriter,
  earlierRecord,
  type FolderLock,
  inOwnFolder,
  openRunStore,
  openStoreDatabase,
  writeErrorLines,
  writeRunRecord,
} from './folder/index.ts';
import { canonicalJson } from './hash.ts';
import { makePlan, type Plan, type PlanInput } from './plan.ts';
import type { MissingAnswers, PredictResult } from './predict-job.ts';
import { describeRun, earlierFindings, findingsOf } from './run-description.ts';

export interface RunOptions extends PlanInput {
  readonly out: string;
  readonly threads: number;
  readonly batch?: number;
  readonly offline?: boolean;
  readonly maxErrors: number;
  /** The settings as the user gave them, kept in `run.json`. */
  readonly config: unknown;
  readonly signal?: AbortSignal;
  readonly onPlan?: (plan: RunOutline) => void;
  readonly onProgress?: (done: number, total: number) => void;
  /** With `answerElsewhere`: another process writes into the folder and is waited for. */
  readonly onWait?: (holder: string) => void;
  /** Backgrounds painted before the models are asked. */
  readonly onPainted?: (done: number, total: number) => void;
  /** Only every `of`-th sample, from the `index`-th on: one machine's share, the same whoever plans it. */
  readonly share?: Share;
  /** Carries out the missing part instead of this machine's threads, and sees to it that the rows reach the folder. */
  readonly answerElsewhere?: (
    plan: Plan,
    missing: readonly MissingAnswers[],
    onAnswers: (count: number) => void,
  ) => Promise<AnsweredRun>;
}

/** What will be done, before it is. */
export interface RunOutline {
  readonly samples: number;
  readonly scenarios: number;
  readonly models: number;
  /** Answers in all, and those an earlier call left. */
  readonly answers: number;
  readonly found: number;
  readonly variants: number;
  readonly warnings: readonly string[];
  /** Stored answers that go because they were made with other settings, pictures or models of the same name; and why. */
  readonly outdated: number;
  readonly outdatedBecause: readonly string[];
}

export interface RunSummary {
  readonly run: string;
  readonly rows: number;
  readonly errors: ErrorLine[];
  readonly seconds: number;
  readonly computed: number;
  readonly interrupted: boolean;
  /** Masks to look at before believing what was measured with them. */
  readonly doubtfulMasks?: RunRecord['doubtfulMasks'];
}

/** Every model on every variant. The same call continues after a kill; what is stored already is not computed again. */
export async function executeRun(options: RunOptions): Promise<RunSummary> {
  await checkOut(options.out, options.dataset);
  const out = resolve(options.out);
  // Needed as soon as the plan is there; what is wrong with it is told then.
  const database = openStoreDatabase();
  database.catch(() => undefined);
  try {
    const plan = await unlessAborted(makePlan(options), options.signal);
    // Of two that hand the same work to a queue, the second stands by and finds it done, or takes over from one that died.
    const wait = options.answerElsewhere && { signal: options.signal, onWait: options.onWait };
    return await inOwnFolder(out, (lock) => executeLocked({ ...options, out }, plan, { lock, database }), { wait });
  } finally {
    await database.then(
      ({ close }) => close(),
      () => undefined,
    );
  }
}

interface LockedFolder {
  readonly lock: FolderLock;
  /** Closed by whoever opened it. */
  readonly database: ReturnType<typeof openStoreDatabase>;
}

async function executeLocked(options: RunOptions, plan: Plan, { lock, database }: LockedFolder): Promise<RunSummary> {
  const started = performance.now();
  const { out, signal, dataset } = options;
  const store = await openRunStore(out, { database });
  await checkSameData(out, dataset, { store, samples: hashesById(plan) });
  for (const table of answerTables) await store.removeRepeated(table);
  const all = await findMissing(store, plan, new Set(dataset.samples.map(({ id }) => id)));
  const isOwn = (sampleIndex: number) => isInShare(sampleIndex, options.share);
  const found = { ...all, missing: all.missing.filter(({ sampleIndex }) => isOwn(sampleIndex)) };
  const answers = plan.wanted.reduce(
    (sum, conditions, sampleIndex) => sum + (isOwn(sampleIndex) ? conditions.length : 0),
    0,
  );
  const toDo = found.missing.reduce((sum, { conditions }) => sum + conditions.length, 0);
  const described = await describeRun(options, plan);
  const record = { ...described, share: options.share, started: new Date().toISOString() };
  options.onPlan?.({
    ...outline(plan, found, answers, toDo),
    outdated: found.outdated,
    outdatedBecause: found.outdated ? await changedSettings(out, record) : [],
  });
  await found.removeOutdated();
  const known = earlierFindings(options, await earlierRecord(out), record);
  // Left out, what was found of other pictures would stay.
  await writeRunRecord(out, { ...record, decodeDifferences: undefined, doubtfulMasks: undefined, ...known });
  const writer = createShardWriter({
    async write(table, rows) {
      await lock.check();
      await store.write(table, rows);
    },
  });
  let computed = 0;
  const onResult = (result: PredictResult) => {
    const { predictions, published, segmentation } = result;
    writer.add({ predictions, published, segmentation });
    computed += result.settled;
    options.onProgress?.(computed, toDo);
  };
  const answer = () =>
    options.answerElsewhere
      ? options.answerElsewhere(plan, found.missing, (count) => {
          computed += count;
          options.onProgress?.(computed, toDo);
        })
      : answerMissing({ ...options, onResult }, plan, found.missing).finally(writer.finish);
  const failed = new AbortController();
  const answering: Promise<AnsweredRun> = toDo ? answer() : Promise.resolve({ errors: [], usage: {} });
  answering.catch(() => failed.abort());
  // Beside the work, in a thread of its own.
  const stopped = AbortSignal.any([failed.signal, ...(signal ? [signal] : [])]);
  const looking = known ? Promise.resolve(known) : findingsOf(options, stopped);
  const [{ errors, usage, closed }, findings] = await Promise.all([answering, looking]);
  if (options.answerElsewhere) for (const table of answerTables) await store.removeRepeated(table);
  await lock.check();
  await writeErrorLines(out, errors);
  const seconds = (performance.now() - started) / 1000;
  const rows = (await store.countRows('predictions')) + (await store.countRows('segmentation'));
  const interrupted = signal?.aborted === true && computed < toDo;
  await writeRunRecord(out, {
    ...record,
    ...findings,
    finished: interrupted ? null : new Date().toISOString(),
    seconds,
    rows,
    errors: errors.length,
    usage,
  });
  await closed;
  if (!rows && !interrupted)
    throw new UserError(`No answer could be had: ${errors[0]?.message ?? 'nothing was asked'}`, { exitCode: 1 });
  return { run: out, rows, errors, seconds, computed, interrupted, doubtfulMasks: findings.doubtfulMasks };
}

function outline(plan: Plan, { missing }: MissingFound, answers: number, toDo: number) {
  return {
    samples: new Set(plan.plannedSamples.map(({ sample }) => sample.id)).size,
    scenarios: new Set(plan.conditions.map((condition) => condition.scenario)).size,
    models: plan.models.length,
    warnings: plan.warnings,
    answers,
    found: answers - toDo,
    variants: missing.reduce(
      (sum, { conditions }) => sum + new Set(conditions.map((condition) => plan.conditions[condition].scenario)).size,
      0,
    ),
  };
}

function hashesById({ plannedSamples }: Plan): Map<string, Set<string>> {
  const hashes = new Map<string, Set<string>>();
  for (const { sample, sampleHash } of plannedSamples)
    hashes.set(sample.id, (hashes.get(sample.id) ?? new Set<string>()).add(sampleHash));
  return hashes;
}

/** The settings that decide answers and differ from those of an earlier call. */
async function changedSettings(out: string, now: Awaited<ReturnType<typeof describeRun>>): Promise<string[]> {
  const before = await earlierRecord(out);
  if (!before) return [];
  const changed = (name: string, was: unknown, is: unknown) =>
    was !== undefined && canonicalJson(was) !== canonicalJson(is)
      ? [typeof is === 'object' ? name : `${name} ${was} → ${is}`]
      : [];
  return [
    ...changed('seed', before.seed, now.seed),
    ...changed('the reading of photographs', before.photographs, now.photographs),
    ...changed('Sceneshift', before.sceneshift, now.sceneshift),
    ...now.models.flatMap(({ name, identity }) =>
      changed(`the model ${name}`, before.models.find((model) => model.name === name)?.identity, identity),
    ),
  ];
}
