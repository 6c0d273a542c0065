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
    // The photographs, with a random background, and pasted back: what the bias is read from.
    const call = ['demo', '--scenarios', 'original', '--out', 'demo'];
    const first = await startSceneshift([...call, '--json'], { cwd: home, bin });
    expect(first.status, first.stderr).toBe(0);
    expect(first.stderr).toContain('240 of 240 images can be used, 12 classes, no problem');
    const result = JSON.parse(first.stdout);
    const answers = 240 * 3 * 14;
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

    const second = await startSceneshift(call, { cwd: home, bin });
    expect(second.status).toBe(0);
    expect(second.stderr).toContain(`${answers} of ${answers} answers found, 0 to do`);
    expect(second.stdout).toContain('The bias was planted, and it is found');
    expect(second.stdout.trimEnd()).toMatch(/Report: .*report\.html$/);
  });

  it('has all that its scenarios need', async () => {
    const { home, bin } = packed;
    const benchmark = join(home, 'node_modules/sceneshift/benchmark');
    const model = join(benchmark, 'models/plain-biased-1.onnx');
    const plates = ['--backgrounds', join(benchmark, 'backgrounds'), '--generated', join(benchmark, 'generated')];
    const all = ['--scenarios', 'ximagenet-12,generated-background,imagenet-e-plain,only-bg-t'];
    const args = ['run', '--data', benchmark, '--limit', '3', '--model', model, ...all, ...plates];
    const ran = await startSceneshift([...args, '--no-report', '--out', 'run', '--json'], { cwd: home, bin });
    expect(ran.status, ran.stderr).toBe(0);
    expect(JSON.parse(ran.stdout)).toMatchObject({ rows: 3 * 25, errors: 0 });
  });
});
