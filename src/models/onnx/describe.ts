import { basename } from 'node:path';
import { UserError } from '../../contracts/errors.ts';
import type { ModelSettings } from '../../contracts/model-config.ts';
import type { ModelRecord, Preprocessing } from '../../contracts/model-record.ts';
import { createRaster } from '../../image/raster.ts';
import type { ModelDescription } from '../define.ts';
import { guessLabels, type Labels, loadLabels } from '../label-sets.ts';
import { recordsBeside } from '../record/beside.ts';
import { imagenetAssumed, resolveRecord, type Statement } from '../record/resolve.ts';
import { type GraphValue, type OnnxGraph, producerOf } from './graph.ts';
import { type ImageInput, imageInput, type ModelFile, readModelFile, showShape } from './model-file.ts';
import { networkSize, preprocessor } from './preprocess.ts';
import { createRunner } from './runner.ts';
import { openSession, preciseInt8 } from './session.ts';

/** What a worker needs to open an ONNX model without reading it again. */
export interface OnnxFacts {
  readonly path: string;
  readonly input: ImageInput;
  readonly output: string;
  readonly quantized: boolean;
  /** How a segmentation model's values are meant. */
  readonly activation: 'logits' | 'probabilities' | 'min-max' | 'indices';
  /** A single output with two labels stands for two: [not, is]. */
  readonly binary: boolean;
  readonly bytes: number;
  readonly from: { readonly geometry: string; readonly values: string; readonly outputs: string };
  readonly trial: Trial;
}

export interface OnnxDescription extends ModelDescription {
  readonly kind: 'classifier' | 'segmenter';
  readonly preprocessing: Preprocessing;
  readonly onnx: OnnxFacts;
}

/** One run on a generated picture: shows that the model works, what comes out and how long it takes. */
export interface Trial {
  readonly milliseconds: number;
  readonly dims: readonly number[];
  readonly minimum: number;
  readonly maximum: number;
  /** The outputs are positive and sum to 1. */
  readonly sumsToOne: boolean;
}

/** Batches at which MobileNet and ResNet run fastest on one thread; see docs/models.md. */
const usualBatch = 8;

export interface DescribeOnnxOptions {
  readonly settings?: Partial<ModelSettings>;
  readonly batch?: number;
  readonly threads?: number;
  readonly file?: ModelFile;
  readonly task?: 'classify' | 'segment';
}

/** Reads, checks and tries an ONNX model: everything that can be wrong with it is found here, before any work. */
export async function describeOnnx(path: string, options: DescribeOnnxOptions = {}): Promise<OnnxDescription> {
  const { settings = {}, threads = 1 } = options;
  const file = options.file ?? (await readModelFile(path));
  const beside = recordsBeside(path);
  const config = configStatement(settings);
  const statements = [...(config ? [config] : []), ...beside];
  const stated = <T>(read: (record: ModelRecord) => T | undefined) => firstStated(statements, read);

  const input = imageInput(file, stated((record) => record.input?.name)?.value);
  const output = chooseOutput(file, stated((record) => record.output?.name)?.value);
  const task = options.task ?? stated((record) => record.task)?.value ?? guessTask(output);
  const fallback = task === 'segment' ? segmenterFallback(file.graph, input) : imagenetAssumed;
  const { preprocessing, from, warnings } = resolveRecord(beside, input, { config, fallback });
  const trial = await tryOnce(file, { input, output: output.name, preprocessing, threads });
  // Files that do not state the output's shape show it only when run.
  if (!task && trial.dims.length > 2 && pixelsIn(trial.dims) > 1)
    return describeOnnx(path, { ...options, task: 'segment' });

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
  const facts: OnnxFacts = {
    path,
    input,
    output: output.name,
    quantized: file.graph.quantized,
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
      ...(file.graph.quantized && { session: preciseInt8 }),
    },
    labels: labels?.names,
    wnids: labels?.wnids,
    labelsFrom: labels?.from,
    labelMap: settings.labelMap,
    outputs: outputs.kind === 'logits' ? 'logits' : 'probabilities',
    outputCount: binary ? 2 : count,
    parameters: file.graph.parameters,
    batch: batchFor(file.graph, input, preprocessing, options.batch ?? settings.batch),
    runsIn: 'worker',
    looksAtPixels: true,
    preprocessing,
    warnings: [...warnings, ...(file.graph.dynamicallyQuantized ? [oneAtATime] : [])],
    onnx: facts,
  };
}

const oneAtATime =
  'dynamically quantised: its scales depend on all pictures of a batch, so pictures are answered one at a time';

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

function chooseOutput({ path, graph }: ModelFile, wanted: string | undefined): GraphValue {
  if (graph.outputs.length === 0) throw new UserError(`${path} has no output`);
  if (wanted) {
    const output = graph.outputs.find(({ name }) => name === wanted);
    if (output) return output;
    throw new UserError(
      `${path} has no output '${wanted}'; it has ${graph.outputs.map(({ name }) => `'${name}'`).join(', ')}`,
    );
  }
  const tensors = graph.outputs.filter(({ type }) => type !== 'not a tensor' && type !== 'string');
  return tensors.find(({ name }) => /^(logits|probabilities|scores)$/i.test(name)) ?? tensors[0] ?? graph.outputs[0];
}

function guessTask({ shape }: GraphValue): 'classify' | 'segment' | undefined {
  if (!shape) return undefined;
  if (shape.length <= 2) return 'classify';
  return shape.slice(2).every((size) => size === 1) ? 'classify' : 'segment';
}

/** Whole pictures, stretched; U²-Net shows itself by its seven maps of one channel. */
function segmenterFallback(graph: OnnxGraph, { width, height }: ImageInput): Statement {
  const maps = graph.outputs.filter(({ name, shape }) => shape?.length === 4 && producerOf(graph, name) === 'Sigmoid');
  if (maps.length === 7 && maps[0].shape?.[1] === 1)
    return { from: 'u2net (assumed)', record: { preprocessing: 'u2net' } };
  const resize = { width: width || 512, height: height || 512, filter: 'bilinear' as const };
  return { from: 'imagenet, the whole picture (assumed)', record: { preprocessing: 'imagenet', resize, crop: null } };
}

const pixelsIn = (dims: readonly number[]) => (dims.length === 3 ? dims[1] * dims[2] : (dims[2] ?? 1) * (dims[3] ?? 1));

function outputCount({ path }: ModelFile, { name }: GraphValue, { dims }: Trial): number {
  const count = dims.slice(1).reduce((product, size) => product * size, 1);
  if (dims.length > 1 && dims.slice(2).every((size) => size === 1)) return count;
  throw new UserError(
    `${path}: output '${name}' has shape ${showShape(dims)}; expected [N, classes] or [N, classes, 1, 1] from a classifier`,
  );
}

function checkLabels({ names, from }: Labels, count: number, path: string): void {
  if (names.length !== count)
    throw new UserError(`${path} has ${count} outputs, but its labels (${from}) are ${names.length}`);
}

interface KindHints {
  readonly stated: { value: 'logits' | 'probabilities' | 'min-max'; from: string } | undefined;
  readonly likeU2net: boolean;
}

function outputKind(graph: OnnxGraph, { name, type }: GraphValue, trial: Trial, { stated, likeU2net }: KindHints) {
  if (/int|bool/.test(type)) return { kind: 'indices', from: `the output is ${type}` } as const;
  if (stated) return { kind: stated.value, from: stated.from };
  if (likeU2net) return { kind: 'min-max', from: 'u2net' } as const;
  const maker = producerOf(graph, name);
  if (maker && /^(QLinear)?(Softmax|Sigmoid)$/.test(maker))
    return { kind: 'probabilities', from: `the graph ends in ${maker}` } as const;
  if (trial.sumsToOne) return { kind: 'probabilities', from: 'they sum to 1' } as const;
  return { kind: 'logits', from: `the graph ends in ${maker ?? 'no softmax'}` } as const;
}

/** Classes of a segmentation model; 0: the output holds class indices or one map without a channel axis. */
function channelCount({ dims }: Trial, { layout }: Preprocessing): number {
  if (dims.length < 4) return 0;
  return layout === 'NHWC' && dims[1] !== 1 ? dims[3] : dims[1];
}

/** Picture sizes that follow the variant's can only go one at a time. */
function batchFor(
  graph: OnnxGraph,
  input: ImageInput,
  preprocessing: Preprocessing,
  wanted: number | undefined,
): number {
  if (input.batch) return input.batch;
  const sameSize =
    preprocessing.crop !== null ||
    (preprocessing.resize !== null && 'width' in preprocessing.resize && preprocessing.resize.fit === 'stretch');
  return graph.dynamicallyQuantized || !sameSize ? 1 : (wanted ?? usualBatch);
}

interface TryOptions {
  readonly input: ImageInput;
  readonly output: string;
  readonly preprocessing: Preprocessing;
  readonly threads: number;
}

async function tryOnce(file: ModelFile, { input, output, preprocessing, threads }: TryOptions): Promise<Trial> {
  const session = await openSession({ path: file.path, quantized: file.graph.quantized, threads });
  try {
    const batch = input.batch || 1;
    const runner = createRunner({ session, input, preprocessing, outputs: [output], batch, file: file.path });
    const picture = samplePicture(input.width || 256, input.height || 256);
    const size = networkSize(preprocessing, picture);
    const tensor = preprocessor(preprocessing)(picture);
    await runner.run([tensor], size);
    const started = performance.now();
    const [{ dims, data }] = await runner.run([tensor], size);
    const milliseconds = (performance.now() - started) / batch;
    let minimum = Number.POSITIVE_INFINITY;
    let maximum = Number.NEGATIVE_INFINITY;
    let sum = 0;
    for (const value of data) {
      minimum = Math.min(minimum, value);
      maximum = Math.max(maximum, value);
      sum += value;
    }
    return {
      milliseconds,
      dims,
      minimum,
      maximum,
      sumsToOne: data.length > 1 && minimum >= 0 && Math.abs(sum - 1) < 1e-3,
    };
  } finally {
    await session.release();
  }
}

/** A picture with edges and colours, the same every time. */
export function samplePicture(width: number, height: number) {
  const picture = createRaster(width, height);
  for (let y = 0, at = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const inside = (x - width / 2) ** 2 + (y - height / 2) ** 2 < (Math.min(width, height) / 3) ** 2;
      picture.data[at++] = inside ? 220 : (x * 255) / width;
      picture.data[at++] = inside ? (((x >> 3) + (y >> 3)) & 1) * 160 : (y * 255) / height;
      picture.data[at++] = inside ? 40 : 128;
    }
  return picture;
}
