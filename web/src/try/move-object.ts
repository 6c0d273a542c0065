import type { ScenarioField } from '../../../src/contracts/studio/start.ts';
import { fromName, scenarioName } from '../parts/scenario-name.ts';
import type { ObjectBox } from './load-edit.ts';

/** A change of the object by mouse or keys: its middle in shares of the picture, its share of the pixels, its angle. */
export interface Handled {
  readonly x?: number;
  readonly y?: number;
  /** Steps from where it is, in shares of the picture. */
  readonly moveBy?: readonly [x: number, y: number];
  readonly share?: number;
  /** Added to what it is turned by, anticlockwise. */
  readonly turnBy?: number;
}

const round = (value: number, digits = 3) => String(Number(value.toFixed(digits)));
const within = (value: number, low: number, high: number) => Math.min(high, Math.max(low, value));

/**
 * The scenario for what the user did to the object: a scenario of the size or the direction keeps its name where that
 * alone changes; everything else becomes a position with the place, size and angle that the object has now.
 */
export function handleObject(
  name: string,
  { x, y, moveBy, share, turnBy }: Handled,
  at: { box: ObjectBox; width: number; height: number },
  scenarios: readonly ScenarioField[],
): string {
  const [id, settings] = fromName(name, scenarios);
  const moves = x !== undefined || y !== undefined || moveBy !== undefined;
  const areaShare = share === undefined ? undefined : round(within(share, 0.002, 0.95), 4);
  const angle = Number(settings.degrees);
  const degrees = turnBy === undefined ? undefined : round(turned((Number.isFinite(angle) ? angle : 0) + turnBy), 1);
  if (!moves && id === 'size' && degrees === undefined)
    return scenarioName('size', { ...settings, areaShare: areaShare ?? '' });
  if (!moves && id === 'direction' && areaShare === undefined)
    return scenarioName('direction', { ...settings, degrees: degrees ?? '' });
  const before: Record<string, string> =
    id === 'position'
      ? settings
      : {
          areaShare: id === 'size' && Number(settings.areaShare) > 0 ? settings.areaShare : 'keep',
          ...(id === 'direction' && Number.isFinite(angle) && { degrees: round(angle, 1) }),
        };
  const { box, width, height } = at;
  return scenarioName('position', {
    ...before,
    x: round(within((x ?? middleOf(before.x, box.x, box.width, width)) + (moveBy?.[0] ?? 0), 0, 1)),
    y: round(within((y ?? middleOf(before.y, box.y, box.height, height)) + (moveBy?.[1] ?? 0), 0, 1)),
    ...(areaShare && { areaShare }),
    ...(degrees && { degrees }),
  });
}

/** The place asked for goes before the one shown, which may be a step behind; it is kept inside the frame. */
function middleOf(asked: string | undefined, start: number, side: number, whole: number): number {
  const middle = Number(asked);
  if (asked === undefined || !Number.isFinite(middle)) return (start + side / 2) / whole;
  return within(middle, side / 2 / whole, 1 - side / 2 / whole);
}

/** Between −180 and 180. */
const turned = (degrees: number) => ((((degrees + 180) % 360) + 360) % 360) - 180;
