import { spawn } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import type { BenchInput, Figure } from './main.ts';
import { firstRows } from './memory.ts';

const photographs = 96;

/**
 * `render` of the preset over what cannot be spared: encoding its pictures and masks again, from pixels in memory, with
 * the same settings and as many at a time as there are cores. Pairs of all photographs and a few: the start is told apart.
 */
export async function benchRender({ manifest, backgrounds, scratch, bin }: BenchInput): Promise<Figure[]> {
  const render = async (count: number) => {
    const out = join(scratch, `render-${count}`);
    const data = await firstRows(manifest, count, join(scratch, `render-${count}.csv`));
    const args = ['render', '--data', data, '--scenarios', 'ximagenet-12', '--backgrounds', backgrounds, '--out', out];
    return { out, seconds: await timed(() => command(bin, args)) };
  };
  const few = await render(photographs / 8);
  const all = await render(photographs);
  const [encodingFew, encodingAll] = [await encodeAgain(few.out), await encodeAgain(all.out)];
  const pictures = encodingAll.pictures - encodingFew.pictures;
  const rendering = (all.seconds - few.seconds) / pictures;
  const encoding = (encodingAll.seconds - encodingFew.seconds) / pictures;
  return [
    { name: 'render ximagenet-12: files a second, after the start', value: 1 / rendering, unit: '1/s' },
    { name: 'encoding the same files: files a second', value: 1 / encoding, unit: '1/s' },
    {
      name: 'render over encoding alone, after the start',
      value: encoding / rendering,
      unit: '×',
      limit: { atLeast: 0.75 },
    },
    {
      name: `render over encoding alone, ${photographs} photographs, start and all`,
      value: encodingAll.seconds / all.seconds,
      unit: '×',
    },
  ];
}

/** Seconds that the encoder takes for all PNGs below a folder; they are decoded before, some at a time. */
async function encodeAgain(folder: string): Promise<{ pictures: number; seconds: number }> {
  // As `render` has it: with threads of its own for each picture the encoder is slower.
  sharp.concurrency(1);
  const files = (await readdir(folder, { recursive: true })).filter((file) => file.endsWith('.png'));
  let seconds = 0;
  for (let first = 0; first < files.length; first += 200) {
    const decoded = await Promise.all(
      files
        .slice(first, first + 200)
        .map((file) => sharp(join(folder, file)).raw().toBuffer({ resolveWithObject: true })),
    );
    seconds += await timed(async () => {
      const waiting = decoded.values();
      const lane = async () => {
        for (const { data, info } of waiting) {
          const { width, height, channels } = info;
          const picture = sharp(data, { raw: { width, height, channels } });
          await (channels === 1 ? picture.toColourspace('b-w') : picture).png({ compressionLevel: 6 }).toBuffer();
        }
      };
      await Promise.all(Array.from({ length: availableParallelism() }, lane));
    });
  }
  return { pictures: files.length, seconds };
}

async function timed(act: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await act();
  return (performance.now() - started) / 1000;
}

function command(bin: string, args: string[]): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [bin, ...args], { stdio: 'ignore' });
    child.on('error', reject);
    child.on('close', (status) =>
      status === 0 ? resolve() : reject(new Error(`${args[0]} ended with status ${status}`)),
    );
  });
}
