// The process that is fed, started by campaign.ts, which sends it a batch and how many of its inputs to skip, and then the next. It
// writes the place of the input in hand into file descriptor 4 before each, so that the parent can name the one that hung or crashed it.
import { writeSync } from 'node:fs';
import type { Batch } from './campaign.ts';
import { pack, readCorpus } from './corpus.ts';
import { feedAll, inputOf } from './fuzz.ts';
import { targets } from './targets.ts';

process.on('disconnect', () => process.exit(0));
process.on('message', async (batch: Batch & { skip: number; corpus: string }) => {
  const target = await targets.find(({ name }) => name === batch.target)!.load();
  const kept = batch.withCorpus ? readCorpus(batch.corpus, batch.target) : [];
  function* inputs() {
    for (const { name: seed, input } of kept.slice(batch.skip)) yield { seed, input };
    for (let i = Math.max(0, batch.skip - kept.length); i < batch.count; i++)
      yield { seed: batch.first + i, input: inputOf(target, batch.first + i) };
  }
  const place = Buffer.alloc(8);
  const tally = await feedAll(target, {
    inputs: inputs(),
    count: kept.length + batch.count - batch.skip,
    onInput(at) {
      place.writeDoubleLE(at);
      writeSync(4, place, 0, 8, 0);
    },
    onFault: ({ seed, reason, input }) => process.send?.({ fault: { seed, reason, input: pack(input) } }),
  });
  process.send?.({ tally });
});
