import { link, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Hono } from 'hono';
import sharp from 'sharp';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { fixture } from '../../test/fixtures/models/pattern.ts';
import { discPicture, makePictures, putMask } from '../../test/support/annotate-folder.ts';
import { drawStroke } from '../contracts/annotate/draw.ts';
import { createPlane, doubt, type ObjectPlane } from '../contracts/annotate/plane.ts';
import { fromBase64, packRuns, toBase64, unpackRuns } from '../contracts/annotate/runs.ts';
import type { MaskSource } from '../contracts/sample.ts';
import type { AnnotateDataset, AnnotateSaved, AnnotateTurn } from '../contracts/studio/annotate.ts';
import { readDataset } from '../dataset/index.ts';
import { loadMask } from '../dataset/masks/load.ts';
import { decodeImage } from '../image/decode.ts';
import { iou } from '../image/mask-ops.ts';
import { createMask } from '../image/raster.ts';
import { describeModel, openModel } from '../models/open.ts';
import { salientMask } from '../models/salient.ts';
import type { AnnotateOptions } from './annotate.ts';
import { createStudio, type Studio } from './app.ts';
import { localHosts } from './guard.ts';
import { createTools } from './tools.ts';
import { openWorkspace } from './workspace.ts';

const [width, height] = [120, 90];
const host = { host: '127.0.0.1' };
let home: string;
let studio: Studio;
let app: Hono;
let id: string;
const photos = () => join(home, 'photos');
const masks = (path: string) => join(home, 'photos-masks', path);

async function openStudio({
  masksTo,
  masks: own,
  ...options
}: AnnotateOptions & { masksTo?: string; masks?: string } = {}) {
  const workspace = await openWorkspace({ paths: [photos()], runsFolder: join(home, 'runs'), masksTo, masks: own });
  studio = createStudio({
    workspace,
    page: new Map(),
    version: 'test',
    tools: createTools(['false']),
    hosts: localHosts,
    annotate: { isChosen: masksTo !== undefined, ...options },
  });
  app = studio.app;
  [{ id }] = await workspace.datasets();
}

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'sceneshift-annotate-'));
  await makePictures(photos(), ['mug/a.png', 'mug/b.png', 'ball/c.png', 'ball/d.png'], width, height);
  await openStudio();
  return async () => {
    await studio.close();
    await rm(home, { recursive: true, force: true });
  };
});

const ask = async (path: string, init: RequestInit = {}) =>
  app.request(`/api/annotate/${id}${path}`, { ...init, headers: { ...host, ...init.headers } });
async function get<T>(path: string): Promise<T> {
  const answer = await ask(path);
  if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`);
  return (await answer.json()) as T;
}
const json = async <T = { error: string }>(answer: Response | Promise<Response>) => (await (await answer).json()) as T;
const turn = (sample: string) => get<AnnotateTurn>(`/turn?sample=${encodeURIComponent(sample)}`);
const put = (sample: string, plane: ObjectPlane, version: string, objects = ['mug']) =>
  ask('/mask', {
    method: 'PUT',
    headers: { 'if-match': `"${version}"` },
    body: JSON.stringify({ sample, objects, runs: toBase64(packRuns(plane)) }),
  });
const discPlane = () => ({
  width,
  height,
  data: discPicture(width, height).mask.data.map((value) => (value ? 1 : 0)),
});
const planeOf = ({ runs }: { runs: string }) => unpackRuns(fromBase64(runs), width, height);

describe('masks drawn in the studio', () => {
  it('are on disk as PNG and LabelMe file when it says so, and every reader of ours reads them back', async () => {
    const { version, file, objects } = await turn('mug/a.png');
    expect([version, file, objects]).toEqual(['new', 'mug/a.png', ['mug']]);
    const plane = discPlane();
    drawStroke(plane, { x: 10, y: 10 }, { x: 20, y: 10 }, 4, 2);
    drawStroke(plane, { x: 60, y: 60 }, { x: 70, y: 60 }, 2, doubt);
    const saved = (await (await put('mug/a.png', plane, version, ['mug', 'spoon'])).json()) as AnnotateSaved;
    expect(saved.sample).toMatchObject({ state: 'good', drawn: true });

    const wanted = createMask(
      width,
      height,
      plane.data.map((value) => (value === 1 || value === doubt ? 255 : 0)),
    );
    const doubtful = plane.data.map((value) => (value === doubt ? 255 : 0));
    const data = (path: string) => readDataset(path);
    for (const [name, dataset] of [
      ['--masks', await readDataset(photos(), { masks: join(home, 'photos-masks') })],
      ['the manifest', await data(masks('manifest.jsonl'))],
      ['the folder', await data(join(home, 'photos-masks'))],
    ] as const) {
      expect(dataset.samples, name).toHaveLength(4);
      const sample = dataset.samples.find(({ id }) => id === 'mug/a.png');
      expect(sample?.label, name).toBe('mug');
      if (!sample?.mask) throw new Error(`no mask by ${name}`);
      const { mask } = await loadMask(sample.mask, { width, height, path: sample.image });
      expect(mask.data, name).toEqual(wanted.data);
      expect(mask.ignore, name).toEqual(doubtful);
      expect(dataset.samples.filter(({ mask }) => mask)).toHaveLength(1);
    }

    const labelme = await readDataset(join(home, 'photos-masks'), { layout: 'labelme', objects: 'each' });
    expect(labelme.problems).toEqual([]);
    expect(labelme.samples.map(({ id, label }) => [id, label])).toEqual([
      ['../photos/mug/a.png#mug-1', 'mug'],
      ['../photos/mug/a.png#spoon-2', 'spoon'],
    ]);
    for (const [i, sample] of labelme.samples.entries()) {
      expect(sample.image).toBe(join(photos(), 'mug/a.png'));
      const { mask } = await loadMask(sample.mask as NonNullable<typeof sample.mask>, {
        width,
        height,
        path: sample.image,
      });
      expect(mask.data).toEqual(plane.data.map((value) => (value === i + 1 ? 255 : 0)));
    }

    const again = await turn('mug/a.png');
    expect(planeOf(again).data).toEqual(plane.data);
    expect([again.objects, again.version, again.savedAt]).toEqual([['mug', 'spoon'], saved.version, saved.savedAt]);
  });

  it('are shown by what is missing or doubtful, the worst first, and what was mended stays in its place', async () => {
    const two = createMask(width, height);
    drawStroke(two, { x: 5, y: 5 }, { x: 6, y: 5 }, 2, 255);
    await putMask(join(home, 'own', 'mug/b.png'), two);
    const good = discPicture(width, height).mask;
    await putMask(join(home, 'own', 'ball/c.png'), good);
    await putMask(join(home, 'own', 'ball/d.png'), createMask(width, height));
    await studio.close();
    await openStudio({ reading: { masks: join(home, 'own') } });
    const all = async () => {
      let page = await get<AnnotateDataset>('?show=all');
      while (page.looked < page.toLook) page = await get<AnnotateDataset>('?show=all');
      return page;
    };
    // The folder of masks lies outside what was given.
    expect((await all()).samples.map(({ state }) => state)).toContain('no-picture');
    await studio.close();
    await openStudio({ reading: { masks: join(home, 'own') }, masks: join(home, 'own') });
    expect((await all()).counts).toEqual({ todo: 3, missing: 2, doubtful: 1, drawn: 0, all: 4 });
    expect((await all()).made).toBeNull();
    await studio.close();
    await rm(join(photos(), 'masks'), { recursive: true, force: true });
    for (const [name, mask] of [
      ['mug/b.png', two],
      ['ball/c.png', good],
      ['ball/d.png', createMask(width, height)],
    ] as const)
      await putMask(join(photos(), 'masks', name), mask);
    await openStudio();
    const page = await all();
    expect(page.samples.map(({ id, state }) => `${id} ${state}`)).toEqual([
      'ball/d.png unusable',
      'mug/a.png missing',
      'mug/b.png doubtful',
      'ball/c.png good',
    ]);
    expect(page.samples[2].doubts[0]).toMatch(/^the object is 0.\d % of the image$/);
    expect(page.counts).toEqual({ todo: 3, missing: 2, doubtful: 1, drawn: 0, all: 4 });

    const first = await get<AnnotateTurn>('/turn?show=todo');
    expect([first.sample.id, first.previous, first.next, first.place, first.of]).toEqual([
      'ball/d.png',
      null,
      'mug/a.png',
      1,
      3,
    ]);
    expect((await put('ball/d.png', discPlane(), first.version)).status).toBe(200);
    const second = await turn('mug/a.png');
    expect([second.previous, second.next, second.place, second.of]).toEqual([null, 'mug/b.png', 1, 2]);
    const back = await get<AnnotateTurn>('/turn?show=all&sample=mug%2Fa.png');
    expect([back.previous, back.next]).toEqual(['ball/d.png', 'mug/b.png']);
    // The mask that the dataset had is as it was.
    expect(await readFile(join(photos(), 'masks', 'ball/d.png'))).not.toEqual(await readFile(masks('ball/d.png')));
    expect((await all()).made).toBe('photos-masks-manifest.jsonl');
    const used = await readDataset(masks('manifest.jsonl'));
    expect(used.samples.map(({ mask }) => mask?.kind === 'file' && mask.path.slice(home.length + 1))).toEqual(
      ['photos/masks/ball/c.png', 'photos-masks/ball/d.png', undefined, 'photos/masks/mug/b.png'].map(
        (path) => path ?? false,
      ),
    );
  });

  it('have the labels that a run of the same dataset has', async () => {
    await studio.close();
    await openStudio({ reading: { labelFrom: '/^(.)/' } });
    const { samples } = await get<AnnotateDataset>('?show=all');
    expect(new Set(samples.map(({ label }) => label))).toEqual(new Set(['a', 'b', 'c', 'd']));
  });

  it('of two browsers on one picture the second is told, and nothing is overwritten', async () => {
    const [one, two] = await Promise.all([turn('mug/a.png'), turn('mug/a.png')]);
    const theirs = discPlane();
    const saved = (await (await put('mug/a.png', theirs, one.version)).json()) as AnnotateSaved;
    const mine = createPlane(width, height);
    mine.data.fill(1, 0, 500);
    const refused = await put('mug/a.png', mine, two.version);
    expect(refused.status).toBe(412);
    expect(await refused.json()).toEqual({
      error: 'This picture was saved from elsewhere after you opened it; nothing was written',
      version: saved.version,
      savedAt: saved.savedAt,
    });
    expect(planeOf(await turn('mug/a.png')).data).toEqual(theirs.data);
    expect(await get(`/version?sample=${encodeURIComponent('mug/a.png')}`)).toMatchObject({ version: saved.version });
    // Knowing theirs, it may.
    expect((await put('mug/a.png', mine, saved.version)).status).toBe(200);
    expect(planeOf(await turn('mug/a.png')).data).toEqual(mine.data);
  });

  it('twenty saves at once with one version: one is taken', async () => {
    const { version } = await turn('mug/b.png');
    const answers = await Promise.all(Array.from({ length: 20 }, () => put('mug/b.png', discPlane(), version)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(19).fill(412)]);
  });

  it('two studios do not write to one folder; one that is removed is made again', async () => {
    const { version } = (await json<AnnotateSaved>(put('mug/a.png', discPlane(), 'new'))) as AnnotateSaved;
    const first = { studio, app };
    await openStudio();
    const refused = await put('mug/a.png', discPlane(), version);
    expect([refused.status, (await json(refused)).error]).toEqual([
      400,
      expect.stringMatching(
        /photos-masks is being written to by process \d+ .*; wait for it, or choose another --masks-to$/,
      ),
    ]);
    await studio.close();
    ({ studio, app } = first);
    await rm(join(home, 'photos-masks'), { recursive: true });
    expect((await put('mug/a.png', discPlane(), version)).status).toBe(412);
    expect((await put('mug/b.png', discPlane(), 'new')).status).toBe(200);
    const used = await readDataset(masks('manifest.jsonl'));
    expect(used.samples.filter(({ mask }) => mask).map(({ id }) => id)).toEqual(['mug/b.png']);
  });

  it('a save without the version that was opened is refused', async () => {
    const body = JSON.stringify({ sample: 'mug/a.png', objects: ['mug'], runs: toBase64(packRuns(discPlane())) });
    expect((await ask('/mask', { method: 'PUT', body })).status).toBe(428);
    expect(await readdir(home)).toEqual(['photos']);
  });

  it('a save cut short between its files is finished by the next who looks; a change by others is not undone', async () => {
    const first = await turn('mug/a.png');
    const before = discPlane();
    await put('mug/a.png', before, first.version);
    const png = await readFile(masks('mug/a.png'));
    const second = createPlane(width, height);
    second.data.fill(1, 0, 3000);
    await put('mug/a.png', second, (await turn('mug/a.png')).version);
    const whole = await readFile(masks('mug/a.png'));
    // As after a kill: LabelMe's file is there, the PNG is the one before.
    await writeFile(masks('mug/a.png'), png);
    expect(planeOf(await turn('mug/a.png')).data).toEqual(second.data);
    expect(await readFile(masks('mug/a.png'))).toEqual(whole);

    const other = createMask(width, height);
    other.data.fill(255, 3000, 6000);
    await putMask(masks('mug/a.png'), other);
    const changed = await turn('mug/a.png');
    expect(changed.note).toContain('changed by another program');
    expect(planeOf(changed).data).toEqual(other.data.map((value) => (value ? 1 : 0)));
    const theirs = await readFile(masks('mug/a.png'));
    expect((await put('mug/a.png', before, changed.version)).status).toBe(200);
    expect(await readFile(masks('.originals/mug/a.png'))).toEqual(theirs);
  });

  it("in a folder of the user's own masks, those are kept before they are written over", async () => {
    await studio.close();
    const own = join(home, 'own');
    const mask = discPicture(width, height, { radius: 30 }).mask;
    await putMask(join(own, 'mug/a.png'), mask);
    const bytes = await readFile(join(own, 'mug/a.png'));
    await writeFile(join(own, 'mug/a.json'), '{"shapes":[]}');
    await openStudio({ masksTo: own });
    const found = await turn('mug/a.png');
    expect(found.note).toContain('kept when you save');
    expect(planeOf(found).data).toEqual(mask.data.map((value) => (value ? 1 : 0)));
    const { version } = (await (await put('mug/a.png', discPlane(), found.version)).json()) as AnnotateSaved;
    expect(await readFile(join(own, '.originals/mug/a.png'))).toEqual(bytes);
    expect(await readFile(join(own, '.originals/mug/a.json'), 'utf8')).toBe('{"shapes":[]}');
    await put('mug/a.png', createPlane(width, height), version);
    expect(await readdir(join(own, '.originals/mug'))).toEqual(['a.json', 'a.png']);
  });

  it('lie as the picture is stored, also where its file says that it is shown turned', async () => {
    await studio.close();
    const { image, mask } = discPicture(width, height, { x: 30, y: 30, radius: 20 });
    const turned = sharp(image.data, { raw: { width, height, channels: 3 } }).withMetadata({ orientation: 6 });
    await writeFile(join(photos(), 'mug/turned.jpg'), await turned.jpeg({ quality: 95 }).toBuffer());
    await openStudio();
    const opened = await turn('mug/turned.jpg');
    expect([opened.width, opened.height]).toEqual([width, height]);
    const shown = await (await ask('/picture?sample=mug%2Fturned.jpg')).arrayBuffer();
    expect(await sharp(shown).metadata()).toMatchObject({ width, height });
    expect((await sharp(shown).metadata()).orientation ?? 1).toBe(1);
    const plane = { width, height, data: mask.data.map((value) => (value ? 1 : 0)) };
    expect((await put('mug/turned.jpg', plane, opened.version)).status).toBe(200);
    const { samples } = await readDataset(photos(), { masks: join(home, 'photos-masks') });
    const sample = samples.find(({ id }) => id === 'mug/turned.jpg');
    for (const mode of ['pillow', 'corrected'] as const) {
      const picture = await decodeImage(sample?.image as string, { mode });
      const loaded = await loadMask(
        sample?.mask as MaskSource,
        { ...picture, path: sample?.image as string },
        { mode },
      );
      // Red in the mask, green outside: it lies on the disc, whichever way the picture is read.
      const under = (inside: boolean) =>
        loaded.mask.data.filter((value, i) => value > 0 === inside && picture.data[3 * i] > 125 === inside).length;
      expect(under(true) + under(false), mode).toBeGreaterThan(0.99 * width * height);
    }
  });

  it('never take the place of a picture', async () => {
    await studio.close();
    await openStudio({ masksTo: photos() });
    const before = await readFile(join(photos(), 'mug/a.png'));
    const { version } = await turn('mug/a.png');
    const refused = await put('mug/a.png', discPlane(), version);
    expect([refused.status, (await json(refused)).error]).toEqual([
      403,
      'The mask would take the place of the picture a.png; choose another --masks-to',
    ]);
    expect(await readFile(join(photos(), 'mug/a.png'))).toEqual(before);
  });
});

describe('what finds objects', () => {
  it('GrabCut in a box finds the disc; a stroke that says otherwise is heeded', async () => {
    const box = [20, 10, 80, 70];
    const cut = await ask('/cut', { method: 'POST', body: JSON.stringify({ sample: 'mug/a.png', box }) });
    const found = planeOf(await json<{ runs: string }>(cut));
    const { mask } = discPicture(width, height);
    const asMask = ({ data }: ObjectPlane) =>
      createMask(
        width,
        height,
        data.map((value) => (value ? 255 : 0)),
      );
    expect(iou(asMask(found), mask)).toBeGreaterThan(0.97);
    const hints = createPlane(width, height);
    drawStroke(hints, { x: 60, y: 45 }, { x: 60, y: 45 }, 3, 2);
    const again = await ask('/cut', {
      method: 'POST',
      body: JSON.stringify({ sample: 'mug/a.png', box, hints: toBase64(packRuns(hints)) }),
    });
    expect(planeOf(await json<{ runs: string }>(again)).data[45 * width + 60]).toBe(0);
  });

  it('a salient-object model finds what it sees, as sceneshift mask does', async () => {
    await studio.close();
    const spec = { model: fixture('segment-sigmoid.onnx'), preprocessing: { task: 'segment' } } as const;
    const description = await describeModel(spec);
    await openStudio({ model: { spec, description } });
    expect((await turn('mug/a.png')).canFind).toBe(true);
    const body = JSON.stringify({ sample: 'mug/a.png' });
    const found = planeOf(await json<{ runs: string }>(ask('/find', { method: 'POST', body })));
    const model = await openModel(spec, { described: description });
    const expected = await salientMask(model, discPicture(width, height).image);
    await model.close();
    expect(found.data.map((value) => (value ? 255 : 0))).toEqual(expected.data);
    expect(new Set(found.data).size).toBe(2);
  });

  it('matting decides doubt by the colours on either side', async () => {
    const plane = discPlane();
    const edge = { x: width / 2 + height / 4, y: height / 2 };
    drawStroke(plane, edge, edge, 8, doubt);
    const body = JSON.stringify({ sample: 'mug/a.png', runs: toBase64(packRuns(plane)) });
    const levels = planeOf(await json<{ runs: string }>(ask('/refine', { method: 'POST', body }))).data;
    const { mask } = discPicture(width, height);
    let wrong = 0;
    for (let i = 0; i < levels.length; i++)
      if (plane.data[i] === doubt) wrong += Number(levels[i] >= 128 !== mask.data[i] > 0);
      else expect(levels[i]).toBe(0);
    expect(wrong).toBe(0);
  });

  it.each([
    ['/refine', { sample: 'mug/a.png', runs: toBase64(packRuns(createPlane(width, height))) }, 'No doubt is painted'],
    ['/cut', { sample: 'mug/a.png', box: [500, 500, 10, 10] }, 'outside the picture'],
    ['/find', { sample: 'mug/a.png' }, 'No salient-object model was given'],
  ])('%s says what it cannot do', async (path, body, reason) => {
    const answer = await ask(path, { method: 'POST', body: JSON.stringify(body) });
    expect(answer.status).toBe(422);
    expect((await json(answer)).error).toContain(reason);
  });
});

describe('who would break it', () => {
  let outside: string;
  beforeAll(async () => {
    outside = await mkdtemp(join(tmpdir(), 'sceneshift-outside-'));
  });
  afterAll(() => rm(outside, { recursive: true, force: true }));

  it.each(['../secret.png', '/etc/passwd', 'mug/../../x.png', '', 'mug', '__proto__', 'mug/a.png\u0000'])(
    'there is no picture %j',
    async (sample) => {
      for (const path of ['/turn', '/picture', '/tile', '/version'])
        expect((await ask(`${path}?sample=${encodeURIComponent(sample)}`)).status, path).toBe(404);
      expect((await put(sample, discPlane(), 'new')).status).toBe(404);
    },
  );

  it('a picture that is a link out of the dataset is neither shown nor drawn on', async () => {
    await makePictures(outside, ['secret.png'], width, height);
    await studio.close();
    await symlink(join(outside, 'secret.png'), join(photos(), 'mug/e.png'));
    await openStudio();
    for (const path of ['/turn', '/picture', '/tile', '/version'])
      expect((await ask(`${path}?sample=mug%2Fe.png`)).status, path).toBe(403);
    const cut = { sample: 'mug/e.png', box: [1, 1, 50, 50] };
    expect((await ask('/cut', { method: 'POST', body: JSON.stringify(cut) })).status).toBe(403);
    expect((await put('mug/e.png', discPlane(), 'new')).status).toBe(403);
  });

  it.each(['folder', 'class', 'file'])('nothing is written through a link: %s', async (kind) => {
    const target = join(outside, kind);
    await mkdir(target);
    if (kind === 'folder') await symlink(target, join(home, 'photos-masks'));
    else {
      await mkdir(masks(kind === 'class' ? '' : 'mug'), { recursive: true });
      if (kind === 'class') await symlink(target, masks('mug'));
      else await symlink(join(target, 'x.png'), masks('mug/a.png'));
    }
    const answer = await put('mug/a.png', discPlane(), 'new');
    expect(answer.status).toBe(403);
    expect((await json(answer)).error).toContain('link');
    expect(await readdir(target)).toEqual([]);
  });

  it('another name of the same file is replaced, not written into', async () => {
    await writeFile(join(outside, 'precious.png'), 'precious');
    await mkdir(masks('mug'), { recursive: true });
    await link(join(outside, 'precious.png'), masks('mug/a.png'));
    const { version } = await turn('mug/a.png');
    expect((await put('mug/a.png', discPlane(), version)).status).toBe(200);
    expect(await readFile(join(outside, 'precious.png'), 'utf8')).toBe('precious');
    expect(await readFile(masks('.originals/mug/a.png'), 'utf8')).toBe('precious');
  });

  it.each([
    null,
    [],
    { sample: 'mug/a.png' },
    { sample: 'mug/a.png', objects: [], runs: '' },
    { sample: 'mug/a.png', objects: ['x'.repeat(201)], runs: '' },
    { sample: 'mug/a.png', objects: ['mug'], runs: '<script>' },
    { sample: 'mug/a.png', objects: ['mug'], runs: '', more: 1 },
    { sample: 7, objects: ['mug'], runs: '' },
  ])('%j is no mask', async (body) => {
    const answer = await ask('/mask', {
      method: 'PUT',
      headers: { 'if-match': 'new' },
      body: JSON.stringify(body),
    });
    expect(answer.status).toBe(400);
    expect(await readdir(home)).toEqual(['photos']);
  });

  it.each([
    [Uint8Array.of(1, 5), 'do not fit'],
    [Uint8Array.of(1, 255, 255, 255, 255, 255, 255), 'damaged'],
    [packRuns({ data: new Uint8Array(width * height).fill(2) }), 'not named'],
  ])('runs %#  that are no mask of the picture are refused', async (runs, reason) => {
    const body = JSON.stringify({ sample: 'mug/a.png', objects: ['mug'], runs: toBase64(runs) });
    const answer = await ask('/mask', { method: 'PUT', headers: { 'if-match': 'new' }, body });
    expect(answer.status).toBe(422);
    expect((await json(answer)).error).toContain(reason);
    expect(await readdir(home)).toEqual(['photos']);
  });

  it('bodies are limited', async () => {
    const answer = await ask('/mask', {
      method: 'PUT',
      headers: { 'if-match': 'new', 'content-length': String(2 ** 27) },
      body: 'x',
    });
    expect(answer.status).toBe(413);
  });

  it.each([
    { host: 'evil.example' },
    { host: '127.0.0.1', origin: 'https://evil.example' },
    { host: '127.0.0.1', 'sec-fetch-site': 'cross-site' },
  ])('another site gets and writes nothing: %j', async (headers) => {
    for (const [method, path] of [
      ['GET', ''],
      ['GET', '/turn?sample=mug%2Fa.png'],
      ['GET', '/picture?sample=mug%2Fa.png'],
      ['PUT', '/mask'],
      ['POST', '/cut'],
      ['POST', '/find'],
      ['POST', '/refine'],
    ])
      expect(
        (
          await app.request(`/api/annotate/${id}${path}`, {
            method,
            headers: headers as unknown as Record<string, string>,
            ...(method !== 'GET' && { body: '{}' }),
          })
        ).status,
      ).toBe(403);
  });

  it('labels are text, whatever they are', async () => {
    const nasty = '</script><img src=x onerror=alert(1)>\u001b[31m=1+1';
    const { version } = await turn('mug/a.png');
    expect((await put('mug/a.png', discPlane(), version, [nasty])).status).toBe(200);
    expect((await turn('mug/a.png')).objects).toEqual([nasty]);
  });
});
