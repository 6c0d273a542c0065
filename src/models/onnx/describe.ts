import { basename } from 'node:path';
import type { Device, ModelSettings } from '../../contracts/model-config.ts';
import type { ModelRecord, Preprocessing } from '../../contracts/model-record.ts';
import type { ModelDescription, OpenOptions } from '../define.ts';
import { guessLabels, loadLabels } from '../label-sets.ts';
import { recordsBeside } from '../record/beside.ts';
import { imagenetAssumed, resolveRecord, type Statement } from '../record/resolve.ts';
import { type OnnxGraph, producerOf } from './graph.ts';
import { type ImageInput, imageInput, type ModelFile, readModelFile } from './model-file.ts';
import { channelCount, checkLabels, chooseOutput, guessTask, isMap, outputCount, outputKind } from './output.ts';
import { type GraphTrial, tryOnce } from './trial.ts';

/** What a worker needs to open an ONNX model without reading it again. */
export interface OnnxFacts {
  readonly path: string;
  readonly input: ImageInput;
  readonly output: string;
  readonly quantized: boolean;
  readonly device: Device;
  /** How a segmentation model's values are meant. */
  readonly activation: 'logits' | 'probabilities' | 'min-max' | 'indices';
  /** A single output with two labels stands for two: [not, is]. */
  readonly binary: boolean;
  readonly bytes: number;
  readonly from: { readonly geometry: string; readonly values: string; readonly outputs: string };
  readonly trial: GraphTrial;
}

export interface OnnxDescription extends ModelDescription {
  readonly kind: 'classifier' | 'segmenter';
  readonly preprocessing: Preprocessing;
  readonly onnx: OnnxFacts;
}

/** Batches at which MobileNet and ResNet run fastest on one thread; see docs/models.md. */
const usualBatch = { cpu: 8, device: 32 };

export interface DescribeOnnxOptions {
  readonly settings?: Partial<ModelSettings>;
  readonly batch?: number;
  readonly threads?: number;
  readonly file?: ModelFile;
  readonly onSession?: OpenOptions['onSession'];
  readonly task?: 'classify' | 'segment';
}

/** Reads, checks and tries an ONNX model: everything that can be wrong with it is found here, before any work. */
export async function describeOnnx(path: string, options: DescribeOnnxOptions = {}): Promise<OnnxDescription> {
  const { settings = {}, threads = 1 } = options;
  const { device = 'cpu' } = settings;
  const file = options.file ?? (await readModelFile(path));
  const beside = recordsBeside(path);
  const config = configStatement(settings);
  const statements = [...(config ? [config] : []), ...beside];
  const stated = <T>(read: (record: ModelRecord) => T | undefined) => firstStated(statements, read);

  const input = imageInput(file, stated((record) => record.input?.name)?.value);
  const output = chooseOutput(file, stated((record) => record.output?.name)?.value);
  const task = options.task ?? stated((record) => record.task)?.value ?? guessTask(output, input);
  const fallback = task === 'segment' ? segmenterFallback(file.graph, input) : imagenetAssumed;
  const { preprocessing, from, warnings } = resolveRecord(beside, input, { config, fallback });
  // A quantised one waits until the processor has been asked how it is run.
  if (device === 'cpu' && !file.graph.quantized && !options.file) options.onSession?.({ path, bytes: file.bytes });
  const trial = await tryOnce(file, { input, output: output.name, preprocessing, threads, device });
  // Files that do not state the output's shape show it only when run.
  if (!task && isMap(trial, input)) return describeOnnx(path, { ...options, file, task: 'segment' });

  const kind = task ?? 'classify';
  const outputs = outputKind(file.graph, output, trial, {
    stated: stated((record) => record.output?.kind),
    likeU2net: [from.values, stated((record) => record.preprocessing)?.value].some((text) => text?.startsWith('u2net')),
  });
  const count = kind === 'segment' ? channelCount(trial, preprocessing) : outputCount(file, output, trial);
  const given = stated((record) => record.labels);
  const labels = given ? loadLabels(given.value, given.from, path) : guessLabels(kind, count);
  const binary = kind === 'classify' && count === 1 && labels?.names.length === 2;
  if (labels && !binary && !(kind === 'segment' && count < 2)) checkLabels(labels, count, path);
  const oneAtATime = whyAlone(file, input, trial);
  const facts: OnnxFacts = {
    path,
    input,
    output: output.name,
    quantized: file.graph.quantized,
    device,
    activation: outputs.kind,
    binary,
    bytes: file.bytes,
    from: { ...from, outputs: outputs.from },
    trial,
  };
  return {
    name: settings.name ?? stated((record) => record.name)?.value ?? basename(path).replace(/\.onnx$/i, ''),
    kind: kind === 'segment' ? 'segmenter' : 'classifier',
    source: path,
    identity: {
      kind,
      sha256: file.sha256,
      bytes: file.bytes,
      preprocessing,
      input: input.name,
      output: output.name,
      outputs: outputs.kind,
      ...(file.graph.quantized && { int8: 'exact' }),
      ...(device !== 'cpu' && { device }),
    },
    labels: labels?.names,
    wnids: labels?.wnids,
    labelsFrom: labels?.from,
    labelMap: settings.labelMap,
    outputs: outputs.kind === 'logits' ? 'logits' : 'probabilities',
    outputCount: binary ? 2 : count,
    parameters: file.graph.parameters,
    batch: oneAtATime
      ? 1
      : batchFor(
          input,
          preprocessing,
          options.batch ?? settings.batch ?? usualBatch[device === 'cpu' ? 'cpu' : 'device'],
        ),
    // One copy in all, fed by every worker: a device has little memory and is shared anyway.
    runsIn: device === 'cpu' ? 'worker' : 'main',
    looksAtPixels: true,
    preprocessing,
    warnings: [...warnings.map((warning) => pointing(warning, path, kind)), ...(oneAtATime ? [oneAtATime] : [])],
    onnx: facts,
  };
}

/** Doubts about a classifier's preprocessing can be settled with photographs whose labels are known. */
const pointing = (warning: string, path: string, kind: 'classify' | 'segment') =>
  kind === 'segment'
    ? warning
    : `${warning}${warning.endsWith('?') ? '' : ';'} sceneshift models inspect ${quoted(path)} --data DIR tries which fits`;

const quoted = (path: string) => (/^[\w./\\:@+-]+$/.test(path) ? path : `"${path}"`);

/** Why pictures cannot share a batch, where they cannot. */
function whyAlone({ graph }: ModelFile, { batch }: ImageInput, { takesBatches }: GraphTrial): string | undefined {
  if (graph.dynamicallyQuantized)
    return 'dynamically quantised: its scales depend on all pictures of a batch, so pictures are answered one at a time';
  if (batch !== 0 || takesBatches) return undefined;
  return 'it fails on two pictures at a time, or answers otherwise than for each alone, so pictures are answered one at a time';
}

/** Settings of the config as the strongest statement. */
function configStatement({ preprocessing, labels }: Partial<ModelSettings>): Statement | undefined {
  if (preprocessing === undefined && labels === undefined) return undefined;
  const record = typeof preprocessing === 'string' ? { preprocessing } : (preprocessing ?? {});
  return { from: 'the config', record: { ...record, ...(labels && { labels }) } };
}

function firstStated<T>(statements: readonly Statement[], read: (record: ModelRecord) => T | undefined) {
  for (const { from, record } of statements) {
    const value = read(record);
    if (value !== undefined) return { value, from };
  }
  return undefined;
}

/** Whole pictures, stretched; U²-Net shows itself by its seven maps of one channel. */
function segmenterFallback(graph: OnnxGraph, { width, height }: ImageInput): Statement {
  const maps = graph.outputs.filter(({ name, shape }) => shape?.length === 4 && producerOf(graph, name) === 'Sigmoid');
  if (maps.length === 7 && maps[0].shape?.[1] === 1)
    return { from: 'u2net (assumed)', record: { preprocessing: 'u2net' } };
  const resize = { width: width || 512, height: height || 512, filter: 'bilinear' as const };
  return { from: 'imagenet, the whole picture (assumed)', record: { preprocessing: 'imagenet', resize, crop: null } };
}

/** Picture sizes that follow the variant's can only go one at a time. */
function batchFor(input: ImageInput, { crop, resize }: Preprocessing, wanted: number): number {
  if (input.batch) return input.batch;
  const sameSize = crop !== null || (resize !== null && 'width' in resize && resize.fit === 'stretch');
  return sameSize ? wanted : 1;
}
