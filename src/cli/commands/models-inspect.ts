import { UserError } from '../../contracts/errors.ts';
import type { Preprocessing } from '../../contracts/model-record.ts';
import type { ModelDescription } from '../../models/define.ts';
import type { OnnxDescription } from '../../models/onnx/describe.ts';
import type { GraphValue, OnnxGraph } from '../../models/onnx/graph.ts';
import { askInt8, int8Text } from '../../models/onnx/int8.ts';
import { readModelFile, showShape } from '../../models/onnx/model-file.ts';
import { describeModel } from '../../models/open.ts';
import { locate } from '../../models/spec.ts';
import { defineCommand } from '../command.ts';
import { print } from '../ui/output.ts';
import { createProgress } from '../ui/progress.ts';

export const modelsInspect = defineCommand({
  name: 'models inspect',
  summary: 'What a model is: inputs, outputs, operators, preprocessing, labels; runs it once.',
  args: ['MODEL'],
  options: {
    threads: { type: 'number', describe: 'threads for the trial run', default: 1 },
    labels: { type: 'string', multiple: true, describe: 'names a zero-shot model is to choose from', value: 'NAME' },
    offline: { type: 'boolean', describe: 'take a Hugging Face model from the cache only' },
  },
  examples: [
    'sceneshift models inspect mobilenetv2.onnx',
    'sceneshift models inspect openai/clip-vit-base-patch32 --labels cat --labels dog',
    'sceneshift models inspect "command:python3 my_model.py"',
  ],
  async run({ json, threads, labels, offline }, [spec]) {
    const options = { threads, offline, classes: labels.length ? labels : undefined, onProgress: downloadBar() };
    const place = await locate({ model: spec }, options);
    const file = place.kind === 'onnx' ? await readModelFile(place.path) : undefined;
    let described: ModelDescription | undefined;
    let problem: string | undefined;
    try {
      described = await describeModel(spec, options);
    } catch (error) {
      // What the graph says is worth seeing even where the rest does not fit it.
      if (!(error instanceof UserError) || !file) throw error;
      problem = error.message;
    }
    const onnx = described && 'onnx' in described ? (described as OnnxDescription).onnx : undefined;
    const { nodes: _, ...graph } = file?.graph ?? { nodes: [] };
    const int8 = file?.graph.quantized ? await askInt8() : undefined;
    const result = {
      model: spec,
      name: described?.name,
      kind: described?.kind,
      source: described?.source ?? file?.path,
      ...(file && { bytes: file.bytes, sha256: file.sha256, graph }),
      preprocessing: described?.preprocessing,
      from: onnx?.from,
      outputs: described?.outputs,
      outputCount: described?.outputCount,
      labels: described?.labels,
      labelsFrom: described?.labelsFrom,
      batch: described?.batch,
      processor: int8 && { int8 },
      trial: onnx?.trial,
      warnings: described?.warnings ?? [],
      problem,
      identity: described?.identity,
    };
    print(json, result, () =>
      [
        `${described?.name ?? spec} · ${described?.kind ?? 'ONNX file'}`,
        ...rows([
          ['source', result.source],
          ...(file ? graphRows(file.graph, file.bytes, file.sha256) : []),
          ['int8', int8 && int8Text(int8)],
          ...preprocessingRows(described, onnx?.from),
          ['scores', described && scoresText(described, onnx?.from.outputs)],
          ['labels', described && labelsText(described)],
          ['batch', described && String(described.batch)],
          ['ran once', onnx && trialText(onnx.trial, threads)],
        ]),
        ...(described?.warnings ?? []).map((warning) => `! ${warning}`),
        ...(problem ? [`✗ ${problem}`] : []),
      ].join('\n'),
    );
    return problem ? 2 : 0;
  },
});

type Row = readonly [title: string, text: string | undefined | false];

const rows = (list: readonly Row[]) => list.flatMap(([title, text]) => (text ? [`  ${title.padEnd(13)} ${text}`] : []));

function graphRows(
  { producer, opset, inputs, outputs, operators, parameters, weightTypes, externalData }: OnnxGraph,
  bytes: number,
  sha256: string,
): Row[] {
  const nodes = Object.values(operators).reduce((sum, count) => sum + count, 0);
  const value = ({ name, type, shape }: GraphValue) => `${name}  ${type} ${showShape(shape)}`;
  const listed = Object.entries(operators).map(([op, count]) => `${op} ${count}`);
  return [
    [
      'file',
      `${megabytes(bytes)}, sha256 ${sha256.slice(0, 12)}…, ONNX opset ${opset}${producer && `, made by ${producer}`}`,
    ],
    ...inputs.map((input): Row => ['input', value(input)]),
    ...outputs.map((output): Row => ['output', value(output)]),
    [
      'parameters',
      `${millions(parameters)} (${Object.entries(weightTypes)
        .map(([type, count]) => `${type} ${millions(count)}`)
        .join(', ')})`,
    ],
    [
      'operators',
      `${nodes}: ${listed.slice(0, 8).join(', ')}${listed.length > 8 ? `, and ${listed.length - 8} kinds more` : ''}`,
    ],
    ['weights in', externalData.join(', ')],
  ];
}

function preprocessingRows(
  described: ModelDescription | undefined,
  from: { geometry: string; values: string } | undefined,
): Row[] {
  const p = described?.preprocessing;
  if (!p) return [];
  return [
    ['picture', `${geometryText(p)}${from ? `   [${from.geometry}]` : ''}`],
    ['values', `${valuesText(p)}${from ? `   [${from.values}]` : ''}`],
    ['tensor', `${p.type} ${p.layout} ${p.channels}`],
  ];
}

function geometryText({ padToSquare, resize, crop, fill }: Preprocessing): string {
  const steps = [
    padToSquare && `padded to a square with rgb(${fill.join(', ')})`,
    resize &&
      ('shortSide' in resize
        ? `short side to ${resize.shortSide}, ${resize.filter}`
        : `${resize.fit} to ${resize.width} × ${resize.height}, ${resize.filter}`),
    crop && `centre crop ${crop.width} × ${crop.height}${crop.offset === 'down' ? ' (offset rounded down)' : ''}`,
  ].filter(Boolean);
  return steps.join(', then ') || 'as it is';
}

function valuesText({ scale, mean, std, type }: Preprocessing): string {
  if (type === 'uint8') return '0 to 255';
  const unit = scale === 'max' ? 'x / largest x' : scale === 1 / 255 ? 'x / 255' : scale === 1 ? 'x' : `x · ${scale}`;
  const plain = mean.every((value) => value === 0) && std.every((value) => value === 1);
  return plain ? unit : `(${unit} − [${mean.join(' ')}]) / [${std.join(' ')}]`;
}

function scoresText({ outputs, outputCount, kind }: ModelDescription, from: string | undefined): string | false {
  if (kind === 'vlm' || kind === 'predictions') return false;
  return `${outputCount ? `${outputCount} ` : ''}${outputs}${from ? `   [${from}]` : ''}`;
}

function labelsText({ labels, labelsFrom }: ModelDescription): string {
  if (!labels) return 'none known: write "labels" in FILE.json, a labelMap in the config, or targets in the manifest';
  const short = labels.map((label) => label.split(',')[0]);
  const shown = short.length > 4 ? `${short.slice(0, 3).join(', ')}, … ${short.at(-1)}` : short.join(', ');
  return `${labels.length}: ${shown}${labelsFrom ? `   [${labelsFrom}]` : ''}`;
}

const trialText = ({ milliseconds, dims, minimum, maximum }: OnnxDescription['onnx']['trial'], threads: number) =>
  `${milliseconds.toFixed(1)} ms for a generated picture on ${threads} thread${threads === 1 ? '' : 's'}; gave ${showShape(dims)} from ${minimum.toPrecision(4)} to ${maximum.toPrecision(4)}`;

const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(bytes < 1e6 ? 3 : 1)} MB`;
const millions = (count: number) => (count < 1e5 ? String(count) : `${(count / 1e6).toFixed(2)} M`);

/** A bar only where something is really downloaded. */
function downloadBar() {
  let bar: ReturnType<typeof createProgress> | undefined;
  return ({ done, total }: { done: number; total: number }) => {
    bar ??= createProgress({ title: 'downloading', unit: 'kB', total: Math.ceil(total / 1000) });
    bar.update(Math.ceil(done / 1000));
    if (done === total) bar.finish();
  };
}
