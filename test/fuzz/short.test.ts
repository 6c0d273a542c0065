import { join } from 'node:path';
import { expect, it } from 'vitest';
import { fuzz } from './fuzz.ts';
import { targets } from './targets.ts';

const count = Number(process.env.FUZZ_COUNT ?? 150);

it.each(targets.map((target) => [target.name, target] as const))(
  '%s: nothing but an answer or a line',
  async (name, target) => {
    const corpus = join(import.meta.dirname ?? __dirname, 'corpus', name);
    const faults = await fuzz(target, corpus, { count });
    expect(faults.map(({ seed, reason }) => `${seed}: ${reason}`)).toEqual([]);
  },
);
