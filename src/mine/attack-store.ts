import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { writeAtomic } from '../run/atomic.ts';

const outcomeSchema = z.strictObject({
  model: z.string(),
  sample: z.string(),
  fooled: z.boolean(),
  /** Questions asked, the unchanged photograph's included. */
  queries: z.number().int(),
});
/** The outcome of an attack on one photograph. */
export type AttackOutcome = z.infer<typeof outcomeSchema>;

const fileOf = (key: string) => join('attack', `${key}.json`);

/** Undefined: not attacked yet, or cut short. */
export async function readOutcome(run: string, key: string): Promise<AttackOutcome | undefined> {
  const text = await readFile(join(run, fileOf(key)), 'utf8').catch(() => undefined);
  try {
    return text === undefined ? undefined : outcomeSchema.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

/** `key`: the hash of all that decides the outcome, so that two processes with the same attack write the same file. */
export const writeOutcome = (run: string, key: string, outcome: AttackOutcome): Promise<void> =>
  writeAtomic(run, fileOf(key), `${JSON.stringify(outcome)}\n`);
