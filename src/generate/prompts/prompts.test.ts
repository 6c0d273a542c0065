import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { defaultTemplates, expandGrid, fillTemplate } from './grammar.ts';
import { backgrounds, materials, textures } from './imagenet-d-nuisances.ts';
import { expandSheet, readPromptSheet } from './prompt-sheet.ts';
import { spoken, withArticle } from './spoken.ts';

describe("ImageNet-D's nuisances", () => {
  it('468 backgrounds, 47 textures and 32 materials, none twice', () => {
    expect([backgrounds, textures, materials].map((words) => new Set(words).size)).toEqual([468, 47, 32]);
    expect([backgrounds, textures, materials].map((words) => words.length)).toEqual([468, 47, 32]);
  });
});

describe('words', () => {
  it.each([
    ['church-indoor', 'an indoor church'],
    ['alarm_clock', 'an alarm clock'],
    ['umbrella', 'an umbrella'],
    ['unicycle', 'a unicycle'],
    ['jeans', 'jeans'],
    ['desert-sand', 'a desert sand'],
    ['waterfall-block', 'a waterfall block'],
  ])('%s is said %s', (name, said) => {
    expect(withArticle(spoken(name))).toBe(said);
  });

  it('fills a template, and refuses a name it does not have', () => {
    expect(fillTemplate('{a category} in {a nuisance}', { category: 'backpack', nuisance: 'field-wild' })).toBe(
      'a backpack in a wild field',
    );
    expect(() => fillTemplate('{object}', { category: 'mug', nuisance: 'wood' })).toThrow(
      "Expected {category}, {nuisance} for the template '{object}' but received '{object}'",
    );
  });
});

const grid = {
  categories: ['mug', 'vase', 'chair'],
  nuisances: { background: ['street', 'bedroom', 'coast'], material: ['wood', 'glass'] },
  seeds: [1, 2],
};

describe('the grid', () => {
  it('is whole, its ids are unique, and its kinds are worded as they should be', () => {
    const items = expandGrid(grid);
    expect(items).toHaveLength(3 * (3 + 2) * 2);
    expect(new Set(items.map(({ id }) => id)).size).toBe(items.length);
    expect(items.find(({ nuisance }) => nuisance === 'glass')?.prompt).toBe('a photo of a mug made of glass');
    expect(Object.keys(defaultTemplates)).toEqual(['background', 'texture', 'material']);
  });

  it('a sample is even over kinds and categories, keeps the seeds of a prompt together, and is a part of the grid', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 40 }), fc.integer(), (sample, sampleSeed) => {
        const all = new Set(expandGrid(grid).map(({ id }) => id));
        const kept = expandGrid({ ...grid, sample, sampleSeed });
        expect(kept.length).toBeLessThanOrEqual(sample);
        expect(kept.length).toBe(Math.min(30, sample - (sample % 2)));
        expect(kept.every(({ id }) => all.has(id))).toBe(true);
        const perStratum = new Map<string, number>();
        for (const { kind, category } of kept)
          perStratum.set(`${kind} ${category}`, (perStratum.get(`${kind} ${category}`) ?? 0) + 1);
        // While no stratum has run out, none is more than one prompt ahead.
        if (sample <= 12 * 2 && perStratum.size === 6)
          expect(Math.max(...perStratum.values()) - Math.min(...perStratum.values())).toBeLessThanOrEqual(2);
      }),
    );
  });

  it('a kind without a template is refused', () => {
    expect(() => expandGrid({ ...grid, nuisances: { weather: ['rain'] } })).toThrow(
      /one of background, texture, material/,
    );
  });
});

describe('a prompt sheet', () => {
  it('gives every prompt of a class a number of its own', () => {
    const sheet = readPromptSheet(
      'sheet.csv',
      ['label', 'prompt'],
      [
        { label: 'fox', prompt: 'a lawn' },
        { label: 'fox', prompt: 'a forest' },
        { label: 'whale', prompt: 'sea' },
      ],
    );
    expect(expandSheet(sheet, { seeds: [7] }).map(({ id }) => id)).toEqual([
      'sheet/fox/1/7',
      'sheet/fox/2/7',
      'sheet/whale/1/7',
    ]);
  });

  it('names the row that lacks a prompt', () => {
    expect(() => readPromptSheet('sheet.csv', ['label', 'prompt'], [{ label: 'fox', prompt: ' ' }])).toThrow(
      'row 1 of sheet.csv',
    );
  });
});
