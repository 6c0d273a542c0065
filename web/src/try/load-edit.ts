import { editHeads } from '../../../src/contracts/studio/try.ts';
import { ApiError, apiUrl } from '../api.ts';

/** A picture as it came: its pixels, where the object is, and the scenario that they show, in the server's own words. */
export interface Edit {
  /** The question it answers. */
  readonly key: string;
  readonly scenario: string;
  readonly picture: ImageData;
  /** One byte a pixel; undefined: the object is not known. */
  readonly mask: Uint8Array | undefined;
  readonly box: ObjectBox | undefined;
}

/** Pixels of the picture. */
export interface ObjectBox {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  /** Object pixels over all pixels. */
  readonly share: number;
}

export async function loadEdit(key: string, signal: AbortSignal): Promise<Edit> {
  const response = await fetch(apiUrl(['try', 'edit'], new URLSearchParams(key)), { signal });
  if (!response.ok) {
    const { error } = (await response.json()) as { error: string };
    throw new ApiError(error, response.status);
  }
  const head = (name: string) => response.headers.get(name) ?? '';
  const [width, height] = [Number(head(editHeads.width)), Number(head(editHeads.height))];
  const bytes = new Uint8Array(await response.arrayBuffer());
  const pixels = width * height;
  const rgba = new Uint8ClampedArray(4 * pixels);
  for (let i = 0, from = 0, to = 0; i < pixels; i++, from += 3, to += 4) {
    rgba[to] = bytes[from];
    rgba[to + 1] = bytes[from + 1];
    rgba[to + 2] = bytes[from + 2];
    rgba[to + 3] = 255;
  }
  const mask = head(editHeads.mask) === '1' ? bytes.subarray(3 * pixels) : undefined;
  return {
    key,
    scenario: decodeURIComponent(head(editHeads.scenario)),
    picture: new ImageData(rgba, width, height),
    mask,
    box: mask && boxOf(mask, width),
  };
}

function boxOf(mask: Uint8Array, width: number): ObjectBox | undefined {
  let [left, top, right, bottom, count] = [width, Number.POSITIVE_INFINITY, -1, -1, 0];
  for (let i = 0; i < mask.length; i++) {
    if (!mask[i]) continue;
    count++;
    const x = i % width;
    const y = (i - x) / width;
    if (x < left) left = x;
    if (x > right) right = x;
    if (y < top) top = y;
    if (y > bottom) bottom = y;
  }
  if (!count) return undefined;
  return { x: left, y: top, width: right - left + 1, height: bottom - top + 1, share: count / mask.length };
}

/**
 * One question at a time: while it is answered, only the newest of those that come is kept. So a slider that moves shows
 * pictures as fast as they can be made, in order, and ends at the last. `restart` gives up the one under way.
 */
export function createLatest<T>(
  load: (key: string, signal: AbortSignal) => Promise<T>,
  show: (result: { key: string; value?: T; error?: Error }) => void,
) {
  let under: { key: string; stop: AbortController } | undefined;
  let next: string | undefined;
  const begin = (key: string) => {
    const mine = { key, stop: new AbortController() };
    under = mine;
    load(key, mine.stop.signal)
      .then(
        (value) => ({ key, value }),
        (error: Error) => ({ key, error }),
      )
      .then((result) => {
        if (under !== mine) return;
        under = undefined;
        show(result);
        const waiting = next;
        next = undefined;
        if (waiting !== undefined) begin(waiting);
      });
  };
  const giveUp = () => {
    under?.stop.abort();
    under = undefined;
    next = undefined;
  };
  return {
    want(key: string, { restart = false } = {}) {
      if (restart) giveUp();
      if (under?.key === key) next = undefined;
      else if (under) next = key;
      else begin(key);
    },
    giveUp,
  };
}
