import { appendFile, readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { Share } from '../contracts/queue.ts';
import { writeAtomic } from './atomic.ts';

const renderedSchema = z.object({
  image: z.string(),
  mask: z.string().optional(),
  sample: z.string(),
  scenario: z.string(),
  /** Of all that decided it. */
  hash: z.string(),
});
/** A variant that lies in the folder. */
export type Rendered = z.infer<typeof renderedSchema>;

const indexFile = '.rendered.jsonl';
/** Where machines that fill a folder side by side note what they made; one file each, since appending is not safe everywhere. */
const partFile = ({ index, of }: Share, writer: string) => `.rendered-${index}-of-${of}-${writer}.jsonl`;
export const isPartFile = (name: string): boolean => /^\.rendered-.*\.jsonl$/.test(name);

/** What a folder holds and what each file was made from, so that a later call knows which still hold. */
export async function readRendered(out: string): Promise<Map<string, Rendered>> {
  const found = new Map<string, Rendered>();
  for (const name of [indexFile, ...(await partFiles(out))]) {
    const text = await readFile(join(out, name), 'utf8').catch(() => '');
    for (const line of text.split('\n')) {
      const rendered = parseLine(line);
      if (rendered) found.set(rendered.image, rendered);
    }
  }
  return found;
}

const partFiles = async (out: string) => (await readdir(out).catch(() => [] as string[])).filter(isPartFile).sort();

/** A kill may cut the last line short. */
function parseLine(line: string): Rendered | undefined {
  try {
    return renderedSchema.safeParse(JSON.parse(line)).data;
  } catch {
    return undefined;
  }
}

/** Fields in one order: the same folder has the same bytes, however it came about. */
const linesOf = (rendered: readonly Rendered[]) =>
  rendered
    .map(({ image, mask, sample, scenario, hash }) => `${JSON.stringify({ image, mask, sample, scenario, hash })}\n`)
    .join('');

/** Notes what is now on disk. */
export const addRendered = (
  out: string,
  rendered: readonly Rendered[],
  part?: { readonly share: Share; readonly writer: string },
): Promise<void> => appendFile(join(out, part ? partFile(part.share, part.writer) : indexFile), linesOf(rendered));

/** Writes the whole list, and removes the lists of single machines that it replaces. */
export async function writeRendered(out: string, rendered: readonly Rendered[]): Promise<void> {
  await writeAtomic(out, indexFile, linesOf(rendered));
  for (const name of await partFiles(out)) await rm(join(out, name), { force: true });
}

/** Both files are still there. */
export async function isThere(out: string, { image, mask }: Rendered): Promise<boolean> {
  const found = await Promise.all(
    [image, ...(mask ? [mask] : [])].map((path) => stat(join(out, path)).catch(() => null)),
  );
  return found.every((file) => file?.isFile());
}

export async function removeRendered(out: string, gone: readonly Rendered[], kept: readonly Rendered[]): Promise<void> {
  const needed = new Set(kept.flatMap(({ image, mask }) => [image, mask]));
  for (const path of gone.flatMap(({ image, mask }) => [image, mask]))
    if (path && !needed.has(path)) await rm(join(out, path), { force: true });
}
