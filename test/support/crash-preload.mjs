// Preloaded by test/e2e/native-crash.test.ts into the command and its threads: kills the process the way a crash inside sharp or
// onnxruntime does, when a picture that ends with the marker is decoded or a network called `crash.onnx` is loaded.
import { createRequire } from 'node:module';
import { isMainThread } from 'node:worker_threads';

// Required, as the program loads them: an import would give another copy of sharp.
const require = createRequire(import.meta.url);
const sharp = require('sharp');
const { InferenceSession } = require('onnxruntime-node');

function crash() {
  if (isMainThread) process.abort();
  process.kill(process.pid, 'SIGSEGV');
  // The signal may reach another thread first; a thread that crashes does nothing more, so this one must not either.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
}

for (const name of ['toBuffer', 'metadata', 'stats']) {
  const original = sharp.prototype[name];
  sharp.prototype[name] = function (...args) {
    if (this.options.input.buffer?.includes('crash here')) crash();
    return original.apply(this, args);
  };
}

const create = InferenceSession.create;
InferenceSession.create = (model, ...rest) => {
  if (String(model).endsWith('crash.onnx')) crash();
  return create.call(InferenceSession, model, ...rest);
};
