import { afterEach, describe, expect, it, vi } from 'vitest';
import { presets } from '../../scenarios/presets.ts';
import { scenarios } from '../../scenarios/registry.ts';
import { runCommand } from '../command.ts';
import { scenariosCommand } from './scenarios.ts';

afterEach(() => vi.restoreAllMocks());

async function output(...argv: string[]): Promise<string> {
  let text = '';
  vi.spyOn(process.stdout, 'write').mockImplementation((chunk) => {
    text += chunk;
    return true;
  });
  await runCommand(scenariosCommand as never, argv);
  vi.restoreAllMocks();
  return text;
}

describe('sceneshift scenarios', () => {
  it('lists every scenario and preset within the width of the terminal', async () => {
    const { columns } = process.stdout;
    process.stdout.columns = 80;
    const text = await output();
    process.stdout.columns = columns;
    const lines = text.split('\n');
    for (const { id } of scenarios) expect(lines.some((line) => line.startsWith(`  ${id} `))).toBe(true);
    for (const id of Object.keys(presets)) expect(lines.some((line) => line.startsWith(`  ${id} `))).toBe(true);
    expect(Math.max(...lines.map((line) => [...line].length))).toBeLessThanOrEqual(80);
  });

  it('gives a program everything', async () => {
    const result = JSON.parse(await output('--json'));
    expect(result.scenarios).toHaveLength(scenarios.length);
    expect(result.scenarios.find(({ id }: { id: string }) => id === 'blur-background')).toMatchObject({
      family: 'blur',
      object: 'untouched',
      needs: ['mask'],
      params: [
        { name: 'sigma', accepts: 'a number, 0 or more', default: '3' },
        { name: 'kernel', default: '15' },
        { name: 'sigmaShare', default: '0' },
      ],
    });
    expect(result.presets.map(({ id }: { id: string }) => id)).toEqual(Object.keys(presets));
  });

  it('tells about one scenario, its settings taken into account', async () => {
    const text = await output('grey:background');
    expect(text).toContain('grey:background · Greyscale');
    expect(text).toContain('untouched: same pixels, same place');
    expect(JSON.parse(await output('grey:background', '--json'))).toMatchObject({
      name: 'grey:background',
      object: 'untouched',
      needs: ['mask'],
      values: { region: 'background' },
    });
  });

  it('tells about one preset', async () => {
    expect(await output('ximagenet-12')).toContain('  random-background-additive\n');
  });

  it('points at what a mistyped or shortened name may mean', async () => {
    await expect(output('tint')).rejects.toThrow('there is tint-blue, tint-green, tint-red');
    await expect(output('segmentd')).rejects.toThrow('did you mean segmented?');
  });
});
