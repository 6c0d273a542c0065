import { describe, expect, it } from 'vitest';
import { createProgress, formatSeconds } from './progress.ts';

function recorder({ isTTY = false } = {}) {
  let text = '';
  let clock = 0;
  const stream = { isTTY, columns: 100, write: (part: string) => (text += part) } as unknown as NodeJS.WriteStream;
  const progress = createProgress({ title: 'run', noun: 'answers', total: 100, stream, now: () => clock });
  return { progress, wait: (ms: number) => (clock += ms), text: () => text };
}

describe('createProgress', () => {
  it('gives an early estimate and a line at every tenth where there is no terminal', () => {
    const { progress, wait, text } = recorder();
    for (let done = 1; done <= 100; done++) {
      wait(1000);
      progress.update(done);
    }
    progress.finish();
    const lines = text().trim().split('\n');
    expect(lines[0]).toBe('run: 3/100 answers · 1.0 answers/s · 1 min 37 s left');
    expect(lines[1]).toBe('run: 10/100 answers · 1.0 answers/s · 1 min 30 s left');
    expect(lines).toHaveLength(11);
    expect(lines.at(-1)).toBe('run: 100 answers in 1 min 40 s');
  });

  it('leaves what was there before out of the rate', () => {
    const { progress, wait, text } = recorder();
    progress.update(50);
    wait(10_000);
    progress.update(60);
    expect(text()).toContain('60/100 answers · 1.0 answers/s · 40 s left');
  });

  it('draws a bar on a terminal', () => {
    const { progress, wait, text } = recorder({ isTTY: true });
    wait(1000);
    progress.update(50);
    expect(text()).toContain('██████████░░░░░░░░░░ 50/100');
  });
});

describe('formatSeconds', () => {
  it.each([
    [3.21, '3.2 s'],
    [59, '59 s'],
    [59.7, '1 min 0 s'],
    [119.8, '2 min 0 s'],
    [61, '1 min 1 s'],
    [3660, '1 h 1 min'],
  ])('%d is %s', (seconds, text) => expect(formatSeconds(seconds)).toBe(text));
});
