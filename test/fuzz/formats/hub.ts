import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fetchModel } from '../../../src/models/hub/fetch-model.ts';
import type { FuzzTarget } from '../fuzz.ts';
import { oddReply, openServer, packed } from './servers.ts';

const content = 'weights of a model';
const sha256 = createHash('sha256').update(content).digest('hex');
const listing = [
  {
    type: 'file',
    path: 'model.onnx',
    size: content.length,
    oid: 'a'.repeat(40),
    lfs: { oid: sha256, size: content.length },
  },
  { type: 'file', path: 'config.json', size: content.length, oid: sha256 },
];
const commit = { 'x-repo-commit': 'c'.repeat(40) };

export const hubTarget: FuzzTarget = {
  name: 'hub',
  mostMegabytes: 150,
  make: (random) =>
    packed({
      '/tree/': oddReply(listing, random),
      '/resolve/': {
        ...oddReply(content, random, commit),
        ...(random.uniform() < 0.6 && { status: 200, body: content }),
      },
    }),
  async open() {
    const { url, give } = await openServer();
    return async (input) => {
      give(input);
      const root = mkdtempSync(join(tmpdir(), 'sceneshift-fuzz-hub-'));
      const cacheDir = join(root, 'deep', 'down', 'cache');
      try {
        await fetchModel({ id: 'owner/name', cacheDir, env: { HF_ENDPOINT: url }, sleep: async () => undefined });
      } finally {
        const outside = readdirSync(root, { recursive: true }).filter(
          (name) => !/^deep(\/down(\/cache.*)?)?$/s.test(String(name)),
        );
        rmSync(root, { recursive: true, force: true });
        // biome-ignore lint/correctness/noUnsafeFinally: a file outside the cache is the fault looked for, whatever else happened
        if (outside.length) throw new Error(`written outside the cache: ${outside}`);
      }
    };
  },
};
