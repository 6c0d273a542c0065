import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fixture, pattern } from '../../test/fixtures/models/pattern.ts';
import { UserError } from '../contracts/errors.ts';
import { createFrameReader } from './command/frame-reader.ts';
import { encodeFrame } from './command/protocol.ts';
import { fetchModel } from './hub/fetch-model.ts';
import { readGraph } from './onnx/graph.ts';
import { describeModel } from './open.ts';
import { describeVlm } from './vlm/describe.ts';
import { openVlm } from './vlm/open.ts';

/** `SCENESHIFT_FUZZ=100`: so many times as long. */
const rounds = Number(process.env.SCENESHIFT_FUZZ ?? 1);

/** What damage does to bytes: some are changed, the end is lost, a part is doubled or left out. */
const damage = fc.array(
  fc.oneof(
    fc.record({ kind: fc.constant('change' as const), at: fc.nat(), byte: fc.nat(255) }),
    fc.record({ kind: fc.constant('cut' as const), at: fc.nat() }),
    fc.record({ kind: fc.constant('double' as const), at: fc.nat(), length: fc.nat(64) }),
    fc.record({ kind: fc.constant('leave out' as const), at: fc.nat(), length: fc.nat(64) }),
  ),
  { minLength: 1, maxLength: 6 },
);

function damaged(whole: Uint8Array, changes: typeof damage extends fc.Arbitrary<infer T> ? T : never): Uint8Array {
  let bytes = Buffer.from(whole);
  for (const change of changes) {
    const at = bytes.length ? change.at % bytes.length : 0;
    if (change.kind === 'change' && bytes.length) bytes[at] = change.byte;
    else if (change.kind === 'cut') bytes = bytes.subarray(0, at);
    else if (change.kind === 'double')
      bytes = Buffer.concat([bytes.subarray(0, at + change.length), bytes.subarray(at)]);
    else if (change.kind === 'leave out')
      bytes = Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + change.length)]);
  }
  return bytes;
}

/** A user can act on it; anything else is a defect of ours. */
const oneLine = (error: unknown) => {
  expect(error).toBeInstanceOf(UserError);
  expect((error as Error).message).not.toMatch(/\n.*\n/);
};

describe('damaged ONNX files', () => {
  const names = ['nchw.onnx', 'int8-qdq.onnx', 'half.onnx', 'softmax.onnx'];
  it('are read as far as they are whole, or refused', () => {
    fc.assert(
      fc.property(fc.constantFrom(...names), damage, (name, changes) => {
        try {
          readGraph(damaged(readFileSync(fixture(name)), changes), name);
        } catch (error) {
          oneLine(error);
        }
      }),
      { numRuns: 600 * rounds },
    );
  });
  it('cost one line when they are tried', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'hostile-'));
    const path = join(folder, 'model.onnx');
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...names), damage, async (name, changes) => {
        writeFileSync(path, damaged(readFileSync(fixture(name)), changes));
        await describeModel(path).catch(oneLine);
      }),
      { numRuns: 60 * rounds },
    );
  });
});

describe('frames of a program gone mad', () => {
  it('never make the reader keep more than was due', () => {
    const whole = Buffer.concat([
      Buffer.from('{"sceneshift":1,"outputs":2}\n'),
      ...encodeFrame({ id: 1 }, [new Uint8Array(80)]),
      ...encodeFrame({ id: 2, error: 'no' }, []),
    ]);
    fc.assert(
      fc.property(damage, fc.integer({ min: 1, max: 200 }), (changes, piece) => {
        const bytes = damaged(whole, changes);
        let broken = 0;
        const reader = createFrameReader({
          onHello: () => undefined,
          onFrame: ({ payload }) => expect(payload.length).toBeLessThanOrEqual(80),
          onBroken: () => broken++,
          mostPayload: () => 80,
        });
        for (let at = 0; at < bytes.length; at += piece) reader.push(bytes.subarray(at, at + piece));
        expect(broken).toBeLessThanOrEqual(1);
      }),
      { numRuns: 2000 * rounds },
    );
  });
});

describe('servers that answer anything', () => {
  let body: Uint8Array = new Uint8Array(0);
  let status = 200;
  const server = createServer((request, response) => {
    request.resume();
    request.on('end', () => response.writeHead(status, { 'x-repo-commit': 'c'.repeat(40) }).end(body));
  });
  beforeAll(() => new Promise<void>((ready) => void server.listen(0, '127.0.0.1', ready)));
  afterAll(() => {
    server.closeAllConnections();
    return new Promise<void>((done) => void server.close(() => done()));
  });
  const url = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const statuses = fc.constantFrom(200, 200, 200, 204, 206, 404, 418, 500);

  it('as a hub cost one line', async () => {
    const listing = Buffer.from(
      JSON.stringify([
        { type: 'file', path: 'model.onnx', size: 20, oid: 'a'.repeat(40), lfs: { oid: 'b'.repeat(64), size: 20 } },
      ]),
    );
    await fc.assert(
      fc.asyncProperty(damage, statuses, async (changes, code) => {
        [body, status] = [damaged(listing, changes), code];
        const cacheDir = mkdtempSync(join(tmpdir(), 'hostile-'));
        const sleep = async () => undefined;
        await fetchModel({ id: 'owner/name', cacheDir, env: { HF_ENDPOINT: url() }, sleep }).catch(oneLine);
      }),
      { numRuns: 100 * rounds },
    );
  });

  it('as an endpoint cost the picture', async () => {
    const reply = Buffer.from(
      JSON.stringify({ choices: [{ message: { content: 'a beagle' } }], usage: { prompt_tokens: 1 } }),
    );
    const vlm = { retries: 0, distractors: { beagle: 'pen' } };
    [body, status] = [Buffer.from('{}'), 200];
    const options = { classes: ['beagle', 'pen'], cacheDir: mkdtempSync(join(tmpdir(), 'hostile-')) };
    const described = await describeVlm({ url: `${url()}/v1`, model: 'tiny' }, { vlm }, options);
    let asked = 0;
    await fc.assert(
      fc.asyncProperty(damage, statuses, async (changes, code) => {
        [body, status] = [damaged(reply, changes), code];
        const model = openVlm(described, options, { sleep: async () => undefined });
        const picture = await model.prepare(pattern({ width: 8, height: 8, seed: ++asked }));
        const question = { sample: 'x', label: 'beagle', scenario: 'original', width: 8, height: 8 };
        const [answer] = await model.answer([picture], [question]).catch((error: unknown) => {
          oneLine(error);
          return [undefined];
        });
        expect(['verdict', 'failed', undefined]).toContain(answer?.kind);
      }),
      { numRuns: 100 * rounds },
    );
  });
});
