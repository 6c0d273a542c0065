import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { drawStroke, fillPiece, fillPolygon, replaceObject } from './draw.ts';
import { createHistory } from './history.ts';
import { copyRect, createPlane, doubt, isNothing, type ObjectPlane, type Rect } from './plane.ts';
import { fromBase64, packRuns, toBase64, unpackRuns } from './runs.ts';

const drawn = ({ width, data }: ObjectPlane) =>
  Array.from({ length: data.length / width }, (_, y) => [...data.subarray(y * width, (y + 1) * width)].join(''));

describe('drawing on a plane', () => {
  it('a polygon holds the pixels whose middle it holds', () => {
    const plane = createPlane(6, 5);
    const square = [
      { x: 1, y: 1 },
      { x: 4, y: 1 },
      { x: 4, y: 3 },
      { x: 1, y: 3 },
    ];
    expect(fillPolygon(plane, square, 2)).toEqual({ left: 1, top: 1, right: 4, bottom: 3 });
    expect(drawn(plane)).toEqual(['000000', '022200', '022200', '000000', '000000']);
    fillPolygon(
      plane,
      square.map(({ x, y }) => ({ x: x + 40, y })),
      3,
    );
    expect(plane.data).not.toContain(3);
    expect(isNothing(fillPolygon(plane, square.slice(0, 2), 3))).toBe(true);
  });

  it('equals a test of every pixel by the even-odd rule, for any polygon', () => {
    const coordinate = fc.integer({ min: -20, max: 84 }).map((n) => n / 4 + 0.0625);
    fc.assert(
      fc.property(fc.array(fc.record({ x: coordinate, y: coordinate }), { minLength: 3, maxLength: 8 }), (points) => {
        const plane = createPlane(16, 12);
        fillPolygon(plane, points, 1);
        const wanted = plane.data.map((_, i) => {
          const [x, y] = [(i % 16) + 0.5, Math.floor(i / 16) + 0.5];
          let inside = false;
          for (let a = points.length - 1, b = 0; b < points.length; a = b++) {
            const [p, q] = [points[a], points[b]];
            if (p.y <= y !== q.y <= y && x < p.x + ((y - p.y) / (q.y - p.y)) * (q.x - p.x)) inside = !inside;
          }
          return inside ? 1 : 0;
        });
        expect(plane.data).toEqual(wanted);
      }),
      { seed: 1 },
    );
  });

  it('a stroke holds what is near its line; a click is a disc', () => {
    const plane = createPlane(9, 5);
    drawStroke(plane, { x: 2.5, y: 2.5 }, { x: 6.5, y: 2.5 }, 1, 1);
    expect(drawn(plane)).toEqual(['000000000', '001111100', '011111110', '001111100', '000000000']);
    drawStroke(plane, { x: 4.5, y: 2.5 }, { x: 4.5, y: 2.5 }, 0, 0);
    expect(drawn(plane)[2]).toBe('011101110');
  });

  it('fills the piece about a point and nothing beyond it', () => {
    const plane = createPlane(5, 5);
    plane.data.set([0, 0, 0, 0, 0, 0, 1, 1, 1, 0, 0, 1, 0, 1, 0, 0, 1, 1, 1, 0, 0, 0, 0, 0, 1]);
    expect(fillPiece(plane, { x: 2.5, y: 2.5 }, 1)).toEqual({ left: 2, top: 2, right: 3, bottom: 3 });
    expect(drawn(plane)).toEqual(['00000', '01110', '01110', '01110', '00001']);
    expect(isNothing(fillPiece(plane, { x: 2, y: 2 }, 1))).toBe(true);
    expect(isNothing(fillPiece(plane, { x: 7, y: 2 }, 1))).toBe(true);
    fillPiece(plane, { x: 1, y: 1 }, 0);
    expect(drawn(plane)).toEqual(['00000', '00000', '00000', '00000', '00001']);
  });

  it('what a machine found replaces one object inside its box; others and doubt stay', () => {
    const plane = createPlane(4, 2);
    plane.data.set([1, 1, 2, doubt, 1, 0, 0, 0]);
    replaceObject(plane, { left: 1, top: 0, right: 4, bottom: 2 }, Uint8Array.of(0, 0, 1, 1, 0, 1, 1, 0), 1);
    expect([...plane.data]).toEqual([1, 0, 2, doubt, 1, 1, 1, 0]);
  });

  it('every step is taken back and made again, whatever was drawn', () => {
    const value = fc.integer({ min: 0, max: 3 });
    const point = fc.record({ x: fc.integer({ min: -3, max: 15 }), y: fc.integer({ min: -3, max: 12 }) });
    fc.assert(
      fc.property(fc.array(fc.tuple(point, point, value), { minLength: 1, maxLength: 12 }), (strokes) => {
        const plane = createPlane(13, 9);
        const history = createHistory(plane);
        const seen: string[] = [];
        for (const [from, to, color] of strokes) {
          seen.push(plane.data.join());
          const whole = plane.data.slice();
          const rect: Rect = drawStroke(plane, from, to, 2, color);
          if (isNothing(rect)) seen.pop();
          else history.add('stroke', rect, copyRect({ ...plane, data: whole }, rect));
        }
        const last = plane.data.join();
        let undone = 0;
        for (const expected of seen.toReversed()) {
          expect(history.undo()?.does).toBe('stroke');
          expect(plane.data.join()).toBe(expected);
          undone++;
        }
        expect(history.undo()).toBeUndefined();
        for (; undone > 0; undone--) history.redo();
        expect(plane.data.join()).toBe(last);
        expect(history.canRedo).toBeUndefined();
      }),
      { seed: 1 },
    );
  });
});

describe('runs', () => {
  it('come back as they were, for any plane', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 40 }),
        fc.array(fc.integer({ min: 0, max: 2 }), { minLength: 40 }),
        (w, v) => {
          const height = Math.floor(v.length / w);
          if (!height) return;
          const data = Uint8Array.from(v.slice(0, w * height), (n) => n * 127);
          const bytes = fromBase64(toBase64(packRuns({ data })));
          expect(unpackRuns(bytes, w, height).data).toEqual(data);
        },
      ),
      { seed: 1 },
    );
    const large = createPlane(5000, 4000);
    expect(packRuns(large)).toHaveLength(5);
    expect(unpackRuns(packRuns(large), 5000, 4000).data).toHaveLength(20_000_000);
  });

  it.each([
    [[0, 9], 'do not fit'],
    [[0, 11], 'do not fit'],
    [[0, 0, 0, 10], 'do not fit'],
    [[0], 'damaged'],
    [[0, 255, 255, 255, 255, 255, 127], 'damaged'],
    [[], 'do not fit'],
  ])('%j is no plane of ten pixels', (bytes, reason) => {
    expect(() => unpackRuns(Uint8Array.from(bytes), 5, 2)).toThrow(reason);
  });

  it.each([
    [0, 2],
    [1e5, 1e5],
    [1.5, 2],
    [Number.NaN, 2],
  ])('%d × %d is no picture', (width, height) => {
    expect(() => unpackRuns(Uint8Array.of(0, 2), width, height)).toThrow('cannot be drawn on');
  });
});
