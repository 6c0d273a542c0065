import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Sample } from '../contracts/sample.ts';
import { planPaths, renderLayouts } from './render-layouts.ts';

const sample = (id: string, label = 'cat'): Sample => ({ id, image: `/data/${id}`, label });

describe('planPaths', () => {
  it('writes a scenario with settings under its name, the colon as @', () => {
    const paths = planPaths([sample('images/cat/a.JPEG')], 'sceneshift', 'jpeg');
    expect(paths(0, 'size:0.05', false)).toEqual({
      image: 'size@0.05/images/cat/a.jpg',
      mask: 'masks/size@0.05/images/cat/a.png',
      format: 'jpeg',
    });
  });

  it('uses the folder names of the papers', () => {
    expect(planPaths([sample('x/n01_1.jpg', 'n01')], 'ximagenet-12', 'jpeg')(0, 'tint-red', false).image).toBe(
      'image_r/n01/n01_1.JPEG',
    );
    expect(planPaths([sample('x/n01_1.jpg')], 'imagenet-e', 'jpeg')(0, 'size:full', false)).toMatchObject({
      image: 'full/x__n01_1.JPEG',
      format: 'jpeg',
    });
    expect(planPaths([sample('x/n01_1.jpg')], 'imagenet-e', 'jpeg')(0, 'position', false)).toMatchObject({
      image: 'position/x__n01_1.png',
      format: 'png',
    });
  });

  it('stays below the folder, whatever the samples are called', () => {
    for (const layout of renderLayouts) {
      const paths = planPaths([sample('../../x/a.jpg'), sample('x/a.jpg'), sample('/x/./a.png')], layout, 'png');
      const images = [0, 1, 2].map((i) => paths(i, 'grey', false).image);
      expect(new Set(images).size).toBe(3);
      for (const image of images) expect(`/${image}/`).not.toMatch(/\/\.\.?\/|^\/\//);
    }
  });

  it('never writes transparency as JPEG', () => {
    expect(planPaths([sample('a.jpg')], 'sceneshift', 'jpeg')(0, 'transparent', true).image).toBe('transparent/a.png');
  });

  it('puts no two samples in one place, whatever they are called', () => {
    const name = fc.constantFrom('a', 'b', 'A', 'a.x');
    const ids = fc.uniqueArray(
      fc
        .tuple(fc.constantFrom('', 'p/', 'q/', '../p/'), name, fc.constantFrom('.jpg', '.png', '.JPG'))
        .map((parts) => parts.join('')),
      { minLength: 1 },
    );
    fc.assert(
      fc.property(ids, fc.constantFrom(...renderLayouts), (list, layout) => {
        const paths = planPaths(
          list.map((id) => sample(id)),
          layout,
          'png',
        );
        const images = list.map((_, i) => paths(i, 'grey', false).image);
        expect(new Set(images).size).toBe(list.length);
      }),
    );
  });
});
