import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { BenchInput, Figure } from './main.ts';

/** What a person waits for before anything is computed, over the start of Node itself. Linux alone counts for children. */
export async function benchWaits({ bin }: BenchInput): Promise<Figure[]> {
  const empty = startSeconds(['-e', '0']);
  const commands = [
    { args: ['--help'], atMost: 1.6 },
    { args: ['score', '--help'], atMost: 3 },
    { args: ['run', '--help'], atMost: 4 },
  ];
  const small = smallRunSeconds(bin);
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
    { name: 'a run of 48 answers', value: small, unit: 's of processor time' },
    { name: 'a run of 48 answers, over node -e 0', value: small / empty, unit: '×', limit: { atMost: 45 } },
  ];
}

/** What a first try costs: eight photographs of the embedded benchmark, two small networks, report and all. */
function smallRunSeconds(bin: string): number {
  const benchmark = join(dirname(bin), '..', 'benchmark');
  const network = (name: string) => ['--model', join(benchmark, 'models', `${name}.onnx`)];
  const scenes = [
    '--data',
    join(benchmark, 'manifest.csv'),
    '--limit',
    '8',
    '--scenarios',
    'original,blur-background,grey',
  ];
  const folder = mkdtempSync(join(tmpdir(), 'sceneshift-bench-'));
  const args = [bin, 'run', ...scenes, ...network('plain-biased-1'), ...network('plain-biased-2'), '--threads', '2'];
  let turn = 0;
  try {
    return startSeconds(() => [...args, '--out', join(folder, String(turn++))], 3);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function startSeconds(of: string[] | (() => string[]), turns = 10): number {
  const before = childSeconds();
  for (let turn = 0; turn < turns; turn++) {
    const args = typeof of === 'function' ? of() : of;
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
