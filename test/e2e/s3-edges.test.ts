import type { ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { type Bucket, openBucket } from '../support/bucket.ts';
import { sceneshift, sceneshiftEach, startSceneshift, temporaryFolder } from '../support/cli.ts';
import { makeDataset } from '../support/dataset.ts';
import { plainNet } from '../support/onnx.ts';
import { startS3Proxy } from '../support/s3-proxy.ts';
import { type S3Server, startS3rver } from '../support/s3-server.ts';

const clip = fileURLToPath(new URL('../fixtures/models/clip', import.meta.url));

describe('object storage, where it does not go well (s3rver)', () => {
  let home: string;
  let server: S3Server;
  let bucket: Bucket;
  let machines = 0;
  const at = (path: string) => `s3://sceneshift-edges/${path}`;
  const newMachine = (more: Record<string, string> = {}) => ({
    ...server.env,
    SCENESHIFT_CACHE: join(home, `cache-${++machines}`),
    ...more,
  });
  beforeAll(async () => {
    home = await mkdtemp(join(tmpdir(), 'sceneshift-s3-edges-'));
    await makeDataset(join(home, 'data'), { perClass: 2 });
    const layers = [{ channels: 4, kernel: 5, stride: 4 }];
    await writeFile(join(home, 'net.onnx'), plainNet({ sizePx: 48, layers, outputs: 3, seed: 'edges' }));
    const record = {
      labels: ['disc', 'square', 'ring'],
      resize: { shortSide: 48 },
      crop: 48,
      preprocessing: 'imagenet',
    };
    await writeFile(join(home, 'net.onnx.json'), JSON.stringify(record));
    server = await startS3rver();
    bucket = await openBucket(server, 'sceneshift-edges');
    await bucket.upload(join(home, 'data'), 'data');
    await bucket.upload(clip, 'clip');
    for (const name of ['net.onnx', 'net.onnx.json']) await bucket.put(name, await readFile(join(home, name)));
  });
  afterAll(async () => {
    await server?.close();
    await rm(home, { recursive: true, force: true });
  });
  /** Likewise, for a call in a process that has asked this server before. */
  const newCache = (more: Record<string, string> = {}) => ({
    env: server.env,
    settings: { SCENESHIFT_CACHE: join(home, `cache-${++machines}`), ...more },
  });
  const runArgs = (data: string, out = at('run')) => [
    ...['run', '--data', data, '--model', at('net.onnx'), '--scenarios', 'original', '--no-controls'],
    ...['--threads', '1', '--out', out],
  ];
  /** One line that says what is wrong, and nothing else of note. */
  const refusal = ({ status, stderr }: { status: number | null; stderr: string }) => {
    const lines = stderr.split('\n').filter((line) => line.startsWith('✗'));
    expect(lines, stderr).toHaveLength(1);
    expect(stderr).not.toMatch(/^ +at |Warning/m);
    return { status, line: lines[0] };
  };

  it('addresses that are none', async () => {
    const bad = ['s3://', 's3://b', 's3://bucket/a/../b', 's3://user:secret@bucket/data'];
    const [none, short, upwards, secret] = (await sceneshiftEach(bad.map((data) => runArgs(data)))).map(refusal);
    expect(none).toEqual({
      status: 2,
      line: expect.stringContaining('s3://BUCKET or s3://BUCKET/PREFIX for'),
    });
    expect(short).toEqual({ status: 2, line: expect.stringContaining("received 's3://b'") });
    expect(upwards).toEqual({ status: 2, line: expect.stringContaining('an address without empty parts, . or ..') });
    expect(secret).toEqual({ status: 2, line: expect.stringContaining('has no user or password in it') });
    expect(secret.line).not.toContain('secret');
  });

  it.each<[string, string, Record<string, string>, RegExp]>([
    [
      'a bucket that is not there',
      's3://no-such-bucket/data',
      {},
      /✗ s3:\/\/no-such-bucket\/data: there is no such bucket/,
    ],
    ['a folder that is not there', 's3://sceneshift-edges/nothing', {}, /✗ .*s3:\/\/sceneshift-edges\/nothing/],
    [
      'a key that the server does not know',
      's3://sceneshift-edges/data',
      { AWS_ACCESS_KEY_ID: 'nobody' },
      /✗ s3:\/\/sceneshift-edges\/data.*: not allowed \(status 403\); see whether the credentials/,
    ],
    [
      'no credentials at all',
      's3://sceneshift-edges/data',
      { AWS_ACCESS_KEY_ID: '', AWS_SECRET_ACCESS_KEY: '', AWS_EC2_METADATA_DISABLED: 'true' },
      /✗ s3:\/\/sceneshift-edges\/data.*: no credentials; set AWS_ACCESS_KEY_ID/,
    ],
    [
      'a server that is not there',
      's3://sceneshift-edges/data',
      { AWS_ENDPOINT_URL: 'http://127.0.0.1:9', SCENESHIFT_S3_WAIT: '1' },
      /✗ s3:\/\/sceneshift-edges\/data.*: the storage at http:\/\/127\.0\.0\.1:9 has not answered for \d+ s \(ECONNREFUSED\)/,
    ],
    [
      'an address of a server that is none',
      's3://sceneshift-edges/data',
      { AWS_ENDPOINT_URL: 'storage' },
      /✗ .*a server's address.* for AWS_ENDPOINT_URL.*'storage'/,
    ],
  ])('%s: one line', async (_, data, env, line) => {
    const args = runArgs(data, join(home, 'out'));
    // The client is made once for each process.
    const isUsual = Object.keys(env).length === 0;
    const ran = isUsual
      ? sceneshift(args, newCache())
      : startSceneshift(args, { env: newMachine({ HOME: home, ...env }) });
    const refused = refusal(await ran);
    expect(refused.line).toMatch(line);
    expect([1, 2]).toContain(refused.status);
  });

  it('the studio writes a site of a run that lies there, with the pictures of a dataset that lies there', async () => {
    const here = newCache();
    const ran = await sceneshift(runArgs(at('data')), here);
    expect(ran.status, ran.stderr).toBe(0);
    const site = join(temporaryFolder(), 'site');
    const exported = await sceneshift(['studio', at('run'), '--export', site, '--json'], newCache());
    expect(exported.status, exported.stderr).toBe(0);
    expect(JSON.parse(exported.stdout)).toMatchObject({ site, missing: 0 });
    expect(JSON.parse(exported.stdout).pictures).toBeGreaterThan(0);
    expect(existsSync(join(site, 'index.html'))).toBe(true);
    expect(refusal(await sceneshift(['studio', at('data'), '--export', site], here)).line).toContain(
      'a run, or a dataset on this disk',
    );
    const far = await sceneshift(['studio', at('run'), '--export', at('site')], here);
    expect(refusal(far).line).toContain("a file or folder on this disk for --export but received 's3://");
  });

  it('--clip may be an address', async () => {
    const folder = temporaryFolder();
    const [image] = (await readFile(join(home, 'data/manifest.csv'), 'utf8')).split('\n')[1].split(',');
    await writeFile(join(folder, 'manifest.csv'), 'image,prompt\na.jpg,a disc\n');
    await writeFile(join(folder, 'a.jpg'), await readFile(join(home, 'data', image)));
    const call = async (from: string) => {
      const ran = await sceneshift(['quality', folder, '--clip', from, '--json'], newCache());
      expect(ran.status, ran.stderr).toBe(0);
      return JSON.parse(ran.stdout);
    };
    expect(await call(at('clip'))).toEqual(await call(clip));
  });

  describe('interrupted while the server has gone silent', { timeout: 5 * 60_000 }, () => {
    const endedWell = ({ status, stderr }: { status: number | null; stderr: string }) => {
      expect([null, 130], stderr).toContain(status);
      expect(stderr).not.toMatch(/^ +at /m);
    };

    it('a server that takes requests and never answers', async () => {
      const held: ChildProcess[] = [];
      const silent = createServer(() => held[0]?.kill('SIGINT'));
      await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
      onTestFinished(() => silent.closeAllConnections());
      onTestFinished(() => void silent.close());
      const env = newMachine({ AWS_ENDPOINT_URL: `http://127.0.0.1:${(silent.address() as AddressInfo).port}` });
      endedWell(await startSceneshift(runArgs(at('data')), { env, onStart: (child) => held.push(child) }));
    });

    it.each([
      ['a picture', /square_0\.jpg/],
      ['the model', /net\.onnx$/],
    ])('%s that comes drop by drop and never ends', async (_, name) => {
      const held: ChildProcess[] = [];
      const drops: NodeJS.Timeout[] = [];
      const drip = (asked: IncomingMessage, answer: ServerResponse) => {
        if (asked.method !== 'GET' || !name.test(asked.url?.split('?')[0] ?? '')) return false;
        answer.writeHead(200, { 'content-length': '1000000', etag: '"x"' });
        // Never silent for long enough to be cut off.
        drops.push(setInterval(() => answer.write('.'), 500));
        held[0]?.kill('SIGINT');
        return true;
      };
      const proxy = await startS3Proxy(server, { instead: drip });
      onTestFinished(() => {
        for (const one of drops) clearInterval(one);
        return proxy.close();
      });
      const env = newMachine(proxy.env);
      const out = at(`dripping-${drops.length}-${name.source.length}`);
      endedWell(await startSceneshift(runArgs(at('data'), out), { env, onStart: (child) => held.push(child) }));
      expect(drops.length).toBeGreaterThan(0);
    });
  });
});
