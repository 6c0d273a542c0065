import { expect, it } from 'vitest';
import { defineJob } from '../run/jobs.ts';
import { openLanes } from './lanes.ts';

it('lanes answer the oldest question first, however many come after it', async () => {
  const order: number[] = [];
  const job = defineJob<null, number, number>({
    name: 'test',
    open: async () => ({
      async run(task) {
        order.push(task);
        await new Promise((resolve) => setImmediate(resolve));
        if (task === 3) throw new Error('three');
        return 10 * task;
      },
      async close() {},
    }),
  });
  const lanes = await openLanes(job, null, 1);
  const asked = [0, 1, 2, 3, 4].map((task) => lanes.run(task).catch((error: Error) => error.message));
  expect(lanes.busy).toBe(5);
  expect(await Promise.all(asked)).toEqual([0, 10, 20, 'three', 40]);
  expect(order).toEqual([0, 1, 2, 3, 4]);
  await expect.poll(() => lanes.busy).toBe(0);
  await lanes.close();
});

it('lanes drop what is given up before its turn, and begin what can wait last', async () => {
  const order: number[] = [];
  const job = defineJob<null, number, number>({
    name: 'test',
    open: async () => ({
      async run(task, emit) {
        order.push(task);
        await new Promise((resolve) => setImmediate(resolve));
        emit(-task);
        return task;
      },
      async close() {},
    }),
  });
  const lanes = await openLanes(job, null, 1);
  const stop = new AbortController();
  const parts: number[] = [];
  const asked = [
    lanes.run(1, { onPart: (part) => parts.push(part) }),
    lanes.run(2, { canWait: true }),
    lanes.run(3, { signal: stop.signal }).catch((error: Error) => error.name),
    lanes.run(4),
  ];
  stop.abort();
  expect(await Promise.all(asked)).toEqual([1, 2, 'AbortError', 4]);
  expect(order).toEqual([1, 4, 2]);
  expect(parts).toEqual([-1, 1]);
  await expect(lanes.run(5, { signal: stop.signal })).rejects.toThrow('aborted');
  await lanes.close();
});
