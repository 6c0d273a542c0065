import { readFile } from 'node:fs/promises';
import { expected } from '../../contracts/errors.ts';
import { nearest } from '../../contracts/nearest.ts';
import { replaceFile } from '../../formats/replace-file.ts';
import { families, type ObjectPromise } from '../../scenarios/define.ts';
import { parseScenario } from '../../scenarios/name.ts';
import { describeParams } from '../../scenarios/params.ts';
import { type Preset, presets } from '../../scenarios/presets.ts';
import { needsOf, promiseOf, type Scenario, scenarios } from '../../scenarios/registry.ts';
import { defineCommand } from '../command.ts';
import { print } from '../ui/output.ts';
import { shorten, table } from '../ui/table.ts';
import { textWidth, wrap } from '../ui/wrap.ts';

export const scenariosCommand = defineCommand({
  name: 'scenarios',
  summary: 'What can be changed about a scene: every scenario with its settings, and the presets.',
  args: ['[NAME]'],
  options: {
    gallery: { type: 'string', value: 'FILE.jpg', describe: 'draw one example picture under every scenario' },
    page: { type: 'string', value: 'FILE.md', describe: 'make the generated tables of a Markdown page anew' },
  },
  examples: [
    'sceneshift scenarios',
    'sceneshift scenarios blur-background',
    'sceneshift scenarios ximagenet-12',
    'sceneshift scenarios --gallery gallery.jpg',
  ],
  async run({ json, gallery, page }, [name]) {
    if (gallery) await drawGallery(gallery);
    if (page) await refresh(page);
    if (gallery || page)
      return print(json, { gallery, page }, () => `wrote ${[gallery, page].filter(Boolean).join(' and ')}`);
    if (!name) {
      const result = { scenarios: scenarios.map(record), presets: Object.entries(presets).map(presetRecord) };
      return print(json, result, listText);
    }
    const preset = presets[name];
    if (preset) return print(json, presetRecord([name, preset]), () => presetText(name, preset));
    const named = known(name);
    const { scenario, params } = named;
    const needs = needsOf(scenario, params);
    const promise = promiseOf(scenario, params);
    print(json, { ...record(scenario), name: named.name, values: params, needs, object: promise }, () =>
      scenarioText(scenario, named.name, promise, needs),
    );
  },
});

function known(name: string) {
  const ids = [...scenarios.map(({ id }) => id), ...Object.keys(presets)];
  const id = name.split(':')[0];
  if (ids.includes(id)) return parseScenario(name, { field: 'NAME' });
  // Part of a name suggests the scenarios that contain it.
  const related = ids.filter((candidate) => candidate.includes(id));
  const near = nearest(id, ids);
  const hint = related.length
    ? `there is ${related.join(', ')}`
    : near
      ? `did you mean ${near}?`
      : 'see sceneshift scenarios';
  throw expected('a scenario or preset', 'NAME', name, hint);
}

const record = (scenario: Scenario) => ({
  id: scenario.id,
  family: scenario.family,
  part: scenario.part,
  title: scenario.title,
  description: scenario.description,
  object: scenario.object,
  needs: scenario.needs,
  params: describeParams(scenario),
});

const presetRecord = ([id, preset]: [string, Preset]) => ({ id, ...preset });

function listText(): string {
  const width = textWidth();
  const line = (id: string, object: string, needs: string, rest: string) =>
    shorten(`  ${id.padEnd(28)}${object.padEnd(11)}${needs.padEnd(19)}${rest}`, width).trimEnd();
  const groups = [...new Set(scenarios.map(({ family }) => family))].map((family) =>
    [
      families[family] ?? family,
      ...scenarios
        .filter((scenario) => scenario.family === family)
        .map((scenario) => line(scenario.id, scenario.object, scenario.needs.join(', ') || '–', settings(scenario))),
    ].join('\n'),
  );
  const column = Math.max(...Object.keys(presets).map((id) => id.length)) + 2;
  const lists = Object.entries(presets).map(
    ([id, preset]) =>
      `  ${id.padEnd(column)}${wrap(`${preset.scenarios.length} scenarios. ${preset.description}`, width, column + 2)}`,
  );
  return [
    line('scenario', 'object', 'needs', 'settings'),
    ...groups,
    ['Presets', ...lists].join('\n'),
    wrap(
      'A setting is written after a colon: size:0.05 or blur-background:sigma=5+kernel=21; commas separate a list. sceneshift scenarios NAME tells more about a scenario or preset.',
      width,
    ),
  ].join('\n\n');
}

const settings = (scenario: Scenario) =>
  describeParams(scenario)
    .map((param) => `${param.name}=${param.default}`)
    .join(' ');

const promises: Record<ObjectPromise, string> = {
  untouched: 'untouched: same pixels, same place',
  moved: 'moved: its mask goes with it',
  changed: 'changed, in place',
};
const needed = {
  mask: 'a mask',
  backgrounds: 'backgrounds (--backgrounds, or other classes)',
  generator: 'the diffusion model',
  others: 'other photographs of the dataset, with masks',
};

const parts: Record<Scenario['part'], string> = {
  original: 'original: the photograph as it is',
  shift: 'shift: should not matter, and is what scores count',
  control: 'control: measures the editing itself; scores do not count it',
  removal: 'removal: the object is gone, so a loss is right; scores do not count it',
};

function scenarioText(
  scenario: Scenario,
  name: string,
  promise: ObjectPromise,
  needs: (keyof typeof needed)[],
): string {
  const params = describeParams(scenario);
  const lines = [
    `${name} · ${scenario.title}`,
    wrap(scenario.description, textWidth()),
    '',
    `object   ${promises[promise]}`,
    `needs    ${needs.map((need) => needed[need]).join(', ') || 'nothing but the photograph'}`,
    `part     ${parts[scenario.part]}`,
    `family   ${scenario.family}`,
    `presets  ${
      Object.keys(presets)
        .filter((id) => presets[id].scenarios.some((item) => item.split(':')[0] === scenario.id))
        .join(', ') || 'none'
    }`,
  ];
  if (params.length === 0) return [...lines, '', 'no settings'].join('\n');
  const list = table(params, [
    { title: 'setting', cell: (param) => param.name },
    { title: 'default', cell: (param) => param.default },
    { title: 'takes', cell: (param) => param.accepts },
    { title: 'what it is', flexible: true, cell: (param) => param.description },
  ]);
  return [...lines, '', list].join('\n');
}

const presetText = (id: string, { title, description, scenarios: names }: Preset) =>
  [`${id} · ${title}`, wrap(description, textWidth()), '', ...names.map((name) => `  ${name}`)].join('\n');

async function drawGallery(file: string): Promise<void> {
  const { drawSheet } = await import('../../scenarios/gallery/sheet.ts');
  const { encodeImage } = await import('../../image/encode.ts');
  const format = file.endsWith('.png') ? 'png' : file.endsWith('.webp') ? 'webp' : 'jpeg';
  await replaceFile(file, await encodeImage(await drawSheet(), { format, quality: 75 }));
}

async function refresh(file: string): Promise<void> {
  const { refreshPage } = await import('../../scenarios/gallery/markdown.ts');
  await replaceFile(file, refreshPage(await readFile(file, 'utf8')));
}
