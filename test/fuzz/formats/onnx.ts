import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Random } from '../../../src/contracts/random.ts';
import { readGraph } from '../../../src/models/onnx/graph.ts';
import { describeModel } from '../../../src/models/open.ts';
import type { FuzzTarget } from '../fuzz.ts';
import { disturbBytes, oddText } from '../grammar.ts';
import { oddInteger } from '../pieces.ts';

const names = ['nchw', 'int8-qdq', 'half', 'softmax', 'segment-logits', 'external', 'unbatched'];
const seeds = names.map((name) => readFileSync(`test/fixtures/models/${name}.onnx`));

interface Part {
  readonly tag: number;
  readonly body: Buffer;
}

function varint(value: number): Buffer {
  const bytes: number[] = [];
  let rest = BigInt(Math.trunc(value)) & 0xffff_ffff_ffff_ffffn;
  do {
    bytes.push(Number(rest & 0x7fn) | (rest > 0x7fn ? 0x80 : 0));
    rest >>= 7n;
  } while (rest);
  return Buffer.from(bytes);
}

/** The fields of a protobuf message; undefined where it is none. */
function split(bytes: Buffer): Part[] | undefined {
  const parts: Part[] = [];
  let at = 0;
  const number = () => {
    for (let value = 0, shift = 0; at < bytes.length && shift < 49; shift += 7) {
      const byte = bytes[at++];
      value += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80) return value;
    }
    return -1;
  };
  while (at < bytes.length) {
    const tag = number();
    const from = at;
    const kind = tag & 7;
    if (tag < 8 || ![0, 1, 2, 5].includes(kind)) return undefined;
    if (kind === 0) number();
    else if (kind === 2) {
      const length = number();
      if (length < 0 || at + length > bytes.length) return undefined;
      parts.push({ tag, body: bytes.subarray(at, at + length) });
      at += length;
      continue;
    } else at += kind === 1 ? 8 : 4;
    parts.push({ tag, body: bytes.subarray(from, at) });
  }
  return parts;
}

const joined = (parts: readonly Part[]) =>
  Buffer.concat(
    parts.flatMap(({ tag, body }) =>
      (tag & 7) === 2 ? [varint(tag), varint(body.length), body] : [varint(tag), body],
    ),
  );

/** The message with one field of it, at any depth, changed, doubled, left out or of another number; lengths stay right. */
function disturbMessage(bytes: Buffer, random: Random, depth = 0): Buffer {
  const parts = depth < 6 ? split(bytes) : undefined;
  if (!parts?.length) return oddLeaf(bytes, random);
  const at = random.integer(0, parts.length - 1);
  const part = parts[at];
  const luck = random.uniform();
  if ((part.tag & 7) === 2 && luck < 0.75) parts[at] = { ...part, body: disturbMessage(part.body, random, depth + 1) };
  else if ((part.tag & 7) === 0 && luck < 0.75)
    parts[at] = { ...part, body: varint(random.uniform() < 0.3 ? -oddInteger(random) : oddInteger(random)) };
  else if (luck < 0.83) parts.splice(at, 1);
  else if (luck < 0.92) parts.splice(at, 0, part);
  else parts[at] = { ...part, tag: (part.tag & 7) | (random.integer(1, 30) << 3) };
  return joined(parts);
}

function oddLeaf(bytes: Buffer, random: Random): Buffer {
  if (random.uniform() < 0.4) return Buffer.from(oddText(random));
  return Buffer.from(disturbBytes(bytes, random));
}

const folder = mkdtempSync(join(tmpdir(), 'sceneshift-fuzz-onnx-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
const make = (random: Random) => {
  let bytes: Buffer = random.pick(seeds);
  for (let i = random.integer(1, 3); i > 0; i--) bytes = disturbMessage(bytes, random);
  return { 'model.onnx': random.uniform() < 0.15 ? disturbBytes(bytes, random) : bytes };
};

/** Our own reading of the file, which comes before the runtime's. */
export const graphTarget: FuzzTarget = {
  name: 'onnx-graph',
  make,
  feed: async (input) => void readGraph(input['model.onnx'] as Uint8Array, 'model.onnx'),
};

/** Read, loaded by onnxruntime and tried, as every command does before it begins. */
export const onnxTarget: FuzzTarget = {
  name: 'onnx',
  mostMegabytes: 1500,
  make,
  async feed(input) {
    const path = join(folder, 'model.onnx');
    writeFileSync(path, input['model.onnx']);
    await describeModel(path);
  },
};
