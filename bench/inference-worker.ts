import { parentPort, workerData } from 'node:worker_threads';
import { openModel } from '../src/models/open.ts';

// One session, one thread, the same batch again and again. Messages between threads start all of them together.
const { model: path, batch, seconds } = workerData as { model: string; batch: number; seconds: number };
const model = await openModel(path, { threads: 1, batch });
const gradient = Uint8Array.from({ length: 320 * 240 * 3 }, (_, i) => (i * 7) % 256);
const prepared = await model.prepare({ width: 320, height: 240, data: gradient });
const inputs = Array.from({ length: batch }, () => prepared);
const questions = inputs.map((_, i) => ({ sample: String(i), scenario: 'original', width: 320, height: 240 }));
await model.answer(inputs, questions);
const started = performance.now();
let answered = 0;
while (performance.now() - started < 1000 * seconds) {
  await model.answer(inputs, questions);
  answered += batch;
}
parentPort?.postMessage((1000 * answered) / (performance.now() - started));
await model.close();
