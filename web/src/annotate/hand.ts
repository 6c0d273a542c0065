import { signal } from '@preact/signals';
import type { Point } from '../../../src/contracts/annotate/draw.ts';
import type { Editor, PictureBox } from './editor.ts';
import { radius, tool } from './settings.ts';

/** Two points of a polygon this near on the screen are one: it closes. */
const closePx = 12;
const smallestBoxPx = 4;

export interface HandOptions {
  readonly editor: Editor;
  /** Screen pixels a picture pixel. */
  scale(): number;
  cut(box: PictureBox): void;
  say(text: string): void;
  /** Something is being computed: the mask must not change under it. */
  isBusy(): boolean;
}

/** What the tools do, whether a mouse, a finger or the keyboard guides them. Points are in the picture's pixels. */
export function createHand({ editor, scale, cut, say, isBusy }: HandOptions) {
  /** Of the polygon that is being drawn; of a box its first corner. */
  const points = signal<readonly Point[]>([]);
  const isPainter = () => tool.value === 'brush' || tool.value === 'eraser' || tool.value === 'doubt';
  const radiusPx = () => radius.value / scale();
  const near = (a: Point, b: Point) => Math.hypot(a.x - b.x, a.y - b.y) * scale() < closePx;

  const closePolygon = () => {
    const drawn = points.value;
    points.value = [];
    if (drawn.length < 3) return say('A polygon needs three points');
    editor.polygon(drawn);
    say(`Polygon of ${drawn.length} points filled`);
  };
  const finishBox = (to: Point) => {
    const [from] = points.value;
    points.value = [];
    const box: PictureBox = [
      Math.min(from.x, to.x),
      Math.min(from.y, to.y),
      Math.abs(to.x - from.x),
      Math.abs(to.y - from.y),
    ];
    if (box[2] * scale() < smallestBoxPx || box[3] * scale() < smallestBoxPx) return say('The box is too small');
    cut(box);
  };

  return {
    points,
    closePolygon,
    /** The button goes down. */
    press(at: Point, { clear = false } = {}) {
      if (isBusy()) return;
      if (isPainter()) editor.beginStroke(tool.value as 'brush', at, radiusPx());
      else if (tool.value === 'fill') editor.fill(at, clear);
      else if (tool.value === 'box') points.value = [at];
      else if (points.value.length >= 3 && near(at, points.value[0])) closePolygon();
      else points.value = [...points.value, at];
    },
    drag: (at: Point) => editor.continueStroke(at),
    release(at: Point) {
      if (editor.isDrawing) editor.endStroke();
      else if (tool.value === 'box' && points.value.length) finishBox(at);
    },
    cancel() {
      editor.cancelStroke();
      points.value = [];
    },
    /** Enter: what a press, or a press and a release, would do at the crosshair. */
    act(at: Point, { clear = false } = {}) {
      if (isBusy()) return;
      if (editor.isDrawing) {
        editor.endStroke();
        say('Stroke ended');
      } else if (isPainter()) {
        editor.beginStroke(tool.value as 'brush', at, radiusPx());
        say('Stroke begun: arrows paint, Enter ends');
      } else if (tool.value === 'box' && points.value.length) finishBox(at);
      else {
        this.press(at, { clear });
        if (points.value.length) say(`Point ${points.value.length} at ${Math.round(at.x)}, ${Math.round(at.y)}`);
      }
    },
    /** Takes away the last point of a polygon, or the corner of a box. */
    dropPoint() {
      points.value = points.value.slice(0, -1);
    },
  };
}
export type Hand = ReturnType<typeof createHand>;
