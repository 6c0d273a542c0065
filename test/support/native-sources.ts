import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, resolve, sep } from 'node:path';
import type { Plugin } from 'vitest/config';

const root = join(import.meta.dirname, '..', '..');
const sources = join(root, 'src') + sep;
const translated = join(root, '.cache', 'sources') + sep;

/** Set by `npm test`, which translates the sources first. */
export const areTranslated = process.env.SCENESHIFT_TEST_SOURCES === 'translated';

/**
 * Vitest gives every module its own way of importing, by which a call of another module's function looks it up anew: a tenth of the
 * unit tests' time, and as much again for making it so. Node loads the translated sources without. Tests that ask for modules anew
 * get them from Vitest, with whatever these import.
 */
export function nativeSources(): Plugin {
  const asksAnew = new Map<string, boolean>();
  return {
    name: 'native-sources',
    enforce: 'pre',
    resolveId(source, importer) {
      if (!importer || !source.startsWith('.') || !source.endsWith('.ts')) return;
      const file = resolve(dirname(importer), source);
      if (!file.startsWith(sources) || file.endsWith('.test.ts')) return;
      const isSource = importer.startsWith(sources) && !importer.endsWith('.test.ts');
      if (!asksAnew.has(importer)) asksAnew.set(importer, readFileSync(importer, 'utf8').includes('vi.resetModules()'));
      if (isSource || asksAnew.get(importer)) return;
      const native = translated + file.slice(sources.length).replace(/\.ts$/, '.js');
      return existsSync(native) ? native : undefined;
    },
  };
}

/** For Vitest's `server`: what is loaded by Node itself. */
export const nativeFolder = /[\\/]\.cache[\\/]sources[\\/]/;
