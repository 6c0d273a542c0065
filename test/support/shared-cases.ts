import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { withRunFolder } from '../../src/run/folder/index.ts';
import { rowsOf } from './many-machines.ts';
import { fingerprints } from './spawn-cli.ts';

/** One way to do a command's work, in folders of its own: returns all that must be the same whoever did it. */
export interface SharedCase {
  /** The command into a folder, with more options. */
  args(out: string): string[];
  /** What is there when it is through. */
  results(out: string, stdout: string): Promise<unknown>;
  /** The run folder that it works in, a copy of which it gets; others begin with an empty folder. */
  readonly run?: string;
}

/** What the cases are about: a dataset, a model, a painter, a run, and one of photographs alone, on a disk or elsewhere. */
export interface SharedInputs {
  readonly data: string;
  readonly model: string;
  readonly painter: string;
  readonly whole: string;
}

/** The commands whose work is made of samples, each with all that it makes. */
export const sharedCommands = ['render', 'train', 'explain', 'generate', 'mine', 'mine --backbone'] as const;

export function sharedCases({ data, model, painter, whole }: SharedInputs): Record<string, SharedCase> {
  const scenarios = 'original,blur-background,random-background,size:0.05';
  return {
    // To the byte: pictures, masks, manifest, list.
    render: {
      args: (out) => ['render', '--data', data, '--scenarios', scenarios, '--out', out],
      results: (out) => fingerprints(out),
    },
    // To the byte: pictures and heads; rows and numbers to the bit.
    train: {
      args: (out) => [
        ...['train', '--data', data, '--backbone', model, '--scenarios', 'original,grey,random-background'],
        ...['--folds', '3', '--on', 'mix', '--out', out],
      ],
      async results(out, stdout) {
        const { scenarios: heads, matrix, differences, rows, errors, score } = JSON.parse(stdout);
        const training = await withRunFolder(out, (folder) => folder.rows('training'));
        const fitted = only(await fingerprints(out), (name) => name.startsWith('heads/'));
        holds(Object.keys(fitted).length > 3, 'heads');
        return { heads, matrix, differences, rows, errors, score, fitted, training, answers: await rowsOf(out) };
      },
    },
    explain: {
      args: (out) => [
        'explain',
        whole,
        '--random',
        '9',
        '--method',
        'rise',
        '--masks',
        '16',
        '--steps',
        '2',
        '--out',
        out,
      ],
      async results(out, stdout) {
        const { index, rows } = JSON.parse(stdout);
        const pictures = only(await fingerprints(out), (name) => !name.endsWith('.parquet'));
        holds(Object.keys(pictures).length > rows.length, 'pictures');
        return { index, rows, pictures };
      },
    },
    generate: {
      args: (out) => [
        ...['generate', '--diffusion', painter, '--steps', '2', '--prompt', 'a wet street'],
        ...['--prompt', 'a dry street', '--count', '5', '--out', out],
      ],
      async results(out, stdout) {
        const records = JSON.parse(stdout).images.map((record: { time: string }) => ({ ...record, time: '' }));
        const files = only(await fingerprints(out), (name) => /\.(png|csv)$/.test(name));
        holds(Object.keys(files).length === 12, 'ten pictures and two lists');
        return { records, files };
      },
    },
    mine: {
      run: 'whole',
      args: (run) => ['mine', run, '--attack', '--pictures', '9', '--queries', '30', '--epsilon', '24'],
      async results(run, stdout) {
        const outcomes = only(await fingerprints(run), (name) => name.startsWith('attack/'));
        holds(Object.keys(outcomes).length === 9, 'nine outcomes');
        return { ...JSON.parse(stdout), outcomes };
      },
    },
    'mine --backbone': {
      run: 'plain',
      args: (run) => ['mine', run, '--surrogates', 'net', '--backbone', model],
      async results(_, stdout) {
        const { run: _run, time: _time, ...record } = JSON.parse(stdout);
        holds(record.modesMissing.length === 1, 'clusters');
        return record;
      },
    },
  };
}

const only = (files: Record<string, string>, keep: (name: string) => boolean) =>
  Object.fromEntries(Object.entries(files).filter(([name]) => keep(name)));

/** That what was compared is not nothing. */
function holds(fact: boolean, what: string): void {
  if (!fact) throw new Error(`expected ${what}`);
}

/** A run's features: one file for each that computed some. */
export const featureShards = async (run: string): Promise<string[]> =>
  (await readdir(join(run, 'features'))).filter((name) => name.endsWith('.f32'));
