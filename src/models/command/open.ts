import { encodeImage } from '../../image/encode.ts';
import type { Answer, Model, Prepared } from '../define.ts';
import { networkSize, preprocessor } from '../onnx/preprocess.ts';
import { type CommandDescription, onTheWire, takeStarted } from './describe.ts';
import { createDispatch, type QueuedPicture } from './dispatch.ts';
import { freeSlot, leaveInMemory, type SharedMemory } from './memory.ts';
import { Crash, type Program, startProgram } from './program.ts';
import { readScores, slotHandle, slotOf, withRequest } from './request.ts';

/** Any program as a classifier. It is started at the first question and again when it crashes or hangs. */
export function openCommand(described: CommandDescription): Model {
  const { hello, restarts, memory } = described.command;
  let program: Promise<Program> | undefined;
  let requests = 0;
  /** Whoever closes a model wants none of the answers that are still due: the program is not started again for them. */
  let closed = false;
  const closedEarly = () => new Error(`${described.name} was closed before it answered`);

  const start = (): Promise<Program> => {
    const ready = takeStarted(described.command.argv);
    return ready ? Promise.resolve(ready) : startProgram(described.command);
  };
  const ask = async (pictures: readonly QueuedPicture[]): Promise<Answer[]> => {
    if (closed) throw closedEarly();
    const current = (program ??= start());
    try {
      const running = await current;
      const id = ++requests;
      const mostBytes = pictures.length * hello.outputs * 4;
      return await withRequest(described, pictures, async (header, payload) =>
        readScores(described, pictures.length, await running.ask({ id, header, payload, mostBytes })),
      );
    } catch (error) {
      if (error instanceof Crash && closed) throw closedEarly();
      if (error instanceof Crash && program === current) {
        program = undefined;
        await (await current).close();
      }
      throw error;
    }
  };
  const dispatch = createDispatch({
    batch: described.batch,
    parallel: hello.parallel,
    restarts,
    kindOf: kindOf(described),
    ask,
  });
  const release = (pictures: readonly Prepared[]) => {
    for (const prepared of pictures) {
      const slot = slotOf(described, prepared);
      if (memory && slot !== undefined) freeSlot(memory, slot);
    }
  };

  return {
    ...described,
    prepare: preparer(described, memory),
    answer: (pictures, questions) =>
      dispatch(pictures.map((prepared, i) => ({ prepared, question: questions[i] }))).finally(() => release(pictures)),
    recycle: release,
    async close() {
      closed = true;
      const running = program;
      program = undefined;
      await (await running?.catch(() => undefined))?.close();
    },
  };
}

/** Runs in the worker that made the picture. */
function preparer(
  { command: { hello }, preprocessing }: CommandDescription,
  memory: SharedMemory | undefined,
): Model['prepare'] {
  if (hello.input === 'path') return (image) => encodeImage(image, { format: 'png' });
  if (!preprocessing) return (image) => new Uint8Array(image.data);
  const toNumbers = preprocessor(onTheWire(hello, preprocessing));
  if (!memory) return (image) => toNumbers(image);
  let spare: Prepared | undefined;
  return (image) => {
    const numbers = toNumbers(image, spare);
    spare = undefined;
    const slot = leaveInMemory(memory, new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength));
    if (slot === undefined) return numbers;
    spare = numbers;
    return slotHandle(slot);
  };
}

/** Pictures of other sizes, or in another place, cannot be in one tensor. */
const kindOf = (described: CommandDescription) => {
  const { preprocessing } = described;
  if (!preprocessing) return () => '';
  return ({ prepared, question }: QueuedPicture) => {
    const { width, height } = networkSize(preprocessing, question);
    return `${width} × ${height}${slotOf(described, prepared) === undefined ? '' : ' in memory'}`;
  };
};
