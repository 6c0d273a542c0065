import type { SampleFacts } from '../contracts/explore/columns.ts';
import { hashJson } from '../run/hash.ts';
import { readCache, writeCache } from './cache-folder.ts';
import type { Scenes } from './scenes.ts';

const columns = ['size', 'x', 'y', 'brightness'] as const;
type Known = Record<string, readonly (number | null)[]>;

/**
 * Reads size, place and lightness of every sample's object from its mask, a few at a time and only while nobody waits
 * for a picture (unless at once), and keeps them for the next time. Resolves when all are known.
 */
export async function fillFacts(
  scenes: Scenes,
  samples: readonly string[],
  facts: SampleFacts,
  { signal, atOnce = false }: { signal: AbortSignal; atOnce?: boolean },
): Promise<void> {
  const { samples: all, photographs } = scenes.init;
  const name = `facts-${hashJson({ samples: all.map(({ image, mask }) => [image, mask]), photographs })}.json`;
  const known: Known = JSON.parse((await readCache(name))?.toString() ?? '{}');
  const missing = samples.flatMap((id, s) => (put(facts, s, known[id]) ? [] : [s]));
  if (!missing.length) return;
  for (const s of missing) {
    while (!atOnce && scenes.busy && !signal.aborted) await new Promise((resolve) => setTimeout(resolve, 50));
    if (signal.aborted) return;
    const found = await scenes.facts(samples[s]);
    known[samples[s]] = (found ?? []).map((value) => (Number.isNaN(value) ? null : value));
    put(facts, s, known[samples[s]]);
  }
  await writeCache(name, JSON.stringify(known));
}

function put(facts: SampleFacts, sample: number, values: readonly (number | null)[] | undefined): boolean {
  if (!values) return false;
  for (const [i, column] of columns.entries()) facts[column][sample] = values[i] ?? Number.NaN;
  return true;
}
