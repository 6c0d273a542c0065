import { z } from 'zod';
import { modelRecordSchema, preprocessingSets } from '../../contracts/model-record.ts';

/** The first line a program writes: what it is and how it wants its pictures. See docs/command-protocol.md. */
export const helloSchema = z.strictObject({
  sceneshift: z.literal(1),
  name: z.string().min(1).optional(),
  /** `tensor`: preprocessed numbers; `pixels`: 8 bits at the network's size; `rgb`: at the variant's; `path`: PNG files. */
  input: z.enum(['tensor', 'pixels', 'rgb', 'path']).default('tensor'),
  /** For `tensor` and `pixels`: as in a record beside an ONNX file. */
  preprocessing: z.union([z.enum(preprocessingSets), modelRecordSchema]).optional(),
  /** Scores per picture. */
  outputs: z.number().int().positive().max(1_000_000),
  kind: z.enum(['logits', 'probabilities']).default('logits'),
  labels: z.union([z.string(), z.array(z.string())]).optional(),
  /** The most pictures per request. */
  batch: z.number().int().positive().max(4096).default(8),
  /** Requests under way at a time: one is read while another is computed. */
  parallel: z.number().int().positive().max(64).default(2),
  /** Pictures may be left in the file that stands open as descriptor 3. */
  memory: z.boolean().default(false),
  /** Whatever tells two states of the program apart (a hash of its weights): part of the run's identity. */
  version: z.string().optional(),
});
export type Hello = z.infer<typeof helloSchema>;

export interface Frame {
  readonly header: Record<string, unknown>;
  readonly payload: Uint8Array;
}

/** Two lengths (header, payload; 32 bits, little-endian), then the header's JSON, then the payload. */
export function encodeFrame(header: Frame['header'], payload: readonly Uint8Array[]): Uint8Array[] {
  const json = Buffer.from(JSON.stringify(header), 'utf8');
  const lengths = Buffer.alloc(8);
  lengths.writeUInt32LE(json.length, 0);
  lengths.writeUInt32LE(
    payload.reduce((sum, part) => sum + part.length, 0),
    4,
  );
  return [Buffer.concat([lengths, json]), ...payload];
}
