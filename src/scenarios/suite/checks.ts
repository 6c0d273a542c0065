import { isDeepStrictEqual } from 'node:util';
import { SampleError } from '../../contracts/errors.ts';
import type { Mask, Raster } from '../../image/raster.ts';
import type { Variant } from '../define.ts';
import { type NamedScenario, parseScenario } from '../name.ts';
import { formatValue } from '../params.ts';
import { promiseOf, type Scenario } from '../registry.ts';
import { applyScenario, createSceneSource } from '../scene.ts';
import { drawPhotographs, type MaskedPhotograph, oddPhotographs, poolOf } from './photographs.ts';

/** What must hold for every scenario, our own and plugins'. A check answers what is wrong, in one line each. */
export interface ScenarioCheck {
  readonly title: string;
  run(named: NamedScenario): Promise<string[]>;
}

const photographs = drawPhotographs();
const [generic] = photographs;
const pool = poolOf(photographs);

const sourceOf = (photograph: MaskedPhotograph) =>
  createSceneSource({ sample: { id: 'class/picture.jpg', label: 'class' }, ...photograph, seed: 7, pool });

const edit = ({ scenario, params, name }: NamedScenario, source = sourceOf(generic)): Promise<Variant> =>
  applyScenario(scenario, source.scene(name), params);

const same = (a: Uint8Array | undefined, b: Uint8Array | undefined) =>
  a === b || (a !== undefined && b !== undefined && Buffer.compare(a, b) === 0);

/** The scenario as declared, and on every region it offers. */
export const casesOf = ({ id, params }: Scenario): NamedScenario[] => [
  parseScenario(id),
  ...('region' in params
    ? ['image', 'background', 'object'].map((region) => parseScenario(`${id}:region=${region}`))
    : []),
];

export const scenarioChecks: readonly ScenarioCheck[] = [
  {
    title: 'gives a picture and a mask of the size it was given',
    run: async (named) => sizeProblems(await edit(named), generic),
  },
  { title: 'keeps its promise about the object, to the pixel', run: promiseProblems },
  { title: 'gives the same bytes whatever was made before it', run: orderProblems },
  { title: 'leaves what it was given as it was', run: writingProblems },
  { title: 'survives odd sizes and masks', run: oddProblems },
  { title: 'reads its own settings back', run: settingProblems },
];

function sizeProblems({ image, mask, alpha }: Variant, { image: before }: MaskedPhotograph): string[] {
  const { width, height } = before;
  const expectedSize = `${width}×${height}`;
  const wrong = (
    what: string,
    got: { width: number; height: number; data: Uint8Array } | undefined,
    channels: number,
  ) =>
    got?.width === width && got.height === height && got.data?.length === width * height * channels
      ? []
      : [
          `the ${what} is ${got?.width}×${got?.height} with ${got?.data?.length} bytes, of a picture of ${expectedSize}`,
        ];
  return [
    ...wrong('image', image, 3),
    ...(mask ? wrong('mask', mask, 1) : []),
    ...(mask?.data.some((value) => value !== 0 && value !== 255) ? ['the mask has other values than 0 and 255'] : []),
    ...(alpha && alpha.length !== width * height ? [`alpha has ${alpha.length} bytes, not ${width * height}`] : []),
  ];
}

async function promiseProblems(named: NamedScenario): Promise<string[]> {
  const { image, mask = generic.mask } = await edit(named);
  const promise = promiseOf(named.scenario, named.params);
  const problems: string[] = [];
  if (promise === 'untouched') {
    if (!same(mask.data, generic.mask.data)) problems.push("'untouched' is promised, and the mask is another");
    const changed = differing(image, generic.image, generic.mask, 255);
    if (changed) problems.push(`'untouched' is promised, and ${changed} pixels of the object are changed`);
  } else {
    if (!mask.data.includes(255)) problems.push(`'${promise}' is promised, and the object is nowhere`);
    if (same(image.data, generic.image.data)) problems.push(`'${promise}' is promised, and no pixel is changed`);
  }
  if (promise === 'moved' && same(mask.data, generic.mask.data))
    problems.push("'moved' is promised, and the mask is where it was");
  if (named.params.region === 'object') {
    const changed = differing(image, generic.image, generic.mask, 0);
    if (changed) problems.push(`region=object is asked, and ${changed} pixels of the background are changed`);
  }
  return problems;
}

async function orderProblems(named: NamedScenario): Promise<string[]> {
  const first = await edit(named);
  const shared = sourceOf(generic);
  for (const other of ['blur-object', 'random-background', 'noise-background'])
    await edit(parseScenario(other), shared);
  const again = [await edit(named, shared), await edit(named, shared)];
  return again.every(
    ({ image, mask, alpha }) =>
      same(image.data, first.image.data) && same(mask?.data, first.mask?.data) && same(alpha, first.alpha),
  )
    ? []
    : ['two calls give two pictures; take randomness from scene.random alone and keep nothing between calls'];
}

async function writingProblems(named: NamedScenario): Promise<string[]> {
  const parts = () => photographs.flatMap(({ image, mask }) => [image.data, mask.data]);
  const before = parts().map((data) => data.slice());
  const intact = () => parts().every((data, i) => same(data, before[i]));
  try {
    const source = sourceOf(generic);
    const { image, mask, alpha } = await edit(named, source);
    if (!intact()) return ['it writes into scene.image, scene.mask or another photograph'];
    const partsOf = (variant: Variant) => [variant.image.data, variant.mask?.data, variant.alpha];
    const alike = (a: Variant, b: readonly (Uint8Array | undefined)[]) =>
      partsOf(a).every((part, k) => same(part, b[k]));
    const first = partsOf({ image, mask, alpha }).map((part) => part?.slice());
    // A scenario that is random without a seed fails the check of determinism; it is not reported here again.
    const repeats = alike(await edit(named), first);
    if (named.scenario.id !== 'original') image.data.fill(1);
    mask?.data.fill(1);
    alpha?.fill(1);
    if (!intact()) return ['what it gives shares memory with what it was given; copy first'];
    return !repeats || alike(await edit(named, source), first)
      ? []
      : ['what it gives shares memory with what it keeps; give a copy'];
  } finally {
    for (const [i, data] of parts().entries()) data.set(before[i]);
  }
}

async function oddProblems(named: NamedScenario): Promise<string[]> {
  const problems: string[] = [];
  for (const [title, photograph] of oddPhotographs()) {
    try {
      const found = sizeProblems(await edit(named, sourceOf(photograph)), photograph);
      problems.push(...found.map((problem) => `${title}: ${problem}`));
    } catch (error) {
      // An edit that has no answer here may say so, for this sample alone.
      const excused = error instanceof SampleError && ['mask-full', 'mask-empty', 'too-small'].includes(error.problem);
      if (!excused) problems.push(`${title}: it throws ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  return problems;
}

/** Every setting written out at its default is the scenario as declared, and a name reads back as itself. */
async function settingProblems({ scenario, params, name }: NamedScenario): Promise<string[]> {
  const again = parseScenario(name);
  const problems =
    again.name === name && isDeepStrictEqual(again.params, params) ? [] : [`${name} reads back as ${again.name}`];
  const defaults = parseScenario(scenario.id).params;
  for (const [param, value] of Object.entries(defaults)) {
    const written = `${scenario.id}:${param}=${formatValue(value)}`;
    try {
      const got = parseScenario(written).params[param];
      if (!isDeepStrictEqual(got, value)) problems.push(`${written} reads back as ${formatValue(got)}`);
    } catch (error) {
      problems.push(`${written} does not read back: ${(error as Error).message}`);
    }
  }
  return problems;
}

/** Pixels of one side of the mask whose colour is not the same. */
function differing(a: Raster, b: Raster, mask: Mask, side: 0 | 255): number {
  let count = 0;
  mask.data.forEach((value, i) => {
    if (value === side && [0, 1, 2].some((c) => a.data[3 * i + c] !== b.data[3 * i + c])) count++;
  });
  return count;
}
