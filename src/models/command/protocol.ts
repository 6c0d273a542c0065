import { z } from 'zod';
import { modelRecordSchema, preprocessingSets } from '../../contracts/model-record.ts';

/** The first line a program writes: what it is and how it wants its pictures. See docs/command-protocol.md. */
export const helloSchema = z.strictObject({
  sceneshift: z.literal(1),
  name: z.string().min(1).optional(),
  /** `tensor`: preprocessed numbers; `rgb`: 8-bit pixels at the variant's size; `path`: PNG files. */
  input: z.enum(['tensor', 'rgb', 'path']).default('tensor'),
  /** For `tensor`: as in a record beside an ONNX file. */
  preprocessing: z.union([z.enum(preprocessingSets), modelRecordSchema]).optional(),
  /** Scores per picture. */
  outputs: z.number().int().positive(),
  kind: z.enum(['logits', 'probabilities']).default('logits'),
  labels: z.union([z.string(), z.array(z.string())]).optional(),
  /** The most pictures per request. */
  batch: z.number().int().positive().default(8),
  /** Whatever tells two states of the program apart (a hash of its weights): part of the run's identity. */
  version: z.string().optional(),
});
export type Hello = z.infer<typeof helloSchema>;

export interface Frame {
  readonly header: Record<string, unknown>;
  readonly payload: Uint8Array;
}

/** Two lengths (header, payload; 32 bits, little-endian), then the header's JSON, then the payload. */
export function encodeFrame({ header, payload }: Frame): Uint8Array[] {
  const json = Buffer.from(JSON.stringify(header), 'utf8');
  const lengths = Buffer.alloc(8);
  lengths.writeUInt32LE(json.length, 0);
  lengths.writeUInt32LE(payload.length, 4);
  return [Buffer.concat([lengths, json]), payload];
}

const largestHeader = 2 ** 26;
const largestPayload = 2 ** 30;

export interface FrameReader {
  push(chunk: Uint8Array): void;
}

/** Cuts a program's output into its first line and the frames after it. `onBroken`: what came is not the protocol. */
export function createFrameReader(handlers: {
  onHello(line: string): void;
  onFrame(frame: Frame): void;
  onBroken(reason: string): void;
}): FrameReader {
  let waiting: Uint8Array[] = [];
  let size = 0;
  let greeted = false;
  let broken = false;

  const take = (length: number): Buffer => {
    const all = Buffer.concat(waiting);
    const rest = all.subarray(length);
    waiting = rest.length ? [rest] : [];
    size = rest.length;
    return all.subarray(0, length);
  };
  const peek = (length: number): Buffer => {
    if (waiting[0].length < length) waiting = [Buffer.concat(waiting)];
    const [first] = waiting;
    return Buffer.from(first.buffer, first.byteOffset, length);
  };
  const fail = (reason: string) => {
    broken = true;
    handlers.onBroken(reason);
  };
  const step = (): boolean => {
    if (!greeted) {
      const at = Buffer.concat(waiting).indexOf(0x0a);
      if (at < 0) {
        if (size > largestHeader) fail('its first line does not end');
        return false;
      }
      greeted = true;
      handlers.onHello(
        take(at + 1)
          .toString('utf8')
          .trim(),
      );
      return true;
    }
    if (size < 8) return false;
    const lengths = peek(8);
    const header = lengths.readUInt32LE(0);
    const payload = lengths.readUInt32LE(4);
    if (header === 0 || header > largestHeader || payload > largestPayload) {
      fail(
        `it wrote '${showStart(lengths)}' where an answer's lengths were due; only answers may go to standard output`,
      );
      return false;
    }
    if (size < 8 + header + payload) return false;
    const frame = take(8 + header + payload);
    let json: unknown;
    try {
      json = JSON.parse(frame.subarray(8, 8 + header).toString('utf8'));
    } catch {
      fail('the header of its answer is not JSON');
      return false;
    }
    handlers.onFrame({ header: json as Frame['header'], payload: frame.subarray(8 + header) });
    return true;
  };
  return {
    push(chunk) {
      waiting.push(chunk);
      size += chunk.length;
      while (size > 0 && !broken && step());
    },
  };
}

const showStart = (bytes: Uint8Array) =>
  Buffer.from(bytes)
    .toString('latin1')
    .replaceAll(/[^ -~]/g, '·');
