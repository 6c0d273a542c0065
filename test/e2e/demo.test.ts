import { readFile, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { startSceneshift } from '../support/cli.ts';
import { installPacked, type PackedPackage } from '../support/packed.ts';

interface Contrast {
  estimate: number;
  ci: [number, number];
}

describe('demo, from the packed package in an empty folder', () => {
  let packed: PackedPackage;
  beforeAll(async () => {
    packed = await installPacked();
    return packed.remove;
  });

  it('finds the bias that was planted; computes nothing twice', async () => {
    const { home, bin } = packed;
    const first = await startSceneshift(['demo', '--out', 'demo', '--json'], { cwd: home, bin });
    expect(first.status, first.stderr).toBe(0);
    expect(first.stderr).toContain('240 of 240 images can be used, 12 classes, no problem');
    const result = JSON.parse(first.stdout);
    const answers = 240 * 25 * 14;
    expect(result).toMatchObject({
      rows: answers,
      computed: answers,
      errors: 0,
      run: join(await realpath(home), 'demo', 'run'),
    });

    // The known truth, and no more: over three training seeds of each network, biased against its twin.
    const verdict = result.verdict as { network: string; randomBackground: Contrast; outsideUsual: Contrast }[];
    expect(verdict.map(({ network }) => network)).toEqual(['plain', 'residual', 'all']);
    for (const { randomBackground, outsideUsual } of verdict) {
      expect(randomBackground.ci[0]).toBeGreaterThan(0);
      expect(outsideUsual.ci[0]).toBeGreaterThan(0);
    }

    expect((await readFile(result.sheet)).subarray(1, 4).toString()).toBe('PNG');
    expect(await readFile(result.report, 'utf8')).toContain('</html>');
    expect(await readFile(result.heads.report, 'utf8')).toContain('</html>');

    const second = await startSceneshift(['demo', '--out', 'demo'], { cwd: home, bin });
    expect(second.status).toBe(0);
    expect(second.stderr).toContain(`${answers} of ${answers} answers found, 0 to do`);
    expect(second.stdout).toContain('The bias was planted, and it is found');
    expect(second.stdout.trimEnd()).toMatch(/Report: .*report\.html$/);
  });
});
