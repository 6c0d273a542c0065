import { describe, expect, it } from 'vitest';
import { fixture, pattern, reference } from '../../../test/fixtures/models/pattern.ts';
import { describeModel, openModel } from '../open.ts';
import { promptsFor } from './prompts.ts';
import { openTokenizer } from './tokenize.ts';

interface Reference {
  readonly images: { width: number; height: number; seed: number }[];
  readonly labels: string[];
  readonly templates: string[];
  readonly single: number[][];
  readonly ensemble: number[][];
  readonly tokens: { text: string; ids: number[] }[];
}
const { images, labels, templates, single, ensemble, tokens } = reference<Reference>('clip/clip.reference.json');

async function logits(templatesAsked: string | string[], classes: string[] | undefined = undefined) {
  const spec = { model: fixture('clip'), labels: classes ? undefined : labels, clip: { templates: templatesAsked } };
  const model = await openModel(spec, { classes });
  const pictures = images.map(pattern);
  const answers = await model.answer(
    await Promise.all(pictures.map((picture) => model.prepare(picture))),
    pictures.map(({ width, height }) => ({ sample: '', scenario: 'original', width, height })),
  );
  await model.close();
  return answers.map((answer) => (answer.kind === 'scores' ? [...answer.scores] : []));
}

function expectClose(found: number[][], wanted: number[][]) {
  for (const [i, row] of wanted.entries())
    for (const [j, value] of row.entries()) expect(Math.abs(found[i][j] - value)).toBeLessThanOrEqual(1e-4);
}

describe('CLIP', () => {
  it('gives the logits of transformers', async () => {
    expectClose(await logits('photo'), single);
  });

  it('averages several prompts on the sphere', async () => {
    expectClose(await logits(templates), ensemble);
  });

  it("asks about the dataset's classes where no labels are given", async () => {
    expectClose(await logits('photo', labels), single);
  });

  it('says what decides its numbers', async () => {
    const described = await describeModel({ model: fixture('clip'), labels, clip: { templates } });
    expect(described).toMatchObject({ kind: 'clip', name: 'clip', outputCount: 5, labels, warnings: [] });
    expect(described.identity).toMatchObject({ templates, labels, logitScale: 100 });
    expect(structuredClone(described)).toEqual(described);
  });

  it("chooses among ImageNet-D's 113 categories, even of a set that shows fewer", async () => {
    const spec = { model: fixture('clip'), labels: 'imagenet-d', clip: { templates: 'imagenet-d' } };
    const described = await describeModel(spec, { classes: ['mug', 'binder_closed'] });
    expect(described.outputCount).toBe(113);
    expect(described.labels).toContain('binder_closed');
  });

  it('needs names to choose from', async () => {
    await expect(describeModel(fixture('clip'))).rejects.toThrow(/needs the names to choose from/);
  });
});

describe('the tokenizer', () => {
  const tokenize = openTokenizer(fixture('clip'));
  it.each(tokens)('cuts $text as transformers does', ({ text, ids }) => {
    expect(tokenize([text], { maxTokens: 24, padToMax: false }).ids[0]).toEqual(ids);
  });

  it('fills up to the longest, or to the end', () => {
    const { ids, mask } = tokenize(['a', 'a photo of a beagle.'], { maxTokens: 24, padToMax: false });
    expect(ids[0]).toHaveLength(ids[1].length);
    expect(mask[0].filter(Boolean)).toHaveLength(3);
    expect(ids[0].slice(3)).toEqual(ids[0].slice(3).map(() => ids[0][2]));
    expect(tokenize(['a'], { maxTokens: 24, padToMax: true }).ids[0]).toHaveLength(24);
  });
});

describe('prompts', () => {
  it('writes labels as ImageNet-D does', () => {
    expect(promptsFor(['binder_closed', 'coffee_or_french_press'], 'imagenet-d')).toEqual([
      ['A photo of a binder (closed)'],
      ['A photo of a coffee or french press'],
    ]);
    expect(promptsFor(['T-shirt', 'a/b_(closed)', 'tench, Tinca tinca'], 'imagenet-d')).toEqual([
      ['A photo of a t shirt'],
      ['A photo of a a or b (closed)'],
      ['A photo of a tench'],
    ]);
  });
  it('refuses templates without a place for the label', () => {
    expect(() => promptsFor(['a'], ['a photo'])).toThrow(
      "Expected templates with {} where the label goes for clip.templates but received 'a photo'",
    );
    expect(() => promptsFor(['a'], 'nonsense')).toThrow(/one of photo, label, imagenet-d/);
  });
});
