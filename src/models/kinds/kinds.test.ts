import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { createRaster } from '../../image/raster.ts';
import { defineModel, type ModelDescription } from '../define.ts';
import { describeModel, openModel } from '../open.ts';
import { addModelKind, isFromOutside, modelKinds } from './index.ts';

/** Two scores: how bright a picture is, and how dark. */
const brightness = defineModel<ModelDescription>({
  id: 'brightness',
  title: 'bright or dark',
  written: 'brightness:THRESHOLD',
  describes: ['brightness'],
  describe: async (threshold, { name = 'brightness' }) => ({
    name,
    kind: 'brightness',
    source: `brightness:${threshold}`,
    identity: { kind: 'brightness', threshold: Number(threshold) },
    labels: ['bright', 'dark'],
    outputs: 'logits',
    outputCount: 2,
    batch: 4,
    runsIn: 'worker',
    looksAtPixels: true,
    warnings: [],
  }),
  open: (described) => ({
    ...described,
    prepare: ({ data }) => Float32Array.of(data.reduce((sum, value) => sum + value, 0) / data.length),
    answer: async (pictures) =>
      pictures.map(([mean]) => {
        const above = mean - (described.identity.threshold as number);
        return { kind: 'scores', scores: Float32Array.of(above, -above) };
      }),
    close: async () => undefined,
  }),
});

describe('kinds of models', () => {
  it('can be added from outside, and are found by their prefix', async () => {
    addModelKind(brightness);
    const model = await openModel('', { described: structuredClone(await describeModel('brightness:100')) });
    expect([isFromOutside(model), isFromOutside({ kind: 'clip' })]).toEqual([true, false]);
    const picture = await model.prepare(createRaster(1, 2, Uint8Array.of(120, 120, 120, 90, 90, 90)));
    const question = { sample: 'x', scenario: 'original', width: 1, height: 2 };
    expect(await model.answer([picture], [question])).toEqual([{ kind: 'scores', scores: Float32Array.of(5, -5) }]);
    await expect(describeModel('brightnes:100')).rejects.toThrow(
      /one of brightness:, .*command:, vlm:, hf: for --model/,
    );
  });

  it("do not take each other's name", () => {
    addModelKind(brightness);
    expect(() => addModelKind({ ...brightness })).toThrow(/There is a model kind 'brightness' already/);
    expect(() => addModelKind({ ...brightness, id: 'other', describes: ['clip'] })).toThrow(
      /model kind 'clip' already/,
    );
  });

  it('say so where a description comes from a kind that is not here', async () => {
    const described = { ...(await describeModel('brightness:1')), kind: 'shape' };
    await expect(openModel('', { described })).rejects.toThrow(/which no model kind here opens; is a plugin missing\?/);
  });

  it('stand in docs/models.md, as they are written', () => {
    const page = readFileSync(new URL('../../../docs/models.md', import.meta.url), 'utf8');
    const builtIn = modelKinds().filter(({ id }) => id !== 'brightness');
    for (const { written } of builtIn)
      for (const part of written.match(/[A-Z]*[a-z]*:[A-Z#]+|FILE\.\w+/g) ?? []) expect(page).toContain(part);
  });
});
