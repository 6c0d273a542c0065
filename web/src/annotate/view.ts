import type { Point } from '../../../src/contracts/annotate/draw.ts';
import type { Rect } from '../../../src/contracts/annotate/plane.ts';

/** How a picture lies on the screen: `scale` screen pixels a picture pixel, its corner at `x`, `y`. */
export interface View {
  readonly scale: number;
  readonly x: number;
  readonly y: number;
}

export interface Size {
  readonly width: number;
  readonly height: number;
}

const marginPx = 12;
const largestScale = 40;

/** The whole picture in the middle. */
export function fitView(picture: Size, stage: Size): View {
  const room = { width: Math.max(1, stage.width - 2 * marginPx), height: Math.max(1, stage.height - 2 * marginPx) };
  const scale = Math.min(room.width / picture.width, room.height / picture.height, 8);
  return {
    scale,
    x: (stage.width - picture.width * scale) / 2,
    y: (stage.height - picture.height * scale) / 2,
  };
}

/** Larger or smaller, with the point under the mouse staying where it is. */
export function zoomView(view: View, at: Point, factor: number, picture: Size, stage: Size): View {
  const least = Math.min(fitView(picture, stage).scale, 1) / 2;
  const scale = Math.min(largestScale, Math.max(least, view.scale * factor));
  const by = scale / view.scale;
  return keepInSight({ scale, x: at.x - (at.x - view.x) * by, y: at.y - (at.y - view.y) * by }, picture, stage);
}

export const panView = (view: View, dx: number, dy: number, picture: Size, stage: Size): View =>
  keepInSight({ ...view, x: view.x + dx, y: view.y + dy }, picture, stage);

/** Some of the picture is always on the stage. */
function keepInSight(view: View, picture: Size, stage: Size): View {
  const part = Math.min(80, stage.width / 2, stage.height / 2);
  const within = (at: number, length: number, room: number) => Math.min(room - part, Math.max(part - length, at));
  return {
    scale: view.scale,
    x: within(view.x, picture.width * view.scale, stage.width),
    y: within(view.y, picture.height * view.scale, stage.height),
  };
}

export const toPicture = ({ scale, x, y }: View, at: Point): Point => ({
  x: (at.x - x) / scale,
  y: (at.y - y) / scale,
});
export const toScreen = ({ scale, x, y }: View, at: Point): Point => ({ x: at.x * scale + x, y: at.y * scale + y });

/** The screen's pixels that show a rectangle of the picture, with those beside them, where its outline is drawn. */
export function screenRect({ scale, x, y }: View, { left, top, right, bottom }: Rect, stage: Size): Rect {
  return {
    left: Math.max(0, Math.floor(left * scale + x) - 2),
    top: Math.max(0, Math.floor(top * scale + y) - 2),
    right: Math.min(stage.width, Math.ceil(right * scale + x) + 2),
    bottom: Math.min(stage.height, Math.ceil(bottom * scale + y) + 2),
  };
}
