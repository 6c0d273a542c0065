import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FuzzInput } from './fuzz.ts';

/** An input as it is kept: JSON that shows texts as they are. */
export type StoredInput = Record<string, { text: string } | { base64: string }>;

export const pack = (input: FuzzInput): StoredInput =>
  Object.fromEntries(
    Object.entries(input).map(([file, content]) => [
      file,
      typeof content === 'string' ? { text: content } : { base64: Buffer.from(content).toString('base64') },
    ]),
  );

const unpack = (stored: StoredInput): FuzzInput =>
  Object.fromEntries(
    Object.entries(stored).map(([file, content]) => [
      file,
      'text' in content ? content.text : Buffer.from(content.base64, 'base64'),
    ]),
  );

/** What was kept of a target: inputs that once failed, fed first ever after. */
export function readCorpus(folder: string, target: string): { name: string; input: FuzzInput }[] {
  let names: string[];
  try {
    names = readdirSync(join(folder, target)).filter((name) => name.endsWith('.json'));
  } catch {
    return [];
  }
  return names
    .sort()
    .map((name) => ({ name, input: unpack(JSON.parse(readFileSync(join(folder, target, name), 'utf8'))) }));
}

export function keep(folder: string, target: string, name: string, input: FuzzInput): string {
  mkdirSync(join(folder, target), { recursive: true });
  const path = join(folder, target, `${name}.json`);
  writeFileSync(path, `${JSON.stringify(pack(input), null, 1)}\n`);
  return path;
}
