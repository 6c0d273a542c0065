// Preloaded by test/e2e/native-crash.test.ts into the command and its threads: kills the process the way a crash inside sharp or
// onnxruntime does, when a picture that ends with the marker is decoded or a network called `crash.onnx` is loaded.
import Module from 'node:module';
import { isMainThread } from 'node:worker_threads';

function crash() {
  if (isMainThread) process.abort();
  process.kill(process.pid, 'SIGSEGV');
  // The signal may reach another thread first; a thread that crashes does nothing more, so this one must not either.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
}

function crashInSharp(sharp) {
  for (const name of ['toBuffer', 'metadata', 'stats']) {
    const original = sharp.prototype[name];
    sharp.prototype[name] = function (...args) {
      if (this.options.input.buffer?.includes('crash here')) crash();
      return original.apply(this, args);
    };
  }
}

function crashInOnnxruntime({ InferenceSession }) {
  const create = InferenceSession.create;
  InferenceSession.create = (model, ...rest) => {
    if (String(model).endsWith('crash.onnx')) crash();
    return create.call(InferenceSession, model, ...rest);
  };
}

// When the program loads them: not all that it starts does.
const waiting = new Map([
  ['sharp', crashInSharp],
  ['onnxruntime-node', crashInOnnxruntime],
]);
const load = Module._load;
Module._load = function (name, ...rest) {
  const loaded = load.call(this, name, ...rest);
  const change = waiting.get(name);
  if (waiting.delete(name)) change(loaded);
  return loaded;
};
