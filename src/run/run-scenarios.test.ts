import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Sample } from '../contracts/sample.ts';
import { settleEncodings } from '../dataset/mask-encodings.ts';
import { parseScenarioList } from '../scenarios/name.ts';
import type { PlanInput } from './plan.ts';
import { runScenarios } from './run-scenarios.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sceneshift-run-scenarios-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Masks of a disc whose edge fades over so many pixels, as files. */
async function samplesWith(fadePx: number): Promise<Sample[]> {
  const size = 160;
  const samples: Sample[] = [];
  for (let n = 0; n < 4; n++) {
    const data = Buffer.alloc(size * size);
    for (let i = 0; i < data.length; i++) {
      const inside = 40.3 + n - Math.hypot((i % size) - 80, Math.floor(i / size) - 80);
      data[i] = Math.round(255 * Math.min(1, Math.max(0, 0.5 + inside / Math.max(fadePx, 1e-9))));
    }
    const path = join(folder, `${fadePx}-${n}.png`);
    await sharp(data, { raw: { width: size, height: size, channels: 1 } })
      .png()
      .toFile(path);
    samples.push({ id: `${n}`, image: 'unread.jpg', label: 'disc', mask: { kind: 'file', path } });
  }
  return samples;
}

const scenariosFor = async (fadePx: number, more: Partial<PlanInput['photographs']> = {}, controls = true) => {
  const { samples } = await settleEncodings(await samplesWith(fadePx));
  const scenarios = parseScenarioList('original,random-background');
  const input = { samples, scenarios, models: [], photographs: { border: 'ignore', ...more } };
  return runScenarios(input as unknown as PlanInput, { controls }).all.map(({ name }) => name);
};

describe('what a run makes beside what was asked for', () => {
  const asked = ['original', 'random-background', 'paste-back'];
  const trials = ['random-background', 'paste-back'].flatMap((id) => [`${id}:with-border`, `${id}:without-border`]);

  it('counts a wide soft border to either side', async () => {
    expect(await scenariosFor(12)).toEqual([...asked, ...trials]);
  });

  it('takes masks with a plain or merely antialiased edge as they are', async () => {
    expect(await scenariosFor(0)).toEqual(asked);
    expect(await scenariosFor(1.5)).toEqual(asked);
  });

  it('is nothing where the user wants no controls', async () => {
    expect(await scenariosFor(12, {}, false)).toEqual(['original', 'random-background']);
  });

  it('has nothing to try where the user says what the border is', async () => {
    expect(await scenariosFor(12, { border: 'object' })).toEqual(asked);
    expect(await scenariosFor(12, { growMaskPx: 2 })).toEqual(asked);
  });
});
