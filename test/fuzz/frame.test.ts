import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { UserError } from '../../src/contracts/errors.ts';
import { type CampaignFault, runCampaign } from './campaign.ts';
import { keep, readCorpus } from './corpus.ts';
import { type Fault, type FuzzTarget, feedAll, inputOf } from './fuzz.ts';
import { targets } from './targets.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'fuzz-frame-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const target = (feed: FuzzTarget['feed'], more: Partial<FuzzTarget> = {}): FuzzTarget => ({
  name: 'test',
  make: (random) => ({ a: String(random.integer(0, 9)) }),
  feed,
  ...more,
});

async function faultsOf(tested: FuzzTarget, count: number): Promise<Fault[]> {
  const faults: Fault[] = [];
  const inputs = Array.from({ length: count }, (_, seed) => ({ seed, input: inputOf(tested, seed) }));
  await feedAll(tested, { inputs, count, onFault: (fault) => faults.push(fault) });
  return faults;
}

describe('one input', () => {
  it('may be answered or refused in one line, and nothing else', async () => {
    const answers = target(async ({ a }) => {
      if (Number(a) > 4) throw new UserError('one line');
    });
    expect(await faultsOf(answers, 30)).toEqual([]);
    const crash = target(async ({ a }) => void (a as unknown as string[]).map(Number));
    expect((await faultsOf(crash, 3)).map(({ seed, reason }) => [seed, /is not a function/.test(reason)])).toEqual(
      [0, 1, 2].map((seed) => [seed, true]),
    );
    const page = target(async () => {
      throw new UserError('one\ntwo\nthree');
    });
    expect(await faultsOf(page, 1)).toMatchObject([{ reason: expect.stringContaining('several lines') }]);
  });

  it('may take so much time and no more', async () => {
    const busy = async () => {
      const start = process.cpuUsage();
      while (process.cpuUsage(start).user < 60_000);
    };
    expect(await faultsOf(target(busy, { mostCpuSeconds: 0.05 }), 1)).toMatchObject([
      { reason: expect.stringMatching(/s of computing/) },
    ]);
  });

  it.runIf(process.platform === 'linux')('may take so much memory at its worst, though it gives it back', async () => {
    const greedy = async () => {
      for (let i = 0; i < 3; i++) new Uint8Array(150_000_000).fill(1);
      globalThis.gc?.();
    };
    expect(await faultsOf(target(greedy, { mostMegabytes: 100 }), 1)).toMatchObject([
      { reason: expect.stringMatching(/it took \d+ MB/) },
    ]);
    expect(
      await faultsOf(
        target(async () => undefined, { mostMegabytes: 100 }),
        1,
      ),
    ).toEqual([]);
  });

  it('may leave nothing behind, over many', async () => {
    const held: Uint8Array[] = [];
    const leaking = target(async () => void held.push(new Uint8Array(250_000).fill(1)));
    expect((await faultsOf(leaking, 1000)).map(({ reason }) => reason)).toEqual([
      expect.stringMatching(/memory grew by \d+ MB over 600 inputs/),
    ]);
    expect(held).toHaveLength(1000);
  });
});

it('what was kept is read as it was', () => {
  keep(folder, 'test', 'old-fault', { text: 'é\u0000', bytes: Uint8Array.of(0, 255) });
  expect(readCorpus(folder, 'test')).toEqual([
    { name: 'old-fault.json', input: { text: 'é\u0000', bytes: Buffer.of(0, 255) } },
  ]);
  expect(readCorpus(folder, 'none')).toEqual([]);
});

describe('an input that ends the process', () => {
  /** Stands for the real child: feeds nothing, but tells its place as that does, and does `act` at the third input. */
  const child = (act: string) => {
    const file = join(folder, 'child.mjs');
    writeFileSync(
      file,
      `import { writeSync } from 'node:fs';
      process.on('disconnect', () => process.exit(0));
      process.on('message', ({ count, skip }) => {
        const place = Buffer.alloc(8);
        for (let i = skip; i < count; i++) {
          place.writeDoubleLE(i - skip);
          writeSync(4, place, 0, 8, 0);
          if (i === 2) { ${act} }
        }
        process.send({ tally: { inputs: count - skip, refused: 0, cpuSeconds: 0, megabytes: 0, growth: 0 } });
      });`,
    );
    return file;
  };
  const tablesBatch = { target: 'tables', first: 10, count: 6 };
  const campaign = async (act: string, batches = [tablesBatch], oneProcess = false) => {
    const faults: CampaignFault[] = [];
    let inputs = 0;
    await runCampaign(batches, {
      corpus: folder,
      child: child(act),
      jobs: 1,
      oneProcess,
      hangCpuSeconds: 1,
      onFault: (fault) => faults.push(fault),
      onBatch: (_, tally) => void (inputs += tally.inputs),
    });
    return { faults, inputs };
  };

  it.runIf(process.platform !== 'win32')('is named and kept where it crashes it, and the rest is fed', async () => {
    const { faults, inputs } = await campaign(`process.kill(process.pid, 'SIGSEGV'); while (true);`);
    const tables = await targets.find(({ name }) => name === 'tables')!.load();
    expect(faults).toEqual([
      {
        target: 'tables',
        seed: 12,
        reason: 'the process ended (SIGSEGV)',
        input: { 'table.csv': { text: inputOf(tables, 12)['table.csv'] } },
      },
    ]);
    expect(inputs).toBe(6);
  });

  it.runIf(process.platform !== 'win32')('is named where one process is fed with several batches', async () => {
    const batches = [tablesBatch, { target: 'config', first: 0, count: 6 }];
    const { faults, inputs } = await campaign(`process.kill(process.pid, 'SIGSEGV'); while (true);`, batches, true);
    expect(faults.map(({ target, seed }) => [target, seed])).toEqual([
      ['tables', 12],
      ['config', 2],
    ]);
    expect(inputs).toBe(12);
  });

  it.runIf(process.platform === 'linux')('is named where it hangs it', async () => {
    const { faults, inputs } = await campaign('while (true);');
    expect(faults).toMatchObject([{ seed: 12, reason: 'no end after 1 s of computing' }]);
    expect(inputs).toBe(6);
  });
});
