import { describe, expect, it, vi } from 'vitest';
import { createMask, createRaster } from '../image/raster.ts';
import type { ScenePool } from './scene.ts';

// Rooms of their own: what other files have left is larger, and the smallest goes where there are too many.
vi.resetModules();
const { roomFor } = await import('../image/spare-room.ts');
const { cover } = await import('./cover.ts');
const { createSceneSource } = await import('./scene.ts');

const [width, height] = [23, 17];
const image = createRaster(width, height);
const mask = createMask(width, height, new Uint8Array(width * height).fill(255, 40, 90));
const pool = { background: async () => cover(image, width, height) } as unknown as ScenePool;
const isUsedAgain = ({ data }: typeof image) => roomFor(data.length).buffer === data.buffer;

describe("a scene's own background", () => {
  const source = createSceneSource({ sample: { id: 'a' }, image, mask, seed: 1, pool });

  it('is not held by the source, which a studio asks for scenes without end', async () => {
    const background = await source.scene('grey').background();
    source.giveBack();
    expect(isUsedAgain(background)).toBe(false);
  });

  it('is used again after the edit, where it is not what the edit gave', async () => {
    const scene = source.scene('grey');
    const [first, second] = [await scene.background(), await scene.background()];
    source.giveBackScene(scene, second);
    expect([isUsedAgain(first), isUsedAgain(first), isUsedAgain(second)]).toEqual([true, false, false]);
    source.giveBackScene(scene, image);
    expect(isUsedAgain(second)).toBe(false);
  });
});
