import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { exitCodes, UserError } from '../../contracts/errors.ts';
import { encodeImage } from '../../image/encode.ts';
import type { Answer, Model, Prepared, Question } from '../define.ts';
import { networkSize, preprocessor } from '../onnx/preprocess.ts';
import { type CommandDescription, takeStarted } from './describe.ts';
import { Crash, type Program, startProgram } from './program.ts';
import type { Frame } from './protocol.ts';

/** The program says that it cannot answer; starting it again would not help. */
class Refusal extends Error {
  override readonly name = 'Refusal';
}

/** Any program as a classifier. It is started at the first question and again when it crashes or hangs. */
export function openCommand(described: CommandDescription): Model {
  const { hello, restarts } = described.command;
  let program: Promise<Program> | undefined;
  /** Crashes since the last answer. */
  let crashes = 0;
  let last: Promise<unknown> = Promise.resolve();
  let requests = 0;

  const start = (): Promise<Program> => {
    const ready = takeStarted(described.command.argv);
    return ready ? Promise.resolve(ready) : startProgram(described.command);
  };
  const ask = async (batch: readonly Prepared[], questions: readonly Question[]): Promise<Answer[]> => {
    const running = await (program ??= start());
    try {
      const id = ++requests;
      const answers = await withPayload(described, batch, questions, async ({ header, payload }) => {
        const frame = { header: { id, kind: 'predict', count: batch.length, ...header }, payload };
        return readAnswer(described, id, batch.length, await running.ask(frame));
      });
      crashes = 0;
      return answers;
    } catch (error) {
      if (error instanceof Crash) {
        program = undefined;
        crashes++;
        await running.close();
        if (crashes > restarts)
          throw new UserError(`${error.message} (${crashes} times in a row, so it is not started again)`, {
            exitCode: exitCodes.failed,
          });
      }
      throw error;
    }
  };
  // A batch that crashes the program is asked for once more, then picture by picture, to lose one picture at most.
  const answerBatch = async (batch: readonly Prepared[], questions: readonly Question[]): Promise<Answer[]> => {
    for (let attempt = 0; attempt < 2; attempt++) {
      try {
        return await ask(batch, questions);
      } catch (error) {
        if (!(error instanceof Crash || error instanceof Refusal)) throw error;
        if (batch.length === 1 && (attempt === 1 || error instanceof Refusal))
          return [{ kind: 'failed', message: error.message }];
        if (error instanceof Refusal) break;
      }
    }
    const answers: Answer[] = [];
    for (let i = 0; i < batch.length; i++) answers.push(...(await answerBatch([batch[i]], [questions[i]])));
    return answers;
  };

  return {
    ...described,
    prepare: preparer(described),
    answer(pictures, questions) {
      const next = last.then(async () => {
        const answers: Answer[] = [];
        for (let start = 0; start < pictures.length; start += described.batch) {
          const end = start + described.batch;
          answers.push(...(await answerBatch(pictures.slice(start, end), questions.slice(start, end))));
        }
        return answers;
      });
      last = next.catch(() => undefined);
      return next;
    },
    async close() {
      const running = program;
      program = undefined;
      await (await running?.catch(() => undefined))?.close();
    },
  };

  function preparer({ preprocessing }: CommandDescription): Model['prepare'] {
    if (hello.input === 'tensor' && preprocessing) return preprocessor(preprocessing);
    if (hello.input === 'path') return (image) => encodeImage(image, { format: 'png' });
    return (image) => new Uint8Array(image.data);
  }
}

/** The pictures in the form the program asked for. */
async function withPayload<T>(
  { command: { hello }, preprocessing }: CommandDescription,
  batch: readonly Prepared[],
  questions: readonly Question[],
  use: (frame: Frame) => Promise<T>,
): Promise<T> {
  // The truth stays here: a program that knew the label could not be tested with it.
  const samples = questions.map(({ sample, scenario, width, height }) => ({ sample, scenario, width, height }));
  if (hello.input === 'path') {
    const folder = await mkdtemp(join(tmpdir(), 'sceneshift-'));
    try {
      const paths = batch.map((_, i) => join(folder, `${i}.png`));
      await Promise.all(batch.map((bytes, i) => writeFile(paths[i], bytes)));
      return await use({ header: { paths, samples }, payload: new Uint8Array(0) });
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }
  const payload = Buffer.concat(batch.map((data) => new Uint8Array(data.buffer, data.byteOffset, data.byteLength)));
  if (hello.input === 'rgb' || !preprocessing) return use({ header: { type: 'uint8', samples }, payload });
  const { width, height } = networkSize(preprocessing, questions[0]);
  const channels = preprocessing.channels === 'L' ? 1 : 3;
  const picture = preprocessing.layout === 'NCHW' ? [channels, height, width] : [height, width, channels];
  return use({ header: { type: preprocessing.type, shape: [batch.length, ...picture], samples }, payload });
}

function readAnswer(
  { command: { hello }, name }: CommandDescription,
  id: number,
  count: number,
  { header, payload }: Frame,
): Answer[] {
  if (typeof header.error === 'string') throw new Refusal(`${name}: ${header.error}`);
  if (header.id !== id) throw new Crash(`${name} answered request ${header.id} where ${id} was asked`);
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
