import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { embeddedModel } from './embedded.ts';
import { type DiffusionEngine, openDiffusionEngine } from './engine.ts';

describe('the embedded model', () => {
  let engine: DiffusionEngine;
  beforeAll(async () => {
    engine = await openDiffusionEngine({ folder: embeddedModel(), threads: 1, steps: 2 });
  });
  afterAll(() => engine.close());

  const paint = async (prompt: string, seed: number) => (await engine.paint({ prompt, seed: [seed] })).image;
  const lawn = 'a garden lawn, sunny';
  let painted: ReturnType<typeof paint> | undefined;
  const lawnOnce = () => {
    painted ??= paint(lawn, 1);
    return painted;
  };
  const meanColour = ({ data, width, height }: Awaited<ReturnType<typeof paint>>) =>
    [0, 1, 2].map(
      (channel) => data.filter((_, i) => i % 3 === channel).reduce((sum, value) => sum + value, 0) / width / height,
    );

  it('is at most 16 MB together', () => {
    const files = readdirSync(embeddedModel(), { recursive: true, encoding: 'utf8' });
    const sizes = files.map((file) => statSync(join(embeddedModel(), file))).filter((entry) => entry.isFile());
    expect(sizes.reduce((sum, entry) => sum + entry.size, 0)).toBeLessThan(16e6);
  });

  it('says what suits it', () => {
    expect(engine.folder.defaults).toEqual({ steps: 12, guidance: 2 });
    expect(engine.folder.words).toEqual(
      expect.arrayContaining(['beach', 'kitchen', 'fog', 'evening', 'wooden', 'red']),
    );
    expect(engine.size).toBe(256);
  });

  it('paints what it is told: grass green, evening light warm, night dark', async () => {
    const [red, green, blue] = meanColour(await lawnOnce());
    expect(green).toBeGreaterThan(red! + 10);
    expect(green).toBeGreaterThan(blue! + 30);
    const evening = meanColour(await paint('a sandy beach, at sunset', 1));
    const overcast = meanColour(await paint('a sandy beach, overcast', 1));
    expect(evening[0]! - evening[2]!).toBeGreaterThan(overcast[0]! - overcast[2]!);
    const night = meanColour(await paint('a city street, at night', 1));
    const day = meanColour(await paint('a city street, sunny', 1));
    expect(night[1]).toBeLessThan(day[1]! - 30);
  }, 300_000);

  it('paints another picture from another seed, and the same from the same', async () => {
    const [again, other] = [await paint(lawn, 1), await paint(lawn, 2)];
    const first = await lawnOnce();
    expect(again.data).toEqual(first.data);
    const apart = first.data.reduce((sum, value, i) => sum + Math.abs(value - other.data[i]!), 0) / first.data.length;
    expect(apart).toBeGreaterThan(10);
  }, 300_000);
});
