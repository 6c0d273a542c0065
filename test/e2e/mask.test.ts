import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { fingerprints, sceneshift, startSceneshift, temporaryFolder } from '../support/cli.ts';
import { type MadeDataset, makeDataset } from '../support/dataset.ts';

describe('mask', () => {
  let home: string;
  let data: MadeDataset;
  beforeAll(async () => {
    home = await mkdtemp(join(tmpdir(), 'sceneshift-mask-'));
    data = await makeDataset(join(home, 'data'), { perClass: 12 });
    return () => rm(home, { recursive: true, force: true });
  });

  /** Ends the command by a signal as soon as some masks are there. */
  const stopped = (out: string, signal: 'SIGINT' | 'SIGTERM' | 'SIGKILL', after: number) =>
    startSceneshift(['mask', data.manifest, '--out', out, '--threads', '1', '--json'], {
      onStart(child) {
        // Looks overlap on a busy machine, and a second signal would end the command at once.
        let sent = false;
        const watch = setInterval(async () => {
          const names = await readdir(out, { recursive: true }).catch(() => []);
          const there = names.filter((name) => name.endsWith('.png'));
          if (sent || there.length < after || child.exitCode !== null) return;
          sent = true;
          clearInterval(watch);
          child.kill(signal);
        }, 5);
        child.on('exit', () => clearInterval(watch));
      },
    });

  /** On a busy machine the command may be through before the signal comes: then once more. */
  const interrupted = async (signal: 'SIGINT' | 'SIGTERM', tries = 10): ReturnType<typeof stopped> => {
    const out = join(temporaryFolder(), 'masks');
    const ran = await stopped(out, signal, 2);
    const rows = await readFile(join(out, 'manifest.csv'), 'utf8').catch(() => '');
    const whole = ran.status === 0 && rows.trim().split('\n').length === data.samples + 1;
    if (whole && tries > 1) return interrupted(signal, tries - 1);
    expect(rows).toBe('');
    return ran;
  };

  it.each(['SIGINT', 'SIGTERM'] as const)('says so when %s ends it, and leaves no manifest', async (signal) => {
    const { status, stdout, stderr } = await interrupted(signal);
    expect(status).toBe(130);
    expect(stderr).toMatch(/Interrupted: \d+ of \d+ masks are made, and no manifest yet/);
    expect(JSON.parse(stdout)).toMatchObject({ interrupted: true, manifest: null, samples: data.samples });
  });

  it.each([
    // A model that is named is asked: this one cannot be.
    [['--model', 'nowhere.onnx'], /There is no model at nowhere\.onnx/],
    [['--method', 'grabcut', '--model', 'FILE'], /Expected no model for --method grabcut but received/],
    [['--min-part', '5'], /Expected a share from 0 to 1 for --min-part but received 5/],
    [['--max-errors', '5'], /Expected a number of at most 1 for maxErrors in the command line but received 5/],
    [['--max-pixels', '0'], /Expected a number above 0 for maxPixels in the command line but received 0/],
  ])('refuses %j before any work', async (options, message) => {
    const given = options.map((option) => (option === 'FILE' ? data.manifest : option));
    const out = join(temporaryFolder(), 'masks');
    const { status, stderr } = await sceneshift(['mask', data.manifest, '--out', out, ...given]);
    expect(stderr).toMatch(message);
    expect(status).toBe(2);
  });

  it('killed and called again, gives the same masks as one call', async () => {
    const whole = join(temporaryFolder(), 'whole');
    expect(await sceneshift(['mask', data.manifest, '--out', whole, '--threads', '1'])).toMatchObject({
      status: 0,
    });
    let killed = '';
    for (let status: number | null = 0, tries = 0; status === 0 && tries < 10; tries++) {
      killed = join(temporaryFolder(), 'killed');
      ({ status } = await stopped(killed, 'SIGKILL', 3));
    }
    expect(await readdir(killed)).not.toContain('manifest.csv');
    const { status, stdout } = await sceneshift(['mask', data.manifest, '--out', killed, '--threads', '1', '--json']);
    expect(status).toBe(0);
    expect(JSON.parse(stdout).found).toBeGreaterThan(0);
    const masksOf = async (folder: string) =>
      Object.entries(await fingerprints(folder)).filter(([name]) => name.endsWith('.png'));
    expect(await masksOf(killed)).toEqual(await masksOf(whole));
    const rows = (await readFile(join(killed, 'manifest.csv'), 'utf8')).trim().split('\n');
    expect(rows).toHaveLength(data.samples + 1);
  });
});
