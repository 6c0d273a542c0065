import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { discPicture, makePictures, putMask } from '../../test/support/annotate-folder.ts';
import { findGenerated, readDropped } from '../run/generated-folder.ts';
import { runCommand } from './command.ts';
import { commands } from './commands.ts';

/** Paints the background blue; what the prompt says decides what becomes of the object. */
const program = `
import sharp from '${import.meta.resolve('sharp')}';
import { createInterface } from 'node:readline';
for await (const line of createInterface({ input: process.stdin })) {
  const { id, prompt, image, keep, out } = JSON.parse(line);
  const { data, info } = await sharp(image).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  const mask = await sharp(keep).extractChannel(0).raw().toBuffer();
  for (let i = 0; i < mask.length; i++) {
    if (mask[i] < 128) data.set([i % 90, (3 * i) % 170, 200], 3 * i);
    else if (prompt.includes('ruin') && i % 2) data.set([0, 255 - data[3 * i + 1], 0], 3 * i);
  }
  const scale = prompt.includes('large') ? 2 : 1;
  await sharp(data, { raw: info }).resize(scale * info.width, scale * info.height).png().toFile(out);
  console.log(JSON.stringify({ id }));
}`;

let home: string;
const photos = () => join(home, 'photos');
const masks = () => join(home, 'photos-masks');
const sheet = 'label,prompt\nkept,a beach\nlarge,a large beach\nruined,ruin it\n';

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'sceneshift-object-kept-'));
  const names = ['kept/a', 'large/b', 'ruined/c'];
  await makePictures(
    photos(),
    names.map((name) => `${name}.png`),
  );
  for (const name of names) await putMask(join(masks(), `${name}.png`), discPicture(120, 90).mask);
  await writeFile(join(home, 'painter.mjs'), program);
  await writeFile(join(home, 'sheet.csv'), sheet);
});
afterAll(() => rm(home, { recursive: true, force: true }));

/** What a command says with --json. */
async function call(name: string, ...args: string[]) {
  const write = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  try {
    await runCommand(await commands[name].load(), [...args, '--json']);
    return JSON.parse(write.mock.calls.map(([text]) => String(text)).join(''));
  } finally {
    vi.restoreAllMocks();
  }
}
const generate = (out: string, ...more: string[]) =>
  call(
    'generate',
    ...['--data', photos(), '--masks', masks(), '--sheet', join(home, 'sheet.csv')],
    ...['--provider', `command:${process.execPath} ${join(home, 'painter.mjs')}`, '--out', out, ...more],
  );

describe('a program that paints around objects', () => {
  it('is held to keep them: what it changes is dropped with the reason, and a run does not use it', async () => {
    const out = join(home, 'generated');
    const { kept, dropped, objects } = await generate(out);
    expect(kept).toBe(2);
    expect(dropped).toEqual([
      { id: 'ruined/c', reason: expect.stringMatching(/^object not kept \(\d\d\.\d % of its/) },
    ]);
    const of = (id: string) => objects.find((one: { id: string }) => one.id === id);
    expect(of('kept/a')).toMatchObject({ mean: 0, largest: 0, changedShare: 0 });
    // Twice the size and brought back: rounding alone, but at the edge, where colours of both sides meet.
    expect(of('large/b').changedShare).toBeLessThan(0.2);
    expect(of('ruined/c').changedShare).toBeCloseTo(0.5, 1);
    expect(await readFile(join(out, 'manifest.csv'), 'utf8')).not.toContain('ruined/c');
    expect(await readDropped(out)).toEqual(dropped);
    expect((await findGenerated(out, 'kept/a.png')).path).toBe(join(out, 'kept/a.png'));
    expect(await findGenerated(out, 'ruined/c.png')).toEqual({
      problem: `the background generated for it was left out: ${dropped[0].reason}`,
    });
  });

  it('may change more where that is said, and everything with --keep-all', async () => {
    expect((await generate(join(home, 'loose'), '--most-changed', '0.9')).dropped).toEqual([]);
    expect((await generate(join(home, 'all'), '--keep-all')).dropped).toEqual([]);
  });
});

describe('quality --photographs', () => {
  it('measures a folder made elsewhere, and drops from it when told', async () => {
    const folder = join(home, 'elsewhere');
    await generate(folder, '--keep-all');
    await mkdir(folder, { recursive: true });
    const look = (...more: string[]) => call('quality', folder, '--photographs', photos(), '--masks', masks(), ...more);
    const { objectKept } = await look();
    expect(objectKept.objects).toHaveLength(3);
    expect(objectKept.broken.map(({ id }: { id: string }) => id)).toEqual(['ruined/c']);
    expect(await readDropped(folder)).toEqual([]);
    await writeFile(join(folder, 'dropped.csv'), 'id,reason\nother,blurred\n');
    await look('--drop');
    expect((await readDropped(folder)).map(({ id }) => id)).toEqual(['other', 'ruined/c']);
    await look('--drop', '--most-changed', '1');
    expect(await readDropped(folder)).toEqual([{ id: 'other', reason: 'blurred' }]);
    await expect(look('--most-changed', '20')).rejects.toThrow(/Expected a share, 0 to 1 for --most-changed/);
  });
});
