import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { randomFor } from '../stats/random.ts';
import { marginOf } from './attack-run.ts';
import { copyBits, nearestInTraining } from './leak-check.ts';

let home: string;
const noise = (seed: number) => {
  const random = randomFor('leak', seed);
  const blocks = Array.from({ length: 64 * 3 }, () => random.integer(0, 255));
  return sharp(Uint8Array.from(blocks), { raw: { width: 8, height: 8, channels: 3 } }).resize(128, 128, {
    kernel: 'cubic',
  });
};
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'sceneshift-leak-'));
  for (let i = 0; i < 6; i++)
    await noise(i)
      .png()
      .toFile(join(home, `train-${i}.png`));
  // The same picture smaller and as JPEG, and one that the training set has not.
  await noise(3).resize(70, 70).jpeg({ quality: 60 }).toFile(join(home, 'copy.jpg'));
  await noise(77).png().toFile(join(home, 'new.png'));
  await writeFile(join(home, 'broken.png'), 'no picture');
});
afterAll(() => rm(home, { recursive: true, force: true }));

it('finds the copy in the training folder, and no copy of a new picture', async () => {
  const training = Array.from({ length: 6 }, (_, i) => join(home, `train-${i}.png`)).concat(join(home, 'broken.png'));
  const [copy, fresh] = await nearestInTraining([join(home, 'new.png'), join(home, 'copy.jpg')], training);
  expect(copy).toMatchObject({ picture: join(home, 'copy.jpg'), nearest: join(home, 'train-3.png') });
  expect(copy.differingBits).toBeLessThanOrEqual(copyBits);
  expect(fresh.differingBits).toBeGreaterThan(2 * copyBits);
});

it('the margin is the best right score minus the best wrong one', () => {
  expect(marginOf(Float32Array.of(1, 5, 3, 2), new Set([2, 3]))).toBe(-2);
  expect(marginOf(Float32Array.of(1, 2, 7), new Set([2]))).toBe(5);
});
