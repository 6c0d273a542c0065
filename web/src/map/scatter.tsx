import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { FeatureMap } from '../../../src/contracts/studio/map.ts';
import { theme } from '../theme.ts';

type Ready = FeatureMap & { state: 'ready' };

const sizePx = 620;
const marginPx = 14;

/** The points, and a line that the mouse draws around some of them. The table beside it holds the same for the keyboard. */
export function Scatter({ map, onLasso }: { map: Ready; onLasso: (points: number[]) => void }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const [line, setLine] = useState<number[]>([]);
  const scale = useMemo(() => scaleOf(map), [map]);
  // Colours follow the theme.
  useEffect(() => draw(canvas.current as HTMLCanvasElement, map, scale, line), [map, scale, line, theme.value]);
  const at = (event: PointerEvent): [number, number] => {
    const box = (canvas.current as HTMLCanvasElement).getBoundingClientRect();
    return [((event.clientX - box.left) * sizePx) / box.width, ((event.clientY - box.top) * sizePx) / box.height];
  };
  const finish = () => {
    if (line.length >= 12) onLasso(toMap(line, scale));
    setLine([]);
  };
  return (
    <canvas
      ref={canvas}
      class="scatter"
      width={2 * sizePx}
      height={2 * sizePx}
      role="img"
      aria-label={`Map of ${map.x.length} variants; the table lists its clusters`}
      onPointerDown={(event) => {
        (event.currentTarget as HTMLCanvasElement).setPointerCapture(event.pointerId);
        setLine(at(event));
      }}
      onPointerMove={(event) => line.length && setLine([...line, ...at(event)])}
      onPointerUp={finish}
      onPointerCancel={() => setLine([])}
    />
  );
}

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
  line: readonly number[],
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
  if (line.length < 4) return;
  context.strokeStyle = style.getPropertyValue('--accent');
  context.lineWidth = 2;
  context.beginPath();
  for (let i = 0; i < line.length; i += 2) context.lineTo(line[i], line[i + 1]);
  context.closePath();
  context.stroke();
}
