import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { imagenet1k, imagenetIndexOf, shownLabel } from './imagenet-1k.ts';
import { nearLabels } from './near-labels.ts';
import { describeUnmatched, pasteableLabelMap, unmatchedClasses } from './unmatched.ts';

const description = { name: 'net', labels: imagenet1k.names, wnids: imagenet1k.wnids, outputCount: 1000 };
const near = (label: string) => nearLabels(label, imagenet1k).map(({ name }) => name);

describe('names near a label', () => {
  it.each([
    ['Persian', 'Persian cat'],
    ['german_shorthaired', 'German short-haired pointer'],
    ['Saint_Bernhard', 'Saint Bernard'],
    ['pomeranien', 'Pomeranian'],
    ['Egyptian_Mau', 'Egyptian cat'],
    ['staffordshire_bull_terier', 'Staffordshire bullterrier'],
  ])('of %s: %s first', (label, name) => {
    expect(near(label)[0]).toBe(name);
  });
  it('are none where nothing is alike', () => {
    expect(near('Birman')).toEqual([]);
    expect(near('class-7')).toEqual([]);
    expect(near('  ')).toEqual([]);
  });
});

describe('classes that meet no output', () => {
  const samples = [
    { label: 'pug' },
    { label: 'Persian' },
    { label: 'Persian' },
    { label: 'crane' },
    { label: 'Birman', targets: [283] },
    { label: 'n02110958' },
    {},
  ];
  it('are counted, with the outputs to choose from', () => {
    expect(unmatchedClasses(samples, { description })).toEqual([
      { label: 'Persian', samples: 2, reason: expect.any(String), near: [{ output: 283, name: 'Persian cat' }] },
      {
        label: 'crane',
        samples: 1,
        reason: expect.any(String),
        near: [134, 517].map((output) => ({ output, name: 'crane' })),
      },
    ]);
    expect(unmatchedClasses(samples, { description, labelMap: { Persian: 283, crane: 134 } })).toEqual([]);
  });
  it('come with a labelMap that, pasted, matches them', () => {
    const unmatched = unmatchedClasses([...samples, { label: 'Birman' }, { label: 'yes: "no"' }], { description });
    expect(unmatched).toHaveLength(4);
    const { labelMap } = parse(pasteableLabelMap(unmatched).slice(1).join('\n'));
    expect(labelMap).toEqual({ Persian: 283, crane: 134 });
    expect(unmatchedClasses(samples, { description, labelMap })).toEqual([]);
    expect(describeUnmatched(unmatched, 'net').join('\n')).toContain('Persian → Persian cat (283)?');
  });
});

it('a wnid is shown by its name, no two by the same', () => {
  expect(shownLabel('n02110958')).toBe('pug');
  expect(shownLabel('my class')).toBe('my class');
  const names = imagenet1k.wnids.map(shownLabel);
  expect(new Set(names).size).toBe(1000);
  expect(names[imagenetIndexOf('n02012849') as number]).toBe('crane (n02012849)');
});
