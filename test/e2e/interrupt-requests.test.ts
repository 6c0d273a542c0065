import type { ChildProcess } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { startSceneshift, temporaryFolder } from '../support/cli.ts';
import { type MadeDataset, makeDataset } from '../support/dataset.ts';
import { type Handler, sendJson, startService } from '../support/image-services.ts';

/** A service that sees a request and interrupts whoever sent it; how it answers, or whether, is the handler's. */
async function interrupting(answer: Handler) {
  let child: ChildProcess | undefined;
  let interrupted = 0;
  const service = await startService((received, response) => {
    if (received.path === '/v1/models') return sendJson(response, {});
    if (!interrupted++) child?.kill('SIGINT');
    return answer(received, response);
  });
  onTestFinished(service.close);
  return {
    url: service.url,
    asked: () => interrupted,
    onStart: (started: ChildProcess) => void (child = started),
  };
}

const never: Handler = () => undefined;
const later: Handler = (_, response) => sendJson(response, { error: 'busy' }, 429, { 'retry-after': '100' });

/** Each of these used to wait for the request, or for its next try: the time limit notices. */
describe('interrupted while a request is under way', { timeout: 5 * 60_000 }, () => {
  let home: string;
  let data: MadeDataset;
  beforeAll(async () => {
    home = await mkdtemp(join(tmpdir(), 'sceneshift-requests-'));
    data = await makeDataset(join(home, 'data'), { perClass: 6, width: 48, height: 48 });
    return () => rm(home, { recursive: true, force: true });
  });
  const ask = (model: string, onStart: (child: ChildProcess) => void, more: string[] = []) => {
    const out = join(temporaryFolder(), 'run');
    const args = ['run', '--data', data.manifest, '--model', model, '--scenarios', 'original', '--no-controls'];
    return startSceneshift([...args, '--threads', '1', '--out', out, ...more], {
      onStart,
      env: { SCENESHIFT_CACHE: join(out, '..', 'cache') },
    });
  };
  const endedWell = ({ status, stderr }: Awaited<ReturnType<typeof startSceneshift>>) => {
    expect(status, stderr).toBe(130);
    expect(stderr).toContain('Interrupted; the same command goes on from here');
  };

  it('a run over an endpoint that does not answer', async () => {
    const { url, onStart, asked } = await interrupting(never);
    endedWell(await ask(`vlm:${url}/v1#tiny`, onStart));
    // What waited for its turn was not asked any more: four requests at a time.
    expect(asked()).toBeLessThanOrEqual(4);
  });

  it('a run over an endpoint that asks for patience', async () => {
    const { url, onStart } = await interrupting(later);
    endedWell(await ask(`vlm:${url}/v1#tiny`, onStart));
  });

  it('a run whose endpoint does not even say which models it has', async () => {
    let child: ChildProcess | undefined;
    const service = await startService(() => void child?.kill('SIGINT'));
    onTestFinished(service.close);
    const { status, stderr } = await ask(`vlm:${service.url}/v1#tiny`, (started) => (child = started));
    // The greeting has no end of its own.
    expect([null, 130], stderr).toContain(status);
    expect(stderr).toContain('Interrupted; the same command goes on from here');
  });

  it("a run over a plugin's model that never ends", async () => {
    const folder = temporaryFolder();
    const plugin = join(folder, 'endless.mjs');
    await writeFile(
      plugin,
      `import { defineModel } from 'sceneshift';
      export const endless = defineModel({
        id: 'endless', title: 'never answers', written: 'endless:', describes: ['endless'],
        describe: async () => ({
          name: 'endless', kind: 'endless', source: 'endless:', identity: { kind: 'endless' }, labels: ['disc', 'square', 'ring'],
          outputs: 'logits', outputCount: 3, batch: 1, runsIn: 'main', looksAtPixels: true, warnings: [],
        }),
        open: (described) => ({
          ...described,
          prepare: () => new Uint8Array(1),
          answer: () => new Promise(() => { process.stderr.write('asked\\n'); setInterval(() => {}, 1000); }),
          close: async () => undefined,
        }),
      });`,
    );
    const { status, stderr } = await ask('endless:x', interruptWhen(/asked/), ['--plugin', plugin]);
    // What keeps the process alive cannot be told to end: it dies of the signal.
    expect([null, 130], stderr).toContain(status);
    expect(stderr).toContain('Interrupted; the same command goes on from here');
  });

  const generate = (provider: string, more: string[], onStart: (child: ChildProcess) => void) =>
    startSceneshift(
      ['generate', '--prompt', 'a mug', '--count', '9', '--provider', provider, '--out', temporaryFolder(), ...more],
      { onStart },
    );

  it.each([
    ['does not answer', never],
    ['asks for patience', later],
  ])('generate with a service that %s', async (_, answer) => {
    const { url, onStart, asked } = await interrupting(answer);
    endedWell(await generate('automatic1111', ['--url', url], onStart));
    expect(asked()).toBeLessThanOrEqual(4);
  });

  it('generate with a program that does not answer', async () => {
    const program = join(temporaryFolder(), 'silent.mjs');
    await writeFile(program, `process.stdin.on('data', () => process.kill(process.ppid, 'SIGINT'));`);
    endedWell(await generate(`command:"${process.execPath}" "${program}"`, [], () => undefined));
  });
});

const interruptWhen = (said: RegExp) => (child: ChildProcess) => {
  let [text, sent] = ['', false];
  child.stderr?.on('data', (part) => {
    text += part;
    if (sent || !said.test(text)) return;
    sent = true;
    child.kill('SIGINT');
  });
};
