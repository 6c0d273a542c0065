import { type ChildProcess, fork } from 'node:child_process';
import { closeSync, openSync, readFileSync, readSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pack, readCorpus, type StoredInput } from './corpus.ts';
import { inputOf, type Tally } from './fuzz.ts';
import { type TargetEntry, targets } from './targets.ts';

export interface CampaignFault {
  readonly target: string;
  readonly seed: number | string;
  readonly reason: string;
  readonly input: StoredInput;
}

export interface Batch {
  readonly target: string;
  /** First seed. */
  readonly first: number;
  readonly count: number;
  /** What was kept is fed first. */
  readonly withCorpus?: boolean;
}

export interface CampaignOptions {
  readonly corpus: string;
  /** Built by scripts/fuzz.mjs. */
  readonly child: string;
  readonly jobs: number;
  /** One process for all batches of a job: where growth is not looked for, and starting would take longest. */
  readonly oneProcess?: boolean;
  readonly onFault: (fault: CampaignFault) => void;
  /** A batch is through; `tally` counts what was fed, whatever ended it. */
  readonly onBatch: (batch: Batch, tally: Tally) => void;
  /** Computing without an end: so many seconds of it for one input, as the system counts them. */
  readonly hangCpuSeconds?: number;
  /** Waiting without an end, for what never comes. */
  readonly hangSeconds?: number;
}

/** The inputs shared out by weight, in batches that one process each is fed with, so that growth within them can be seen. */
export function planBatches(count: number, firstSeed: number, only?: readonly string[], perBatch = 5000): Batch[] {
  const chosen = targets.filter(({ name }) => !only?.length || only.includes(name));
  const all = chosen.reduce((sum, { weight }) => sum + weight, 0);
  const batches = chosen.flatMap(({ name, weight }: TargetEntry) => {
    const own = Math.ceil((count * weight) / all);
    return Array.from({ length: Math.ceil(own / perBatch) }, (_, i) => ({
      target: name,
      first: firstSeed + i * perBatch,
      count: Math.min(perBatch, own - i * perBatch),
    }));
  });
  // Slow targets spread over the whole of it.
  const order = new Map(batches.map((batch) => [batch, (batch.first - firstSeed) / count]));
  return batches.sort((a, b) => (order.get(a) as number) - (order.get(b) as number));
}

export async function runCampaign(batches: Iterable<Batch>, options: CampaignOptions): Promise<void> {
  const queue = batches[Symbol.iterator]();
  await Promise.all(
    Array.from({ length: options.jobs }, async (_, job) => {
      let fed: Fed | undefined;
      for (let next = queue.next(); !next.done; next = queue.next()) {
        fed = await feedBatch(next.value, fed ?? startProcess(options.child, job), job, options);
        if (!options.oneProcess) fed = endProcess(fed);
      }
      if (fed) endProcess(fed);
    }),
  );
}

function endProcess(fed: Fed): undefined {
  fed.forget();
  if (fed.child.connected) fed.child.disconnect();
}

/** Feeds a batch; one input that hangs or crashes the process is named, and a fresh process goes on after it: the one that is left is given back. */
async function feedBatch(batch: Batch, first: Fed, job: number, options: CampaignOptions): Promise<Fed> {
  let fed = first;
  const whole: Tally = { inputs: 0, refused: 0, cpuSeconds: 0, megabytes: 0, growth: 0 };
  const kept = batch.withCorpus ? readCorpus(options.corpus, batch.target) : [];
  const total = kept.length + batch.count;
  for (let done = 0; done < total; ) {
    const { tally, ended } = await feedProcess(batch, done, fed, options);
    if (ended) {
      options.onFault(await culprit(batch, kept, done + ended.place, ended.reason));
      endProcess(fed);
      fed = startProcess(options.child, job);
    }
    done = ended ? done + ended.place + 1 : total;
    whole.inputs = done;
    whole.refused += tally?.refused ?? 0;
    for (const key of ['cpuSeconds', 'megabytes', 'growth'] as const)
      whole[key] = Math.max(whole[key], tally?.[key] ?? 0);
  }
  options.onBatch(batch, whole);
  return fed;
}

async function culprit(
  { target: name, first }: Batch,
  kept: ReturnType<typeof readCorpus>,
  place: number,
  reason: string,
): Promise<CampaignFault> {
  if (place < kept.length) return { target: name, seed: kept[place].name, reason, input: pack(kept[place].input) };
  const target = await targets.find((one) => one.name === name)!.load();
  const seed = first + place - kept.length;
  return { target: name, seed, reason, input: pack(inputOf(target, seed)) };
}

interface Outcome {
  readonly tally?: Tally;
  /** The process did not come to its end: why, and at which input. */
  readonly ended?: { readonly place: number; readonly reason: string };
}

/** A process that is fed, and the file into which it writes the place of the input in hand. */
interface Fed {
  readonly child: ChildProcess;
  inHand(): number;
  /** The next batch begins. */
  reset(): void;
  forget(): void;
}

function startProcess(file: string, job: number): Fed {
  const path = join(tmpdir(), `sceneshift-fuzz-in-hand-${process.pid}-${job}`);
  const fd = openSync(path, 'w+');
  const child = fork(file, {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc', fd],
    execArgv: ['--expose-gc'],
    // The allocator's arenas would look like growth.
    env: { ...process.env, MALLOC_ARENA_MAX: '2' },
  });
  return {
    child,
    inHand() {
      const place = Buffer.alloc(8);
      readSync(fd, place, 0, 8, 0);
      return place.readDoubleLE();
    },
    reset: () => void writeSync(fd, Buffer.alloc(8), 0, 8, 0),
    forget() {
      closeSync(fd);
      rmSync(path, { force: true });
    },
  };
}

function feedProcess(batch: Batch, skip: number, fed: Fed, options: CampaignOptions): Promise<Outcome> {
  const { corpus, onFault, hangCpuSeconds = 60, hangSeconds = 300 } = options;
  const { child } = fed;
  fed.reset();
  return new Promise((resolve) => {
    let hung: string | undefined;
    let [seen, since, cpuThen] = [-1, Date.now(), 0];
    const watchdog = setInterval(() => {
      const place = fed.inHand();
      const cpu = cpuSecondsOf(child.pid as number);
      if (place !== seen) [seen, since, cpuThen] = [place, Date.now(), cpu ?? 0];
      const waited = (Date.now() - since) / 1000;
      if (cpu !== undefined && cpu - cpuThen > hangCpuSeconds) hung = `no end after ${hangCpuSeconds} s of computing`;
      else if (waited > hangSeconds) hung = `no end after ${hangSeconds} s`;
      if (hung) child.kill('SIGKILL');
    }, 1000);
    const end = (outcome: Outcome) => {
      clearInterval(watchdog);
      child.off('message', onMessage);
      child.off('exit', onExit);
      resolve(outcome);
    };
    const onMessage = (message: { fault?: Omit<CampaignFault, 'target'>; tally?: Tally }) => {
      if (message.fault) onFault({ target: batch.target, ...message.fault });
      if (message.tally) end({ tally: message.tally });
    };
    const onExit = (code: number | null, signal: NodeJS.Signals | null) => {
      const reason = hung ?? `the process ended (${signal ?? `status ${code}`})`;
      end({ ended: { place: fed.inHand(), reason } });
    };
    child.on('message', onMessage);
    child.on('exit', onExit);
    child.send({ ...batch, skip, corpus });
  });
}

/** User and system time of a process, in hundredths (proc(5), `stat`, fields 14 and 15); undefined where there is no /proc. */
function cpuSecondsOf(pid: number): number | undefined {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ');
    return (Number(fields[11]) + Number(fields[12])) / 100;
  } catch {
    return undefined;
  }
}
