import { describe, expect, it } from 'vitest';
import { SampleError } from '../contracts/errors.ts';
import { createMask, createRaster, type Mask, type Raster } from '../image/raster.ts';
import { cover } from './cover.ts';
import { families, type Variant } from './define.ts';
import { drawExample } from './gallery/example.ts';
import * as declared from './index.ts';
import { type NamedScenario, parseScenario } from './name.ts';
import { describeParams } from './params.ts';
import { presets } from './presets.ts';
import { promiseOf, scenarios } from './registry.ts';
import { applyScenario, createSceneSource, type ScenePool } from './scene.ts';

const photographs = [1, 2, 3, 4].map((seed) => drawExample({ width: 64, height: 48, seed }));
const pool: ScenePool = {
  background: async (random, _sample, width, height) => cover(random.pick(photographs).image, width, height),
  other: async (random) => random.pick(photographs),
  generated: async () => undefined,
  paint: async ({ image }) => cover(photographs[3].image, image.width, image.height),
};
const [generic] = photographs;

const sourceOf = (photograph: { image: Raster; mask: Mask }, id = 'class/picture.jpg', seed = 7) =>
  createSceneSource({ sample: { id, label: 'class' }, ...photograph, seed, pool });

const edit = ({ scenario, params, name }: NamedScenario, source = sourceOf(generic)): Promise<Variant> =>
  applyScenario(scenario, source.scene(name), params);

/** Every scenario as declared, on every region it offers, and with the settings of every preset but the 75 corruptions. */
const cases: NamedScenario[] = [
  ...new Map(
    [
      ...scenarios.map(({ id }) => id),
      ...scenarios
        .filter(({ params }) => 'region' in params)
        .flatMap(({ id }) => ['image', 'background', 'object'].map((region) => `${id}:region=${region}`)),
      ...Object.entries(presets).flatMap(([id, preset]) => (id === 'corruptions' ? [] : preset.scenarios)),
    ]
      .map((text) => parseScenario(text))
      .map((parsed) => [parsed.name, parsed]),
  ).values(),
];

describe('the declarations', () => {
  it('have an id of their own each, the exported name in kebab case', () => {
    expect(new Set(scenarios.map(({ id }) => id)).size).toBe(scenarios.length);
    for (const [name, { id }] of Object.entries(declared)) {
      expect(name.toLowerCase()).toBe(id.replaceAll('-', ''));
      expect(presets).not.toHaveProperty([id]);
    }
  });

  it.each(scenarios.map((scenario) => [scenario.id, scenario] as const))(
    '%s says all that the list shows',
    (_, scenario) => {
      expect(scenario.id).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/);
      expect(families).toHaveProperty([scenario.family]);
      expect(scenario.title).toMatch(/^[A-Z].*[^.]$/);
      expect(scenario.description).toMatch(/^[A-Z].*\.$/s);
      for (const param of describeParams(scenario)) {
        expect(param.name).toMatch(/^[a-zA-Z]+$/);
        expect(param.description, `description of ${param.name}`).not.toBe('');
        expect(param.default).toMatch(/^[a-z0-9.-]+$/);
      }
    },
  );
});

describe.each(cases.map((named) => [named.name, named] as const))('%s', (_, named) => {
  it('keeps its promise about the object, to the pixel', async () => {
    const { image, mask = generic.mask } = await edit(named);
    expect([image.width, image.height, image.data.length]).toEqual([64, 48, 64 * 48 * 3]);
    expect([mask.width, mask.height, mask.data.length]).toEqual([64, 48, 64 * 48]);
    expect(mask.data.every((value) => value === 0 || value === 255)).toBe(true);
    const promise = promiseOf(named.scenario, named.params);
    if (promise === 'untouched') {
      expect(mask.data).toEqual(generic.mask.data);
      expect(differing(image, generic.image, generic.mask, 255)).toBe(0);
    } else {
      expect(mask.data.some((value) => value === 255)).toBe(true);
      expect(Buffer.compare(image.data, generic.image.data)).not.toBe(0);
    }
    if (promise === 'moved') expect(Buffer.compare(mask.data, generic.mask.data)).not.toBe(0);
    if (named.params.region === 'object') expect(differing(image, generic.image, generic.mask, 0)).toBe(0);
  });

  it('gives the same bytes whatever was made before it', async () => {
    const first = await edit(named);
    const shared = sourceOf(generic);
    for (const other of ['blur-object', 'random-background', 'noise-background'])
      await edit(parseScenario(other), shared);
    const again = [await edit(named, shared), await edit(named, shared)];
    for (const variant of again) {
      expect(Buffer.compare(variant.image.data, first.image.data)).toBe(0);
      expect(variant.mask?.data).toEqual(first.mask?.data);
      expect(variant.alpha).toEqual(first.alpha);
    }
  });

  it('leaves what it was given as it was', async () => {
    const before = photographs.flatMap(({ image, mask }) => [image.data.slice(), mask.data.slice()]);
    const { image, mask, alpha } = await edit(named);
    if (named.scenario.id !== 'original') image.data.fill(1);
    if (mask) mask.data.fill(1);
    alpha?.fill(1);
    const after = photographs.flatMap(({ image, mask }) => [image.data, mask.data]);
    after.forEach((data, i) => {
      expect(Buffer.compare(data, before[i])).toBe(0);
    });
  });

  it.each(oddPhotographs())('survives %s', async (_title, photograph) => {
    const { width, height } = photograph.image;
    try {
      const { image, mask } = await edit(named, sourceOf(photograph));
      expect([image.width, image.height, image.data.length]).toEqual([width, height, width * height * 3]);
      if (mask) expect([mask.width, mask.height, mask.data.length]).toEqual([width, height, width * height]);
    } catch (error) {
      // An edit that has no answer here may say so, for this sample alone.
      if (!(error instanceof SampleError)) throw error;
      expect(['mask-full', 'mask-empty', 'too-small']).toContain(error.problem);
    }
  });
});

/** Pixels of one side of the mask whose colour is not the same. */
function differing(a: Raster, b: Raster, mask: Mask, side: 0 | 255): number {
  let count = 0;
  mask.data.forEach((value, i) => {
    if (value === side && [0, 1, 2].some((c) => a.data[3 * i + c] !== b.data[3 * i + c])) count++;
  });
  return count;
}

function oddPhotographs(): [string, { image: Raster; mask: Mask }][] {
  const sizes = [
    [1, 1],
    [2, 3],
    [17, 13],
    [64, 1],
  ];
  const shapes: Record<string, (x: number, y: number, width: number, height: number) => boolean> = {
    'an object of one pixel': (x, y, width, height) => x === width >> 1 && y === height >> 1,
    'an object on all four borders': (x, y, width, height) => x === 0 || y === 0 || x === width - 1 || y === height - 1,
    'an object that is everything': () => true,
  };
  return sizes.flatMap(([width, height]) =>
    Object.entries(shapes).map(([title, inside]): [string, { image: Raster; mask: Mask }] => {
      const image = createRaster(
        width,
        height,
        Uint8Array.from({ length: width * height * 3 }, (_, i) => (i * 89) % 251),
      );
      const data = Uint8Array.from({ length: width * height }, (_, i) =>
        inside(i % width, Math.floor(i / width), width, height) ? 255 : 0,
      );
      return [`${width}×${height} with ${title}`, { image, mask: createMask(width, height, data) }];
    }),
  );
}
