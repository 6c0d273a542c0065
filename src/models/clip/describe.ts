import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { UserError } from '../../contracts/errors.ts';
import type { Device, ModelSettings } from '../../contracts/model-config.ts';
import type { Preprocessing } from '../../contracts/model-record.ts';
import type { ModelDescription } from '../define.ts';
import { loadLabels } from '../label-sets.ts';
import { providersFor } from '../onnx/device.ts';
import { type ImageInput, imageInput, readModelFile } from '../onnx/model-file.ts';
import { openSession } from '../onnx/session.ts';
import { readJson, recordsBeside } from '../record/beside.ts';
import { resolveRecord, type Statement } from '../record/resolve.ts';
import { embeddingOutput, encodeTexts, toUnitLength } from './encode-text.ts';
import { clipPair } from './pair.ts';
import { promptsFor } from './prompts.ts';

export interface ClipDescription extends ModelDescription {
  readonly kind: 'clip';
  readonly preprocessing: Preprocessing;
  readonly clip: {
    readonly vision: string;
    readonly input: ImageInput;
    readonly output: string;
    readonly quantized: boolean;
    readonly device: Device;
    /** One vector of length 1 per class. */
    readonly texts: readonly Float32Array[];
    readonly logitScale: number;
  };
}

export interface DescribeClipOptions {
  readonly settings?: Partial<ModelSettings>;
  /** The dataset's classes, asked about where the settings list no labels. */
  readonly classes?: readonly string[];
  readonly batch?: number;
  readonly threads?: number;
}

const clipAssumed: Statement = { from: 'clip (assumed)', record: { preprocessing: 'clip' } };
/** Texts per call of the encoder. */
const textBatch = 64;

/** Reads a CLIP-type pair and embeds the classes' prompts, once for the whole run. */
export async function describeClip(folder: string, options: DescribeClipOptions = {}): Promise<ClipDescription> {
  const { settings = {}, threads = 1 } = options;
  const pair = clipPair(folder);
  if (!pair)
    throw new UserError(`${folder} holds no pair of encoders (vision_model.onnx and text_model.onnx, or in onnx/)`);
  const vision = await readModelFile(pair.vision);
  const text = await readModelFile(pair.text);
  const input = imageInput(vision);
  const { device = 'cpu' } = settings;
  providersFor(device, pair.vision);
  const { templates, logitScale = 100 } = settings.clip ?? {};
  const config: Statement | undefined =
    settings.preprocessing === undefined
      ? undefined
      : {
          from: 'the config',
          record:
            typeof settings.preprocessing === 'string'
              ? { preprocessing: settings.preprocessing }
              : settings.preprocessing,
        };
  const resolved = resolveRecord(recordsBeside(pair.vision), input, { config, fallback: clipAssumed });
  const labels = settings.labels ? loadLabels(settings.labels, 'the config', pair.vision).names : options.classes;
  if (!labels?.length)
    throw new UserError(
      `${folder}: a zero-shot model needs the names to choose from; give labels in the config, or a dataset with labels`,
    );

  const prompts = promptsFor(labels, templates);
  const texts = await embedPrompts(folder, pair.text, prompts, {
    threads,
    quantized: text.graph.quantized,
    graph: text.graph,
  });
  const quantized = vision.graph.quantized || text.graph.quantized;
  return {
    name: settings.name ?? basename(folder),
    kind: 'clip',
    source: folder,
    identity: {
      kind: 'clip',
      sha256: vision.sha256,
      textSha256: text.sha256,
      tokenizerSha256: createHash('sha256')
        .update(readFileSync(join(folder, 'tokenizer.json')))
        .digest('hex'),
      bytes: vision.bytes,
      preprocessing: resolved.preprocessing,
      labels,
      prompts: prompts[0],
      templates: templates ?? 'photo',
      logitScale,
      ...(quantized && { int8: 'exact' }),
      ...(device !== 'cpu' && { device }),
    },
    labels,
    labelsFrom: settings.labels ? 'the config' : "the dataset's classes",
    labelMap: settings.labelMap,
    outputs: 'logits',
    outputCount: labels.length,
    batch: input.batch || (vision.graph.dynamicallyQuantized ? 1 : (options.batch ?? settings.batch ?? 8)),
    runsIn: device === 'cpu' ? 'worker' : 'main',
    looksAtPixels: true,
    preprocessing: resolved.preprocessing,
    warnings: resolved.warnings,
    clip: {
      vision: pair.vision,
      input,
      output: embeddingOutput(vision.graph, pair.vision, 'image'),
      quantized: vision.graph.quantized,
      device,
      texts,
      logitScale,
    },
  };
}

interface EmbedOptions {
  readonly threads: number;
  readonly quantized: boolean;
  readonly graph: Parameters<typeof embeddingOutput>[0];
}

/** Several prompts of a class are averaged on the sphere: each of length 1, the mean brought to length 1 again. */
async function embedPrompts(
  folder: string,
  file: string,
  prompts: string[][],
  options: EmbedOptions,
): Promise<Float32Array[]> {
  const vectors = await embedTexts(folder, file, prompts.flat(), options);
  let at = 0;
  return prompts.map((ofClass) => {
    const own = vectors.slice(at, (at += ofClass.length));
    return own.length === 1
      ? own[0]
      : toUnitLength(own[0].map((_, i) => own.reduce((sum, vector) => sum + vector[i], 0) / own.length));
  });
}

/** Texts through a pair's text encoder; one vector of length 1 for each. */
export async function embedTexts(
  folder: string,
  file: string,
  all: readonly string[],
  { graph, ...rest }: EmbedOptions,
): Promise<Float32Array[]> {
  // Its library is loaded where there is text.
  const { openTokenizer } = await import('./tokenize.ts');
  const tokenize = openTokenizer(folder);
  const { maxTokens, padToMax } = textLimits(folder, graph);
  const session = await openSession({ path: file, ...rest });
  try {
    const encoder = { session, graph, file, output: embeddingOutput(graph, file, 'text') };
    const vectors: Float32Array[] = [];
    const step = typeof graph.inputs[0]?.shape?.[0] === 'number' ? graph.inputs[0].shape[0] : textBatch;
    for (let start = 0; start < all.length; start += step) {
      const part = all.slice(start, start + step);
      const filled = step === textBatch ? part : [...part, ...new Array(step - part.length).fill('')];
      vectors.push(...(await encodeTexts(encoder, tokenize(filled, { maxTokens, padToMax }))).slice(0, part.length));
    }
    return vectors;
  } finally {
    await session.release();
  }
}

function textLimits(folder: string, graph: EmbedOptions['graph']): { maxTokens: number; padToMax: boolean } {
  const file = [folder, dirname(folder)].map((each) => join(each, 'config.json')).find((each) => existsSync(each));
  const config = (file ? readJson(file) : {}) as {
    model_type?: string;
    text_config?: { max_position_embeddings?: number };
  };
  const siglip = config.model_type?.startsWith('siglip') ?? false;
  const fixed = graph.inputs[0]?.shape?.[1];
  if (typeof fixed === 'number') return { maxTokens: fixed, padToMax: true };
  return { maxTokens: config.text_config?.max_position_embeddings ?? (siglip ? 64 : 77), padToMax: siglip };
}
