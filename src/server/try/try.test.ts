import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeDataset } from '../../../test/support/dataset.ts';
import { plainNet } from '../../../test/support/onnx.ts';
import type { TryAnswer, TryMask, TryOptions, TryPicture } from '../../contracts/studio/try.ts';
import { boundingBox } from '../../image/mask-ops.ts';
import { createMask } from '../../image/raster.ts';
import { photographOptions } from '../../run/inputs.ts';
import { parseConfig } from '../../run/settings.ts';
import { createVariantMaker } from '../../run/variants.ts';
import { createStudio, type Studio } from '../app.ts';
import { localHosts } from '../guard.ts';
import { createTools } from '../tools.ts';
import { openWorkspace } from '../workspace.ts';

const sample = 'images/disc/disc_1.jpg';
let home: string;
let studio: Studio;
let place: string;

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'sceneshift-try-test-'));
  await makeDataset(join(home, 'data'), { perClass: 3, width: 640, height: 480 });
  const models = [];
  for (const seed of ['first', 'second']) {
    const path = join(home, `${seed}.onnx`);
    await writeFile(path, plainNet({ sizePx: 32, layers: [{ channels: 4, kernel: 5, stride: 2 }], outputs: 3, seed }));
    await writeFile(
      `${path}.json`,
      JSON.stringify({
        labels: ['disc', 'square', 'ring'],
        crop: 32,
        resize: { shortSide: 32 },
        preprocessing: 'imagenet',
      }),
    );
    models.push(path);
  }
  const workspace = await openWorkspace({ paths: [join(home, 'data')], runsFolder: join(home, 'runs') });
  const tools = createTools([process.execPath]);
  studio = createStudio({ workspace, page: new Map(), version: '0', tools, models, hosts: localHosts });
  place = (await json<TryOptions>('/api/try')).place as string;
});
afterAll(async () => {
  await studio.close();
  await rm(home, { recursive: true, force: true });
});

const ask = (path: string, init: RequestInit = {}) =>
  studio.app.request(path, { ...init, headers: { host: 'localhost', ...init.headers } });
const json = async <T>(path: string, init?: RequestInit) => {
  const answer = await ask(path, init);
  const body = (await answer.json()) as T & { error?: string };
  if (!answer.ok) throw new Error(`${answer.status} ${body.error}`);
  return body;
};
const query = (values: Record<string, string | undefined>) =>
  new URLSearchParams(Object.entries(values).filter((entry): entry is [string, string] => entry[1] !== undefined));
const post = (path: string, body: unknown) =>
  json<TryMask>(path, { method: 'POST', body: JSON.stringify(body), headers: { 'content-type': 'application/json' } });

/** Everything that was sent to studios and lies on disk. */
async function kept(): Promise<string[]> {
  const folders = (await readdir(tmpdir())).filter((name) => /^sceneshift-try-(?!test)/.test(name));
  return (await Promise.all(folders.map((name) => readdir(join(tmpdir(), name))))).flat().sort();
}

async function edit(values: Record<string, string | undefined>) {
  const answer = await ask(`/api/try/edit?${query({ place, ...values })}`);
  if (!answer.ok) throw new Error(`${answer.status} ${((await answer.json()) as { error: string }).error}`);
  const [width, height] = ['x-width', 'x-height'].map((name) => Number(answer.headers.get(name)));
  const bytes = new Uint8Array(await answer.arrayBuffer());
  const mask = createMask(width, height, bytes.slice(width * height * 3));
  const [scenario, timing] = ['x-scenario', 'server-timing'].map((name) => answer.headers.get(name));
  return { width, height, rgb: bytes.slice(0, width * height * 3), mask, scenario, timing };
}

describe('trying a picture', () => {
  it('offers what the studio was given', async () => {
    const options = await json<TryOptions>(`/api/try?place=${place}`);
    expect(options).toMatchObject({ place: `dataset:${options.dataset}`, models: ['first', 'second'], samples: 9 });
    expect(options.classes.map(({ label }) => label)).toEqual(['disc', 'ring', 'square']);
    expect(options.scenarios.find(({ id }) => id === 'blur-background')?.needs).toEqual(['mask']);
    const found = await json<{ total: number; samples: unknown[] }>(`/api/try/samples?place=${place}&find=RING`);
    expect(found).toMatchObject({ total: 3, samples: [{ label: 'ring', hasMask: true }, {}, {}] });
  });

  it('begins with a dataset that is there, not with one that cannot be read', async () => {
    await mkdir(join(home, 'a-nothing'));
    const paths = ['a-nothing', 'data'].map((name) => join(home, name));
    const workspace = await openWorkspace({ paths, runsFolder: join(home, 'runs') });
    const tools = createTools([process.execPath]);
    const fresh = createStudio({ workspace, page: new Map(), version: '0', tools, hosts: localHosts });
    const answer = await fresh.app.request('/api/try', { headers: { host: 'localhost' } });
    const { places, place: begun, samples } = (await answer.json()) as TryOptions;
    expect(places).toHaveLength(2);
    expect(begun).toBe(places[1].id);
    expect(samples).toBe(9);
    await fresh.close();
  });

  it('makes the pixels that a run makes, at the size asked for', async () => {
    const made = await edit({ sample, scenario: 'blur-background:sigma=5', size: '1024' });
    expect(decodeURIComponent(made.scenario ?? '')).toBe('blur-background:5');
    expect(made.timing).toMatch(/^edit;dur=\d+\.\d$/);
    const config = parseConfig({ data: join(home, 'data', 'manifest.csv'), models: [] }, 'the test');
    const photographs = photographOptions(config);
    const own = {
      id: sample,
      label: 'disc',
      image: join(home, 'data', sample),
      mask: { kind: 'file', path: join(home, 'data', 'masks/disc/disc_1.png') },
    } as const;
    const maker = createVariantMaker({ samples: [own], seed: config.seed, photographs });
    const { image } = await (await maker.load(own)).variant('blur-background:5');
    expect([made.width, made.height]).toEqual([640, 480]);
    expect(Buffer.from(made.rgb).equals(image.data)).toBe(true);
    const small = await edit({ sample, scenario: 'grey' });
    expect([small.width, small.height]).toEqual([512, 384]);
  });

  it('moves, scales and turns the object as told', async () => {
    const at = async (scenario: string) => boundingBox((await edit({ sample, scenario })).mask);
    const before = await at('original');
    expect(await at('position:areaShare=keep+x=0+y=0')).toMatchObject({ x: 0, y: 0 });
    const right = await at('position:areaShare=keep+x=1+y=1');
    expect([right.x + right.width, right.y + right.height]).toEqual([512, 384]);
    expect(Math.abs(right.width - before.width)).toBeLessThan(3);
    expect((await at('position:areaShare=0.02+x=0.5+y=0.5')).width).toBeLessThan(before.width);
  });

  it('asks every model about the very picture that is shown', async () => {
    const answers = await ask(`/api/try/answers?${query({ place, sample, scenario: 'original', size: '1024' })}`);
    const lines = (await answers.text())
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as TryAnswer);
    expect(lines.map(({ model }) => model)).toEqual(['first', 'second']);
    for (const { best = [], isJudged } of lines) {
      expect(isJudged).toBe(true);
      expect(best).toHaveLength(3);
      expect(best.map(({ probability }) => probability as number).reduce((a, b) => a + b)).toBeCloseTo(1, 5);
      expect(best.filter(({ isTruth }) => isTruth).map(({ answer }) => answer)).toEqual(['disc']);
    }
  });

  it('takes an upload and a mask, by the same rules as a dataset’s', async () => {
    const bytes = await readFile(join(home, 'data', sample));
    const picture = await json<TryPicture>('/api/try/pictures', { method: 'POST', body: new Uint8Array(bytes) });
    expect(picture).toMatchObject({ width: 640, height: 480, differences: [] });
    await expect(edit({ picture: picture.id, scenario: 'blur-background' })).rejects.toThrow(/no mask/);
    const png = await readFile(join(home, 'data', 'masks/disc/disc_1.png'));
    const mask = await json<TryMask>(`/api/try/masks?${query({ place, picture: picture.id })}`, {
      method: 'POST',
      body: new Uint8Array(png),
    });
    expect(mask.areaShare).toBeGreaterThan(0.02);
    const own = await edit({ sample, scenario: 'blur-background' });
    const sent = await edit({ picture: picture.id, mask: mask.id, scenario: 'blur-background' });
    expect(Buffer.from(sent.rgb).equals(own.rgb)).toBe(true);
  });

  it('finds the object in a box', async () => {
    const truth = await edit({ sample, scenario: 'original', size: '1024' });
    const { x, y, width, height } = boundingBox(truth.mask);
    const box = [(x - 10) / 640, (y - 10) / 480, (width + 20) / 640, (height + 20) / 480];
    const made = await post('/api/try/masks/box', { place, sample, box });
    const found = await edit({ sample, mask: made.id, scenario: 'original', size: '1024' });
    let [both, either] = [0, 0];
    for (let i = 0; i < truth.mask.data.length; i++) {
      const [a, b] = [truth.mask.data[i] > 0, found.mask.data[i] > 0];
      if (a && b) both++;
      if (a || b) either++;
    }
    expect(both / either).toBeGreaterThan(0.9);
    await expect(post('/api/try/masks/salient', { place, sample })).rejects.toThrow('422 no model');
  });
});

describe('what Try refuses', () => {
  const bad: [string, Record<string, string>, RegExp][] = [
    ['a picture that was never sent', { picture: 'f'.repeat(24) }, /404 The studio no longer has/],
    ['a path for a picture', { picture: '../../etc/passwd' }, /400/],
    ['a sample outside the dataset', { sample: '../secret.jpg' }, /404 The dataset has no sample/],
    ['a sample and a picture at once', { sample, picture: 'f'.repeat(24) }, /400 .*one of the two/],
    ['neither', {}, /400 .*one of the two/],
    ['another place', { sample, place: 'run:nothing' }, /404/],
    ['a path for a place', { sample, place: 'dataset:../../etc' }, /404/],
    ['an unknown scenario', { sample, scenario: 'blurr-background' }, /400 .*did you mean/],
    ['a setting out of range', { sample, scenario: 'position:x=7' }, /400/],
    ['a size that would take for ever', { sample, size: '100000' }, /400/],
    [
      'a painting asked for as a plain edit',
      { sample, scenario: 'generated-background:prompt=snow' },
      /404 .*painted first/,
    ],
  ];
  it.each(bad)('%s', async (_, values, reason) => {
    await expect(edit(values)).rejects.toThrow(reason);
  });

  it.each([
    ['nothing', ''],
    ['text', 'GET / HTTP/1.1'],
    ['markup', '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>alert(1)</script></svg>'],
    ['a picture cut off', undefined],
  ])('%s as a picture', async (_, body) => {
    const whole = await readFile(join(home, 'data', sample));
    const sent = body ?? new Uint8Array(whole.subarray(0, whole.length / 2));
    const answer = await ask('/api/try/pictures', { method: 'POST', body: sent });
    expect(answer.status).toBe(422);
    expect(JSON.stringify(await answer.json())).not.toContain(tmpdir());
  });

  it('a picture of too many pixels, before it is decoded', async () => {
    const tall = await sharp({ create: { width: 9, height: 9, channels: 3, background: 'red' } })
      .png()
      .toBuffer();
    // Width and height stand at bytes 16 and 20.
    for (const at of [16, 20]) tall.writeUInt32BE(9000, at);
    const answer = await ask('/api/try/pictures', { method: 'POST', body: new Uint8Array(tall) });
    expect(answer.status).toBe(422);
    expect(await answer.text()).toContain('too large');
  });

  it('a body over the limit, another site’s page, another name', async () => {
    const large = { method: 'POST', body: 'x', headers: { 'content-length': String(65 << 20) } };
    expect((await ask('/api/try/pictures', large)).status).toBe(413);
    for (const headers of [
      { origin: 'https://evil.example' },
      { 'sec-fetch-site': 'cross-site' },
      { host: 'evil.example' },
    ])
      for (const path of [`/api/try/edit?${query({ place, sample })}`, '/api/try/pictures'])
        expect((await ask(path, { headers: headers as never })).status).toBe(403);
  });

  it('a mask of another picture, an empty one, one that is no mask; nothing of them is kept', async () => {
    const before = await kept();
    const send = (bytes: Uint8Array) =>
      json(`/api/try/masks?${query({ place, sample })}`, { method: 'POST', body: new Uint8Array(bytes) });
    const plain = (width: number, height: number, level: number) =>
      sharp(Buffer.alloc(width * height, level), { raw: { width, height, channels: 1 } })
        .png()
        .toBuffer();
    await expect(send(await plain(100, 100, 255))).rejects.toThrow('422');
    await expect(send(await plain(640, 480, 0))).rejects.toThrow(/422 .*empty/);
    await expect(send(await plain(640, 480, 255))).rejects.toThrow(/422 .*whole/);
    await expect(send(Buffer.from('no mask'))).rejects.toThrow('422');
    expect(await kept()).toEqual(before);
  });

  it('a sample that is a link out of the dataset, and edits that would borrow from it; nothing sent outlives the studio', async () => {
    const path = join(home, 'data', 'images/ring/ring_2.jpg');
    await rm(path);
    await symlink('/etc/hostname', path);
    const workspace = await openWorkspace({ paths: [join(home, 'data')], runsFolder: join(home, 'runs') });
    const fresh = createStudio({
      workspace,
      page: new Map(),
      version: '0',
      tools: createTools([process.execPath]),
      hosts: localHosts,
    });
    const status = async (values: Record<string, string>) =>
      (await fresh.app.request(`/api/try/edit?${query({ place, ...values })}`, { headers: { host: 'localhost' } }))
        .status;
    expect(await status({ sample: 'images/ring/ring_2.jpg' })).toBe(403);
    expect(await status({ sample, scenario: 'random-background' })).toBe(403);
    expect(await status({ sample, scenario: 'grey' })).toBe(200);
    const body = new Uint8Array(await readFile(join(home, 'data', 'images/ring/ring_0.jpg')));
    const before = await kept();
    await fresh.app.request('/api/try/pictures', { method: 'POST', body, headers: { host: 'localhost' } });
    expect((await kept()).length).toBe(before.length + 1);
    await fresh.close();
    expect(await kept()).toEqual(before);
  });
});
