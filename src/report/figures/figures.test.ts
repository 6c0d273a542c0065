import { describe, expect, it } from 'vitest';
import type { CurvePoint } from '../data/curves.ts';
import type { Figure } from '../document.ts';
import { backgroundChart } from './background-chart.ts';
import { classMap } from './class-map.ts';
import { coefficientChart } from './coefficient-chart.ts';
import { dropChart } from './drop-chart.ts';
import { foldChart } from './fold-chart.ts';
import { lossMap } from './loss-map.ts';
import { residualOrder } from './residual-order.ts';
import { residualQq } from './residual-qq.ts';
import { residualSize } from './residual-size.ts';
import { residualVsFitted } from './residual-vs-fitted.ts';
import { saliencyChart } from './saliency-chart.ts';
import { scoreChart } from './score-chart.ts';
import { segmentationChart } from './segmentation-chart.ts';
import { shareChart } from './share-chart.ts';
import { surrogateCurveChart } from './surrogate-curve.ts';
import { trainingCurves } from './training-curves.ts';
import { trainingMap } from './training-map.ts';
import { transferChart } from './transfer-chart.ts';
import { transferMap } from './transfer-map.ts';

const models = ['ResNet50', 'ViT-B/16', 'MobileNetV2'];
const edits = ['Blurred background', 'Greyscale', 'Random background'];
const fourteen = Array.from({ length: 14 }, (_, i) => `Scenario ${i + 1}`);
const wave = (i: number) => Math.sin(12.9 * i) * Math.cos(4.1 * i);
const residual = Array.from({ length: 40 }, (_, i) => 0.1 * wave(i));
const plots = {
  fitted: residual.map((_, i) => 0.5 + 0.01 * i),
  residual,
  absResidual: residual.map(Math.abs),
  qq: { expected: residual.map((_, i) => (i - 19.5) / 10), observed: [...residual].sort((a, b) => a - b) },
  order: residual,
};
const near = (estimate: number) => ({ estimate, ci: [estimate - 0.1, estimate + 0.1] as [number, number] });
const cells = models.flatMap((model, m) =>
  edits.map((scenario, s) => ({ model, scenario, title: scenario, value: 0.9 - 0.15 * s - 0.07 * m })),
);

/** Every figure of the report with small made-up data; the snapshots are the documentation's pictures. */
const figures: Record<string, () => Figure> = {
  'transfer-chart': () =>
    transferChart(
      models.map((model, m) => ({
        ...{ model, role: (['surrogate', 'target', 'other'] as const)[m], n: 30 },
        ...{
          hard: near(0.1),
          random: near(0.6),
          matched: near(0.3),
          fall: near(0.5 - 0.2 * m),
          fallMatched: near(0.1),
        },
      })),
    ),
  'transfer-map': () =>
    transferMap(
      models.flatMap((one) =>
        models
          .filter((target) => target !== one)
          .map((target, m) => ({
            surrogates: [one],
            target,
            n: 40,
            accuracy: 0.2 + 0.3 * m,
            fall: near(0.4 - 0.3 * m),
          })),
      ),
    ),
  'surrogate-curve': () =>
    surrogateCurveChart({
      points: [0.3, 0.2, 0.17].map((accuracy, k) => ({
        ...{ surrogates: k + 1, sets: 3, pictures: 40 - 10 * k, accuracy: near(accuracy), gain: null },
      })),
      flattensAt: null,
    }),
  'score-chart': () =>
    scoreChart(
      models.map((model, m) => ({
        model,
        original: 0.9 - 0.05 * m,
        originalCi: [0.87 - 0.05 * m, 0.93 - 0.05 * m],
        edited: 0.75 - 0.08 * m,
        editedCi: [0.71 - 0.08 * m, 0.79 - 0.08 * m],
        worst: 0.5 - 0.1 * m,
        worstScenario: 'random-background',
      })),
    ),
  'drop-chart': () =>
    dropChart(
      cells.map(({ value, ...cell }) => ({ ...cell, drop: 0.95 - value, low: 0.92 - value, high: 0.98 - value })),
      models,
    ),
  'loss-map': () =>
    lossMap(
      cells.map(({ value, ...cell }) => ({ ...cell, drop: 0.95 - value, low: 0.92 - value, high: 0.98 - value })),
      models,
    ),
  'saliency-chart': () =>
    saliencyChart(
      cells.map(({ value, ...cell }) => ({ ...cell, share: value, low: value - 0.06, high: value + 0.06, area: 0.35 })),
      models,
    ),
  'class-map': () =>
    classMap(
      edits.flatMap((scenario, s) =>
        ['cat', 'dog', 'teapot'].map((name, c) => ({
          model: models[0],
          scenario,
          class: name,
          n: 20,
          accuracy: 0.95 - 0.3 * s - 0.1 * c,
        })),
      ),
      {
        model: models[0],
        scenarios: edits.map((title) => ({ name: title, title })),
        classes: ['teapot', 'dog', 'cat'],
        id: 'classes-1',
      },
    ),
  'background-chart': () =>
    backgroundChart(
      models.flatMap((model, m) =>
        (['original', 'generated', 'random'] as const).map((kind, k) => ({
          model,
          kind,
          scenario: kind,
          accuracy: 0.9 - 0.2 * k - 0.05 * m,
          low: 0.86 - 0.2 * k - 0.05 * m,
          high: 0.94 - 0.2 * k - 0.05 * m,
        })),
      ),
      models,
    ),
  'fold-chart': () =>
    foldChart(
      cells.flatMap(({ model, scenario, value }) =>
        [0, 1, 2].map((fold) => ({ model, scenario, fold, n: 30, accuracy: value + 0.02 * (fold - 1) })),
      ),
      { models, scenarios: edits, titleOf: (name) => name },
    ),
  'share-chart': () =>
    shareChart([
      { term: 'model', share: 0.1, ci: [0.06, 0.15] },
      { term: 'scenario', share: 0.7, ci: [0.6, 0.78] },
      { term: 'class', share: 0.2, ci: null },
    ]),
  'coefficient-chart': () =>
    coefficientChart([
      term('Intercept', 0.9, 0.00001),
      term('scenario[grey]', -0.05, 0.2),
      term('scenario[random-background]', -0.4, 0.0001),
    ]),
  'residual-vs-fitted': () => residualVsFitted(plots),
  'residual-size': () => residualSize(plots),
  'residual-qq': () => residualQq(plots),
  'residual-order': () => residualOrder(plots),
  'residual-distribution': () => residualOrder({ ...plots, order: null }),
  'training-map': () =>
    trainingMap(
      edits.flatMap((trained, t) =>
        edits.map((tested, e) => ({ trained, tested, accuracy: t === e ? 0.9 : 0.7 - 0.1 * e })),
      ),
      { model: models[0], id: 'training-1' },
    ),
  'training-curves': () =>
    trainingCurves(
      { step: 'epoch', points: curvePoints(edits, 12) },
      { model: models[0], measure: 'accuracy', id: 'curves-accuracy-1', trained: edits, titleOf: (name) => name },
    ),
  'training-curves-loss': () =>
    trainingCurves(
      { step: 'iteration', points: curvePoints(fourteen, 200) },
      { model: models[0], measure: 'loss', id: 'curves-loss-1', trained: fourteen, titleOf: (name) => name },
    ),
  'segmentation-chart': () =>
    segmentationChart(
      cells.map(({ value, ...cell }) => ({ ...cell, iou: value, low: value - 0.05, high: value + 0.05 })),
    ),
};

function curvePoints(trained: readonly string[], most: number): CurvePoint[] {
  const steps = [1, 2, 3, 5, 8, 12, 30, 100, 200].filter((step) => step <= most);
  return trained.flatMap((name, t) =>
    steps.flatMap((step) =>
      (['training', 'validation'] as const).flatMap((rows): CurvePoint[] => {
        const left = 1 / step + (rows === 'training' ? 0 : 0.2 + 0.02 * t);
        const at = { trained: name, rows, step, folds: 4 };
        return [
          { ...at, measure: 'loss', mean: left, low: 0.9 * left, high: 1.1 * left },
          { ...at, measure: 'accuracy', mean: 1 - 0.4 * left, low: 1 - 0.44 * left, high: 1 - 0.36 * left },
        ];
      }),
    ),
  );
}

function term(name: string, estimate: number, p: number) {
  return {
    term: name,
    estimate,
    se: 0.03,
    statistic: 1,
    p,
    stars: 'ns' as const,
    ci: [estimate - 0.06, estimate + 0.06] as [number, number],
  };
}

describe('figures', () => {
  for (const [name, make] of Object.entries(figures)) {
    it(`${name} is drawn as before`, async () => {
      const { svg } = make();
      await expect(svg).toMatchFileSnapshot(`./fixtures/${name}.svg`);
    });

    it(`${name} stands alone, names itself and brings its data`, () => {
      const { svg, data, title } = make();
      expect(svg).toMatch(/^<svg [^>]* xmlns="http:\/\/www\.w3\.org\/2000\/svg"/);
      expect(svg).toContain(`aria-label="${title}"`);
      expect(svg).not.toMatch(/NaN|undefined|Infinity/);
      expect(data.length).toBeGreaterThan(0);
    });
  }

  it('tells models apart by shape as well as by colour', () => {
    const { svg } = figures['drop-chart']();
    const shapes = new Set([...svg.matchAll(/<path[^>]* d="([^"]+)"/g)].map(([, path]) => path));
    expect(shapes.size).toBeGreaterThanOrEqual(models.length);
  });
});
