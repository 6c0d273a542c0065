import type { Chunk, SharedCommand } from '../../contracts/queue.ts';
import { hashJson } from '../hash.ts';
import { type QueuePlace, runChunks } from './run-chunks.ts';

/** Samples of a share, about: a few seconds to a minute of work. */
const samplesPerShare: Partial<Record<SharedCommand, number>> = { explain: 4, generate: 4, mine: 4 };
const usualSamples = 16;
/** More shares than this would only be overhead. */
const mostShares = 2000;

/** Has workers do the samples of a command at these places, share by share, and waits until each is done or set aside. */
export async function shareByQueue(
  places: readonly number[],
  place: QueuePlace & { readonly onProgress?: (done: number, total: number) => void },
): Promise<void> {
  const { id, command } = place.assignment;
  const of = Math.min(mostShares, Math.ceil(places.length / (samplesPerShare[command] ?? usualSamples)));

  const chunks = Array.from({ length: of }, (_, i): Chunk => {
    const share = { index: i + 1, of, places: places.filter((_, at) => at % of === i) };
    return { assignment: id, name: hashJson([id, share]), share };
  });
  let done = 0;
  await runChunks(chunks, place, {
    onDone: () => place.onProgress?.(++done, of),
    onSetAside({ share }, reason) {
      place.onTrouble?.(`share ${share?.index}/${of} was set aside and is done here: ${reason}`);
      place.onProgress?.(++done, of);
    },
  });
}
