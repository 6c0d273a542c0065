// Preloaded by test/e2e/opening-threads.test.ts into the command and its threads: a network called `slow.onnx` is being opened by the
// library in every thread at the moment that the main thread goes on without them, as on a busy machine. Threads tell each other by files.
import { existsSync, writeFileSync } from 'node:fs';
import Module, { syncBuiltinESMExports } from 'node:module';
import os from 'node:os';
import { join } from 'node:path';
import { isMainThread, threadId, Worker } from 'node:worker_threads';

const { OPENING_FOLDER: folder, OPENING_MEMORY: memory } = process.env;
const goneOn = join(folder, 'gone on');
const isOpening = (id) => join(folder, `opening in ${id}`);

if (memory) {
  os.totalmem = () => Number(memory);
  syncBuiltinESMExports();
}

const threads = [1, 2];
/** Opened so many times more when the main thread has gone on: it does so while the library works. */
const openingsMore = 6;
/** In case it never does. */
const mostOpenings = 500;

function noteWhen(name, goesOn) {
  const original = Worker.prototype[name];
  Worker.prototype[name] = function (...args) {
    const result = original.apply(this, args);
    if (goesOn(...args)) writeFileSync(goneOn, '');
    return result;
  };
}

if (isMainThread) {
  noteWhen('terminate', () => true);
  noteWhen('postMessage', ({ kind }) => kind !== 'session');
}

function openSlowly({ InferenceSession }) {
  const create = InferenceSession.create;
  const open = (...args) => create.apply(InferenceSession, args);
  InferenceSession.create = async (model, ...rest) => {
    if (!String(model).endsWith('slow.onnx') || existsSync(goneOn)) return open(model, ...rest);
    if (isMainThread) while (!threads.every((id) => existsSync(isOpening(id)))) await soon();
    else {
      writeFileSync(isOpening(threadId), '');
      for (let i = 0, more = openingsMore; i < mostOpenings && more > 0; i++, existsSync(goneOn) && more--)
        await open(model, ...rest);
    }
    return open(model, ...rest);
  };
}

const soon = () => new Promise((resolve) => setTimeout(resolve, 5));

const load = Module._load;
let isChanged = false;
Module._load = function (name, ...rest) {
  const loaded = load.call(this, name, ...rest);
  if (name === 'onnxruntime-node' && !isChanged) {
    isChanged = true;
    openSlowly(loaded);
  }
  return loaded;
};
