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
