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

type MaskKind = 'grey' | 'alpha file' | 'own alpha';

/** Masks of a disc whose edge fades over so many pixels: grey files, files with an alpha channel, or the picture's own alpha. */
async function samplesWith(fadePx: number, kind: MaskKind): Promise<Sample[]> {
  const size = 160;
  const samples: Sample[] = [];
  for (let n = 0; n < 4; n++) {
    const data = Buffer.alloc(size * size);
    for (let i = 0; i < data.length; i++) {
      const inside = 40.3 + n - Math.hypot((i % size) - 80, Math.floor(i / size) - 80);
      data[i] = Math.round(255 * Math.min(1, Math.max(0, 0.5 + inside / Math.max(fadePx, 1e-9))));
    }
    const path = join(folder, `${fadePx}-${n}-${kind}.png`);
    const raw = { width: size, height: size };
    const grey = sharp(data, { raw: { ...raw, channels: 1 } });
    const cutOut = sharp({ create: { ...raw, channels: 3, background: { r: 90, g: 60, b: n * 20 } } });
    await (kind === 'grey' ? grey : cutOut.joinChannel(data, { raw: { ...raw, channels: 1 } })).png().toFile(path);
    samples.push(
      kind === 'own alpha'
        ? { id: `${n}`, image: path, label: 'disc', mask: { kind: 'alpha' } }
        : { id: `${n}`, image: 'unread.jpg', label: 'disc', mask: { kind: 'file', path } },
    );
  }
  return samples;
}

const scenariosFor = async (
  fadePx: number,
  more: Partial<PlanInput['photographs']> = {},
  { controls = true, kind = 'grey' as MaskKind } = {},
) => {
  const { samples } = await settleEncodings(await samplesWith(fadePx, kind));
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

  it.each(['alpha file', 'own alpha'] as const)(
    'does so too where the border fades in an alpha channel: %s',
    async (kind) => {
      expect(await scenariosFor(12, {}, { kind })).toEqual([...asked, ...trials]);
      expect(await scenariosFor(1.5, {}, { kind })).toEqual(asked);
    },
  );

  it('takes masks with a plain or merely antialiased edge as they are', async () => {
    expect(await scenariosFor(0)).toEqual(asked);
    expect(await scenariosFor(1.5)).toEqual(asked);
  });

  it('is nothing where the user wants no controls', async () => {
    expect(await scenariosFor(12, {}, { controls: false })).toEqual(['original', 'random-background']);
  });

  it('has nothing to try where the user says what the border is', async () => {
    expect(await scenariosFor(12, { border: 'object' })).toEqual(asked);
    expect(await scenariosFor(12, { growMaskPx: 2 })).toEqual(asked);
  });
});
