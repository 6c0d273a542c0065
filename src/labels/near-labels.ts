import type { LabelSet } from './label-set.ts';
import { normalizeLabel } from './match.ts';

export interface NearLabel {
  readonly output: number;
  /** The one of the output's names that is near. */
  readonly name: string;
}

/** Below this a name is no more like the word than chance makes it. */
const leastLikeness = 0.3;

/**
 * Outputs whose name is like a word that fits none, the likest first: names that hold the word (`Persian` → Persian cat),
 * misspellings, names that share words with it. For people to choose from, never to be taken without asking.
 */
export function nearLabels(text: string, { names }: LabelSet, most = 3): NearLabel[] {
  const word = normalizeLabel(text);
  if (!word) return [];
  return names
    .map((label, output) => {
      const candidates = label.split(',').map((name) => ({ name: name.trim(), likeness: likeness(word, name) }));
      return { output, ...candidates.reduce((best, one) => (one.likeness > best.likeness ? one : best)) };
    })
    .filter((found) => found.likeness >= leastLikeness)
    .sort((a, b) => b.likeness - a.likeness || a.output - b.output)
    .slice(0, most)
    .map(({ output, name }) => ({ output, name }));
}

function likeness(word: string, candidate: string): number {
  const name = normalizeLabel(candidate);
  if (!name) return 0;
  const [short, long] = [word, name].map((text) => text.replaceAll(' ', '')).sort((a, b) => a.length - b.length);
  if (short.length >= 4 && long.includes(short)) return 0.6 + (0.4 * short.length) / long.length;
  const mine = new Set(word.split(' '));
  const theirs = new Set(name.split(' '));
  const shared = [...mine].filter((part) => theirs.has(part)).length;
  const words = shared / (mine.size + theirs.size - shared);
  const letters = pairsShared(short, long);
  // Few letters in common say nothing; many say a misspelling.
  return Math.max(words, letters >= 0.6 ? letters : 0);
}

/** Dice's coefficient of the pairs of neighbouring letters: 1 where all are shared. */
function pairsShared(a: string, b: string): number {
  if (a.length < 2 || b.length < 2) return a === b ? 1 : 0;
  const counts = new Map<string, number>();
  for (let i = 0; i + 1 < a.length; i++) counts.set(a.slice(i, i + 2), (counts.get(a.slice(i, i + 2)) ?? 0) + 1);
  let shared = 0;
  for (let i = 0; i + 1 < b.length; i++) {
    const left = counts.get(b.slice(i, i + 2)) ?? 0;
    if (!left) continue;
    shared++;
    counts.set(b.slice(i, i + 2), left - 1);
  }
  return (2 * shared) / (a.length + b.length - 2);
}
