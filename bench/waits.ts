import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import type { BenchInput, Figure } from './main.ts';

const turns = 10;

/** What a person waits for before anything is computed, over the start of Node itself. Linux alone counts for children. */
export async function benchWaits({ bin }: BenchInput): Promise<Figure[]> {
  const empty = startSeconds(['-e', '0']);
  const commands = [
    { args: ['--help'], atMost: 1.6 },
    { args: ['score', '--help'], atMost: 3 },
    { args: ['run', '--help'], atMost: 5 },
  ];
  return [
    { name: 'node -e 0', value: empty, unit: 's of processor time' },
    ...commands.flatMap(({ args, atMost }) => {
      const value = startSeconds([bin, ...args]);
      const name = `sceneshift ${args.join(' ')}`;
      return [
        { name, value, unit: 's of processor time' },
        { name: `${name}, over node -e 0`, value: value / empty, unit: '×', limit: { atMost } },
      ];
    }),
  ];
}

function startSeconds(args: string[]): number {
  const before = childSeconds();
  for (let turn = 0; turn < turns; turn++) {
    const { status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
    if (status !== 0) throw new Error(`${args.join(' ')} failed: ${stderr.slice(-500)}`);
  }
  return (childSeconds() - before) / turns;
}

/** Processor time of all children that have ended, in seconds: fields 16 and 17 of proc(5), in hundredths. */
function childSeconds(): number {
  const fields = readFileSync('/proc/self/stat', 'utf8').split(') ')[1].split(' ');
  return (Number(fields[13]) + Number(fields[14])) / 100;
}
