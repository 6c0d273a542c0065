import { afterEach, expect, it, vi } from 'vitest';
import { onInterrupt } from './interrupt.ts';

afterEach(() => vi.restoreAllMocks());

const bySignal = () => process.emit('SIGINT', 'SIGINT');
const byParent = () => process.emit('message', { interrupt: 'SIGINT' }, undefined);

/** Watches from before the first interrupt: how often it was told to stop and how often it went at once. */
function watch() {
  const kill = vi.spyOn(process, 'kill').mockReturnValue(true);
  const said = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  const { signal, done } = onInterrupt('Interrupted');
  return { signal, done, kills: () => kill.mock.calls.length, lines: () => said.mock.calls.length };
}

it.each([
  ['of a terminal, which reaches the parent as well', [bySignal, byParent]],
  ['of a terminal, the other way round', [byParent, bySignal]],
  ['that only the parent got', [byParent]],
  ['that only this process got', [bySignal]],
])('one interrupt %s is one', (_, ways) => {
  const { signal, done, kills, lines } = watch();
  for (const interrupt of ways) interrupt();
  expect([signal.aborted, lines(), kills()]).toEqual([true, 1, 0]);
  done();
});

it.each([
  ['of a terminal', [bySignal, byParent, bySignal, byParent]],
  ['through the parent', [byParent, byParent]],
  ['of this process', [bySignal, bySignal]],
])('two interrupts %s end it at once', (_, ways) => {
  const { kills } = watch();
  for (const interrupt of ways) interrupt();
  expect(kills()).toBe(1);
});

it('of two jobs under way one line is said, and both stop; a later one speaks for itself', () => {
  const { signal, done, lines } = watch();
  const other = onInterrupt('Interrupted as well');
  bySignal();
  expect([signal.aborted, other.signal.aborted, lines()]).toEqual([true, true, 1]);
  done();
  const third = onInterrupt('And a third');
  other.done();
  bySignal();
  expect([third.signal.aborted, lines()]).toEqual([true, 2]);
  third.done();
});
