import { fixedOf, rangeOf, significantOf } from '../../contracts/numbers.ts';
import type { ModelDescription } from '../../models/define.ts';
import type { OnnxDescription } from '../../models/onnx/describe.ts';
import type { GraphValue, OnnxGraph } from '../../models/onnx/graph.ts';
import { int8Text } from '../../models/onnx/int8.ts';
import { showShape } from '../../models/onnx/model-file.ts';
import { geometryText, valuesText } from '../../models/record/preprocessing-text.ts';
import { type Inspection, onnxFacts } from './inspect-model.ts';

/** What a model is, for people: one line per fact, with where it comes from in brackets. */
export function inspectionText({ spec, described, file, int8, problem }: Inspection, threads: number): string {
  const onnx = described && onnxFacts(described);
  return [
    `${described?.name ?? spec} · ${described?.kind ?? 'ONNX file'}`,
    ...layOut([
      ['source', described?.source ?? file?.path],
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
  ].join('\n');
}

type Row = readonly [title: string, text: string | undefined | false];

const layOut = (list: readonly Row[]) =>
  list.flatMap(([title, text]) => (text ? [`  ${title.padEnd(13)} ${text}`] : []));

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
  `${fixedOf(milliseconds, 1)} ms for a generated picture on ${threads} thread${threads === 1 ? '' : 's'}; gave ${showShape(dims)} from ${rangeOf([minimum, maximum], significantOf)}`;

const megabytes = (bytes: number) => `${fixedOf(bytes / 1e6, bytes < 1e6 ? 3 : 1)} MB`;
const millions = (count: number) => (count < 1e5 ? String(count) : `${fixedOf(count / 1e6, 2)} M`);
