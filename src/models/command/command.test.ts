import { existsSync, mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { fixture } from '../../../test/fixtures/models/pattern.ts';
import { createRaster } from '../../image/raster.ts';
import type { Answer, Model } from '../define.ts';
import { describeModel, openModel } from '../open.ts';
import { splitCommand } from './argv.ts';
import { createFrameReader } from './frame-reader.ts';
import { encodeFrame, type Frame } from './protocol.ts';

const opened: Model[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((model) => model.close()));
});

const line = (mode: string, state = '') =>
  `command:"${process.execPath}" "${fixture('program.mjs')}" ${mode} ${state}`.trim();
const stateFile = () => join(mkdtempSync(join(tmpdir(), 'command-')), 'starts');

async function open(
  mode: string,
  {
    state,
    ...command
  }: { state?: string; answerSeconds?: number; restarts?: number; transport?: 'auto' | 'pipe' } = {},
) {
  const model = await openModel({ model: line(mode, state), command });
  opened.push(model);
  return model;
}

/** 2 × 2 pictures of one level; the program sums their twelve numbers. */
async function ask(model: Model, levels: number[]): Promise<Answer[]> {
  const pictures = levels.map((level) => createRaster(2, 2, new Uint8Array(12).fill(level)));
  return model.answer(
    await Promise.all(pictures.map((picture) => model.prepare(picture))),
    pictures.map(({ width, height }, i) => ({ sample: `s${i}`, scenario: 'original', label: 'secret', width, height })),
  );
}
const firstScores = (answers: Answer[]) =>
  answers.map((answer) => (answer.kind === 'scores' ? answer.scores[0] : answer.kind));

describe('command models', () => {
  it('sends tensors and reads scores, in order, batch by batch', async () => {
    const model = await open('plain');
    const answers = await ask(model, [1, 2, 3, 4, 5, 6]);
    expect(firstScores(answers)).toEqual([12, 24, 36, 48, 60, 72]);
    // Four and two: the batch of the hello.
    expect(answers.map((answer) => answer.kind === 'scores' && answer.scores[1])).toEqual([1, 1, 1, 1, 2, 2]);
    expect(firstScores((await Promise.all([ask(model, [7]), ask(model, [8])])).flat())).toEqual([84, 96]);
  });

  it('closed while answers are due, it ends at once and is not started again for them', async () => {
    const state = stateFile();
    const model = await open('hangs-once', { state, answerSeconds: 600 });
    const asked = ask(model, [1, 2, 3, 4, 5, 6, 7, 8, 9]);
    const refused = expect(asked).rejects.toThrow('was closed before it answered');
    await expect.poll(() => existsSync(state) && readFileSync(state, 'utf8')).toBe('s');
    await model.close();
    await refused;
    expect(readFileSync(state, 'utf8')).toBe('s');
  });

  it('sends pixels, or files, where the program asks for them', async () => {
    expect(firstScores(await ask(await open('rgb'), [9]))).toEqual([12]);
    expect(firstScores(await ask(await open('path'), [9, 10]))).toEqual([1000, 1000]);
  });

  it("sends 8-bit pixels at the network's size, with what is to be done to them", async () => {
    const model = await open('pixels');
    expect(model.preprocessing).toMatchObject({ layout: 'NHWC', type: 'float32', mean: [1, 2, 3] });
    // The program takes away the mean of 1, 2 and 3 of every pixel itself.
    expect(firstScores(await ask(model, [9, 200]))).toEqual([12 * 9 - 24, 12 * 200 - 24]);
  });

  it('leaves pictures in memory where both sides have it, and in the pipe where not', async () => {
    const inMemory = await open('memory');
    const levels = Array.from({ length: 30 }, (_, i) => i);
    const wanted = levels.map((level) => 12 * level);
    expect(firstScores(await ask(inMemory, levels))).toEqual(wanted);
    const viaPipe = await open('memory', { transport: 'pipe' });
    expect(firstScores(await ask(viaPipe, levels))).toEqual(wanted);
    const asked = async (model: Model) =>
      (await ask(model, [1])).map((answer) => answer.kind === 'scores' && answer.scores[1]);
    // The second score: bytes that came through the pipe.
    expect([await asked(inMemory), await asked(viaPipe)]).toEqual([[existsSync('/dev/shm') ? 0 : 48], [48]]);
  });

  it('keeps its memory free: more pictures than there are slots, again and again', async () => {
    const model = await open('memory');
    const { memory } = (model as unknown as { command: { memory?: { taken: Int32Array } } }).command;
    if (!memory) return;
    expect(memory.taken.length).toBe(1024);
    const levels = Array.from({ length: 1500 }, (_, i) => i % 250);
    for (let round = 0; round < 2; round++) {
      expect(firstScores(await ask(model, levels))).toEqual(levels.map((level) => 12 * level));
      expect(memory.taken.every((slot) => slot === 0)).toBe(true);
    }
  });

  it('takes answers in any order', async () => {
    const model = await open('backwards');
    expect(firstScores(await ask(model, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]))).toEqual(
      [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12].map((level) => 12 * level),
    );
  });

  it('lets workers share a request', async () => {
    const model = await open('held');
    const answers = await Promise.all([1, 2, 3, 4, 5].map((level) => ask(model, [level])));
    expect(firstScores(answers.flat())).toEqual([12, 24, 36, 48, 60]);
    // The first went out at once; the others, of four callers, waited together.
    expect(answers.flat().map((answer) => answer.kind === 'scores' && answer.scores[1])).toEqual([1, 2, 2, 2, 2]);
  });

  it('describes the program by its hello, and starts it once for both', async () => {
    const state = stateFile();
    const described = await describeModel(line('plain', state));
    expect(described).toMatchObject({
      name: 'program',
      kind: 'command',
      labels: ['a', 'b'],
      outputCount: 2,
      batch: 4,
      runsIn: 'main',
    });
    expect(described.identity.hello).toMatchObject({ version: 'v1' });
    expect(Object.values(described.identity.files as object)[0]).toMatch(/^[0-9a-f]{64}$/);
    const model = await openModel('', { described: structuredClone(described) });
    opened.push(model);
    expect(firstScores(await ask(model, [1]))).toEqual([12]);
    expect(readFileSync(state, 'utf8')).toBe('s');
  });

  it.each(['crashes-once', 'hangs-once'])('starts a program that %s again, and loses nothing', async (mode) => {
    const state = stateFile();
    const model = await open(mode, { state, answerSeconds: 2 });
    expect(firstScores(await ask(model, [1, 2, 3]))).toEqual([12, 24, 36]);
    expect(readFileSync(state, 'utf8')).toMatch(/^ss+$/);
  });

  it('loses only the picture that kills the program, and the one it refuses', async () => {
    const answers = await ask(await open('picky'), [1, 66, 3, 77, 5]);
    expect(firstScores(answers)).toEqual([12, 'failed', 36, 'failed', 60]);
    expect(answers[1]).toMatchObject({ message: expect.stringMatching(/ended with status 9/) });
    expect(answers[3]).toMatchObject({ message: 'program: I do not like 77' });
  });

  it('gives up on a program that only crashes', async () => {
    const model = await open('crashes', { restarts: 1 });
    await expect(ask(model, [1, 2])).rejects.toThrow(
      /ended with status 9; it said: segmentation fault \(2 times in a row/,
    );
  });

  it.each([
    ['chatty', /expected a hello in JSON as its first line but received 'loading weights'/],
    ['dies', /ended with status 3 before it said hello; it said: no such checkpoint/],
    ['wrong-hello', /its hello is wrong: outputs:/],
    ['billion', /its hello is wrong: outputs: .*1000000/],
    ['endless-hello', /does not keep to the protocol: its first line does not end/],
    ['mislabelled', /has 2 outputs, but its labels \(the program's hello\) are 3/],
  ])('says what is wrong with a program that is %s', async (mode, message) => {
    await expect(describeModel(line(mode))).rejects.toThrow(message);
  });

  it('says that a program does not exist or never speaks', async () => {
    await expect(describeModel('command:no-such-program-here x')).rejects.toThrow(
      "Cannot start 'no-such-program-here': there is no such program",
    );
    await expect(describeModel({ model: line('silent'), command: { startSeconds: 0.2 } })).rejects.toThrow(
      /did not say hello within 0.2 s/,
    );
  });

  it('takes an answer of the wrong size or number for what it is', async () => {
    await expect(open('short').then((model) => ask(model, [1]))).rejects.toThrow(
      /expected 1 × 2 float32 scores \(8 bytes\) .* received 4 bytes/,
    );
    await expect(open('confused', { restarts: 0 }).then((model) => ask(model, [1]))).rejects.toThrow(
      /answered request 2 where 1 was asked/,
    );
    await expect(open('gigabyte', { restarts: 0 }).then((model) => ask(model, [1]))).rejects.toThrow(
      /its answer claims a header of 8 bytes and 1073741824 bytes of scores, where at most 8 are due/,
    );
    await expect(open('prints', { restarts: 0 }).then((model) => ask(model, [1]))).rejects.toThrow(
      /does not keep to the protocol: it wrote 'a stray/,
    );
  });
});

describe('frames', () => {
  it('survive any cutting into pieces', () => {
    const frame = fc.record({
      header: fc.dictionary(fc.string(), fc.oneof(fc.string(), fc.integer()), { maxKeys: 4, noNullPrototype: true }),
      payload: fc.uint8Array({ maxLength: 50 }),
    });
    fc.assert(
      fc.property(
        fc.array(frame, { maxLength: 5 }),
        fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 1 }),
        (frames, cuts) => {
          const bytes = Buffer.concat([
            Buffer.from('{"hello":1}\n'),
            ...frames.flatMap(({ header, payload }) => encodeFrame(header, [payload])),
          ]);
          const seen: Frame[] = [];
          let hello = '';
          const reader = createFrameReader({
            onHello: (text) => (hello = text),
            onFrame: (each) => seen.push(each),
            onBroken: (reason) => expect.unreachable(reason),
            mostPayload: () => 50,
          });
          for (let at = 0, i = 0; at < bytes.length; i++) {
            const length = cuts[i % cuts.length];
            reader.push(bytes.subarray(at, at + length));
            at += length;
          }
          expect(hello).toBe('{"hello":1}');
          expect(seen.map(({ header }) => header)).toEqual(
            frames.map(({ header }) => JSON.parse(JSON.stringify(header))),
          );
          expect(seen.map(({ payload }) => [...payload])).toEqual(frames.map(({ payload }) => [...payload]));
        },
      ),
    );
  });
});

describe('command lines', () => {
  it.each([
    ['python3 model.py --x 1', ['python3', 'model.py', '--x', '1']],
    [`"my program" 'a b' c"d e"f`, ['my program', 'a b', 'cd ef']],
    [`a "" '' "x\\"y"`, ['a', '', '', 'x"y']],
  ])('%s', (text, words) => expect(splitCommand(text)).toEqual(words));
  it('misses a closing quotation mark', () => expect(() => splitCommand('a "b')).toThrow(/quotation mark is missing/));
  it('misses a program', () => expect(() => splitCommand(' ')).toThrow(/Expected a program after command:/));
});
