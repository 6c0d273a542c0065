import { signal } from '@preact/signals';
import { drawStroke, fillPiece, fillPolygon, type Point, replaceObject } from '../../../src/contracts/annotate/draw.ts';
import { createHistory } from '../../../src/contracts/annotate/history.ts';
import {
  background,
  copyRect,
  createPlane,
  doubt,
  isNothing,
  joinRects,
  mostObjects,
  nothing,
  type ObjectPlane,
  type Rect,
} from '../../../src/contracts/annotate/plane.ts';
import { fromBase64, unpackRuns } from '../../../src/contracts/annotate/runs.ts';
import type { AnnotateTurn } from '../../../src/contracts/studio/annotate.ts';

export const tools = ['box', 'polygon', 'brush', 'eraser', 'fill', 'doubt'] as const;
export type Tool = (typeof tools)[number];
export type PictureBox = readonly [x: number, y: number, width: number, height: number];

interface Stroke {
  readonly points: readonly Point[];
  readonly radiusPx: number;
  /** As GrabCut is told: 1 object, 2 background. */
  readonly hint: 1 | 2;
}

/** What a step was, beside its pixels. */
interface StepNote {
  readonly box?: PictureBox;
  readonly stroke?: Stroke;
  readonly objects?: readonly [before: readonly string[], after: readonly string[]];
}

/** The mask being drawn: its pixels, its objects and the steps that led to it. The listener of `onChange` paints it. */
export function createEditor(turn: Pick<AnnotateTurn, 'width' | 'height' | 'runs' | 'objects'>) {
  const { width, height } = turn;
  const plane: ObjectPlane = unpackRuns(fromBase64(turn.runs), width, height);
  const history = createHistory(plane);
  const done: StepNote[] = [];
  const undone: StepNote[] = [];
  const objects = signal<readonly string[]>(turn.objects);
  const current = signal(1);
  const revision = signal(0);
  const savedRevision = signal(0);
  const whole: Rect = { left: 0, top: 0, right: width, bottom: height };
  let listener: (rect: Rect) => void = () => {};
  let stroke:
    | { does: string; before: Uint8Array; rect: Rect; points: Point[]; radiusPx: number; value: number }
    | undefined;

  const changed = (rect: Rect) => {
    revision.value++;
    listener(rect);
  };
  const remember = (does: string, rect: Rect, before: Uint8Array, note: StepNote) => {
    if (isNothing(rect)) return;
    history.add(does, rect, copyRect({ width, height, data: before }, rect));
    done.push(note);
    undone.length = 0;
    changed(rect);
  };
  /** A step that changes pixels at once. */
  const step = (does: string, change: () => Rect, note: StepNote = {}) => {
    const before = plane.data.slice();
    remember(does, change(), before, note);
  };
  const restore = (note: StepNote | undefined, which: 0 | 1) => {
    if (!note?.objects) return;
    objects.value = note.objects[which];
    current.value = Math.min(current.value, objects.value.length);
  };

  return {
    plane,
    objects,
    current,
    revision,
    savedRevision,
    get isDirty() {
      return revision.value !== savedRevision.value;
    },
    get canUndo() {
      return revision.value >= 0 ? history.canUndo : undefined;
    },
    get canRedo() {
      return revision.value >= 0 ? history.canRedo : undefined;
    },
    onChange(listen: (rect: Rect) => void) {
      listener = listen;
    },
    polygon: (points: readonly Point[]) => step('polygon', () => fillPolygon(plane, points, current.value)),
    fill: (at: Point, clear: boolean) =>
      step(clear ? 'clear a piece' : 'fill', () => fillPiece(plane, at, clear ? background : current.value)),
    /**
     * Takes over what GrabCut or a model found, everywhere or in a box. `isDrawn`: the box is new, so that strokes made
     * before it are no hints for GrabCut.
     */
    found: (does: string, mask: Uint8Array, { box, isDrawn = false }: { box?: PictureBox; isDrawn?: boolean } = {}) => {
      const rect = box ? { left: box[0], top: box[1], right: box[0] + box[2], bottom: box[1] + box[3] } : whole;
      step(does, () => replaceObject(plane, rect, mask, current.value), isDrawn ? { box } : {});
    },
    /** Decides the doubtful pixels: object from half on. */
    decide: (levels: Uint8Array) =>
      step('refine the edge', () => {
        for (let i = 0; i < levels.length; i++)
          if (plane.data[i] === doubt) plane.data[i] = levels[i] >= 128 ? current.value : background;
        return whole;
      }),
    replace: (does: string, other: Pick<AnnotateTurn, 'runs' | 'objects'>) =>
      step(
        does,
        () => {
          plane.data.set(unpackRuns(fromBase64(other.runs), width, height).data);
          objects.value = other.objects;
          current.value = Math.min(current.value, other.objects.length);
          return whole;
        },
        { objects: [objects.value, other.objects] },
      ),
    clear: () =>
      step('clear everything', () => {
        plane.data.fill(background);
        return whole;
      }),
    beginStroke(tool: 'brush' | 'eraser' | 'doubt', at: Point, radiusPx: number) {
      const value = tool === 'eraser' ? background : tool === 'doubt' ? doubt : current.value;
      const rect = nothing;
      stroke = { does: tool, before: plane.data.slice(), rect, points: [at], radiusPx, value };
      this.continueStroke(at);
    },
    continueStroke(at: Point) {
      if (!stroke) return;
      const from = stroke.points[stroke.points.length - 1];
      const rect = drawStroke(plane, from, at, stroke.radiusPx, stroke.value);
      stroke.points.push(at);
      stroke.rect = joinRects(stroke.rect, rect);
      listener(rect);
    },
    endStroke() {
      if (!stroke) return;
      const { does, rect, before, points, radiusPx, value } = stroke;
      stroke = undefined;
      const hint = value === background ? 2 : 1;
      remember(does, rect, before, value === doubt ? {} : { stroke: { points, radiusPx, hint } });
    },
    cancelStroke() {
      if (!stroke) return;
      plane.data.set(stroke.before);
      listener(stroke.rect);
      stroke = undefined;
    },
    get isDrawing() {
      return stroke !== undefined;
    },
    undo() {
      const back = history.undo();
      if (!back) return undefined;
      const note = done.pop();
      if (note) undone.push(note);
      restore(note, 0);
      changed(back.rect);
      return back.does;
    },
    redo() {
      const forth = history.redo();
      if (!forth) return undefined;
      const note = undone.pop();
      if (note) done.push(note);
      restore(note, 1);
      changed(forth.rect);
      return forth.does;
    },
    /** The last box that was drawn, and what was painted since: hints for GrabCut when it cuts again. */
    hints(): { box: PictureBox; data: Uint8Array; strokes: number } | undefined {
      const at = done.findLastIndex(({ box }) => box);
      const box = done[at]?.box;
      if (!box) return undefined;
      const hints = createPlane(width, height);
      const strokes = done.flatMap(({ stroke: each }) => (each ? [each] : []));
      const since = done.slice(at + 1).filter(({ stroke: each }) => each).length;
      for (const { points, radiusPx, hint } of strokes.slice(strokes.length - since))
        for (const [i, point] of points.entries()) drawStroke(hints, points[i - 1] ?? point, point, radiusPx, hint);
      return { box, data: hints.data, strokes: since };
    },
    addObject(label: string) {
      if (objects.value.length >= mostObjects) return;
      objects.value = [...objects.value, label];
      current.value = objects.value.length;
      revision.value++;
    },
    rename(object: number, label: string) {
      objects.value = objects.value.map((name, i) => (i === object - 1 ? label : name));
      revision.value++;
    },
    removeObject(object: number) {
      const before = objects.value;
      if (before.length < 2) return;
      const after = before.filter((_, i) => i !== object - 1);
      const { data } = plane;
      step(
        `remove ${before[object - 1]}`,
        () => {
          for (let i = 0; i < data.length; i++)
            if (data[i] === object) data[i] = background;
            else if (data[i] > object && data[i] !== doubt) data[i]--;
          objects.value = after;
          current.value = Math.min(current.value, after.length);
          return whole;
        },
        { objects: [before, after] },
      );
    },
  };
}
export type Editor = ReturnType<typeof createEditor>;
