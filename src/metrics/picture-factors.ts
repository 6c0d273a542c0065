import { readCsvObjects } from '../formats/csv-rows.ts';
import { readRegularFile } from '../formats/regular-file.ts';
import type { ReadColumn, RunFolder } from '../run/folder/index.ts';
import { localPlace } from '../storage/local-place.ts';

/** Columns of the manifest that `generate` writes, and what they are called beside answers: `model` is who answered. */
const factors = {
  kind: 'kind',
  nuisance: 'nuisance',
  strategy: 'strategy',
  seed: 'seed',
  provider: 'provider',
  model: 'generator',
  version: 'generatorVersion',
} as const;

/**
 * What is known of how every picture was made, as columns beside the answers; none where the run's data is no manifest of
 * generated pictures, or is gone.
 */
export async function pictureFactors(
  folder: RunFolder,
  sample: ReadColumn | undefined,
): Promise<Record<string, ReadColumn>> {
  const path = (await folder.record().catch(() => undefined))?.data?.path;
  if (!sample || !('levels' in sample) || !path?.toLowerCase().endsWith('.csv')) return {};
  const manifest = localPlace(path, 'the manifest of the pictures').then((file) => readRegularFile(file));
  const text = (await manifest.catch(() => '')).toString();
  if (!/^[^\r\n]*\bstrategy\b/.test(text)) return {};
  const rows = new Map(readCsvObjects(text, path).map((row) => [row.image, row]));
  return Object.fromEntries(
    Object.entries(factors).map(([column, name]) => {
      const words = sample.levels.map((id) => rows.get(id)?.[column] ?? '');
      const levels = [...new Set(words)].sort();
      const place = Uint32Array.from(words, (word) => levels.indexOf(word));
      return [name, { levels, codes: sample.codes.map((code) => place[code]) }];
    }),
  );
}
