import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { FeatureMap } from '../../../src/contracts/studio/map.ts';
import { useShortcuts } from '../keys.ts';
import { theme } from '../theme.ts';

type Ready = FeatureMap & { state: 'ready' };

const sizePx = 620;
const marginPx = 14;

/** The points, and a line that the mouse, or the keyboard's crosshair, draws around some of them. */
export function Scatter({ map, onLasso }: { map: Ready; onLasso: (points: readonly number[]) => void }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const [line, setLine] = useState<readonly number[]>([]);
  const [cross, setCross] = useState<Point>();
  const scale = useMemo(() => scaleOf(map), [map]);
  // Colours follow the theme.
  useEffect(
    () => draw(canvas.current as HTMLCanvasElement, map, scale, { line, cross }),
    [map, scale, line, cross, theme.value],
  );
  const at = (event: PointerEvent): Point => {
    const box = (canvas.current as HTMLCanvasElement).getBoundingClientRect();
    return [((event.clientX - box.left) * sizePx) / box.width, ((event.clientY - box.top) * sizePx) / box.height];
  };
  /** A mouse leaves many points; fewer are a click. */
  const finish = (leastPoints: number) => {
    if (line.length >= 2 * leastPoints) onLasso(toMap(line, scale));
    setLine([]);
  };
  useShortcuts('On the map', [
    { keys: '← ↑ → ↓', does: 'move the crosshair (Shift: a little)' },
    { keys: 'Enter', does: 'set a point of the line' },
    { keys: 'shift+Enter', does: 'close the line: show what it surrounds' },
    { keys: 'Backspace', does: 'take the last point back' },
    { keys: 'Escape', does: 'give up the line' },
  ]);
  const onKey = (event: KeyboardEvent) => {
    const here = cross ?? [sizePx / 2, sizePx / 2];
    const step = steps[event.key];
    if (step) setCross(moved(here, step, event.shiftKey ? 3 : 24));
    else if (event.key === 'Enter' && event.shiftKey) finish(3);
    else if (event.key === 'Enter') setLine([...line, ...here]);
    else if (event.key === 'Backspace') setLine(line.slice(0, -2));
    else if (event.key === 'Escape') setLine([]);
    else return;
    event.preventDefault();
  };
  return (
    <div
      role="application"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: lines are drawn by keys while this has the focus.
      tabIndex={0}
      aria-label={`Map of ${map.x.length} variants: arrows move a crosshair, Enter sets points of a line around some; the table lists its clusters`}
      onFocus={() => setCross(cross ?? [sizePx / 2, sizePx / 2])}
      onBlur={() => setCross(undefined)}
      onKeyDown={onKey}
    >
      <canvas
        ref={canvas}
        class="scatter"
        width={2 * sizePx}
        height={2 * sizePx}
        role="img"
        aria-label="The map"
        onPointerDown={(event) => {
          (event.currentTarget as HTMLCanvasElement).setPointerCapture(event.pointerId);
          setLine(at(event));
        }}
        onPointerMove={(event) => line.length && setLine([...line, ...at(event)])}
        onPointerUp={() => finish(6)}
        onPointerCancel={() => setLine([])}
      />
    </div>
  );
}

type Point = readonly [number, number];
const steps: Readonly<Record<string, Point>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};
const moved = ([x, y]: Point, [dx, dy]: Point, px: number): Point => [
  Math.min(sizePx, Math.max(0, x + px * dx)),
  Math.min(sizePx, Math.max(0, y + px * dy)),
];

interface Scale {
  readonly left: number;
  readonly top: number;
  readonly factor: number;
}

function scaleOf({ x, y }: Ready): Scale {
  let [left, right, top, bottom] = [
    Number.POSITIVE_INFINITY,
    Number.NEGATIVE_INFINITY,
    Number.POSITIVE_INFINITY,
    Number.NEGATIVE_INFINITY,
  ];
  for (let i = 0; i < x.length; i++) {
    left = Math.min(left, x[i]);
    right = Math.max(right, x[i]);
    top = Math.min(top, y[i]);
    bottom = Math.max(bottom, y[i]);
  }
  return { left, top, factor: (sizePx - 2 * marginPx) / Math.max(right - left, bottom - top, 1e-9) };
}

const toMap = (line: readonly number[], { left, top, factor }: Scale) =>
  line.map((value, i) => (value - marginPx) / factor + (i % 2 ? top : left));

function draw(
  canvas: HTMLCanvasElement,
  { x, y, fails, clusters }: Ready,
  { left, top, factor }: Scale,
  { line, cross }: { line: readonly number[]; cross: Point | undefined },
): void {
  const context = canvas.getContext('2d');
  if (!context) return;
  const style = getComputedStyle(canvas);
  context.setTransform(2, 0, 0, 2, 0, 0);
  context.clearRect(0, 0, sizePx, sizePx);
  const order = Array.from(x.keys()).sort((a, b) => fails[a] - fails[b]);
  for (const i of order) {
    context.fillStyle = `hsl(${220 + 135 * fails[i]} 75% ${55 - 8 * fails[i]}% / 70%)`;
    context.beginPath();
    context.arc(marginPx + (x[i] - left) * factor, marginPx + (y[i] - top) * factor, 2.6, 0, 2 * Math.PI);
    context.fill();
  }
  context.font = '600 13px system-ui';
  context.textAlign = 'center';
  context.lineWidth = 3;
  for (const { id, x: cx, y: cy } of clusters) {
    const [px, py] = [marginPx + (cx - left) * factor, marginPx + (cy - top) * factor];
    context.strokeStyle = style.getPropertyValue('--card');
    context.strokeText(id, px, py);
    context.fillStyle = style.getPropertyValue('--ink');
    context.fillText(id, px, py);
  }
  context.strokeStyle = style.getPropertyValue('--accent');
  context.lineWidth = 2;
  context.beginPath();
  for (let i = 0; i < line.length; i += 2) context.lineTo(line[i], line[i + 1]);
  context.closePath();
  if (cross) {
    const [cx, cy] = cross;
    context.moveTo(cx - 9, cy);
    context.lineTo(cx + 9, cy);
    context.moveTo(cx, cy - 9);
    context.lineTo(cx, cy + 9);
  }
  context.stroke();
}
