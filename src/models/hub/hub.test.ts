import { existsSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { commit, type HubServer, startHub } from '../../../test/fixtures/models/hub-server.ts';
import { fixture } from '../../../test/fixtures/models/pattern.ts';
import { describeModel } from '../open.ts';
import { repoCache } from './cache.ts';
import { type FetchModelOptions, fetchModel } from './fetch-model.ts';

const servers: HubServer[] = [];
afterEach(async () => {
  vi.unstubAllEnvs();
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

const model = readFileSync(fixture('nchw.onnx'));
const files = {
  'README.md': Buffer.from('a model'),
  'pytorch_model.bin': Buffer.alloc(5000, 1),
  'config.json': Buffer.from(JSON.stringify({ id2label: { 0: 'a', 1: 'b', 2: 'c', 3: 'd', 4: 'e' } })),
  'preprocessor_config.json': Buffer.from(
    JSON.stringify({
      size: { shortest_edge: 36 },
      crop_size: 32,
      image_mean: [0.5, 0.5, 0.5],
      image_std: [0.5, 0.5, 0.5],
    }),
  ),
  'onnx/model.onnx': model,
};
const lfs = ['onnx/model.onnx', 'pytorch_model.bin'];

async function hub(options: Partial<Parameters<typeof startHub>[0]> = {}) {
  const server = await startHub({ files, lfs, ...options });
  servers.push(server);
  return server;
}
const emptyCache = () => mkdtempSync(join(tmpdir(), 'hub-'));
const fetchFrom = (server: HubServer, cacheDir: string, more: Partial<FetchModelOptions> = {}) => {
  const pauses: number[] = [];
  const sleep = async (milliseconds: number) => void pauses.push(milliseconds);
  const onProgress = () => server.cut();
  const options = { id: 'owner/name', cacheDir, env: { HF_ENDPOINT: server.url }, sleep, onProgress, ...more };
  const folder = fetchModel(options);
  return Object.assign(folder, { pauses });
};

describe('models of the hub', () => {
  it('brings the model and what belongs to it, and nothing else', async () => {
    const server = await hub();
    const cacheDir = emptyCache();
    const progress: number[] = [];
    const folder = await fetchFrom(server, cacheDir, { onProgress: ({ done, total }) => progress.push(done / total) });
    expect(readFileSync(join(folder, 'onnx/model.onnx'))).toEqual(model);
    expect(readdirSync(folder).sort()).toEqual(['config.json', 'onnx', 'preprocessor_config.json']);
    expect(folder).toBe(join(cacheDir, 'models--owner--name', 'snapshots', commit));
    expect(progress.at(-1)).toBe(1);
    expect(readFileSync(join(cacheDir, 'models--owner--name/refs/main'), 'utf8')).toBe(commit);
  });

  it('does not download twice, and runs from the cache offline or without a network', async () => {
    const server = await hub();
    const cacheDir = emptyCache();
    const folder = await fetchFrom(server, cacheDir);
    server.log.length = 0;
    expect(await fetchFrom(server, cacheDir)).toBe(folder);
    expect(server.log.filter((line) => line.startsWith('GET /owner') || line.includes('/cdn/'))).toEqual([]);
    server.log.length = 0;
    expect(await fetchFrom(server, cacheDir, { offline: true })).toBe(folder);
    expect(await fetchFrom(server, cacheDir, { env: { HF_HUB_OFFLINE: '1' } })).toBe(folder);
    expect(server.log).toEqual([]);
    await server.close();
    expect(await fetchFrom(server, cacheDir)).toBe(folder);
  });

  it('goes on where a broken connection stopped', async () => {
    const server = await hub({
      onSend: (path, _, attempt) => (path.endsWith('.onnx') && attempt < 3 ? { cutAfter: 700 * attempt } : undefined),
    });
    const call = fetchFrom(server, emptyCache());
    expect(readFileSync(join(await call, 'onnx/model.onnx'))).toEqual(model);
    expect(server.log.filter((line) => line.includes('/cdn/'))).toEqual([
      'GET /cdn/onnx%2Fmodel.onnx',
      'GET /cdn/onnx%2Fmodel.onnx range',
      'GET /cdn/onnx%2Fmodel.onnx range',
    ]);
    expect(call.pauses).toEqual([1000, 2000]);
  });

  it('keeps the part that came, for the next run', async () => {
    const broken = await hub({
      onSend: (path, _, attempt) => (path.endsWith('.onnx') ? { cutAfter: 300 * attempt } : undefined),
    });
    const cacheDir = emptyCache();
    await expect(fetchFrom(broken, cacheDir)).rejects.toThrow(
      /could not be downloaded: .*; the part that came is kept/,
    );
    const blobs = readdirSync(join(cacheDir, 'models--owner--name/blobs'));
    expect(blobs.filter((name) => name.endsWith('.incomplete'))).toHaveLength(1);
    expect(existsSync(join(cacheDir, 'models--owner--name/snapshots', commit, 'onnx/model.onnx'))).toBe(false);
    const healed = await hub();
    await fetchFrom(healed, cacheDir);
    expect(healed.log.filter((line) => line.includes('/cdn/'))).toEqual(['GET /cdn/onnx%2Fmodel.onnx range']);
  });

  it('starts over where the server ignores ranges', async () => {
    const server = await hub({
      ranges: false,
      onSend: (path, _, attempt) => (path.endsWith('.onnx') && attempt === 1 ? { cutAfter: 700 } : undefined),
    });
    expect(readFileSync(join(await fetchFrom(server, emptyCache()), 'onnx/model.onnx'))).toEqual(model);
  });

  it('notices a damaged file and fetches it again, twice at most', async () => {
    const damaged = Buffer.from(model);
    damaged[100] ^= 1;
    const once = await hub({
      onSend: (path, _, attempt) => (path.endsWith('.onnx') && attempt === 1 ? { body: damaged } : undefined),
    });
    expect(readFileSync(join(await fetchFrom(once, emptyCache()), 'onnx/model.onnx'))).toEqual(model);
    const always = await hub({ onSend: (path) => (path.endsWith('.onnx') ? { body: damaged } : undefined) });
    await expect(fetchFrom(always, emptyCache())).rejects.toThrow(
      /onnx\/model.onnx arrived damaged twice: its checksum is [0-9a-f]{64}, expected [0-9a-f]{64}/,
    );
    // Small files are checked by git's own checksum.
    const small = await hub({
      onSend: (path) => (path === 'config.json' ? { body: Buffer.alloc(files['config.json'].length, 32) } : undefined),
    });
    await expect(fetchFrom(small, emptyCache())).rejects.toThrow(/config.json arrived damaged twice/);
  });

  it('waits out a server that is busy', async () => {
    const server = await hub({
      onSend: (path, _, attempt) =>
        path.endsWith('.onnx') && attempt < 3 ? { status: attempt === 1 ? 503 : 429 } : undefined,
    });
    await fetchFrom(server, emptyCache());
    expect(server.log.filter((line) => line.includes('/cdn/'))).toHaveLength(3);
  });

  it('follows the pages of a long listing', async () => {
    const server = await hub({ page: 2 });
    await fetchFrom(server, emptyCache());
    expect(server.log.filter((line) => line.includes('/tree/'))).toHaveLength(3);
  });

  it('sends the token to the hub', async () => {
    const server = await hub({ token: 'secret' });
    await expect(fetchFrom(server, emptyCache())).rejects.toThrow(
      /owner\/name is private, gated or does not exist .* set HF_TOKEN/,
    );
    await fetchFrom(server, emptyCache(), { env: { HF_ENDPOINT: server.url, HF_TOKEN: 'secret' } });
  });

  it.each([
    [{ id: 'owner/other' }, /There is no model owner\/other/],
    [{ revision: 'v9' }, /no revision v9 of it/],
    [{ file: 'onnx/other.onnx' }, /owner\/name has no file onnx\/other.onnx; it has onnx\/model.onnx/],
    [{ offline: true }, /owner\/name at main is not in the cache .* run once without --offline/],
  ])('says what is missing: %o', async (options, message) => {
    await expect(fetchFrom(await hub(), emptyCache(), options)).rejects.toThrow(message);
  });

  it('says how to get an ONNX file where there is none', async () => {
    const server = await hub({ files: { 'config.json': files['config.json'] } });
    await expect(fetchFrom(server, emptyCache())).rejects.toThrow(/has no ONNX files; export it first/);
  });

  it('cannot be led out of the cache', async () => {
    expect(() => repoCache('/cache', 'a/b').snapshot('../../etc')).toThrow(/outside the cache/);
    await expect(repoCache(emptyCache(), 'a/b').link(commit, '../../x', 'y')).rejects.toThrow(/outside the cache/);
  });

  it('opens an id from start to end, with its labels and preprocessing', async () => {
    const server = await hub();
    vi.stubEnv('HF_ENDPOINT', server.url);
    const described = await describeModel('owner/name@v1', { cacheDir: emptyCache() });
    expect(described).toMatchObject({
      name: 'owner/name',
      kind: 'classifier',
      labels: ['a', 'b', 'c', 'd', 'e'],
      warnings: [],
    });
    expect(described.preprocessing).toMatchObject({ crop: { width: 32, offset: 'down' }, mean: [0.5, 0.5, 0.5] });
  });
});

describe('local folders', () => {
  it('are opened as the hub has them', async () => {
    const folder = emptyCache();
    writeFileSync(join(folder, 'model.onnx'), model);
    expect((await describeModel(folder)).source).toBe(join(folder, 'model.onnx'));
    await expect(describeModel(emptyCache())).rejects.toThrow(/holds no model that can be run: expected model.onnx/);
  });
});

describe('a hub that sends more than it says', () => {
  it('is stopped after the bytes it declared', async () => {
    const chunk = Buffer.alloc(2 ** 16, 7);
    let sent = 0;
    const endless = await serve((request, response) => {
      if (request.url?.includes('/tree/')) {
        const listing = [{ type: 'file', path: 'model.onnx', size: 500_000, oid: 'a'.repeat(40) }];
        response.end(JSON.stringify(listing));
      } else if (request.method === 'HEAD') response.writeHead(200, { 'x-repo-commit': commit }).end();
      else {
        const more = () => {
          while (response.write(chunk) && sent < 600e6) sent += chunk.length;
          if (sent < 600e6) response.once('drain', more);
          else response.end();
        };
        more();
      }
    });
    const cacheDir = emptyCache();
    const call = fetchModel({ id: 'owner/name', cacheDir, env: { HF_ENDPOINT: endless } });
    await expect(call).rejects.toThrow(/model.onnx is 500000 bytes by the hub's listing, but the hub sends more/);
    expect(sent).toBeLessThan(100e6);
    expect(readdirSync(join(cacheDir, 'models--owner--name/blobs'))).toEqual([]);
  });

  it('is not asked for pages without end, nor for an endless page', async () => {
    let pages = 0;
    const leaves = await serve((_, response) => {
      response.setHeader('link', `</api/models/owner/name/tree/main?cursor=${++pages}>; rel="next"`).end('[]');
    });
    const call = fetchModel({ id: 'owner/name', cacheDir: emptyCache(), env: { HF_ENDPOINT: leaves } });
    await expect(call).rejects.toThrow(/lists the files of owner\/name on more than 200 pages/);
    expect(pages).toBe(200);

    const long = await serve((_, response) => {
      response.write('[');
      const line = `${JSON.stringify({ type: 'file', path: 'x'.repeat(1000) })},`.repeat(60);
      const more = () => {
        while (!response.destroyed && response.write(line));
        response.once('drain', more);
      };
      more();
    });
    const other = fetchModel({ id: 'owner/name', cacheDir: emptyCache(), env: { HF_ENDPOINT: long } });
    await expect(other).rejects.toThrow(/lists the files of owner\/name in an answer of more than 16777216 bytes/);
  });
});

async function serve(handler: RequestListener): Promise<string> {
  const server = createServer(handler);
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  const close = () => {
    server.closeAllConnections();
    return new Promise<void>((done) => void server.close(() => done()));
  };
  servers.push({ url: '', log: [], cut: () => undefined, close });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
