import { expect, it } from 'vitest';
import { createTurns } from './turns.ts';

it('one after the other in the order asked; the next may begin before the last has ended', async () => {
  const turns = createTurns();
  const seen: string[] = [];
  const first = await turns.take();
  const second = turns.take().then((turn) => {
    seen.push('second');
    return turn;
  });
  await Promise.resolve();
  expect(seen).toEqual([]);
  first.next();
  const turn = await second;
  expect(seen).toEqual(['second']);
  let alone = false;
  const others = turns.othersDone().then(() => {
    alone = true;
  });
  await Promise.resolve();
  expect(alone).toBe(false);
  first.end();
  first.end();
  await others;
  turn.end();
  // An end without `next` lets the next one begin too.
  const third = await turns.take();
  await turns.othersDone();
  third.end();
  (await turns.take()).end();
});
