import { copyRect, isNothing, type ObjectPlane, pasteRect, type Rect } from './plane.ts';
import { packRuns, unpackRuns } from './runs.ts';

interface Step {
  readonly does: string;
  readonly rect: Rect;
  /** What the rectangle held, in runs. */
  readonly before: Uint8Array;
  readonly after: Uint8Array;
}

/** Steps that can be taken back and made again; the oldest are forgotten when they take too much memory. */
export interface History {
  /** Remembers a change: `before` is the plane as it was, of which only the rectangle is kept. */
  add(does: string, rect: Rect, before: Uint8Array): void;
  /** What changed, or undefined where there is nothing to take back. */
  undo(): { readonly does: string; readonly rect: Rect } | undefined;
  redo(): { readonly does: string; readonly rect: Rect } | undefined;
  readonly canUndo: string | undefined;
  readonly canRedo: string | undefined;
}

const mostBytes = 64 * 2 ** 20;

export function createHistory(plane: ObjectPlane, { capacityBytes = mostBytes } = {}): History {
  const done: Step[] = [];
  const undone: Step[] = [];
  let held = 0;
  const sizeOf = ({ before, after }: Step) => before.length + after.length;
  const put = ({ rect }: Step, runs: Uint8Array) =>
    pasteRect(plane, rect, unpackRuns(runs, rect.right - rect.left, rect.bottom - rect.top).data);
  return {
    add(does, rect, before) {
      if (isNothing(rect)) return;
      const step = { does, rect, before: packRuns({ data: before }), after: packRuns({ data: copyRect(plane, rect) }) };
      for (const gone of undone.splice(0)) held -= sizeOf(gone);
      done.push(step);
      held += sizeOf(step);
      while (held > capacityBytes && done.length > 1) held -= sizeOf(done.shift() as Step);
    },
    undo() {
      const step = done.pop();
      if (!step) return undefined;
      put(step, step.before);
      undone.push(step);
      return step;
    },
    redo() {
      const step = undone.pop();
      if (!step) return undefined;
      put(step, step.after);
      done.push(step);
      return step;
    },
    get canUndo() {
      return done.at(-1)?.does;
    },
    get canRedo() {
      return undone.at(-1)?.does;
    },
  };
}
