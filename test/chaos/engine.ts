import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { randomFor } from '../../src/stats/random.ts';
import { type ChaosCommand, finishedWork } from './commands.ts';
import { bytesBelow, type Fault } from './faults.ts';
import { changingSource, clear, lay, makeSources } from './place.ts';
import { type Ended, start } from './process.ts';
import { differences, type State, stateOf } from './state.ts';

interface Reference {
  readonly state: State;
  readonly bytes: number;
  seconds: number;
}

export interface Outcome {
  readonly struck: number;
  /** Why it does not hold; none: it does. */
  readonly faults: readonly string[];
}

export interface Engine {
  try(command: ChaosCommand, fault: Fault, seed: number): Promise<Outcome>;
  close(): Promise<void>;
}

/** What the operating system and Node say among themselves. */
const rawWords = /ENOSPC|EACCES|EPERM|EROFS|ENOENT|--debug shows where/;

/** A call that nobody disturbs. `seconds`: 0 where they tell nothing about a call that is started. */
type CalmCall = (args: readonly string[], folder: string) => Promise<Ended>;

/** Sources, finished work and one folder to disturb; every trial stands at the same path, so that paths in files agree. */
export async function createEngine(call: CalmCall = (args, cwd) => start(args, cwd).ended): Promise<Engine> {
  const home = await mkdtemp(join(tmpdir(), 'sceneshift-chaos-'));
  const [store, folder] = [join(home, 'store'), join(home, 'trial')];
  await makeSources(store);

  async function makeStarts({ starts }: ChaosCommand): Promise<void> {
    for (const name of starts) {
      if (existsSync(join(store, name))) continue;
      await lay(folder, store, ['data', 'plates']);
      for (const step of finishedWork[name])
        await (typeof step === 'function' ? step(folder) : mustEnd(call(step, folder), step));
      await lay(store, folder, [name]);
      await clear(folder);
    }
  }

  const references = new Map<string, Reference>();
  async function reference(command: ChaosCommand, changed: boolean): Promise<Reference> {
    const key = `${command.name}${changed ? ', changed' : ''}`;
    const known = references.get(key);
    if (known) return known;
    await makeStarts(command);
    await lay(folder, store, command.starts);
    if (changed) await copyFile(join(store, 'other.jpg'), join(folder, changingSource));
    const before = await bytesBelow(folder);
    const ended = changed ? call(command.args, folder) : start(command.args, folder).ended;
    const { seconds } = await mustEnd(ended, command.args);
    const made = {
      state: await stateOf(folder, command.remembers),
      bytes: (await bytesBelow(folder)) - before,
      seconds,
    };
    const { makes } = command;
    if (makes && ![...made.state.keys()].some((path) => makes.test(path)))
      throw new Error(`Undisturbed, ${command.name} made no ${makes}`);
    await clear(folder);
    references.set(key, made);
    return made;
  }

  async function attempt(command: ChaosCommand, fault: Fault, seed: number): Promise<Outcome> {
    const whole = await reference(command, false);
    const wanted = fault.changesSource ? await reference(command, true) : whole;
    if (fault.ownDisk) mount(folder);
    try {
      await lay(folder, store, command.starts);
      const { seconds, bytes } = whole;
      const random = randomFor(seed, command.name, fault.name);
      const struck = await fault.disturb({ command, folder, random, seconds, bytes, other: join(store, 'other.jpg') });
      const wrong = struck.ended.flatMap((ended) => dishonest(ended, fault, command));
      if (fault.contested && !struck.ended.some(({ status }) => status === 0)) wrong.push('none got through');
      if (struck.ended.some(({ status }) => status === 0) && (await isThere(command)) && !fault.changesSource)
        wrong.push(...(await lacks(command, wanted)).map((line) => `said done, but ${line}`));
      // What stays must hold nothing open on a disk that goes.
      const started = struck.env || fault.ownDisk ? start(command.args, folder, struck.env).ended : undefined;
      const again = await (started ?? call(command.args, folder));
      if (again.status !== 0) wrong.push(`the same call again: ${inWords(again)}`);
      else wrong.push(...(await lacks(command, wanted)));
      if (again.status === 0 && !struck.env && again.seconds) whole.seconds = again.seconds;
      return { struck: struck.struck, faults: wrong };
    } finally {
      if (fault.ownDisk) execFileSync('umount', [folder]);
      await clear(folder);
    }
  }

  const lacks = async (command: ChaosCommand, { state }: Reference) =>
    differences(await stateOf(folder, command.remembers), state);
  /** What was deleted after the last thing was written is nobody's fault. */
  const isThere = async ({ out }: ChaosCommand) => !out || existsSync(join(folder, out));

  return { try: attempt, close: () => rm(home, { recursive: true, force: true }) };
}

const mount = (folder: string) => {
  mkdirSync(folder, { recursive: true });
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=256m', 'sceneshift-chaos', folder]);
};

const inWords = ({ status, signal, stderr }: Ended) =>
  `ended with ${signal ?? status}: ${stderr.trim().split('\n').slice(-3).join(' / ').slice(-400)}`;

/** Whether the end says what happened: a status or signal that the fault explains, and one line in words. */
function dishonest(ended: Ended, { ends, says, contested }: Fault, { locks }: ChaosCommand): string[] {
  const { status, signal, stderr } = ended;
  if (status === 0) return [];
  const isExplained = signal ? ends.signals.includes(signal) : ends.status.includes(status as number);
  if (!isExplained || (contested && !locks)) return [inWords(ended)];
  if (signal) return [];
  const last = stderr.trim().split('\n').pop() ?? '';
  return last.startsWith('✗ ') && !rawWords.test(last) && (says?.test(last) ?? true) ? [] : [inWords(ended)];
}

async function mustEnd(ended: Promise<Ended>, args: readonly string[]): Promise<Ended> {
  const end = await ended;
  if (end.status !== 0) throw new Error(`Undisturbed, sceneshift ${args.join(' ')} ${inWords(end)}`);
  return end;
}
