import { UserError } from '../errors.ts';

/** Whether a point lies inside a line drawn on the map (`x,y,x,y,…`), by the number of crossings. */
export function insidePolygon(text: string): (x: number, y: number) => boolean {
  const numbers = text.split(',').map(Number);
  if (numbers.length < 6 || numbers.length % 2 || numbers.some((value) => !Number.isFinite(value)))
    throw new UserError(`Expected three points or more (x,y,x,y,…) for lasso but received '${text.slice(0, 60)}'`);
  const count = numbers.length / 2;
  return (x, y) => {
    let inside = false;
    for (let i = 0, j = count - 1; i < count; j = i++) {
      const [xi, yi, xj, yj] = [numbers[2 * i], numbers[2 * i + 1], numbers[2 * j], numbers[2 * j + 1]];
      if (yi > y !== yj > y && x < ((xj - xi) * (y - yi)) / (yj - yi) + xi) inside = !inside;
    }
    return inside;
  };
}
