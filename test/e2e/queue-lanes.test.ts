import { cp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Redis } from 'ioredis';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { configSchema } from '../../src/contracts/config.ts';
import type { Assignment, Chunk } from '../../src/contracts/queue.ts';
import { hashJson } from '../../src/run/hash.ts';
import { makeAssignment } from '../../src/run/queue/assignment.ts';
import { connectQueue } from '../../src/run/queue/connection.ts';
import { assignmentKey, lanesKey, openKey } from '../../src/run/queue/keys.ts';
import { openLaneQueues } from '../../src/run/queue/lane-queues.ts';
import { laneDepths, queueOf, sweepLanes } from '../../src/run/queue/lanes.ts';
import { queueStatus } from '../../src/run/queue/status.ts';
import { type QueueWorker, startWorker } from '../../src/run/queue/worker.ts';
import { sceneshift, temporaryFolder } from '../support/cli.ts';
import { type ManyMachines, manyMachines, rowsOf } from '../support/many-machines.ts';
import { plainNet } from '../support/onnx.ts';
import { hasRedis, startRedis, type TestRedis } from '../support/redis.ts';

const needs = 'needs redis-server: apt-get install redis-server';

describe.skipIf(!hasRedis)(`workers prefer what they have open (${needs})`, () => {
  let server: TestRedis;
  beforeAll(async () => {
    server = await startRedis();
  });
  afterAll(async () => {
    await server.stop();
  });

  describe('two runs whose chunks came by turns', () => {
    let redis: Redis;
    let connections: Redis[] = [];
    let workers: QueueWorker[] = [];
    beforeAll(async () => {
      redis = await connectQueue(server.url);
    });
    afterEach(async () => {
      await Promise.all(workers.map((worker) => worker.close()));
      for (const connection of connections) connection.disconnect();
      [workers, connections] = [[], []];
    });
    afterAll(() => redis.disconnect());

    const perRun = 20;
    /** Two assignments with all their chunks in the queue, one of the first, one of the second, and so on. */
    const queued = async () => {
      const root = temporaryFolder();
      const assignments = ['a', 'b'].map((out) =>
        makeAssignment(configSchema.parse({}), { command: 'render', root, out: join(root, out), version: 'test' }),
      );
      for (const one of assignments) await redis.set(assignmentKey(one.id), JSON.stringify(one));
      const chunks = Array.from({ length: perRun }, (_, i) => i + 1).flatMap((index) =>
        assignments.map(({ id }): Chunk => {
          const share = { index, of: perRun };
          return { assignment: id, name: hashJson([id, share]), share };
        }),
      );
      const queues = openLaneQueues(
        redis,
        assignments.map(({ id }) => id),
      );
      await queues.add(chunks);
      return { root, assignments, chunks, queues };
    };

    /** A worker that notes what it opens and carries out. */
    const start = async (
      root: string,
      settings: { stayMs?: number; onShare?: (out: string) => void | Promise<void> } = {},
    ) => {
      const { stayMs, onShare } = settings;
      const did: string[] = [];
      const opened: string[] = [];
      const connection = await connectQueue(server.url);
      connections.push(connection);
      const render = async () => ({
        paths: [],
        open: async ({ out }: { out: string }) => {
          opened.push(out.slice(-1));
          return {
            carryOut: async () => {
              did.push(out.slice(-1));
              await onShare?.(out.slice(-1));
            },
          };
        },
      });
      workers.push(startWorker({ redis: connection, root, version: 'test', shareWorks: { render }, stayMs }));
      return { did, opened };
    };

    const untilEmpty = async () => {
      for (;;) {
        const { waiting, active, delayed } = await queueStatus(redis);
        if (waiting + active + delayed === 0) return;
        await new Promise((resolve) => setImmediate(resolve));
      }
    };

    it('one worker does all of the first, then all of the second: each is opened once', async () => {
      const { root, assignments, chunks, queues } = await queued();
      expect(await queueStatus(redis)).toMatchObject({ waiting: 2 * perRun, active: 0, runs: 2, failed: 0 });
      expect(await redis.scard(openKey)).toBe(2 * perRun);
      const { did, opened } = await start(root);
      await untilEmpty();
      expect([...opened].sort()).toEqual(['a', 'b']);
      expect(did.join('')).toBe(opened.map((out) => out.repeat(perRun)).join(''));
      // What a killed coordinator left of old goes when it holds nothing, and only then.
      await redis.zadd(lanesKey, 0, '0'.repeat(32));
      await sweepLanes(redis);
      expect(await redis.zcard(lanesKey)).toBe(2);
      await queues.leave(chunks);
      expect(await laneDepths(redis)).toEqual([]);
      // Where the same run comes again, chunks of workers that have gone are looked for within seconds.
      for (const { id } of assignments)
        expect(await redis.pttl(`bull:${queueOf(id)}:stalled-check`)).toBeLessThanOrEqual(10_000);
      expect(await redis.scard(openKey)).toBe(0);
    });

    it('of two workers each takes one of them, and helps with the other at the end at most', async () => {
      const { root, chunks, queues } = await queued();
      // Neither goes on before both have begun.
      let begun = 0;
      let go = () => {};
      const both = new Promise<void>((resolve) => (go = resolve));
      let oneBegan = () => {};
      const one = new Promise<void>((resolve) => (oneBegan = resolve));
      const onShare = () => {
        oneBegan();
        if (++begun === 2) go();
        return both;
      };
      const first = await start(root, { onShare });
      // Two that look at the same moment may choose the same.
      await one;
      const two = [first, await start(root, { onShare })];
      await untilEmpty();
      expect(two.map(({ opened }) => opened[0]).sort()).toEqual(['a', 'b']);
      for (const { opened } of two) expect(opened.length).toBeLessThanOrEqual(2);
      expect(two.reduce((sum, { did }) => sum + did.length, 0)).toBe(chunks.length);
      await queues.leave([]);
    });

    it('a worker that has been with one run for long gives way to a run that nobody works on', async () => {
      const { root, queues } = await queued();
      const { did, opened } = await start(root, { stayMs: 0 });
      await untilEmpty();
      // Under a limit of nothing it goes to and fro; with the usual one it does not come to that in this test.
      expect(opened.length).toBeGreaterThan(2);
      expect(did).toHaveLength(2 * perRun);
      await queues.leave([]);
    });

    it('a run that this worker cannot do does not keep it from the other', async () => {
      const { root, assignments, chunks, queues } = await queued();
      const broken: Assignment = { ...assignments[0], sceneshift: 'another' };
      await redis.set(assignmentKey(broken.id), JSON.stringify(broken));
      const { did } = await start(root);
      const depthsById = async () => new Map((await laneDepths(redis)).map((depth) => [depth.lane, depth]));
      for (;;) {
        const other = (await depthsById()).get(assignments[1].id);
        if (other && other.waiting + other.active === 0) break;
        await new Promise((resolve) => setImmediate(resolve));
      }
      expect(did.join('')).toBe('b'.repeat(perRun));
      // To be told to a probe it would have to have nothing else to do.
      expect(workers[0].trouble()).toBeUndefined();
      const refused = (await depthsById()).get(assignments[0].id);
      expect(refused).toMatchObject({ failed: 0 });
      expect((refused?.waiting ?? 0) + (refused?.active ?? 0) + (refused?.delayed ?? 0)).toBe(perRun);
      await queues.leave(chunks);
    });
  });

  describe('the command line', () => {
    let machines: ManyMachines;
    beforeAll(async () => {
      await server.restart({ forget: true });
      machines = await manyMachines({ perClass: 4 });
      for (const seed of ['second', 'third']) {
        const path = join(machines.root, `${seed}.onnx`);
        const layers = [{ channels: 8, kernel: 3, stride: 2 }];
        await writeFile(path, plainNet({ sizePx: 48, layers, outputs: 3, seed }));
        await cp(`${machines.model}.json`, `${path}.json`);
      }
    });
    afterAll(async () => {
      await machines.stop();
    });

    const run = (models: readonly string[], more: readonly string[]) => {
      const [command, ...args] = machines.args;
      const at = args.indexOf('--model');
      const named = models.flatMap((name) => ['--model', join(machines.root, name)]);
      return sceneshift([command, ...args.slice(0, at), ...named, ...args.slice(at + 2), '--no-report', ...more]);
    };
    const alone = async (name: string, models: readonly string[]) => {
      const out = join(machines.root, name);
      const ran = await run(models, ['--out', out]);
      expect(ran.status, ran.stderr).toBe(0);
      return rowsOf(out);
    };
    const byQueue = async (name: string, models: readonly string[], more: readonly string[] = []) => {
      const out = join(machines.root, name);
      const queue = ['--queue', server.url, '--root', machines.root, '--chunk', '5'];
      const ran = await run(models, [...queue, ...more, '--out', out]);
      expect(ran.status, ran.stderr).toBe(0);
      return rowsOf(out);
    };
    const leave = async (workers: readonly ReturnType<ManyMachines['startWorker']>[]) => {
      for (const { child } of workers) child.kill('SIGTERM');
      const ends = await Promise.all(workers.map(({ ended }) => ended));
      return ends.map(({ stdout }) => JSON.parse(stdout));
    };

    it('two runs of different networks at once: the rows of one process, each worker opens one or two of them', async () => {
      const second = await alone('second-alone', ['second.onnx']);
      const workers = [1, 2].map(() => machines.startWorker(server.url, { args: ['--json'] }));
      const [first, other] = await Promise.all([byQueue('one', ['net.onnx']), byQueue('other', ['second.onnx'])]);
      expect(first).toEqual(machines.whole);
      expect(other).toEqual(second);
      const counts = await leave(workers);
      expect(counts.reduce((sum, { answers }) => sum + answers, 0)).toBe(first.length + other.length);
      for (const { openings } of counts) expect(openings).toBeLessThanOrEqual(2);
    });

    it('--models-at-once: a worker holds so many, all their chunks before the next; rows and errors of one process', async () => {
      const models = ['net.onnx', 'second.onnx', 'third.onnx'];
      // A photograph that no group of models can read is told once.
      await writeFile(join(machines.data, 'images/disc/disc_2.jpg'), 'no picture');
      const whole = await alone('three-alone', models);
      const worker = machines.startWorker(server.url, { args: ['--json'] });
      const rows = await byQueue('three', models, ['--models-at-once', '1']);
      expect(rows).toEqual(whole);
      const errors = (name: string) => readFile(join(machines.root, name, 'errors.jsonl'), 'utf8');
      expect(await errors('three')).toBe(await errors('three-alone'));
      expect(await errors('three')).toMatch(/^[^\n]*disc_2[^\n]*\n$/);
      const [{ openings, answers }] = await leave([worker]);
      expect([openings, answers]).toEqual([3, 3 * machines.whole.length]);
    });
  });
});
