import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { UserError } from '../contracts/errors.ts';
import { writeAtomic } from '../run/atomic.ts';
import type { Head, TrainingPoint } from './head.ts';
import type { PathPoint } from './strength.ts';

/** A head with how it came about. */
export interface TrainedHead {
  readonly head: Head;
  readonly iterations: number;
  readonly converged: boolean;
  readonly curve: readonly TrainingPoint[];
  /** Empty where the strength was given. */
  readonly path: readonly PathPoint[];
}

const fileOf = (key: string) => join('heads', `${key}.head`);

/** A head that is there and whole; one that is damaged is fitted again. */
export const hasHead = (run: string, key: string): Promise<boolean> =>
  loadHead(run, key).then(
    () => true,
    () => false,
  );

/** A head as a file: length of the header, the header (JSON), then float64 mean, scale, weights, intercepts. */
export async function saveHead(run: string, key: string, { head, ...rest }: TrainedHead): Promise<void> {
  const { c, d, strength, mean, scale, weights, intercepts } = head;
  const header = Buffer.from(JSON.stringify({ c, d, strength, ...rest }));
  const padded = Buffer.concat([header, Buffer.alloc((8 - ((header.length + 4) % 8)) % 8, ' ')]);
  const length = Buffer.alloc(4);
  length.writeUInt32LE(padded.length);
  const numbers = [mean, scale, weights, intercepts].map((part) =>
    Buffer.from(part.buffer, part.byteOffset, part.byteLength),
  );
  await writeAtomic(run, fileOf(key), Buffer.concat([length, padded, ...numbers]));
}

export async function loadHead(run: string, key: string): Promise<TrainedHead> {
  const path = join(run, fileOf(key));
  const bytes = await readFile(path);
  const damaged = () => new UserError(`${path} is damaged; delete it, and the same sceneshift train fits it again`);
  const length = bytes.length < 4 ? 0 : bytes.readUInt32LE();
  if (!length || 4 + length > bytes.length) throw damaged();
  const { c, d, strength, ...rest } = JSON.parse(bytes.subarray(4, 4 + length).toString('utf8'), revive);
  const start = 4 + length;
  if (bytes.length - start !== 8 * (2 * d + c * d + c)) throw damaged();
  const numbers = new Float64Array(bytes.buffer.slice(bytes.byteOffset + start, bytes.byteOffset + bytes.length));
  const parts = [d, d, c * d, c];
  let at = 0;
  const [mean, scale, weights, intercepts] = parts.map((size) => numbers.slice(at, (at += size)));
  return { head: { c, d, strength, mean, scale, weights, intercepts }, ...rest };
}

/** JSON cannot hold NaN or infinity. */
const revive = (key: string, value: unknown) =>
  value === null && (key === 'loss' || key === 'accuracy') ? Number.NaN : value;
