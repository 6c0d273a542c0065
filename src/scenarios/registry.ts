import { expected } from '../contracts/errors.ts';
import type { ScenarioPart } from '../contracts/scenario-part.ts';
import { checkDeclaration } from './check-declaration.ts';
import { type Scenario as AnyScenario, families, type Need, type ObjectPromise, type ParamShape } from './define.ts';
import * as declared from './index.ts';
import { presets } from './presets.ts';

export type Scenario = AnyScenario<ParamShape>;

const familyOrder = Object.keys(families);
const rank = ({ family }: Scenario) =>
  (familyOrder.indexOf(family) + familyOrder.length + 1) % (familyOrder.length + 1);

const inOrder = (a: Scenario, b: Scenario) => rank(a) - rank(b) || (a.id < b.id ? -1 : 1);
const known: Scenario[] = Object.values(declared as Record<string, Scenario>).sort(inOrder);

/** Every scenario, plugins' included, by family as listed in `families`, then by id. Plugins come late: read it when needed. */
export const scenarios: readonly Scenario[] = known;

const byId = new Map(scenarios.map((scenario) => [scenario.id, scenario]));

/** Adds scenarios at run time, as a plugin's module exports them; the same one twice counts once. */
export function registerScenarios(more: readonly Scenario[]): void {
  for (const scenario of more) {
    checkDeclaration(scenario);
    if (byId.get(scenario.id) === scenario) continue;
    if (byId.has(scenario.id) || scenario.id in presets)
      throw expected('an id that no other scenario or preset has', 'the scenario', scenario.id, 'rename it');
    byId.set(scenario.id, scenario);
    known.push(scenario);
  }
  known.sort(inOrder);
}

export const findScenario = (id: string): Scenario | undefined => byId.get(id);

/**
 * The declaration behind a scenario's name, with or without settings. Tables made elsewhere may write it as the papers'
 * folders do (`only_bg_t`, `Mixed_Rand`).
 */
export const declarationOf = (name: string): Scenario | undefined => byId.get(idOf(name));

const idOf = (name: string): string => name.split(':')[0].trim().toLowerCase().replaceAll('_', '-');

/** What a record says of a scenario whose declaration is not here: the plugin that brought it is not loaded. */
export interface RecordedScenario {
  readonly id: string;
  readonly part: ScenarioPart;
  readonly contrived?: boolean;
}

const recorded = new Map<string, RecordedScenario>();

export function rememberScenarios(scenarios: readonly RecordedScenario[]): void {
  for (const scenario of scenarios) recorded.set(scenario.id, scenario);
}

const factsOf = (name: string) => declarationOf(name) ?? recorded.get(idOf(name));

/** What a scenario is for; a name that nobody declared is taken for a shift. */
export const partOf = (name: string): ScenarioPart => factsOf(name)?.part ?? 'shift';

/** An edit that no camera could have made. */
export const isContrived = (name: string): boolean => factsOf(name)?.contrived ?? false;

/** What these settings promise about the object: an edit of one region alone decides it by the region. */
export function promiseOf(scenario: Scenario, params: Record<string, unknown>): ObjectPromise {
  if (typeof params.region !== 'string') return scenario.object;
  return params.region === 'background' ? 'untouched' : 'changed';
}

/** What these settings need: an edit of one region needs the mask that says where it is, a blended one what paints. */
export function needsOf(scenario: Scenario, params: Record<string, unknown>): Need[] {
  const regional = params.region === 'background' || params.region === 'object';
  const whole = params.region === 'image';
  const painted: Need[] = params.blend === 'diffusion' ? ['generator'] : [];
  const others = [...scenario.needs.filter((need) => need !== 'mask'), ...painted];
  return regional || (!whole && scenario.needs.includes('mask')) ? ['mask', ...others] : others;
}
