import { copyFile, cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { modelFile } from './place.ts';

export interface ChaosCommand {
  readonly name: string;
  /** What lies in its folder before: names below the store of sources and finished work. */
  readonly starts: readonly string[];
  /** As typed in that folder. */
  readonly args: readonly string[];
  /** What it makes and nobody else needs, so that it may be deleted under it. */
  readonly out?: string;
  /** Takes the lock of a folder: of two at once, one is told so. */
  readonly locks?: boolean;
  /** Reads the photographs itself, so that a changed one must be seen by the next call. */
  readonly reads?: boolean;
  /** A file that it must make undisturbed: one that found nothing to do would test nothing. */
  readonly makes?: RegExp;
  /** Files whose bytes may differ, since they only remember what is done: lines in the order of finishing. */
  readonly remembers?: RegExp;
}

const data = ['data', 'plates'];
const one = ['--threads', '1'];
const model = ['--model', modelFile('plain-biased-1')];
const scenarios = ['--scenarios', 'original,random-background', '--backgrounds', 'plates'];
const photographs = ['--data', 'data/manifest.csv'];

const part = (share: string, out: string) => [
  'run',
  ...photographs,
  ...model,
  ...scenarios,
  '--out',
  out,
  '--shard',
  share,
  ...one,
];
const bothModels = [...model, '--model', modelFile('mobile-biased-1')];

const mining = [
  ['run', ...photographs, ...bothModels, '--scenarios', 'original', '--out', 'mined', ...one],
  ['mine', 'mined', '--surrogates', 'plain-biased-1', '--at-least', '1'],
];

/** A reviewer says yes to everything. */
const fillReview = (review: string) => async (folder: string) => {
  const table = await readFile(join(folder, review, 'review.csv'), 'utf8');
  const filled = table
    .trim()
    .split('\n')
    .map((line, i) => (i ? `Ada${line.replaceAll(/,(?=,|$)/g, ',yes')}` : line));
  await writeFile(join(folder, review, 'filled.csv'), `${filled.join('\n')}\n`);
};

/** What a training elsewhere leaves: enough rows for several strikes, curves, a model. */
async function trainElsewhere(folder: string): Promise<void> {
  const place = join(folder, 'elsewhere');
  await mkdir(join(place, 'models'), { recursive: true });
  const pairs = ['original', 'grey'].flatMap((trained) => ['original', 'grey'].map((tested) => ({ trained, tested })));
  const answers = pairs.flatMap(({ trained, tested }) =>
    Array.from({ length: 2000 }, (_, i) => {
      const label = i % 2 ? 'teapot' : 'umbrella';
      const said = i % 7 ? label : 'airship';
      return `net,${trained},${tested},${i}.jpg,,${label},${i % 4},${said},0.7,${said === label ? '0.7,1' : '0.2,2'}`;
    }),
  );
  const table = (head: string, lines: readonly string[]) => `${head}\n${lines.join('\n')}\n`;
  const head = 'model,trained,scenario,sample,group,label,fold,prediction,probability,probabilityTruth,rank';
  await writeFile(join(place, 'predictions.csv'), table(head, answers));
  const epochs = ['original', 'grey'].map((trained) => `net,${trained},0,1,train,1.5,0.4`);
  await writeFile(join(place, 'curves.csv'), table('model,trained,fold,epoch,split,loss,accuracy', epochs));
  await copyFile(modelFile('plain-biased-1'), join(place, 'models', 'net-original-fold-0.onnx'));
}

/** Pictures painted around the photographs' objects, of which one lost its object. */
async function paint(folder: string): Promise<void> {
  await cp(join(folder, 'data', 'images'), join(folder, 'painted', 'images'), { recursive: true });
  await copyFile(join(folder, 'data/images/umbrella/000.jpg'), join(folder, 'painted/images/teapot/000.jpg'));
}

/** A page whose tables are still to be made. */
const writePage = (folder: string) =>
  writeFile(
    join(folder, 'page.md'),
    ['scenarios', 'presets']
      .flatMap((part) => ['begin', 'end'].map((edge) => `<!-- ${part}: ${edge} (npm run docs:scenarios) -->\n`))
      .join(''),
  );

/** Made once, undisturbed, where a command starts from it: calls, or what a person does in between. */
export const finishedWork: Readonly<
  Record<string, readonly (readonly string[] | ((folder: string) => Promise<void>))[]>
> = {
  finished: [['run', ...photographs, ...bothModels, ...scenarios, '--out', 'finished', ...one]],
  mined: mining,
  reviewed: [...mining, ['mine', 'mined', '--review', 'export', '--out', 'reviewed'], fillReview('reviewed')],
  judged: [
    ...mining,
    ['mine', 'mined', '--review', 'export', '--out', 'judged', '--accept', '1', '--reviewers', '1'],
    fillReview('judged'),
    ['mine', 'mined', '--review', 'import', '--out', 'judged', '--votes', 'judged/filled.csv'],
  ],
  elsewhere: [trainElsewhere],
  painted: [paint],
  'page.md': [writePage],
  'part-1': [part('1/2', 'part-1')],
  'part-2': [part('2/2', 'part-2')],
};

const finished = [...data, 'finished'];
const mined = [...data, 'mined'];

/** Every command that writes. */
export const chaosCommands: readonly ChaosCommand[] = [
  {
    name: 'run',
    starts: data,
    args: ['run', ...photographs, ...model, ...scenarios, '--out', 'out', ...one],
    out: 'out',
    locks: true,
    reads: true,
  },
  {
    name: 'render',
    starts: data,
    args: ['render', ...photographs, ...scenarios, '--out', 'out', ...one],
    out: 'out',
    locks: true,
    reads: true,
  },
  {
    name: 'train',
    starts: data,
    args: [
      ...['train', ...photographs, '--backbone', modelFile('plain-biased-1'), ...scenarios, '--folds', '2'],
      ...['--write-head', 'out/head.onnx', '--out', 'out', ...one],
    ],
    out: 'out',
    locks: true,
    reads: true,
    // Features in files of as many as were ready; the heads that come of them are compared.
    remembers: /^out\/features\/.*\.f32$/,
  },
  {
    name: 'mask',
    starts: data,
    args: ['mask', 'data/manifest.csv', '--out', 'out', ...one],
    out: 'out',
    locks: true,
    reads: true,
    remembers: /\.made\.jsonl$/,
  },
  {
    name: 'explain',
    starts: finished,
    args: ['explain', 'finished', '--random', '2', '--scenarios', 'original', '--method', 'eigen-cam', ...one],
    locks: true,
  },
  { name: 'report', starts: finished, args: ['report', 'finished'] },
  {
    name: 'report parts',
    starts: finished,
    args: ['report', 'finished', '--format', 'csv', '--out', 'out/'],
    out: 'out',
  },
  {
    name: 'generate',
    starts: [],
    args: ['generate', '--prompt', 'beach', '--count', '3', '--steps', '1', '--out', 'out', ...one],
    out: 'out',
    locks: true,
    remembers: /spent\.jsonl$/,
  },
  { name: 'score', starts: finished, args: ['score', 'finished', '--csv', 'score.csv'], out: 'score.csv' },
  {
    name: 'compare',
    starts: finished,
    args: ['compare', 'finished', '--models', 'plain-biased-1,mobile-biased-1', '--flips', 'flips.csv'],
    out: 'flips.csv',
  },
  { name: 'mine', starts: finished, args: ['mine', 'finished', '--surrogates', 'mobile-biased-1', '--at-least', '1'] },
  {
    name: 'mine --release',
    starts: mined,
    args: ['mine', 'mined', '--release', 'out'],
    out: 'out',
    locks: true,
    makes: /^out\/.*\.jpg$/,
  },
  {
    name: 'mine --release judged',
    starts: [...mined, 'judged'],
    args: ['mine', 'mined', '--release', 'out', '--out', 'judged'],
    out: 'out',
    locks: true,
    makes: /^out\/.*\.jpg$/,
  },
  {
    name: 'mine --attack',
    starts: finished,
    args: ['mine', 'finished', '--attack', '--pictures', '4', '--queries', '60', ...one],
    locks: true,
  },
  {
    name: 'mine --review',
    starts: mined,
    args: ['mine', 'mined', '--review', 'export', '--out', 'out'],
    out: 'out',
    locks: true,
  },
  {
    name: 'mine --review import',
    starts: [...mined, 'reviewed'],
    args: ['mine', 'mined', '--review', 'import', '--out', 'reviewed', '--votes', 'reviewed/filled.csv'],
    locks: true,
  },
  {
    name: 'explain --out',
    starts: finished,
    args: [
      ...['explain', 'finished', '--random', '1', '--scenarios', 'original', '--method', 'eigen-cam'],
      ...['--out', 'out', ...one],
    ],
    out: 'out',
    locks: true,
  },
  {
    name: 'merge',
    starts: ['part-1', 'part-2'],
    args: ['merge', 'part-1', 'part-2', '--out', 'out'],
    out: 'out',
    locks: true,
  },
  {
    name: 'studio --export',
    starts: finished,
    args: ['studio', 'finished', '--export', 'out'],
    out: 'out',
    locks: true,
  },
  {
    name: 'train --export',
    starts: data,
    args: [
      ...['train', ...photographs, '--backbone', modelFile('plain-biased-1'), '--scenarios', 'original'],
      ...['--folds', '2', '--export', 'out', ...one],
    ],
    out: 'out',
    locks: true,
    reads: true,
  },
  {
    name: 'train --import',
    starts: ['elsewhere'],
    args: ['train', '--import', 'elsewhere', '--out', 'out'],
    out: 'out',
    locks: true,
  },
  {
    name: 'quality --drop',
    starts: [...data, 'painted'],
    args: ['quality', 'painted', '--photographs', 'data/manifest.csv', '--drop', ...one],
    out: 'painted/dropped.csv',
    locks: true,
  },
  { name: 'scenarios --gallery', starts: [], args: ['scenarios', '--gallery', 'gallery.jpg'], out: 'gallery.jpg' },
  { name: 'scenarios --page', starts: ['page.md'], args: ['scenarios', '--page', 'page.md'] },
  {
    name: 'helps',
    starts: data,
    args: ['helps', ...photographs, ...model, '--scenarios', 'original', '--out', 'helps.json', ...one],
    out: 'helps.json',
  },
  {
    name: 'check',
    starts: [...finished, 'gates.yaml'],
    args: ['check', 'finished', '--config', 'gates.yaml', '--junit', 'gates.xml', '--markdown', 'gates.md'],
    out: 'gates.md',
  },
  {
    name: 'dataset check',
    starts: data,
    args: ['dataset', 'check', 'data/manifest.csv', '--sheet', 'sheet.html'],
    out: 'sheet.html',
  },
  { name: 'init', starts: data, args: ['init', ...photographs, '--force'], out: 'sceneshift.yaml' },
];
