import { describe, expect, it } from 'vitest';
import type { Raster } from '../image/raster.ts';
import { checkDeclaration } from './check-declaration.ts';
import * as declared from './index.ts';
import { type NamedScenario, parseScenario } from './name.ts';
import { presets } from './presets.ts';
import { type Scenario, scenarios } from './registry.ts';
import { casesOf, scenarioChecks } from './suite/checks.ts';

/** Every scenario as declared, on every region it offers, and with the settings of every preset but the 75 corruptions. */
const cases: NamedScenario[] = [
  ...new Map(
    [
      ...scenarios.flatMap(casesOf),
      ...Object.entries(presets)
        .flatMap(([id, preset]) => (id === 'corruptions' ? [] : preset.scenarios))
        .map((text) => parseScenario(text)),
    ].map((parsed) => [parsed.name, parsed]),
  ).values(),
];

describe('the declarations', () => {
  it('have an id of their own each, the exported name in kebab case', () => {
    expect(new Set(scenarios.map(({ id }) => id)).size).toBe(scenarios.length);
    for (const [name, { id }] of Object.entries(declared)) {
      expect(name.toLowerCase()).toBe(id.replaceAll('-', ''));
      expect(presets).not.toHaveProperty([id]);
    }
  });

  it.each(scenarios.map((scenario) => [scenario.id, scenario] as const))(
    '%s says all that the list shows',
    (_, scenario) => checkDeclaration(scenario),
  );
});

describe.each(cases.map((named) => [named.name, named] as const))('%s', (_, named) => {
  it.each(scenarioChecks)('$title', async ({ run }) => {
    expect(await run(named)).toEqual([]);
  });
});

/** Scenarios with one fault each, and the check that must find it. */
const kept = new WeakMap<Raster, Raster>();

const faults: Record<string, { check: string; finds: RegExp; apply: Scenario['apply']; object?: Scenario['object'] }> =
  {
    'a picture that is too small': {
      check: 'gives a picture and a mask of the size it was given',
      finds: /the image is 1×1/,
      apply: () => ({ width: 1, height: 1, channels: 3, data: new Uint8Array(3) }),
    },
    'an object that is not left alone': {
      check: 'keeps its promise about the object, to the pixel',
      finds: /'untouched' is promised, and \d+ pixels of the object are changed/,
      object: 'untouched',
      apply: ({ image }) => ({ ...image, data: image.data.map((value) => 255 - value) }),
    },
    'an object that stays where it was': {
      check: 'keeps its promise about the object, to the pixel',
      finds: /'moved' is promised, and the mask is where it was/,
      object: 'moved',
      apply: ({ image }) => ({ ...image, data: image.data.map((value) => 255 - value) }),
    },
    'randomness of its own': {
      check: 'gives the same bytes whatever was made before it',
      finds: /take randomness from scene.random alone/,
      apply: ({ image }) => ({ ...image, data: image.data.map(() => Math.floor(Math.random() * 256)) }),
    },
    'writing into the photograph': {
      check: 'leaves what it was given as it was',
      finds: /it writes into scene.image/,
      apply: ({ image }) => ({ ...image, data: image.data.fill(3) }),
    },
    'handing out the photograph': {
      check: 'leaves what it was given as it was',
      finds: /shares memory/,
      apply: ({ image }) => image,
    },
    'handing out what it keeps': {
      check: 'leaves what it was given as it was',
      finds: /shares memory with what it keeps/,
      apply: ({ image }) => {
        kept.set(image, kept.get(image) ?? { ...image, data: image.data.map((value) => 255 - value) });
        return kept.get(image) as Raster;
      },
    },
    'a size that it cannot take': {
      check: 'survives odd sizes and masks',
      finds: /1×1 with an object of one pixel: it throws too narrow/,
      apply: ({ image }) => {
        if (image.width < 3) throw new Error('too narrow');
        return image;
      },
    },
  };

describe('the checks find', () => {
  it.each(Object.entries(faults))('%s', async (_, { check, finds, apply, object = 'changed' }) => {
    const scenario: Scenario = { ...declared.grey, id: 'grey', params: {}, object, apply };
    const problems = await scenarioChecks
      .find(({ title }) => title === check)
      ?.run({ scenario, params: {}, name: 'grey' });
    expect(problems?.join('\n')).toMatch(finds);
  });
});
