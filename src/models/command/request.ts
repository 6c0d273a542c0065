import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { UserError } from '../../contracts/errors.ts';
import type { Preprocessing } from '../../contracts/model-record.ts';
import type { Answer, Prepared } from '../define.ts';
import { networkSize } from '../onnx/preprocess.ts';
import { type CommandDescription, onTheWire } from './describe.ts';
import { type QueuedPicture, Refusal } from './dispatch.ts';
import type { Frame } from './protocol.ts';

/** A picture that lies in memory is handed between threads as the number of its slot. */
export const slotHandle = (slot: number): Uint16Array<ArrayBuffer> => Uint16Array.of(slot & 0xffff, slot >>> 16);

/** The slot, or undefined for a picture that is here itself. */
export const slotOf = ({ command: { memory } }: CommandDescription, prepared: Prepared): number | undefined =>
  memory && prepared instanceof Uint16Array && prepared.length === 2 ? prepared[0] + prepared[1] * 0x10000 : undefined;

const bytesOf = ({ buffer, byteOffset, byteLength }: Prepared) => new Uint8Array(buffer, byteOffset, byteLength);

/** The pictures in the form the program asked for; all of them in memory, or none. */
export async function withRequest<T>(
  described: CommandDescription,
  pictures: readonly QueuedPicture[],
  send: (header: Frame['header'], payload: readonly Uint8Array[]) => Promise<T>,
): Promise<T> {
  const { preprocessing } = described;
  const { hello, memory } = described.command;
  // The truth stays here: a program that knew the label could not be tested with it.
  const samples = pictures.map(({ question: { sample, scenario, width, height } }) => ({
    sample,
    scenario,
    width,
    height,
  }));
  const common = { kind: 'predict', count: pictures.length };
  if (hello.input === 'path') return withFiles(pictures, (paths) => send({ ...common, paths, samples }, []));
  const payload = pictures.map(({ prepared }) => bytesOf(prepared));
  if (!preprocessing) return send({ ...common, type: 'uint8', samples }, payload);
  const header = { ...common, ...tensorFacts(onTheWire(hello, preprocessing), pictures), samples };
  const values = hello.input === 'pixels' ? { values: valuesOf(preprocessing) } : {};
  const slots = pictures.map(({ prepared }) => slotOf(described, prepared));
  if (!memory || slots[0] === undefined) return send({ ...header, ...values }, payload);
  return send({ ...header, ...values, memory: slots.map((slot) => (slot as number) * memory.slotBytes) }, []);
}

function tensorFacts(preprocessing: Preprocessing, pictures: readonly QueuedPicture[]) {
  const { width, height } = networkSize(preprocessing, pictures[0].question);
  const channels = preprocessing.channels === 'L' ? 1 : 3;
  const picture = preprocessing.layout === 'NCHW' ? [channels, height, width] : [height, width, channels];
  return { type: preprocessing.type, shape: [pictures.length, ...picture] };
}

/** What the program does to the pixels: (x · scale − mean) / std, per channel in the order they come. */
const valuesOf = ({ scale, mean, std, channels }: Preprocessing) => ({ scale, mean, std, channels });

async function withFiles<T>(pictures: readonly QueuedPicture[], use: (paths: string[]) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'sceneshift-'));
  try {
    const paths = pictures.map((_, i) => join(folder, `${i}.png`));
    await Promise.all(pictures.map(({ prepared }, i) => writeFile(paths[i], bytesOf(prepared))));
    return await use(paths);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

export function readScores(
  { command: { hello }, name }: CommandDescription,
  count: number,
  { header, payload }: Frame,
): Answer[] {
  if (typeof header.error === 'string') throw new Refusal(`${name}: ${header.error}`);
  const due = count * hello.outputs * 4;
  if (payload.length !== due)
    throw new UserError(
      `${name}: expected ${count} × ${hello.outputs} float32 scores (${due} bytes) in its answer but received ${payload.length} bytes`,
    );
  const scores = new Float32Array(new Uint8Array(payload).buffer);
  return Array.from({ length: count }, (_, i) => ({
    kind: 'scores',
    scores: scores.slice(i * hello.outputs, (i + 1) * hello.outputs),
  }));
}
