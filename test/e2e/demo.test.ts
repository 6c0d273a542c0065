import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { sceneshift, temporaryFolder } from '../support/cli.ts';

interface Contrast {
  estimate: number;
  ci: [number, number];
}

describe('demo', () => {
  it('finds the bias that was planted; computes nothing twice', async () => {
    const folder = temporaryFolder();
    const first = await sceneshift(['demo', '--out', 'demo', '--json'], { cwd: folder });
    expect(first.status).toBe(0);
    expect(first.stderr).toContain('240 of 240 images can be used, 12 classes, no problem');
    const result = JSON.parse(first.stdout);
    const answers = 240 * 25 * 14;
    expect(result).toMatchObject({ rows: answers, computed: answers, errors: 0, run: join(folder, 'demo', 'run') });

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

    const second = await sceneshift(['demo', '--out', 'demo'], { cwd: folder });
    expect(second.status).toBe(0);
    expect(second.stderr).toContain(`${answers} of ${answers} answers found, 0 to do`);
    expect(second.stdout).toContain('The bias was planted, and it is found');
    expect(second.stdout.trimEnd()).toMatch(/Report: .*report\.html$/);
  });
});
