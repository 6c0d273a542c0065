import { expected, UserError } from '../../contracts/errors.ts';
import { fixedOf, percentOf } from '../../contracts/numbers.ts';
import type { ObjectChoice } from '../../dataset/define.ts';
import { openConfiguredDataset } from '../../run/configured-dataset.ts';
import { threadsFrom } from '../../run/inputs.ts';
import { makeMasks } from '../../run/make-masks.ts';
import { parseConfig } from '../../run/settings.ts';
import { resolvePlace } from '../../storage/s3-url.ts';
import { defineCommand } from '../command.ts';
import { onInterrupt } from '../interrupt.ts';
import { dataOptions, workOptions } from '../options.ts';
import { salientModel } from '../salient-model.ts';
import { printErrors } from '../ui/errors.ts';
import { print } from '../ui/output.ts';
import { createProgress } from '../ui/progress.ts';
import { table } from '../ui/table.ts';

export const mask = defineCommand({
  name: 'mask',
  summary: 'Make object masks for a dataset, by GrabCut or by any salient-object ONNX model.',
  args: ['DATA'],
  options: {
    out: { type: 'string', value: 'DIR', describe: 'folder for the masks and a manifest that --data reads' },
    method: { type: 'string', choices: ['grabcut', 'onnx'], describe: 'by default onnx with --model, else grabcut' },
    model: {
      type: 'string',
      value: 'FILE',
      describe: 'salient-object ONNX model; its preprocessing from FILE.json, else as U²-Net',
    },
    boxes: { type: 'boolean', describe: "start GrabCut from the dataset's boxes instead of the middle of the image" },
    compare: { type: 'boolean', describe: 'print the IoU with the masks the dataset has' },
    'min-part': {
      type: 'number',
      value: 'SHARE',
      describe: 'drop parts smaller than this share of the largest',
      default: 0.1,
    },
    layout: dataOptions.layout,
    masks: dataOptions.masks,
    objects: dataOptions.objects,
    'label-from': dataOptions['label-from'],
    border: dataOptions.border,
    decode: dataOptions.decode,
    'max-pixels': { type: 'number', default: 100_000_000, describe: 'larger images are refused' },
    ...workOptions,
  },
  examples: [
    'sceneshift mask photos/ --method onnx --model u2netp.onnx --out masks/',
    'sceneshift mask coco.json --method grabcut --boxes --compare --out masks/',
  ],
  async run(values, [data]) {
    if (!values.out) throw expected('a folder to write', '--out', undefined);
    const { method = values.model ? 'onnx' : 'grabcut' } = values;
    if (method === 'onnx' && !values.model)
      throw expected('an ONNX file', '--model', undefined, 'or use --method grabcut');
    if (method === 'grabcut' && values.model) throw expected('no model', '--method grabcut', values.model);
    const minPartShare = values['min-part'];
    if (!(minPartShare >= 0 && minPartShare <= 1)) throw expected('a share from 0 to 1', '--min-part', minPartShare);
    const { maxErrors, maxPixels } = parseConfig(
      { maxErrors: values['max-errors'], maxPixels: values['max-pixels'] },
      'the command line',
    );
    const dataset = await openConfiguredDataset({
      data: resolvePlace(data),
      layout: values.layout,
      masks: values.masks && resolvePlace(values.masks),
      objects: values.objects as ObjectChoice | undefined,
      labelFrom: values['label-from'],
    });
    const progress = createProgress({ title: 'mask', noun: 'images', total: dataset.samples.length });
    const interrupt = onInterrupt('Finishing the images in hand; the same command goes on from there');
    const made = await makeMasks({
      dataset,
      out: values.out,
      model: values.model ? await salientModel(values.model) : undefined,
      boxes: values.boxes,
      compare: values.compare,
      border: (values.border ?? 'ignore') as 'ignore',
      minPartShare,
      mode: (values.decode ?? 'pillow') as 'pillow',
      maxPixels,
      threads: threadsFrom(values.threads),
      maxErrors,
      signal: interrupt.signal,
      onProgress: progress.update,
    }).finally(interrupt.done);
    progress.finish(`${made.masks.length} masks${made.found ? `, ${made.found} of them found` : ''}`);
    if (!values.json) printErrors(made.errors);
    if (!made.interrupted || values.json) print(values.json, made, () => describe(made, values.compare));
    if (made.interrupted) {
      const done = `${made.masks.length} of ${made.samples} masks are made, and no manifest yet`;
      throw new UserError(`Interrupted: ${done}; the same command goes on from here`, { exitCode: 130 });
    }
  },
});

function describe({ masks, manifest, iou }: Awaited<ReturnType<typeof makeMasks>>, compare: boolean): string {
  const lines = [`${masks.length} masks; read them with --data ${manifest}`];
  if (compare && iou) {
    const worst = [...masks].filter((made) => made.iou !== null).sort((a, b) => (a.iou ?? 0) - (b.iou ?? 0));
    lines.push(
      table(worst, [
        { title: 'sample', flexible: true, cell: ({ sample }) => sample },
        { title: 'IoU', align: 'right', cell: (made) => fixedOf(made.iou ?? 0, 3) },
        { title: 'area', align: 'right', cell: (made) => percentOf(made.areaShare) },
      ]),
      `IoU with the dataset's masks, uncertain border left out: mean ${fixedOf(iou.mean, 3)}, median ${fixedOf(iou.median, 3)} over ${iou.n} images`,
    );
  }
  return lines.join('\n');
}
