import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createRaster, type Raster } from '../image/raster.ts';
import type { Model } from '../models/define.ts';
import { writeModel } from '../models/onnx/write.ts';
import { openModel } from '../models/open.ts';
import { clusterMean } from '../stats/cluster-mean.ts';
import { baselinePicture } from './baseline.ts';
import { createCanvas } from './canvas.ts';
import { chooseMethod } from './choose-method.ts';
import { areaUnder, replacementCurve } from './curves.ts';
import { type OpenGraph, openGraph } from './graph/open-graph.ts';
import { camError, classMaps } from './graph/tail.ts';
import { cam } from './methods/cam.ts';
import { eigenCam } from './methods/eigen-cam.ts';
import { occlusion } from './methods/occlusion.ts';
import { rise } from './methods/rise.ts';
import { maskPixels } from './methods/rise-masks.ts';
import { scoreCam } from './methods/score-cam.ts';
import { createModelProbe } from './model-probe.ts';
import { mapNumbers } from './numbers.ts';
import { failureModel } from './summary/failure-model.ts';

interface Tensor {
  dims: number[];
  values: number[];
}
const reference = JSON.parse(
  await readFile(new URL('../../test/fixtures/explain/reference.json', import.meta.url), 'utf8'),
);
const { width, height, cells, class: explained } = reference;
const net = reference.net as Record<string, Tensor>;

function referenceNet(): Uint8Array {
  const conv = (i: number, from: string) => ({
    op: 'Conv',
    inputs: [from, `w${i}`, `b${i}`],
    outputs: [`c${i}`],
    attributes: { pads: [1, 1, 1, 1], strides: [2, 2] },
  });
  return writeModel({
    name: 'reference',
    producer: 'sceneshift tests',
    inputs: [{ name: 'input', shape: ['n', 3, height, width] }],
    outputs: [{ name: 'output', shape: ['n', 3] }],
    nodes: [
      conv(0, 'input'),
      { op: 'Relu', inputs: ['c0'], outputs: ['r0'] },
      conv(1, 'r0'),
      { op: 'Relu', inputs: ['c1'], outputs: ['r1'] },
      { op: 'GlobalAveragePool', inputs: ['r1'], outputs: ['pooled'] },
      { op: 'Flatten', inputs: ['pooled'], outputs: ['flat'] },
      { op: 'Gemm', inputs: ['flat', 'w', 'b'], outputs: ['output'] },
    ],
    tensors: Object.entries(net).map(([name, { dims, values }]) => ({
      name,
      dims,
      values: Float32Array.from(values),
    })),
  });
}

const picture = createRaster(width, height, Uint8Array.from(reference.picture));
let folder: string;
let model: Model;
let graph: OpenGraph;
let scorePictures: (pictures: readonly Raster[]) => ReturnType<ReturnType<typeof createModelProbe>['classScores']>;
let baseline: Raster;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sceneshift-explain-'));
  const file = join(folder, 'net.onnx');
  await writeFile(file, referenceNet());
  const { mean, std } = reference;
  model = await openModel({
    model: file,
    labels: ['a', 'b', 'c'],
    preprocessing: { resize: null, crop: null, scale: 1 / 255, mean, std },
  });
  const canvas = createCanvas(picture, model);
  const question = { sample: 's', scenario: 'original', width, height };
  const probe = createModelProbe({ canvas, description: model, answer: model.answer, question });
  scorePictures = (pictures) => probe.classScores(pictures, [explained]);
  baseline = baselinePicture(picture, 'mean', model.preprocessing);
  const { spatial } = await chooseMethod(model, { method: 'auto' });
  if (!spatial) throw new Error('no layer was found');
  graph = await openGraph(model, spatial, { threads: 1, tail: true });
});

afterAll(async () => {
  await model.close();
  await graph.close();
  await rm(folder, { recursive: true, force: true });
});

/** Networks in float32 on two runtimes agree to about 1e-6; maps are sums of such values. */
const near = (found: ArrayLike<number>, expected: readonly number[], tolerance = 2e-6) => {
  expect(found.length).toBe(expected.length);
  const scale = Math.max(...expected.map(Math.abs));
  const worst = expected.reduce((most, value, i) => Math.max(most, Math.abs(found[i] - value)), 0);
  expect(worst / scale).toBeLessThan(tolerance);
};
const activation = () => graph.reader.read(model.prepare(picture) as Float32Array, { width, height });

describe('against torch, NumPy and scikit-image', () => {
  it('reads the scores of the network', async () => {
    near((await activation()).logits, reference.logits);
  });

  it('makes the masks of RISE from the same cells and shifts', () => {
    const [{ cells: kept, top, left }] = reference.rise.drawn;
    near(maskPixels({ cells: kept, top, left }, { width, height, cells }), reference.rise.firstMask, 1e-6);
  });

  it('gives the map of RISE, its flat part taken off, and its reliability', async () => {
    // A generator that replays the reference's draws: uniforms for the cells, then the two shifts.
    const draws = reference.rise.drawn.flatMap((mask: { cells: number[]; top: number; left: number }) => [
      ...mask.cells.map((kept) => (kept ? 0.25 : 0.75)),
      mask.top,
      mask.left,
    ]);
    let at = 0;
    const next = () => draws[at++];
    const random = { uniform: next, integer: next } as never;
    const masks = reference.rise.drawn.length;
    const found = await rise({ picture, baseline, scorePictures, random, masks, cells, converge: 1, batch: 8 });
    near(found.map.data, reference.rise.withoutFlat, 1e-5);
    expect(found.reliability).toBeCloseTo(reference.rise.reliability, 5);
    expect(found.evaluations).toBe(masks);
  });

  it('gives CAM, and finds that it is exact', async () => {
    const found = await activation();
    if (!graph.tail) throw new Error('the end of the network cannot stand alone');
    near((await cam(graph.tail, found, [explained], 8)).map.data, reference.cam, 1e-5);
    expect(camError(await classMaps(graph.tail, found, 8), found.logits)).toBeLessThan(1e-6);
    const choice = await chooseMethod(model, { method: 'auto' });
    expect(choice).toMatchObject({ method: 'cam', layer: 'r1' });
  });

  it('gives Score-CAM', async () => {
    const found = await scoreCam({
      activation: await activation(),
      picture,
      baseline,
      scorePictures,
      channels: 99,
      batch: 8,
    });
    near(found.map.data, reference.scoreCam, 1e-5);
  });

  it('gives Eigen-CAM as a singular value decomposition does', async () => {
    near(eigenCam(await activation()).data, reference.eigenCam, 1e-6);
  });

  it('gives occlusion', async () => {
    const { patch: patchPx, stride: stridePx, map } = reference.occlusion;
    const [{ probability: whole }] = await scorePictures([picture]);
    near(
      (await occlusion({ picture, baseline, whole, scorePictures, patchPx, stridePx, batch: 8 })).map.data,
      map,
      1e-5,
    );
  });

  it('gives the deletion curve and its area', async () => {
    const { steps, curve, area } = reference.deletion;
    const saliency = Float64Array.from(reference.rise.withoutFlat);
    const found = await replacementCurve({ from: picture, to: baseline, saliency, steps, scorePictures });
    near(found.curve, curve);
    expect(found.area).toBeCloseTo(area, 6);
    expect(areaUnder(curve)).toBeCloseTo(area, 9);
  });

  it('gives the agreement with the object', () => {
    const mask = { width, height, data: Uint8Array.from(reference.mask, (value: number) => 255 * value) };
    const found = mapNumbers(Float32Array.from(reference.rise.withoutFlat), mask);
    for (const [name, value] of Object.entries(reference.numbers))
      expect(found[name as keyof typeof found], name).toBeCloseTo(value as number, 6);
  });

  it('gives clustered means and the odds of failing as statsmodels does', () => {
    const { values, cluster, mean, low, high, p } = reference.clusterMean;
    const found = clusterMean(values, cluster.map(String));
    expect(found.mean).toBeCloseTo(mean, 9);
    expect(found.ci?.[0]).toBeCloseTo(low, 8);
    expect(found.ci?.[1]).toBeCloseTo(high, 8);
    expect(found.p).toBeCloseTo(p, 8);
    const { reliance, scenario, owner, failed, oddsRatio, ci, p: pOdds } = reference.failure;
    const rows = reliance.map((value: number, i: number) => ({
      model: 'm',
      scenario: `s${scenario[i]}`,
      sample: String(owner[i]),
      cluster: String(owner[i]),
      reliance: value,
      areaShare: 0.3,
      failed: failed[i],
    }));
    const odds = failureModel(rows);
    expect(odds?.oddsRatio).toBeCloseTo(oddsRatio, 7);
    expect(odds?.ci[0]).toBeCloseTo(ci[0], 6);
    expect(odds?.ci[1]).toBeCloseTo(ci[1], 6);
    expect(odds?.p).toBeCloseTo(pOdds, 7);
  });
});
