import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { withRunFolder } from '../../src/run/folder/index.ts';
import { makeDataset } from './dataset.ts';
import { plainNet } from './onnx.ts';
import { hasWarmProcesses, type Ran, type Running, sceneshift, startSceneshift } from './spawn-cli.ts';

export const rowsOf = (run: string) => withRunFolder(run, (folder) => folder.rows('predictions'));
export type Rows = Awaited<ReturnType<typeof rowsOf>>;

export interface ManyMachines {
  /** The folder that all of them see. */
  readonly root: string;
  readonly data: string;
  readonly model: string;
  /** `run` with everything but where to. */
  readonly args: string[];
  /** What one process answers. */
  readonly whole: Rows;
  startWorker(url: string, more?: WorkerSettings): StartedWorker;
  coordinate(
    url: string,
    name: string,
    more?: readonly string[],
    settings?: { readonly onStart?: (started: Running) => void; readonly isApart?: boolean },
  ): Promise<Ran>;
  /** Ends what is still running, and takes the folder away. */
  stop(): Promise<void>;
}

export interface WorkerSettings {
  /** In a process of its own, as a user starts it: what is to be killed, or interrupted in an unusual moment. */
  readonly isApart?: boolean;
  /** Network namespace that it runs in. */
  readonly namespace?: string;
  readonly root?: string;
  readonly args?: readonly string[];
  readonly env?: NodeJS.ProcessEnv;
}

export interface StartedWorker {
  readonly child: Running;
  readonly ended: Promise<Ran>;
  /** Standard error so far. */
  said(): string;
  /** Resolves when it has said this, or has ended. */
  says(text: string): Promise<void>;
  /** Ends it, however it is: when nothing is to be learnt from it any more. */
  leave(): Promise<Ran>;
}

/** A dataset, a network and a run of one process, to hold against what many machines make of it. */
export async function manyMachines({
  perClass = 3,
  width = 48,
  height = 48,
  scenarios = 'original,blur-background,random-background,size:0.05',
}: {
  perClass?: number;
  width?: number;
  height?: number;
  scenarios?: string;
} = {}): Promise<ManyMachines> {
  const root = await mkdtemp(join(tmpdir(), 'sceneshift-queue-'));
  const { folder: data } = await makeDataset(join(root, 'data'), { perClass, width, height });
  const model = join(root, 'net.onnx');
  const layers = [{ channels: 8, kernel: 5, stride: 2 }];
  await writeFile(model, plainNet({ sizePx: 48, layers, outputs: 3, seed: 'queue' }));
  const record = {
    labels: ['disc', 'square', 'ring'],
    resize: { shortSide: 48, filter: 'bilinear' },
    crop: 48,
    preprocessing: 'imagenet',
  };
  await writeFile(`${model}.json`, JSON.stringify(record));
  const args = ['run', '--data', data, '--model', model, '--scenarios', scenarios, '--threads', '1', '--json'];
  // Scripts that try many machines have no warm processes.
  const call = hasWarmProcesses() ? sceneshift : startSceneshift;
  const ran = await call([...args, '--no-report', '--out', join(root, 'whole')]);
  if (ran.status !== 0) throw new Error(ran.stderr);
  /** What is to be ended: a warm process goes on to other calls, so it ends its command by itself. */
  const running = new Map<Running, { ended: Promise<Ran>; by: NodeJS.Signals }>();
  const start = (
    args: readonly string[],
    {
      isApart = false,
      onStart,
      ...more
    }: {
      readonly isApart?: boolean;
      readonly onStart?: (started: Running) => void;
      readonly env?: NodeJS.ProcessEnv;
      readonly within?: readonly string[];
    },
  ): Promise<Ran> => {
    let started = undefined as Running | undefined;
    const keep = (one: Running) => {
      started = one;
      onStart?.(one);
    };
    const isOwn = isApart || !hasWarmProcesses();
    const ended = isOwn ? startSceneshift(args, { ...more, onStart: keep }) : sceneshift(args, { onStart: keep });
    const key = started as Running;
    running.set(key, { ended, by: isOwn ? 'SIGKILL' : 'SIGTERM' });
    return ended.finally(() => running.delete(key));
  };
  const end = async (one: Running) => {
    const { ended, by } = running.get(one) ?? {};
    if (by) one.kill(by);
    return ended;
  };
  return {
    root,
    data,
    model,
    args,
    whole: await rowsOf(join(root, 'whole')),
    startWorker(url, { root: own = root, args: more = [], env, namespace, isApart = Boolean(env ?? namespace) } = {}) {
      let child = undefined as Running | undefined;
      const ended = start(['worker', '--queue', url, '--root', own, '--threads', '1', ...more], {
        isApart,
        env,
        within: namespace ? ['ip', 'netns', 'exec', namespace] : [],
        onStart: (started) => {
          child = started;
        },
      });
      let said = '';
      const watchers = new Set<() => void>();
      child?.stderr?.on('data', (text) => {
        said += text;
        for (const look of watchers) look();
      });
      const says = (text: string) =>
        new Promise<void>((resolve) => {
          const look = () => said.includes(text) && resolve();
          watchers.add(look);
          ended.then(() => resolve());
          look();
        });
      const worker = child as Running;
      const leave = () => end(worker).then((left) => left ?? ended);
      return { child: worker, ended, said: () => said, says, leave };
    },
    coordinate(url, name, more = [], settings = {}) {
      return start([...args, '--queue', url, '--root', root, '--out', join(root, name), ...more], settings);
    },
    async stop() {
      await Promise.all([...running.keys()].map(end));
      await rm(root, { recursive: true, force: true });
    },
  };
}
