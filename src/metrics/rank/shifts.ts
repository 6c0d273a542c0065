import { UserError } from '../../contracts/errors.ts';
import { parseScenario } from '../../scenarios/name.ts';
import { declarationOf } from '../../scenarios/registry.ts';
import { isCounted } from '../counted.ts';

/** Scenarios that count as one change of the scene. */
export interface Shift {
  readonly shift: string;
  readonly scenarios: readonly string[];
}

const byFamily: Record<string, string> = {
  blur: 'blur',
  colour: 'colour',
  brightness: 'light',
  background: 'background',
  object: 'object',
  'imagenet-9': 'background',
};

const byId: Record<string, string> = {
  'camera-shift': 'camera',
  lighting: 'light',
  'white-balance': 'colour',
  'blur-background': 'background',
  'noise-background': 'background',
  brightness: 'light',
  contrast: 'light',
  saturate: 'colour',
  ...Object.fromEntries(
    ['gaussian-noise', 'shot-noise', 'impulse-noise', 'speckle-noise', 'noise-object'].map((id) => [id, 'noise']),
  ),
  ...Object.fromEntries(
    ['defocus-blur', 'glass-blur', 'motion-blur', 'zoom-blur', 'gaussian-blur'].map((id) => [id, 'blur']),
  ),
  ...Object.fromEntries(['snow', 'frost', 'fog', 'spatter'].map((id) => [id, 'weather'])),
  ...Object.fromEntries(['elastic', 'pixelate', 'jpeg'].map((id) => [id, 'digital'])),
};

const shiftNames = [...new Set([...Object.values(byFamily), ...Object.values(byId)])];

/** The change a scenario stands for; one that Sceneshift does not know stands for itself. */
function shiftOf(name: string): string | undefined {
  if (!isCounted(name)) return undefined;
  const declared = declarationOf(name);
  return byId[declared?.id ?? ''] ?? byFamily[declared?.family ?? ''] ?? name;
}

/** Every scenario of the run that changes the scene, by what it changes. */
export function defaultShifts(present: readonly string[]): Shift[] {
  const groups = new Map<string, string[]>();
  for (const scenario of present) {
    const shift = shiftOf(scenario);
    if (shift !== undefined) groups.set(shift, [...(groups.get(shift) ?? []), scenario]);
  }
  return [...groups].map(([shift, scenarios]) => ({ shift, scenarios }));
}

/**
 * `background=blur-background,random-background,light=lighting:over,camera-shift`: `NAME=` opens a shift, the scenarios
 * after it belong to it until the next. `light` alone is all of the run's scenarios of that kind; a scenario before any
 * `NAME=` is a shift of its own.
 */
export function parseShifts(given: readonly string[], present: readonly string[]): Shift[] {
  const groups = new Map<string, string[]>();
  const add = (shift: string, scenario: string) => {
    const own = groups.get(shift) ?? [];
    if (!own.includes(scenario)) groups.set(shift, [...own, scenario]);
  };
  for (const text of given) {
    let open: string | undefined;
    for (const item of text.split(',').map((part) => part.trim())) {
      if (!item) continue;
      // A scenario's own settings hold `=` too, but after a colon.
      const opening = /^([^=:]+)=(.+)$/.exec(item);
      if (opening) open = opening[1].trim();
      const word = opening ? opening[2].trim() : item;
      if (!opening && shiftNames.includes(word) && !present.includes(word)) {
        open = undefined;
        const found = defaultShifts(present).find(({ shift }) => shift === word);
        if (!found) throw missing(word, present);
        for (const scenario of found.scenarios) add(word, scenario);
        continue;
      }
      const scenario = known(word, present);
      add(open ?? scenario, scenario);
    }
  }
  return [...groups].map(([shift, scenarios]) => ({ shift, scenarios }));
}

function known(word: string, present: readonly string[]): string {
  if (present.includes(word)) return word;
  try {
    const { name } = parseScenario(word);
    if (present.includes(name)) return name;
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
  }
  throw missing(word, present);
}

const missing = (word: string, present: readonly string[]) =>
  new UserError(
    `--shifts names '${word}', of which this run has nothing; it has ${present.join(', ')} (and ${shiftNames.join(', ')} stand for all scenarios of a kind)`,
  );
