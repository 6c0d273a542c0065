import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fillCocoPolygon } from './polygon-coco.ts';
import { fillCircle, fillLabelmePolygon } from './polygon-labelme.ts';
import { decodeRleString, encodeRleString, rleToPlane } from './rle.ts';

interface Case {
  width: number;
  height: number;
  polygon: number[];
  coco: string;
  area: number;
  pillow: string;
}
interface Shape {
  width: number;
  height: number;
  shape: 'circle' | 'rectangle';
  points: [[number, number], [number, number]];
  pillow: string;
}
// Made by pycocotools and Pillow; see make-polygons.py beside it.
const fixture: {
  cases: Case[];
  shapes: Shape[];
  merged: { width: number; height: number; polygons: number[][]; counts: string; runs: number[] };
} = JSON.parse(readFileSync(new URL('../../../test/fixtures/dataset/polygons.json', import.meta.url), 'utf8'));

const differing = (a: Uint8Array, b: Uint8Array) => a.reduce((sum, value, i) => sum + Number(value !== b[i]), 0);
const area = (plane: Uint8Array) => plane.reduce((sum, value) => sum + value / 255, 0);

describe('run lengths', () => {
  it('decodes pycocotools strings to the runs they were made from', () => {
    const { counts, runs, width, height } = fixture.merged;
    expect(decodeRleString(counts)).toEqual(runs);
    expect(encodeRleString(runs)).toBe(counts);
    expect(rleToPlane(counts, width, height)).toEqual(rleToPlane(runs, width, height));
  });
  it('goes down the columns, background first', () => {
    expect([...rleToPlane([1, 2, 3], 3, 2)]).toEqual([0, 255, 0, 255, 0, 0]);
    expect([...rleToPlane([0, 6], 3, 2)]).toEqual(new Array(6).fill(255));
  });
  it('round-trips any runs', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(5_000_000)), (runs) => {
        expect(decodeRleString(encodeRleString(runs))).toEqual(runs);
      }),
    );
  });
  it('refuses damaged strings and runs of another size', () => {
    expect(() => decodeRleString('é')).toThrow('damaged');
    expect(() => decodeRleString('o')).toThrow('damaged');
    expect(() => rleToPlane([1, 2], 3, 2)).toThrow('cover 3 pixels');
  });
});

describe('COCO polygons', () => {
  it('are filled as pycocotools fills them, to the pixel', () => {
    for (const { width, height, polygon, coco, area: expectedArea } of fixture.cases) {
      const plane = new Uint8Array(width * height);
      fillCocoPolygon(polygon, width, height, plane);
      expect(differing(plane, rleToPlane(coco, width, height))).toBe(0);
      expect(area(plane)).toBe(expectedArea);
    }
  });
  it('of one object are joined', () => {
    const { width, height, polygons, counts } = fixture.merged;
    const plane = new Uint8Array(width * height);
    for (const polygon of polygons) fillCocoPolygon(polygon, width, height, plane);
    expect(differing(plane, rleToPlane(counts, width, height))).toBe(0);
  });
});

describe('LabelMe shapes', () => {
  it('are filled as Pillow fills them, but for sharp corners', () => {
    let wrong = 0;
    let all = 0;
    for (const { width, height, polygon, pillow } of fixture.cases) {
      const plane = new Uint8Array(width * height);
      fillLabelmePolygon(polygon, width, height, plane);
      const reference = rleToPlane(pillow, width, height);
      wrong += differing(plane, reference);
      all += area(reference);
    }
    expect(wrong / all).toBeLessThan(0.005);
  });
  it('rectangles agree to the pixel, circles within their outline', () => {
    for (const { width, height, shape, points, pillow } of fixture.shapes) {
      const plane = new Uint8Array(width * height);
      const [[x0, y0], [x1, y1]] = points;
      const reference = rleToPlane(pillow, width, height);
      if (shape === 'rectangle') {
        fillLabelmePolygon([x0, y0, x1, y0, x1, y1, x0, y1], width, height, plane);
        expect(differing(plane, reference)).toBe(0);
      } else {
        const radius = Math.hypot(x1 - x0, y1 - y0);
        fillCircle([x0, y0, radius], width, height, plane);
        expect(differing(plane, reference)).toBeLessThanOrEqual(4);
      }
    }
  });
});
