import { readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest';
import { createFolder } from '../../../test/fixtures/dataset/files.ts';
import { type Command, runCommand } from '../command.ts';
import { datasetCheck } from './dataset-check.ts';

const folder = createFolder();
afterAll(() => folder.remove());
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});

async function run(...args: string[]): Promise<{ status: number; text: string }> {
  let text = '';
  vi.spyOn(process.stdout, 'write').mockImplementation((chunk) => {
    text += chunk;
    return true;
  });
  vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  const status = await runCommand(datasetCheck as Command, args);
  return { status, text };
}

describe('dataset check', () => {
  it('prints a report as wide as COLUMNS says, and JSON alone with --json', async () => {
    await folder.picture('set/cat/a.jpg', { width: 40, height: 30 });
    await folder.mask('set/masks/cat/a.png', (x) => (x < 10 ? 255 : 0), { width: 40, height: 30 });
    folder.put(`set/dog/${'a rather long name '.repeat(4)}.jpg`, 'not an image');
    vi.stubEnv('COLUMNS', '110');
    expect((await run(join(folder.root, 'set'))).text).toMatch(/^.{90,110}$/m);
    vi.stubEnv('COLUMNS', '80');
    const { status, text } = await run(join(folder.root, 'set'));
    expect(status).toBe(0);
    for (const line of text.split('\n').slice(1)) expect([...line].length).toBeLessThanOrEqual(80);
    expect(text).toContain('2 samples of 2 classes (image-folder)');
    expect(text).toContain('masks      1, missing for 1: 1 0/255');
    expect(text).toContain('25.0 %');
    expect(text).toContain('1 of 2 samples can be used.');
    expect(text.replaceAll(/\s+/g, ' ')).toContain(
      `Draw or mend masks by hand, the worst first: sceneshift studio ${join(folder.root, 'set')} --annotate --open`,
    );
    const json = await run(join(folder.root, 'set'), '--json');
    expect(JSON.parse(json.text)).toMatchObject({ samples: 2, usable: 1, masks: { encoding: '0/255' } });
  });
  it('counts what became no sample, folds what is said of many, shows wnids by name, draws the doubtful masks', async () => {
    for (let i = 0; i < 6; i++) {
      await folder.picture(`fold/n02110958/${i}.jpg`, { width: 40, height: 40 });
      await folder.mask(`fold/masks/n02110958/${i}.png`, (x, y) => (x < 4 && y < 3 ? 255 : 0), {
        width: 40,
        height: 40,
      });
    }
    for (let i = 6; i < 12; i++) {
      await folder.picture(`fold/n02110958/${i}.jpg`, { width: 40, height: 40 });
      await folder.mask(`fold/masks/n02110958/${i}.png`, () => 0, { width: 40, height: 40 });
    }
    symlinkSync(join(folder.root, 'nowhere'), join(folder.root, 'fold/n02110958/x.jpg'));
    const sheet = join(folder.root, 'sheet.html');
    const { text } = await run(join(folder.root, 'fold'), '--sheet', sheet);
    expect(text).toContain('pug (n02110958)');
    expect(text).toContain('? 6 ×: mask is empty');
    expect(text).toContain('the link leads to nothing');
    expect(text).toContain('12 of 13 samples can be used');
    expect(text).toContain('Masks to look at, the worst first: 6 of 6');
    const html = readFileSync(sheet, 'utf8');
    expect(html.match(/<figure>/g)).toHaveLength(6);
    expect(html).toContain('0.8 % of the image');
    expect(html).toContain(`sceneshift studio ${join(folder.root, 'fold')} --annotate --open`);
    await expect(run(join(folder.root, 'fold'), '--sheet', 'sheet.doc')).rejects.toThrow(/ends in \.jpg/);
  });
  it('fails only if nothing is usable', async () => {
    folder.put('none/cat/a.jpg', '');
    const { status, text } = await run(join(folder.root, 'none'));
    expect(status).toBe(1);
    expect(text).toContain('Nothing here can be used');
  });
});
