// Trains the two models of `sceneshift demo` and writes them beside this file. `node scripts/make-demo-models.mjs` runs it.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { drawPicture } from '../../src/cli/demo/draw.ts';
import { type EnvironmentName, environmentNames, usualEnvironment } from '../../src/cli/demo/environments.ts';
import { drawLook, objectNames } from '../../src/cli/demo/objects.ts';
import { resize } from '../../src/image/resize.ts';
import { randomFor } from '../../src/stats/random.ts';
import { createNetwork } from './network.ts';
import { toOnnx } from './onnx.ts';
import { accuracy, type Example, train } from './train.ts';

const sizePx = 48;
const layers = [
  { channels: 8, kernel: 5, stride: 2 },
  { channels: 16, kernel: 3, stride: 2 },
  { channels: 24, kernel: 3, stride: 2 },
  { channels: 24, kernel: 3, stride: 1 },
];
const perClass = { training: 300, held: 25 };
const epochs = 16;

/** The share of training pictures that show a class where it is usually seen; the rest anywhere else. */
const models = [
  { name: 'leans-on-scene', usualShare: 0.95 },
  { name: 'looks-at-object', usualShare: 1 / environmentNames.length },
];

const [, , out = 'benchmark/tiny', only] = process.argv;

/** Seeds name the set they are for, so that no picture of the demo is one of these. */
function drawExample(set: string, label: number, i: number, usualShare: number): Example {
  const name = objectNames[label];
  const random = randomFor('demo training', set, label, i);
  const usual = usualEnvironment[name];
  const environment: EnvironmentName =
    random.uniform() < usualShare ? usual : random.pick(environmentNames.filter((other) => other !== usual));
  // Half the size of the demo's pictures: for a network of 48 pixels the same, and four times as fast.
  const { image } = drawPicture({
    look: drawLook(name, random),
    environment,
    seed: `${set} ${label} ${i}`,
    sizePx: 80,
  });
  const { data } = resize(image, sizePx, sizePx, 'bilinear');
  const input = new Float32Array(3 * sizePx * sizePx);
  for (let p = 0; p < sizePx * sizePx; p++)
    for (let c = 0; c < 3; c++) input[c * sizePx * sizePx + p] = (data[3 * p + c] / 255 - 0.5) / 0.25;
  return { input, label };
}

const drawSet = (set: string, count: number, usualShare: number) =>
  objectNames.flatMap((_, label) => Array.from({ length: count }, (_, i) => drawExample(set, label, i, usualShare)));

const usualPictures = drawSet('held, usual', perClass.held, 1);
const otherPictures = drawSet('held, elsewhere', perClass.held, 0);
for (const { name, usualShare } of models.filter((model) => !only || model.name === only)) {
  const started = performance.now();
  const examples = drawSet(name, perClass.training, usualShare);
  const drawn = performance.now();
  const network = createNetwork(sizePx, layers, objectNames.length, randomFor('demo network', name));
  train(network, examples, {
    epochs,
    random: randomFor('demo order', name),
    onEpoch: (epoch, loss) => console.error(`${name}: epoch ${epoch + 1}/${epochs}, loss ${loss.toFixed(3)}`),
  });
  const held = { usual: accuracy(network, usualPictures), elsewhere: accuracy(network, otherPictures) };
  console.log(
    `${name}: held-out accuracy ${held.usual.toFixed(3)} in the usual environment, ${held.elsewhere.toFixed(3)} elsewhere`,
    `(drawing ${((drawn - started) / 1000).toFixed(0)} s, training ${((performance.now() - drawn) / 1000).toFixed(0)} s)`,
  );
  writeFileSync(join(out, `${name}.onnx`), toOnnx(network));
  const record = {
    name,
    labels: objectNames,
    resize: { width: sizePx, height: sizePx, filter: 'bilinear' },
    crop: null,
    scale: 1 / 255,
    mean: [0.5, 0.5, 0.5],
    std: [0.25, 0.25, 0.25],
    input: { name: 'input', layout: 'NCHW', type: 'float32', channels: 'RGB' },
    output: { name: 'output', kind: 'logits' },
    source: `benchmark/tiny/make.ts: ${perClass.training} drawn pictures per class, ${Math.round(100 * usualShare)} % of them in the usual environment of the class`,
  };
  writeFileSync(join(out, `${name}.json`), `${JSON.stringify(record, null, 2)}\n`);
}
