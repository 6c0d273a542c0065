import { useEffect, useRef, useState } from 'preact/hooks';
import type { Edit, ObjectBox } from './load-edit.ts';
import type { Handled } from './move-object.ts';

export type Box = readonly [x: number, y: number, width: number, height: number];

interface StageProps {
  readonly edit: Edit;
  /** A newer picture is on its way. */
  readonly pending: boolean;
  readonly outline: boolean;
  /** A box is being drawn around the object, in shares of the picture. */
  readonly drawing: Box | undefined;
  onHandle(change: Handled): void;
  onBox(box: Box): void;
}

type Grip = 'move' | 'scale' | 'turn' | 'box';

/** The picture, with the object under the mouse: dragged, scaled by its corner, turned by the knob above it. */
export function Stage({ edit, pending, outline, drawing, onHandle, onBox }: StageProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const frame = useRef<HTMLDivElement>(null);
  const grip = useRef<{ kind: Grip; startX: number; startY: number; box: ObjectBox; angle: number } | undefined>(
    undefined,
  );
  const [ghost, setGhost] = useState<ObjectBox>();
  const { picture, mask, box } = edit;
  const { width, height } = picture;
  useEffect(() => {
    const element = canvas.current as HTMLCanvasElement;
    if (element.width !== width || element.height !== height) Object.assign(element, { width, height });
    element.getContext('2d')?.putImageData(outline && mask ? withOutline(picture, mask) : picture, 0, 0);
    element.dataset.shows = edit.key;
  }, [edit, outline]);

  const at = (event: PointerEvent) => {
    const { left, top, width: w, height: h } = (frame.current as HTMLDivElement).getBoundingClientRect();
    return { x: ((event.clientX - left) / w) * width, y: ((event.clientY - top) / h) * height };
  };
  const down = (event: PointerEvent) => {
    const kind = drawing ? 'box' : ((event.target as HTMLElement).dataset.grip as Grip | undefined);
    if (!kind || event.button !== 0) return;
    const { x, y } = at(event);
    const own = box ?? { x: 0, y: 0, width: 0, height: 0, share: 0 };
    const angle = Math.atan2(own.y + own.height / 2 - y, x - own.x - own.width / 2);
    grip.current = { kind, startX: x, startY: y, box: own, angle };
    frame.current?.setPointerCapture(event.pointerId);
    event.preventDefault();
    frame.current?.focus({ preventScroll: true });
  };
  const move = (event: PointerEvent) => {
    if (!grip.current) return;
    const { kind, startX, startY, box: start } = grip.current;
    const { x, y } = at(event);
    if (kind === 'box') {
      const [left, top] = [Math.max(0, Math.min(x, startX)), Math.max(0, Math.min(y, startY))];
      const [right, bottom] = [Math.min(width, Math.max(x, startX)), Math.min(height, Math.max(y, startY))];
      onBox([left / width, top / height, (right - left) / width, (bottom - top) / height]);
      return;
    }
    const middle = { x: start.x + start.width / 2, y: start.y + start.height / 2 };
    if (kind === 'move') {
      const to = { x: middle.x + x - startX, y: middle.y + y - startY };
      setGhost({ ...start, x: to.x - start.width / 2, y: to.y - start.height / 2 });
      onHandle({ x: to.x / width, y: to.y / height });
    } else if (kind === 'scale') {
      const reach = (px: number, py: number) => Math.hypot(px - middle.x, py - middle.y);
      const factor = Math.max(0.05, reach(x, y) / Math.max(1, reach(startX, startY)));
      onHandle({ share: start.share * factor ** 2 });
    } else {
      const angle = Math.atan2(middle.y - y, x - middle.x);
      const by = ((angle - grip.current.angle) * 180) / Math.PI;
      grip.current.angle = angle;
      onHandle({ turnBy: by });
    }
  };
  const up = () => {
    grip.current = undefined;
    setGhost(undefined);
  };
  const shown = ghost ?? box;
  const percent = (value: number, of: number) => `${(100 * value) / of}%`;
  return (
    <div
      ref={frame}
      class={`stage ${pending ? 'is-behind' : ''} ${drawing ? 'is-drawing' : ''}`}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: the object is moved by the arrow keys while this has the focus.
      tabIndex={0}
      role="application"
      style={{ width: `min(100%, calc((100vh - 200px) * ${width / height}), 860px)` }}
      aria-label="The picture. Arrow keys move the object, plus and minus scale it, brackets turn it"
      onPointerDown={down}
      onPointerMove={move}
      onPointerUp={up}
      onPointerCancel={up}
      onKeyDown={(event) => arrowKeys(event, { drawing, onHandle, onBox })}
    >
      <canvas ref={canvas} role="img" aria-label={`The picture as ${edit.scenario}`} />
      {drawing && (
        <div
          class="drawn-box"
          style={{
            left: `${100 * drawing[0]}%`,
            top: `${100 * drawing[1]}%`,
            width: `${100 * drawing[2]}%`,
            height: `${100 * drawing[3]}%`,
          }}
        />
      )}
      {!drawing && shown && (
        <div
          class="object-box"
          data-grip="move"
          style={{
            left: percent(shown.x, width),
            top: percent(shown.y, height),
            width: percent(shown.width, width),
            height: percent(shown.height, height),
          }}
        >
          <span class="grip-scale" data-grip="scale" title="Scale" />
          <span class="grip-turn" data-grip="turn" title="Turn" />
        </div>
      )}
    </div>
  );
}

const arrows: Record<string, readonly [number, number]> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

/** While the picture has the focus; shift takes five steps. In a box that is drawn, shift changes its size. */
function arrowKeys(
  event: KeyboardEvent,
  { drawing, onHandle, onBox }: Pick<StageProps, 'drawing' | 'onHandle' | 'onBox'>,
) {
  const direction = arrows[event.key];
  if (!direction || event.ctrlKey || event.altKey || event.metaKey) return;
  event.preventDefault();
  event.stopPropagation();
  if (drawing) {
    const [x, y, w, h] = drawing;
    const [dx, dy] = direction.map((sign) => 0.02 * sign);
    const keep = (value: number, most: number) => Math.min(most, Math.max(0, value));
    if (event.shiftKey) onBox([x, y, Math.max(0.02, keep(w + dx, 1 - x)), Math.max(0.02, keep(h + dy, 1 - y))]);
    else onBox([keep(x + dx, 1 - w), keep(y + dy, 1 - h), w, h]);
    return;
  }
  const step = event.shiftKey ? 0.05 : 0.01;
  onHandle({ moveBy: [step * direction[0], step * direction[1]] });
}

/** The object's border, in a colour that no photograph has much of. */
function withOutline(picture: ImageData, mask: Uint8Array): ImageData {
  const { width, height } = picture;
  const data = new Uint8ClampedArray(picture.data);
  for (let i = 0; i < mask.length; i++) {
    if (!mask[i]) continue;
    const x = i % width;
    const isEdge = x === 0 || x === width - 1 || !mask[i - 1] || !mask[i + 1] || !mask[i - width] || !mask[i + width];
    if (isEdge) data.set([255, 64, 160, 255], 4 * i);
  }
  return new ImageData(data, width, height);
}
