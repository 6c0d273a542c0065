import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createFolder, ids } from '../../../test/fixtures/dataset/files.ts';
import { readDataset } from '../read.ts';

let folder: ReturnType<typeof createFolder>;
beforeEach(() => {
  folder = createFolder();
});
afterEach(() => folder.remove());

describe('manifest', () => {
  it('reads CSV as spreadsheets write it', async () => {
    await folder.picture('images/a b.jpg');
    await folder.mask('m.png');
    const csv =
      '\uFEFFImage,label,target,Mask,note\r\n"images/a b.jpg","a ""quoted"", label",3|5,m.png,"two\r\nlines"\r\n\r\nimages/c.jpg,other,,,\r\n';
    const path = folder.put('list.csv', csv);
    const { samples, notes, layout, classes } = await readDataset(path);
    expect(layout).toBe('manifest');
    expect(samples[0]).toMatchObject({ id: 'images/a b.jpg', label: 'a "quoted", label', targets: [3, 5] });
    expect(samples[0].image).toBe(join(folder.root, 'images/a b.jpg'));
    expect(samples[1]).toEqual({ id: 'images/c.jpg', image: join(folder.root, 'images/c.jpg'), label: 'other' });
    expect(classes).toEqual(['a "quoted", label', 'other']);
    expect(notes).toEqual(["column 'note' is not used"]);
  });
  it('reads JSON lines, with masks in place', async () => {
    const lines = [
      { image: 'a.jpg', label: 'x', target: 7, split: 'val', group: 'g', box: [1, 2, 3, 4] },
      {
        image: 'b.jpg',
        target: [1, 2],
        mask: { kind: 'polygons', polygons: [[0, 0, 9, 0, 9, 9]], width: 24, height: 16 },
      },
      { image: 'c.jpg', scenario: 'grey', sample: 'a.jpg' },
    ];
    const path = folder.put('list.jsonl', `${lines.map((line) => JSON.stringify(line)).join('\n')}\nnot json\n`);
    const { samples, problems } = await readDataset(path);
    expect(samples[0]).toMatchObject({ targets: [7], split: 'val', group: 'g', box: [1, 2, 3, 4] });
    expect(samples[1]).toMatchObject({ targets: [1, 2], mask: { kind: 'polygons' } });
    expect(samples[2]).toMatchObject({ id: 'a.jpg', scenario: 'grey' });
    expect(problems).toMatchObject([{ message: 'list.jsonl, line 4: it is not a JSON object' }]);
  });
  it('takes semicolons and tabs, Windows paths, and names each bad line', async () => {
    const windows = folder.put('w.csv', 'image;label;target\nimages\\cat\\a.jpg;cat;1\n;dog;2\nb.jpg;dog;two\n');
    const { samples, problems } = await readDataset(windows);
    expect(ids(samples)).toEqual(['images/cat/a.jpg']);
    expect(problems.map(({ message }) => message)).toEqual([
      'w.csv, line 3: no image is named',
      "w.csv, line 4: target 'two' is not an output index (a whole number, or several joined by |)",
    ]);
    const tabs = folder.put('t.tsv', 'image\tlabel\na.jpg\tx, y\n');
    expect((await readDataset(tabs)).samples[0].label).toBe('x, y');
  });
  it('is found in a folder, and needs the column image', async () => {
    folder.put('manifest.csv', 'image,label\na.jpg,x\n');
    expect((await readDataset(folder.root)).layout).toBe('manifest');
    const bad = folder.put('bad.csv', 'images,label\na.jpg,x\n');
    await expect(readDataset(bad)).rejects.toThrow(
      "Expected a column 'image' in bad.csv but found 'images', 'label'; rename 'images'",
    );
  });
  it('counts a repeated line once and numbers other objects of one picture', async () => {
    const path = folder.put('m.csv', 'image,label,mask\na.jpg,x,1.png\na.jpg,x,1.png\na.jpg,x,2.png\n');
    const { samples, notes } = await readDataset(path);
    expect(ids(samples)).toEqual(['a.jpg', 'a.jpg#2']);
    expect(samples[1].group).toBe('a.jpg');
    expect(notes).toHaveLength(2);
  });
});
