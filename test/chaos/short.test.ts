import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sceneshift } from '../support/cli.ts';
import { chaosCommands } from './commands.ts';
import { createEngine, type Engine } from './engine.ts';
import { faults } from './faults.ts';

/** One of each fault, on commands that are quickly done; all pairs by `node scripts/chaos.mjs --each 1`. */
const pairs = [
  ['run', 'kill'],
  ['render', 'interrupt'],
  ['render', 'read-only'],
  ['render', 'folder deleted'],
  ['mask', 'source changes'],
  ['mask', 'disk full'],
  ['report', 'kill'],
  ['score', 'clock jumps'],
  ['init', 'two at once'],
];

const named = <T extends { name: string }>(all: readonly T[], name: string): T => {
  const found = all.find((one) => one.name === name);
  if (!found) throw new Error(`No ${name} among ${all.map((one) => one.name).join(', ')}`);
  return found;
};

describe('struck while it works, called again', () => {
  let engine: Engine;
  beforeAll(async () => {
    engine = await createEngine(async (args, cwd) => ({
      ...(await sceneshift(args, { cwd })),
      signal: null,
      seconds: 0,
    }));
  });
  afterAll(() => engine.close());

  it.each(pairs)('%s, %s: all as if nothing had been', async (command, fault) => {
    const chosen = named(faults, fault);
    const lacking = chosen.lacking?.();
    if (lacking) {
      console.log(`left out: ${fault}, ${lacking}`);
      return;
    }
    const seed = Number(process.env.CHAOS_SEED ?? 1);
    const { faults: breaches } = await engine.try(named(chaosCommands, command), chosen, seed);
    expect(breaches, `seed ${seed}`).toEqual([]);
  });
});
