import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { sceneshift, temporaryFolder } from '../support/cli.ts';

interface Scored {
  model: string;
  scenarios: { scenario: string; n: number; top1: number; drop: number | null }[];
}

describe('demo', () => {
  it('draws, checks, runs and scores; shows the planted bias; computes nothing twice', async () => {
    const folder = temporaryFolder();
    const first = await sceneshift(['demo', '--out', 'demo', '--json'], { cwd: folder });
    expect(first.stderr).toContain('stands in for the embedded benchmark');
    expect(first.status).toBe(0);
    const result = JSON.parse(first.stdout);
    const out = join(folder, 'demo');

    const manifest = (await readFile(join(out, 'data/manifest.csv'), 'utf8')).trim().split('\n');
    expect(manifest[0]).toBe('image,mask,label,target,split,group');
    expect(manifest).toHaveLength(1 + 64);
    expect(manifest[1]).toBe('images/ball/01-lawn.png,masks/ball/01-lawn.png,ball,0,test,ball-1');

    expect(result).toMatchObject({ rows: 64 * 18 * 2, computed: 64 * 18 * 2, errors: 0, run: join(out, 'run') });
    const scored = (name: string) => {
      const { scenarios } = result.score.models.find(({ model }: Scored) => model === name) as Scored;
      return (scenario: string) =>
        scenarios.find((row) => row.scenario === scenario) as { n: number; top1: number; drop: number };
    };
    const [leans, looks] = [scored('leans-on-scene'), scored('looks-at-object')];
    expect(leans('random-background').n).toBe(64);
    expect(leans('random-background').drop).toBeGreaterThan(looks('random-background').drop + 0.1);
    expect(looks('original').top1).toBeGreaterThan(leans('original').top1);

    const [biased, fair] = result.verdict.models;
    expect(biased).toMatchObject({ model: 'leans-on-scene', leansOnScene: true });
    expect(fair).toMatchObject({ model: 'looks-at-object', leansOnScene: false });
    for (const { usual } of result.verdict.models) expect(usual).toBeGreaterThanOrEqual(0.85);
    expect(biased.elsewhere).toBeLessThan(fair.elsewhere);
    expect(biased.backgroundAlone).toBeGreaterThan(0.5);

    const sheet = await readFile(join(out, 'sheet.png'));
    expect(sheet.subarray(1, 4).toString()).toBe('PNG');
    expect(sheet.readUInt32BE(16)).toBeGreaterThan(18 * 96);

    const second = await sceneshift(['demo', '--out', 'demo'], { cwd: folder });
    expect(second.status).toBe(0);
    expect(second.stderr).toContain(`${64 * 18 * 2} of ${64 * 18 * 2} answers found, 0 to do`);
    expect(second.stdout).toContain('leans-on-scene: leans on the scene.');
    expect(second.stdout).toContain(join('demo', 'sheet.png'));
    expect(second.stdout.trimEnd()).toMatch(/Report: .*report\.html$/);
  });
});
