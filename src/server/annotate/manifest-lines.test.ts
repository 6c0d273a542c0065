import { expect, it } from 'vitest';
import type { Sample } from '../../contracts/sample.ts';
import { manifestLines } from './manifest-lines.ts';

const polygons = { kind: 'polygons', polygons: [[0, 0, 4, 0, 4, 4]], width: 9, height: 9 } as const;
const samples: Sample[] = [
  { id: 'cat/a.jpg', image: '/photos/cat/a.jpg', label: 'cat', targets: [281, 282], split: 'val' },
  { id: 'cat/b.jpg', image: '/photos/cat/b.jpg', label: 'cat', mask: { kind: 'file', path: '/photos/masks/b.png' } },
  { id: 'c', image: '/elsewhere/c.jpg', group: 'g', box: [1, 2, 3, 4], mask: polygons as never },
];

it('lists every sample, drawn masks before its own, by paths from the manifest', () => {
  const lines = manifestLines(samples, '/photos-masks', (i) => (i < 1 ? 'cat/a.png' : undefined)) ?? '';
  expect(
    lines
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line)),
  ).toEqual([
    {
      image: '../photos/cat/a.jpg',
      sample: 'cat/a.jpg',
      mask: 'cat/a.png',
      label: 'cat',
      target: [281, 282],
      split: 'val',
    },
    {
      image: '../photos/cat/b.jpg',
      sample: 'cat/b.jpg',
      mask: { kind: 'file', path: '../photos/masks/b.png' },
      label: 'cat',
    },
    { image: '../elsewhere/c.jpg', sample: 'c', mask: polygons, group: 'g', box: [1, 2, 3, 4] },
  ]);
});

it('is none where a manifest would lose which pixels no edit may change', () => {
  const marked: Sample = { id: 'd', image: '/photos/d.png', protect: { kind: 'file', path: '/photos/defect.png' } };
  expect(manifestLines([...samples, marked], '/photos-masks', () => undefined)).toBeNull();
});
