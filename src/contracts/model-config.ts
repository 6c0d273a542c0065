import { z } from 'zod';
import { modelRecordSchema, preprocessingSets } from './model-record.ts';

export const labelMapSchema = z.record(
  z.string(),
  z.union([z.number().int(), z.string(), z.array(z.union([z.number().int(), z.string()]))]),
);

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
});
export type ModelSettings = z.infer<typeof modelSettingsSchema>;
export const modelConfigSchema = z.union([z.string().min(1), modelSettingsSchema]);
export type ModelConfig = z.infer<typeof modelConfigSchema>;
