import { z } from 'zod';
import { modelRecordSchema, preprocessingSets } from './model-record.ts';

/** Label maps known by name, to the outputs of an ImageNet-1k model. */
const knownLabelMaps = ['imagenet-9'] as const;
export type KnownLabelMap = (typeof knownLabelMaps)[number];

export const labelMapSchema = z.union([
  z.record(z.string(), z.union([z.number().int(), z.string(), z.array(z.union([z.number().int(), z.string()]))])),
  z.enum(knownLabelMaps),
]);

/** Where an ONNX network computes. */
export const devices = ['cpu', 'cuda', 'coreml', 'directml', 'webgpu'] as const;
export type Device = (typeof devices)[number];

/** A model in `sceneshift.yaml`: what `--model` takes, or that with settings. */
export const modelSettingsSchema = z.strictObject({
  /** A file, folder, Hugging Face id, or `kind:rest`. */
  model: z.string().min(1),
  /** A name for tables. */
  name: z.string().min(1).optional(),
  /** A named set, or the fields of a record, laid over what stands beside the model. */
  preprocessing: z.union([z.enum(preprocessingSets), modelRecordSchema]).optional(),
  /** A known set, a file with one name per line, or the names in order. */
  labels: z.union([z.string(), z.array(z.string())]).optional(),
  /** From the dataset's labels to this model's outputs, where the run's own `labelMap` does not say. */
  labelMap: labelMapSchema.optional(),
  batch: z.number().int().positive().optional(),
  /** Of ONNX models: the processor, or what onnxruntime can use beside it. */
  device: z.enum(devices).optional(),
  /** Of a Hugging Face model or folder: which file, which branch, tag or commit. */
  file: z.string().optional(),
  revision: z.string().optional(),
  /** Of a predictions file with several models: whose. */
  predictions: z.strictObject({ model: z.string() }).optional(),
  /** CLIP-type models. */
  clip: z
    .strictObject({
      /** `photo`, `label`, `imagenet-d`, or templates with `{}` for the label; several are averaged. */
      templates: z.union([z.string(), z.array(z.string()).min(1)]).optional(),
      /** Factor on the cosine; 100 for CLIP. */
      logitScale: z.number().positive().optional(),
    })
    .optional(),
  /** Vision-language endpoints (`vlm:`). */
  vlm: z
    .strictObject({
      /** `plain`, `imagenet-d`, or a text with `{first}` and `{second}`. */
      question: z.string().optional(),
      /** `both` orders of the choices, or the published `truth-first`. */
      orders: z.enum(['both', 'truth-first']).optional(),
      /** A predictions file, a table of `sample,distractor`, ImageNet-D's questions, or label → label. */
      distractors: z.union([z.string(), z.record(z.string(), z.string())]).optional(),
      matching: z.enum(['words', 'substring']).optional(),
      /** More words that may stand for a label. */
      synonyms: z.record(z.string(), z.array(z.string())).optional(),
      temperature: z.number().nonnegative().optional(),
      maxTokens: z.number().int().positive().optional(),
      /** Name of the environment variable with the key. */
      apiKeyEnv: z.string().optional(),
      parallel: z.number().int().positive().optional(),
      requestsPerMinute: z.number().positive().optional(),
      retries: z.number().int().nonnegative().optional(),
      timeoutSeconds: z.number().positive().optional(),
      format: z.enum(['png', 'jpeg']).optional(),
      maxSide: z.number().int().positive().optional(),
      price: z.strictObject({ promptPerMillion: z.number(), completionPerMillion: z.number() }).optional(),
    })
    .optional(),
  /** Programs (`command:`). */
  command: z
    .strictObject({
      startSeconds: z.number().positive().optional(),
      answerSeconds: z.number().positive().optional(),
      /** Crashes in a row after which the run stops. */
      restarts: z.number().int().nonnegative().optional(),
      /** `auto`: shared memory where the program and the system have it; `pipe`: never. */
      transport: z.enum(['auto', 'pipe']).optional(),
    })
    .optional(),
});
export type ModelSettings = z.infer<typeof modelSettingsSchema>;
export const modelConfigSchema = z.union([z.string().min(1), modelSettingsSchema]);
export type ModelConfig = z.infer<typeof modelConfigSchema>;
