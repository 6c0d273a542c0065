import { type Signal, useSignal } from '@preact/signals';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import type { Point } from '../../../src/contracts/annotate/draw.ts';
import type { Rect } from '../../../src/contracts/annotate/plane.ts';
import type { Editor } from './editor.ts';
import type { Hand } from './hand.ts';
import { paintMask, paintPicture } from './paint.ts';
import { isHidden, opacity, tool } from './settings.ts';
import { StageMarks } from './stage-marks.tsx';
import { fitView, panView, type Size, toPicture, toScreen, type View, zoomView } from './view.ts';

interface StageProps {
  readonly editor: Editor;
  readonly hand: Hand;
  readonly levels: readonly ImageBitmap[];
  readonly view: Signal<View>;
  readonly stage: Signal<Size>;
  readonly label: string;
}

/** Screen pixels that an arrow moves the crosshair by; with Shift, one pixel of the picture. */
const arrowPx = 10;
const arrows: Record<string, readonly [number, number]> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

/** The picture, the mask over it, and what the tool is about to draw. Everything is painted at the screen's scale. */
export function Stage({ editor, hand, levels, view, stage, label }: StageProps) {
  const frame = useRef<HTMLDivElement>(null);
  const pictureCanvas = useRef<HTMLCanvasElement>(null);
  const maskCanvas = useRef<HTMLCanvasElement>(null);
  const { plane } = editor;
  /** In the picture's pixels; seen once the keyboard moves it. */
  const crosshair = useSignal<Point | undefined>(undefined);
  const mouse = useSignal<Point | undefined>(undefined);
  const pointers = useRef(new Map<number, Point>());
  const panning = useRef(false);
  const spaceHeld = useSignal(false);

  const paintWhole = () => {
    const [picture, mask] = [pictureCanvas.current?.getContext('2d'), maskCanvas.current?.getContext('2d')];
    if (!picture || !mask) return;
    paintPicture(picture, levels, view.value, plane);
    paintChanged({ left: 0, top: 0, right: plane.width, bottom: plane.height }, true);
  };
  const paintChanged = (rect: Rect, isWhole = false) => {
    const mask = maskCanvas.current?.getContext('2d');
    if (!mask) return;
    if (isWhole) mask.clearRect(0, 0, mask.canvas.width, mask.canvas.height);
    if (!isHidden.value) paintMask(mask, plane, view.value, rect, opacity.value);
  };
  useEffect(paintWhole, [view.value, stage.value, levels, opacity.value, isHidden.value]);
  // Before anything is seen: a stroke drawn at once must meet the picture where it is shown.
  useLayoutEffect(() => {
    editor.onChange((rect) => paintChanged(rect));
    const box = frame.current as HTMLDivElement;
    const measure = () => {
      const ratio = devicePixelRatio || 1;
      const size = { width: Math.round(box.clientWidth * ratio), height: Math.round(box.clientHeight * ratio) };
      if (size.width === stage.value.width && size.height === stage.value.height) return;
      const isFirst = stage.value.width <= 1;
      for (const canvas of [pictureCanvas.current, maskCanvas.current])
        if (canvas) [canvas.width, canvas.height] = [size.width, size.height];
      stage.value = size;
      view.value = isFirst ? fitView(plane, size) : panView(view.value, 0, 0, plane, size);
    };
    const observer = new ResizeObserver(measure);
    observer.observe(box);
    measure();
    box.focus({ preventScroll: true });
    // Not passive: the page must not scroll or zoom itself.
    const wheel = (event: WheelEvent) => {
      event.preventDefault();
      const step = event.deltaMode === 0 ? event.deltaY : 30 * event.deltaY;
      view.value = zoomView(view.value, at(event), Math.exp(-step / (event.ctrlKey ? 100 : 500)), plane, stage.value);
    };
    box.addEventListener('wheel', wheel, { passive: false });
    return () => {
      observer.disconnect();
      box.removeEventListener('wheel', wheel);
      editor.onChange(() => {});
    };
  }, [editor]);

  const at = (event: MouseEvent): Point => {
    const box = (frame.current as HTMLDivElement).getBoundingClientRect();
    const ratio = stage.value.width / Math.max(1, box.width);
    return { x: (event.clientX - box.left) * ratio, y: (event.clientY - box.top) * ratio };
  };
  const picturePoint = (event: MouseEvent) => toPicture(view.value, at(event));

  const down = (event: PointerEvent) => {
    frame.current?.focus({ preventScroll: true });
    frame.current?.setPointerCapture(event.pointerId);
    pointers.current.set(event.pointerId, at(event));
    crosshair.value = undefined;
    if (pointers.current.size === 2) {
      hand.cancel();
      return;
    }
    panning.current = spaceHeld.value || event.button === 1;
    if (!panning.current && event.button === 0) hand.press(picturePoint(event), { clear: event.shiftKey });
  };
  const move = (event: PointerEvent) => {
    const here = at(event);
    mouse.value = here;
    const before = pointers.current.get(event.pointerId);
    if (!before) return;
    pointers.current.set(event.pointerId, here);
    if (pointers.current.size === 2) return pinch(event.pointerId, before, here);
    if (panning.current) {
      view.value = panView(view.value, here.x - before.x, here.y - before.y, plane, stage.value);
      return;
    }
    const events = event.getCoalescedEvents?.() ?? [];
    for (const each of events.length ? events : [event]) hand.drag(picturePoint(each));
  };
  const pinch = (id: number, before: Point, here: Point) => {
    const other = [...pointers.current].find(([each]) => each !== id)?.[1];
    if (!other) return;
    const apart = (point: Point) => Math.max(10, Math.hypot(point.x - other.x, point.y - other.y));
    const middle = { x: (here.x + other.x) / 2, y: (here.y + other.y) / 2 };
    const moved = panView(view.value, (here.x - before.x) / 2, (here.y - before.y) / 2, plane, stage.value);
    view.value = zoomView(moved, middle, apart(here) / apart(before), plane, stage.value);
  };
  const up = (event: PointerEvent) => {
    const wasAlone = pointers.current.size === 1;
    pointers.current.delete(event.pointerId);
    if (wasAlone && !panning.current) hand.release(picturePoint(event));
    panning.current = false;
  };

  const key = (event: KeyboardEvent) => {
    if (event.altKey || event.metaKey) return;
    const arrow = arrows[event.key];
    const middle = { x: stage.value.width / 2, y: stage.value.height / 2 };
    const here = crosshair.value ?? toPicture(view.value, middle);
    if (arrow && event.ctrlKey)
      view.value = panView(view.value, -4 * arrowPx * arrow[0], -4 * arrowPx * arrow[1], plane, stage.value);
    else if (arrow) moveCrosshair(here, arrow, event.shiftKey ? 1 : arrowPx / view.value.scale);
    else if (event.key === 'Enter' && !event.ctrlKey) {
      crosshair.value = here;
      hand.act(here, { clear: event.shiftKey });
    } else if (event.key === 'Escape') hand.cancel();
    else if (event.key === 'Backspace') hand.dropPoint();
    else if (event.key === ' ') spaceHeld.value = true;
    else return;
    event.preventDefault();
  };
  const moveCrosshair = (from: Point, [dx, dy]: readonly [number, number], step: number) => {
    const to = {
      x: Math.min(plane.width, Math.max(0, from.x + dx * step)),
      y: Math.min(plane.height, Math.max(0, from.y + dy * step)),
    };
    crosshair.value = to;
    hand.drag(to);
    const seen = toScreen(view.value, to);
    const over = (value: number, room: number) => Math.min(0, value - 20) || Math.max(0, value + 20 - room);
    const [x, y] = [over(seen.x, stage.value.width), over(seen.y, stage.value.height)];
    if (x || y) view.value = panView(view.value, -x, -y, plane, stage.value);
  };

  return (
    <div
      ref={frame}
      class={`stage tool-${tool.value}${spaceHeld.value ? ' panning' : ''}`}
      role="application"
      aria-label={label}
      aria-describedby="stage-help"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: an application is drawn in by keyboard too.
      tabIndex={0}
      onPointerDown={down}
      onPointerMove={move}
      onPointerUp={up}
      onPointerCancel={(event) => {
        pointers.current.delete(event.pointerId);
        hand.cancel();
      }}
      onPointerLeave={() => {
        mouse.value = undefined;
      }}
      onDblClick={() => tool.value === 'polygon' && hand.points.value.length >= 3 && hand.closePolygon()}
      onAuxClick={(event) => event.preventDefault()}
      onKeyDown={key}
      onKeyUp={(event) => {
        if (event.key === ' ') spaceHeld.value = false;
      }}
      onBlur={() => {
        spaceHeld.value = false;
      }}
    >
      <canvas ref={pictureCanvas} class="stage-picture" />
      <canvas ref={maskCanvas} class="stage-mask" />
      <StageMarks
        editor={editor}
        hand={hand}
        view={view.value}
        stage={stage.value}
        mouse={mouse}
        crosshair={crosshair}
      />
    </div>
  );
}
