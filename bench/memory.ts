import { readFile, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { BenchInput, Figure } from './main.ts';
import { peakMemory } from './peak-memory.ts';

/** Peak memory of rendering the preset, at 240 images and at 960: it must not grow with the data. */
export async function benchMemory({ manifest, backgrounds, scratch, bin }: BenchInput): Promise<Figure[]> {
  const peaks: number[] = [];
  for (const count of [240, 960]) {
    const data = await firstRows(manifest, count, join(scratch, `first-${count}.csv`));
    const args = [
      'render',
      '--data',
      data,
      '--scenarios',
      'ximagenet-12',
      '--backgrounds',
      backgrounds,
      '--out',
      join(scratch, `rendered-${count}`),
    ];
    peaks.push(await peakMemory(bin, args));
  }
  return [
    { name: 'render ximagenet-12: peak memory at 240 images', value: peaks[0] / 2 ** 20, unit: 'MiB' },
    { name: 'render ximagenet-12: peak memory at 960 images', value: peaks[1] / 2 ** 20, unit: 'MiB' },
    {
      name: 'render ximagenet-12: peak at 960 over peak at 240',
      value: peaks[1] / peaks[0],
      unit: '×',
      limit: { atMost: 1.1 },
    },
  ];
}

/** The first samples of a manifest, spread over its classes, as a manifest of their own. */
export async function firstRows(manifest: string, count: number, to: string): Promise<string> {
  const [header, ...rows] = (await readFile(manifest, 'utf8')).trim().split('\n');
  const folder = dirname(resolve(manifest));
  const columns = header.trim().split(',');
  const step = rows.length / Math.min(count, rows.length);
  const chosen = Array.from({ length: Math.min(count, rows.length) }, (_, i) => rows[Math.floor(i * step)]);
  const absolute = chosen.map((row) =>
    row
      .trim()
      .split(',')
      .map((cell, i) => (['image', 'mask'].includes(columns[i]) && cell ? resolve(folder, cell) : cell))
      .join(','),
  );
  await writeFile(to, `${[header.trim(), ...absolute].join('\n')}\n`);
  return to;
}
