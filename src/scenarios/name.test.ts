import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { fromFolderName, toFolderName } from '../contracts/folder-name.ts';
import { formatScenario, parseScenario, parseScenarioList } from './name.ts';
import { defaultParams, formatValue, jsonSchema } from './params.ts';
import { presets } from './presets.ts';
import { scenarios } from './registry.ts';

describe('parseScenario', () => {
  it.each([
    ['blur-background', 'blur-background', { sigma: 3, kernel: 15, sigmaShare: 0 }],
    ['blur-background:5', 'blur-background:5', { sigma: 5, kernel: 15, sigmaShare: 0 }],
    ['blur-background:sigma=5', 'blur-background:5', { sigma: 5, kernel: 15, sigmaShare: 0 }],
    [
      'blur-background:sigmaShare=0.0125',
      'blur-background:sigmaShare=0.0125',
      { sigma: 3, kernel: 15, sigmaShare: 0.0125 },
    ],
    ['blur-background:3', 'blur-background', { sigma: 3, kernel: 15, sigmaShare: 0 }],
    ['blur-background:kernel=9', 'blur-background:kernel=9', { sigma: 3, kernel: 9, sigmaShare: 0 }],
    ['blur-background:kernel=9+sigma=5', 'blur-background:sigma=5+kernel=9', { sigma: 5, kernel: 9, sigmaShare: 0 }],
    ['blur-background:5.0+kernel=9', 'blur-background:sigma=5+kernel=9', { sigma: 5, kernel: 9, sigmaShare: 0 }],
    ['blur-background:sigma=3+kernel=15', 'blur-background', { sigma: 3, kernel: 15, sigmaShare: 0 }],
    ['transparent:000000', 'transparent:000000', { over: '000000' }],
    ['camera-shift:x=-0.1', 'camera-shift:x=-0.1', { x: -0.1, y: 'random', strength: 1 }],
    ['camera-shift:x=-0', 'camera-shift:x=0', { y: 'random' }],
    ['fog', 'fog:3', { severity: 3, region: 'image' }],
    ['fog:3', 'fog:3', { severity: 3, region: 'image' }],
    ['fog:region=background', 'fog:severity=3+region=background', { severity: 3, region: 'background' }],
    [' grey:background ', 'grey:background', { region: 'background' }],
  ])('%s is %s', (text, name, params) => {
    const parsed = parseScenario(text);
    expect(parsed.name).toBe(name);
    expect(parsed.params).toMatchObject(params);
  });

  it.each([
    [
      'blur-backgroud',
      "Expected a known scenario or preset for scenario but received 'blur-backgroud'; did you mean blur-background?",
    ],
    ['zzz', "Expected a known scenario or preset for scenario but received 'zzz'; see sceneshift scenarios"],
    [
      'blur-background:sigm=3',
      "Expected one of sigma, kernel, sigmaShare for a setting of blur-background but received 'sigm'; did you mean sigma?",
    ],
    [
      'blur-background:3+9',
      "Expected one of sigma, kernel, sigmaShare for a setting of blur-background but received '9'; write for instance blur-background:sigma=3",
    ],
    ['blur-background:kernel=4', "Expected an odd number, 999 or less for blur-background:kernel but received '4'"],
    [
      'blur-background:kernel=100001',
      "Expected an odd number, 999 or less for blur-background:kernel but received '100001'",
    ],
    ['blur-background:-1', "Expected a number, 0 or more for blur-background:sigma but received '-1'"],
    ['blur-background:', "Expected a number, 0 or more for blur-background:sigma but received ''"],
    ['grey:sky', "Expected image, background or object for grey:region but received 'sky'"],
    ['tint-red:200', "Expected random or a whole number from 0 to 180 for tint-red:hue but received '200'"],
    ['transparent:white', "Expected six hexadecimal digits such as ffffff for transparent:over but received 'white'"],
    ['segmented:3', "Expected no setting for segmented but received '3'; write segmented alone"],
    ['blur-background:5+sigma=6', "Expected one value for blur-background:sigma but received '5+sigma=6'"],
  ])('%s is refused', (text, message) => {
    expect(() => parseScenario(text)).toThrow(message);
  });
});

describe('parseScenarioList', () => {
  const names = (list: string | string[]) => parseScenarioList(list).map(({ name }) => name);

  it('expands presets, keeps the order and drops what comes twice', () => {
    expect(names('segmented, blur-background:sigma=3,blur-background,original')).toEqual([
      'segmented',
      'blur-background',
      'original',
    ]);
    expect(names(['grey,quick', 'rainbow'])).toEqual([...new Set(['grey', ...presets.quick.scenarios, 'rainbow'])]);
  });

  it('names the option and what is wrong', () => {
    expect(() => parseScenarioList('original,quik')).toThrow(
      "Expected a known scenario or preset for --scenarios but received 'quik'; did you mean quick?",
    );
    expect(() => parseScenarioList(' , ')).toThrow('Expected at least one scenario for --scenarios');
  });
});

/** Values a declared parameter accepts, from its schema; numbers that a refinement turns down are left out. */
function values(type: z.ZodType): fc.Arbitrary<unknown> {
  const schema = jsonSchema(type);
  const options = schema.anyOf ?? [schema];
  const arbitraries = options.map((option): fc.Arbitrary<unknown> => {
    if (option.enum) return fc.constantFrom(...option.enum);
    if (option.const !== undefined) return fc.constant(option.const);
    if (option.type === 'boolean') return fc.boolean();
    if (option.type === 'string') return fc.stringMatching(/^[0-9a-f]{6}$/);
    const min = Math.max(option.minimum ?? option.exclusiveMinimum ?? -1e30, -1e30);
    const max = Math.min(option.maximum ?? option.exclusiveMaximum ?? 1e30, 1e30);
    if (option.type === 'integer') return fc.integer({ min: Math.max(min, -1e9), max: Math.min(max, 1e9) });
    return fc.oneof(fc.double({ min, max, noNaN: true }), fc.integer({ min: Math.ceil(min), max: Math.floor(max) }));
  });
  return fc.oneof(...arbitraries).filter((value) => type.safeParse(value).success);
}

describe.each(scenarios.map((scenario) => [scenario.id, scenario] as const))('%s', (_id, scenario) => {
  it('its settings come back from its name, and from its folder', () => {
    const settings = fc.record(
      Object.fromEntries(Object.entries(scenario.params).map(([name, type]) => [name, values(type)])),
    );
    fc.assert(
      fc.property(settings, (params) => {
        const name = formatScenario(scenario, params);
        const parsed = parseScenario(name);
        expect(name).not.toMatch(/[,@/\\\s]/);
        expect(name.split(':').length).toBeLessThanOrEqual(2);
        expect(parsed.scenario).toBe(scenario);
        expect(parsed.name).toBe(name);
        for (const [key, value] of Object.entries(params)) {
          expect(formatValue(parsed.params[key])).toBe(formatValue(value));
        }
        expect(toFolderName(name)).not.toContain(':');
        expect(fromFolderName(toFolderName(name))).toBe(name);
      }),
      { numRuns: 30, seed: 1 },
    );
  });

  it('is its id alone with all settings at their defaults, or its id and level', () => {
    const [first] = Object.values(defaultParams(scenario));
    const name = scenario.explicit ? `${scenario.id}:${first}` : scenario.id;
    expect(formatScenario(scenario, defaultParams(scenario))).toBe(name);
    expect(parseScenario(scenario.id).name).toBe(name);
  });
});
