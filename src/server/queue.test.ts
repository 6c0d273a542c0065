import { expect, it } from 'vitest';
import { createRate, queueRoutes } from './queue.ts';

it('the rate is what left the queue while it was watched, whatever came in', () => {
  const rate = createRate();
  expect(rate({ time: 0, depth: 100 })).toBeNull();
  expect(rate({ time: 10_000, depth: 80 })).toBe(2);
  // 50 more came in; then 10 were done.
  expect(rate({ time: 20_000, depth: 130 })).toBe(1);
  expect(rate({ time: 30_000, depth: 120 })).toBe(1);
  // What lies more than a minute back is forgotten.
  expect(rate({ time: 85_000, depth: 120 })).toBe(0);
});

it('without a queue there is none; one that is away is said to be, and its password never', async () => {
  expect(await (await queueRoutes(undefined).request('/queue')).json()).toEqual({ url: null });
  const away = (await (await queueRoutes('redis://me:secret@127.0.0.1:1').request('/queue')).json()) as object;
  expect(away).toMatchObject({ url: 'redis://127.0.0.1:1', problem: expect.stringContaining('No queue at') });
  expect(JSON.stringify(away)).not.toContain('secret');
});
