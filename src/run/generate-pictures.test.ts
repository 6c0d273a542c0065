import { createHash } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterEach, describe, expect, it } from 'vitest';
import { startService } from '../../test/support/image-services.ts';
import { expandGrid } from '../generate/prompts/grammar.ts';
import type { Provider } from '../generate/provider.ts';
import { automatic1111 } from '../generate/providers/automatic1111.ts';
import { commandProvider } from '../generate/providers/command.ts';
import { folderProvider } from '../generate/providers/folder.ts';
import { Refused, TryAgain } from '../net/throttle.ts';
import { generatePictures } from './generate-pictures.ts';

const folders: string[] = [];
const folder = async () => {
  const made = await mkdtemp(join(tmpdir(), 'sceneshift-generate-'));
  folders.push(made);
  return made;
};
afterEach(async () => {
  for (const made of folders.splice(0)) await rm(made, { recursive: true, force: true });
});

const items = expandGrid({
  categories: ['mug', 'vase', 'chair'],
  nuisances: { background: ['street', 'coast', 'bedroom', 'field-wild'] },
  seeds: [1, 2],
});

/** A colour that belongs to one prompt and seed alone. */
const colourOf = (prompt: string, seed: number) =>
  createHash('sha1').update(`${prompt} ${seed}`).digest().subarray(0, 3);
const paint = async (prompt: string, seed: number) => {
  const [r, g, b] = colourOf(prompt, seed);
  return new Uint8Array(
    await sharp({ create: { width: 4, height: 4, channels: 3, background: { r, g, b } } })
      .png()
      .toBuffer(),
  );
};

interface Asked {
  readonly calls: string[];
  open: number;
  mostOpen: number;
}

/** Answers out of order, counts what is open at a time, and fails as told. */
function painter(
  fail: (call: number) => Error | undefined = () => undefined,
  { overlap = false } = {},
): Provider & Asked {
  const state: Asked = { calls: [], open: 0, mostOpen: 0 };
  let secondCame = () => {};
  const second = new Promise<void>((resolve) => {
    secondCame = resolve;
  });
  return Object.assign(state, {
    id: 'painter',
    async generate({ prompt, seed }) {
      state.calls.push(`${prompt} ${seed}`);
      const call = state.calls.length;
      state.mostOpen = Math.max(state.mostOpen, ++state.open);
      if (call === 2) secondCame();
      if (call === 1 && overlap) await second;
      for (let i = 0; i < (call * 7) % 5; i++) await new Promise((resolve) => setImmediate(resolve));
      state.open--;
      const error = fail(call);
      if (error) throw error;
      const provenance = {
        provider: 'painter',
        model: 'p',
        prompt,
        seed,
        width: 4,
        height: 4,
        settings: {},
        warnings: [],
      };
      return { bytes: await paint(prompt, seed), format: 'png', provenance };
    },
  } satisfies Provider);
}

async function expectEveryPicture(out: string, pictures: readonly { image: string; prompt: string; seed: number }[]) {
  for (const { image, prompt, seed } of pictures) {
    const { data } = await sharp(join(out, image)).raw().toBuffer({ resolveWithObject: true });
    expect([...data.subarray(0, 3)]).toEqual([...colourOf(prompt, seed)]);
  }
}
const quick = { sleep: async () => {}, now: () => 0 };

describe('a batch', () => {
  it('gives every prompt its own picture with eight requests at a time, answered out of order', async () => {
    const out = await folder();
    const provider = painter(undefined, { overlap: true });
    const { pictures, made } = await generatePictures({ items, provider, out, parallel: 8 });
    expect(made).toBe(items.length);
    expect(provider.mostOpen).toBeLessThanOrEqual(8);
    expect(provider.mostOpen).toBeGreaterThan(1);
    await expectEveryPicture(out, pictures);
  });

  it('carries its provenance beside the picture and in it', async () => {
    const out = await folder();
    const { pictures } = await generatePictures({ items: items.slice(0, 1), provider: painter(), out });
    const bytes = await readFile(join(out, pictures[0].image));
    expect(bytes.includes(`"prompt":"${pictures[0].prompt}"`)).toBe(true);
    const beside = JSON.parse(await readFile(join(out, `${items[0].id}.json`), 'utf8'));
    expect(beside).toMatchObject({ category: 'mug', nuisance: 'street', seed: 1, provider: 'painter' });
    expect(Date.parse(beside.time)).toBeGreaterThan(0);
  });

  it('ends at once with one line where nobody listens at the address; nothing counts as paid', async () => {
    const out = await folder();
    const nobody = await startService(() => {});
    await nobody.close();
    const asking = generatePictures({ items, provider: automatic1111({ url: nobody.url }), out, ...quick });
    await expect(asking).rejects.toThrow(
      /ECONNREFUSED .* \(after 5 tries\); is the service running\? --url says where/,
    );
    const { overBudget } = await generatePictures({ items, provider: painter(), out, budget: items.length });
    expect(overBudget).toBe(0);
  });

  it('never passes its budget with eight requests in flight, over two calls', async () => {
    const out = await folder();
    const provider = painter();
    const first = await generatePictures({ items, provider, out, parallel: 8, budget: 9 });
    expect(provider.calls).toHaveLength(9);
    expect(first.overBudget).toBe(items.length - 9);
    await generatePictures({ items, provider, out, parallel: 8, budget: 9 });
    expect(provider.calls).toHaveLength(9);
    await generatePictures({ items, provider, out, parallel: 8, budget: 12 });
    expect(provider.calls).toHaveLength(12);
  });

  it('goes on after a kill without paying twice, and counts a request that was open then as paid', async () => {
    const out = await folder();
    // What a kill leaves: five whole pictures, and a sixth whose request had left.
    await generatePictures({ items: items.slice(0, 5), provider: painter(), out });
    await writeFile(join(out, 'spent.jsonl'), `${await readFile(join(out, 'spent.jsonl'), 'utf8')}{"key":"op`);
    const provider = painter();
    const { found, made } = await generatePictures({ items, provider, out, budget: 10 });
    expect([found, made]).toEqual([5, 4]);
    expect(provider.calls).not.toContain(`${items[0].prompt} ${items[0].seed}`);
  });

  it('a refused picture costs that picture and its budget comes back; a failure is tried again', async () => {
    const out = await folder();
    const provider = painter((call) =>
      call === 2 ? new Refused('moderation') : call % 3 === 0 ? new TryAgain('busy', 0) : undefined,
    );
    const summary = await generatePictures({ items, provider, out, parallel: 2, budget: items.length - 1, ...quick });
    expect(summary.errors).toHaveLength(1);
    expect(summary.pictures).toHaveLength(items.length - 1);
    await expectEveryPicture(out, summary.pictures);
  });

  it('takes from the cache what another folder paid for', async () => {
    const [out, again, cacheDir] = [await folder(), await folder(), await folder()];
    await generatePictures({ items, provider: painter(), out, cacheDir });
    const provider = painter();
    const { cached, pictures } = await generatePictures({ items, provider, out: again, cacheDir });
    expect([cached, provider.calls.length]).toEqual([items.length, 0]);
    await expectEveryPicture(again, pictures);
  });
});

describe('other sources', () => {
  it('a folder: by name where it has one, else in order', async () => {
    const made = await folder();
    await writeFile(join(made, 'b.png'), await paint(items[0].prompt, 1));
    const provider = folderProvider(made);
    expect((await provider.generate({ id: 'b', prompt: 'x', seed: 1 })).provenance.warnings).toEqual([]);
    expect((await provider.generate({ id: 'other', prompt: 'x', seed: 1 })).provenance.warnings).toHaveLength(1);
    await expect(provider.generate({ id: 'other', prompt: 'x', seed: 1 })).rejects.toThrow(/no picture left/);
  });

  it('a program that answers in any order, refuses one, and is started once', async () => {
    const out = await folder();
    const script = join(out, 'paint.mjs');
    await writeFile(
      script,
      `import { createInterface } from 'node:readline';
       import { createHash } from 'node:crypto';
       import sharp from ${JSON.stringify(import.meta.resolve('sharp'))};
       let held = [];
       const finish = async ({ id, prompt, seed, out }) => {
         if (prompt.includes('vase') && seed === 2) return console.log(JSON.stringify({ id, error: 'no vases' }));
         const [r, g, b] = createHash('sha1').update(prompt + ' ' + seed).digest();
         await sharp({ create: { width: 4, height: 4, channels: 3, background: { r, g, b } } }).png().toFile(out);
         console.log(JSON.stringify({ id, model: 'pid ' + process.pid, version: '2.1' }));
       };
       createInterface({ input: process.stdin }).on('line', (line) => {
         held.unshift(JSON.parse(line));
         setTimeout(() => held.length && finish(held.shift()), 5);
       });`,
    );
    const provider = commandProvider([process.execPath, script]);
    try {
      const { pictures, errors } = await generatePictures({ items, provider, out, parallel: 6 });
      expect(errors).toHaveLength(4);
      await expectEveryPicture(out, pictures);
      expect(new Set(pictures.map(({ model }) => model)).size).toBe(1);
      expect(new Set(pictures.map(({ version }) => version))).toEqual(new Set(['2.1']));
    } finally {
      await provider.close?.();
    }
    expect((await readdir(out)).sort()).toContain('spent.jsonl');
  });
});
