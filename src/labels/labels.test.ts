import { describe, expect, it } from 'vitest';
import { imagenet1k, imagenetIndexOf, imagenetName } from './imagenet-1k.ts';
import { imagenet9 } from './imagenet-9.ts';
import { imagenetDMap } from './imagenet-d.ts';
import { matchLabel } from './match.ts';
import { type ModelOutputs, resolveTargets } from './targets.ts';
import { ximagenet12Wnids } from './ximagenet-12.ts';

describe('imagenet-1k', () => {
  it('has 1000 classes, sorted by wnid, each once', () => {
    expect(imagenet1k.names).toHaveLength(1000);
    expect(imagenet1k.wnids).toHaveLength(1000);
    expect([...new Set(imagenet1k.wnids)].sort()).toEqual(imagenet1k.wnids);
    expect(imagenet1k.wnids.every((wnid) => /^n\d{8}$/.test(wnid))).toBe(true);
    expect(imagenet1k.names.every((name) => /^[A-Za-z][^\n]*[A-Za-z.]$/.test(name))).toBe(true);
  });
  it('agrees with indices published elsewhere', () => {
    // Facts §1.2 (XIMAGENET-12) and the targets of Oxford pets.
    const known: [number, string, string][] = [
      [0, 'n01440764', 'tench'],
      [44, 'n01689811', 'alligator lizard'],
      [147, 'n02066245', 'grey whale'],
      [254, 'n02110958', 'pug'],
      [285, 'n02124075', 'Egyptian cat'],
      [405, 'n02692877', 'airship'],
      [480, 'n02977058', 'cash machine'],
      [928, 'n07614500', 'ice cream'],
      [999, 'n15075141', 'toilet tissue'],
    ];
    for (const [index, wnid, name] of known) {
      expect(imagenetIndexOf(wnid)).toBe(index);
      expect(imagenetName(index)).toBe(name);
    }
    expect(imagenetIndexOf('n00000000')).toBeUndefined();
  });
});

describe('imagenet-9', () => {
  const targets = (label: string, description: ModelOutputs) =>
    resolveTargets({ description, labelMap: 'imagenet-9', sample: { label } });
  const thousand = { name: 'net', labels: imagenet1k.names, wnids: imagenet1k.wnids, outputCount: 1000 };
  const folders = [
    ...['00_dog', '01_bird', '02_wheeled vehicle', '03_reptile', '04_carnivore', '05_insect'],
    ...['06_musical instrument', '07_primate', '08_fish'],
  ];
  it('takes 370 outputs of an ImageNet-1k model, as many for each super-class as published', () => {
    const counts = [116, 52, 42, 36, 35, 27, 26, 20, 16];
    expect(folders.map((folder) => targets(folder, thousand).length)).toEqual(counts);
    expect(folders.map((folder) => targets(folder.slice(3), thousand).length)).toEqual(counts);
    expect(new Set(folders.flatMap((folder) => targets(folder, thousand))).size).toBe(370);
  });
  it('is met by a nine-way model, by folder and by name', () => {
    const nine = { name: 'nine', labels: imagenet9.names, outputCount: 9 };
    expect(folders.map((folder) => targets(folder, nine))).toEqual(folders.map((_, i) => [i]));
    expect(targets('Wheeled Vehicle', nine)).toEqual([2]);
  });
  it.each([
    ['beagle', 'dog'],
    ['goldfinch', 'bird'],
    ['fire engine', 'wheeled vehicle'],
    ['Gila monster', 'reptile'],
    ['red fox', 'carnivore'],
    ['ladybug', 'insect'],
    ['cello', 'musical instrument'],
    ['gorilla', 'primate'],
    ['anemone fish', 'fish'],
  ])('%s is a %s', (name, superClass) => {
    const [output] = matchLabel(name, imagenet1k).indices;
    expect(folders.filter((folder) => targets(folder, thousand).includes(output))).toEqual([
      folders.find((folder) => folder.endsWith(superClass)),
    ]);
  });
  it('leaves what the published map leaves out, and knows no other label', () => {
    const [whippet] = matchLabel('whippet', imagenet1k).indices;
    expect(targets('00_dog', thousand)).not.toContain(whippet);
    expect(() => targets('09_plant', thousand)).toThrow(/no output for the label '09_plant'/);
  });
});

describe('imagenet-d', () => {
  it('has 113 categories and 125 ids, nine categories with several', () => {
    expect(imagenetDMap.size).toBe(113);
    const ids = [...imagenetDMap.values()];
    expect(ids.flat()).toHaveLength(125);
    expect([...imagenetDMap].filter(([, list]) => list.length > 1).map(([name]) => name)).toEqual([
      'alarm_clock',
      'bicycle',
      'chair',
      'helmet',
      'pen',
      'skirt',
      'still_camera',
      'tie',
      'wheel',
    ]);
  });
  it('accepts its own map and nothing else of an ImageNet classifier, whatever the names say', () => {
    const description = { name: 'm', labels: imagenet1k.names, wnids: imagenet1k.wnids, outputCount: 1000 };
    for (const [label, ids] of imagenetDMap)
      expect(resolveTargets({ description, sample: { label, targets: [...ids] } })).toEqual(
        [...ids].sort((a, b) => a - b),
      );
  });
  it('names the ImageNet class it maps to, where both use the same word', () => {
    const same = [...imagenetDMap].filter(([name, ids]) => {
      const { indices } = matchLabel(name, imagenet1k);
      return indices.some((index) => ids.includes(index));
    });
    const other = [...imagenetDMap].filter(([name, ids]) => {
      const { indices } = matchLabel(name, imagenet1k);
      return indices.length > 0 && !indices.some((index) => ids.includes(index));
    });
    expect(same.length).toBeGreaterThan(70);
    expect(other.map(([name]) => name)).toEqual([]);
  });
});

it('ximagenet-12 has the twelve classes of the paper', () => {
  expect(ximagenet12Wnids).toHaveLength(12);
  expect(ximagenet12Wnids.map(imagenetIndexOf)).toEqual([44, 46, 124, 147, 153, 277, 393, 405, 479, 480, 486, 928]);
});

describe('matchLabel', () => {
  const find = (text: string) => matchLabel(text, imagenet1k);
  it('ignores case, underscores, hyphens, apostrophes and accents', () => {
    expect(find('english_setter')).toEqual({ indices: [212], by: 'first-name' });
    expect(find('Shih Tzu').indices).toEqual([155]);
    expect(find('jack_o_lantern').indices).toEqual([607]);
    expect(find('CARPENTERS KIT').indices).toEqual([477]);
    expect(find('  Great   Pyrenees ').indices).toEqual([257]);
    expect(find('consommé').indices).toEqual([925]);
    expect(find('tshirt').indices).toEqual([610]);
  });
  it('finds wnids, whole labels and synonyms', () => {
    expect(find('n02110958')).toEqual({ indices: [254], by: 'wnid' });
    expect(find('maillot, tank suit')).toEqual({ indices: [639], by: 'label' });
    expect(find('orca')).toEqual({ indices: [148], by: 'synonym' });
  });
  it('gives all that an ambiguous name fits', () => {
    expect(find('crane').indices).toEqual([134, 517]);
    expect(find('maillot').indices).toEqual([638, 639]);
    expect(find('panther').indices).toEqual([286, 290]);
  });
  it('prefers a first name to a synonym of another class', () => {
    expect(find('missile')).toEqual({ indices: [657], by: 'first-name' });
    expect(find('polecat').indices).toEqual([358]);
  });
  it('says when nothing fits', () => {
    expect(find('Egyptian_Mau')).toEqual({ indices: [], by: 'none' });
    expect(matchLabel('dog', ['cat', 'Dog']).indices).toEqual([1]);
  });
  it('finds every class by its whole label, its wnid and, but for shared ones, its first name', () => {
    for (const [index, label] of imagenet1k.names.entries()) {
      if (label.includes(',')) expect(find(label).indices).toEqual([index]);
      expect(find(imagenet1k.wnids[index]).indices).toEqual([index]);
      expect(find(imagenetName(index)).indices).toContain(index);
    }
    const shared = imagenet1k.names.filter((_, index) => find(imagenetName(index)).indices.length > 1);
    expect(shared).toEqual([
      'crane',
      'Cardigan, Cardigan Welsh corgi',
      'cardigan',
      'crane',
      'maillot',
      'maillot, tank suit',
    ]);
  });
});
