import { existsSync, readFileSync } from 'node:fs';
import { UserError } from '../contracts/errors.ts';

export interface LabelSet {
  readonly names: readonly string[];
  readonly wnids?: readonly string[];
}

/** Label sets known by name. */
const knownSets: Record<string, () => Promise<LabelSet>> = {};

/** Labels as a record or config gives them: a list, a known set's name, or a file with one name per line. */
export async function loadLabels(labels: string | readonly string[], from: string): Promise<LabelSet> {
  if (typeof labels !== 'string') return { names: labels };
  if (knownSets[labels]) return knownSets[labels]();
  if (existsSync(labels)) {
    const names = readFileSync(labels, 'utf8')
      .split(/\r?\n/)
      .map((line) => line.trim());
    while (names.at(-1) === '') names.pop();
    return { names };
  }
  const known = Object.keys(knownSets)
    .map((name) => `'${name}'`)
    .join(', ');
  throw new UserError(
    `Expected a known set (${known}), a file or a list for labels in ${from} but received '${labels}'`,
  );
}
