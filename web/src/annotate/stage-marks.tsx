import type { Signal } from '@preact/signals';
import type { Point } from '../../../src/contracts/annotate/draw.ts';
import { doubt } from '../../../src/contracts/annotate/plane.ts';
import type { Editor } from './editor.ts';
import type { Hand } from './hand.ts';
import { colourName } from './paint.ts';
import { radius, tool } from './settings.ts';
import { type Size, toScreen, type View } from './view.ts';

interface MarksProps {
  readonly editor: Editor;
  readonly hand: Hand;
  readonly view: View;
  readonly stage: Size;
  /** On the screen. */
  readonly mouse: Signal<Point | undefined>;
  /** In the picture. */
  readonly crosshair: Signal<Point | undefined>;
}

/** What is not yet drawn: the brush's size, the points of a polygon, a box being pulled, the keyboard's crosshair. */
export function StageMarks({ editor, hand, view, stage, mouse, crosshair }: MarksProps) {
  const cross = crosshair.value && toScreen(view, crosshair.value);
  const here = cross ?? mouse.value;
  const points = hand.points.value.map((point) => toScreen(view, point));
  const paints = tool.value === 'brush' || tool.value === 'eraser' || tool.value === 'doubt';
  const colour = tool.value === 'doubt' ? colourName(doubt) : colourName(editor.current.value);
  const path = [...points, ...(here && tool.value === 'polygon' ? [here] : [])];
  return (
    <svg class="stage-marks" viewBox={`0 0 ${stage.width} ${stage.height}`} aria-hidden="true">
      {here && paints && <circle class="brush" cx={here.x} cy={here.y} r={radius.value} />}
      {tool.value === 'polygon' && points.length > 0 && (
        <>
          <polyline class="halo" points={path.map(({ x, y }) => `${x},${y}`).join(' ')} />
          <polyline class="line" stroke={colour} points={path.map(({ x, y }) => `${x},${y}`).join(' ')} />
          {points.map(({ x, y }, i) => (
            <circle key={`${i} ${x} ${y}`} class={i ? 'point' : 'point first'} cx={x} cy={y} r={i ? 4 : 7} />
          ))}
        </>
      )}
      {tool.value === 'box' && points.length > 0 && here && (
        <rect
          class="pulled"
          x={Math.min(points[0].x, here.x)}
          y={Math.min(points[0].y, here.y)}
          width={Math.abs(here.x - points[0].x)}
          height={Math.abs(here.y - points[0].y)}
        />
      )}
      {cross && <path class="cross" d={`M${cross.x - 14} ${cross.y}h28M${cross.x} ${cross.y - 14}v28`} />}
    </svg>
  );
}
