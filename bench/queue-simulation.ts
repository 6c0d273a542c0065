import type { Random } from '../src/contracts/random.ts';
import { randomFor } from '../src/stats/random.ts';

/** A queue of chunks and the machines that take them, without the machines: what happens at sizes that nobody has at hand. */
export interface QueueSimulation {
  readonly workers: number;
  readonly chunks: number;
  /** Mean time of a chunk on an ordinary worker, and its spread (standard deviation of its logarithm). */
  readonly chunkSeconds: number;
  readonly chunkSpread: number;
  /** Loading the model when a worker begins. */
  readonly startSeconds: number;
  /** Share of workers that are slow, and how much slower. */
  readonly stragglers: number;
  readonly stragglerFactor: number;
  /** Each worker is lost so many times an hour (preemption, crash), and comes back after a while. */
  readonly lossesPerHour: number;
  readonly returnSeconds: number;
  /** A chunk whose worker is gone is given to another after this long. */
  readonly stallSeconds: number;
  /** Time the one queue server needs to hand out and take back a chunk; one at a time. */
  readonly queueSeconds: number;
  readonly seed: number;
}

export interface SimulationResult {
  readonly wallSeconds: number;
  /** Useful seconds over the seconds that workers were there. */
  readonly utilisation: number;
  /** Time from the moment that fewer chunks than workers were left until the end. */
  readonly tailSeconds: number;
  /** Chunks begun more than once, over all chunks. */
  readonly begunTwice: number;
  /** Seconds thrown away with them, over useful seconds. */
  readonly wasted: number;
  /** Share of the time in which the queue server was busy. */
  readonly queueBusy: number;
}

interface Event {
  readonly at: number;
  readonly kind: 'ask' | 'finish' | 'lose' | 'return' | 'stalled';
  readonly worker: number;
  readonly chunk?: number;
  /** Of the worker: what was started before it was lost does not count. */
  readonly life: number;
}

/** Discrete events in the order of their times; the same seed gives the same result. */
export function simulateQueue(options: QueueSimulation): SimulationResult {
  const { workers, chunks, queueSeconds, stallSeconds, returnSeconds, startSeconds } = options;
  const random = randomFor('queue', options.seed);
  const lengths = Float64Array.from({ length: chunks }, () => chunkLength(options, random));
  const factor = Float64Array.from({ length: workers }, () =>
    random.uniform() < options.stragglers ? options.stragglerFactor : 1,
  );
  const life = new Uint32Array(workers);
  const doing = new Int32Array(workers).fill(-1);
  const since = new Float64Array(workers);
  const idle: number[] = [];
  const begun = new Uint16Array(chunks);
  const finished = new Uint8Array(chunks);
  const waiting = Array.from({ length: chunks }, (_, i) => chunks - 1 - i);
  const events = createHeap<Event>((event) => event.at);
  let [queueFree, queueBusy, useful, wasted, away] = [0, 0, 0, 0, 0];
  let [done, tailFrom, now] = [0, Number.NaN, 0];

  const untilLoss = () =>
    options.lossesPerHour > 0
      ? (-Math.log(1 - random.uniform()) * 3600) / options.lossesPerHour
      : Number.POSITIVE_INFINITY;
  const arrive = (worker: number, at: number) => {
    events.push({ at: at + startSeconds, kind: 'ask', worker, life: life[worker] });
    const loss = at + untilLoss();
    if (Number.isFinite(loss)) events.push({ at: loss, kind: 'lose', worker, life: life[worker] });
  };
  const give = (worker: number) => {
    const chunk = waiting.pop();
    if (chunk === undefined) {
      idle.push(worker);
      return;
    }
    // The server serves one after the other.
    const served = Math.max(now, queueFree) + queueSeconds;
    queueFree = served;
    queueBusy += queueSeconds;
    begun[chunk]++;
    doing[worker] = chunk;
    since[worker] = served;
    events.push({ at: served + lengths[chunk] * factor[worker], kind: 'finish', worker, chunk, life: life[worker] });
  };
  for (let worker = 0; worker < workers; worker++) arrive(worker, 0);

  while (done < chunks) {
    const event = events.pop();
    if (!event) break;
    now = event.at;
    const { worker } = event;
    if (event.kind === 'stalled') {
      const chunk = event.chunk as number;
      if (!finished[chunk]) {
        waiting.push(chunk);
        const free = idle.pop();
        if (free !== undefined) give(free);
      }
      continue;
    }
    if (event.kind === 'return') {
      arrive(worker, now);
      continue;
    }
    if (event.life !== life[worker]) continue;
    if (event.kind === 'lose') {
      life[worker]++;
      const place = idle.indexOf(worker);
      if (place >= 0) idle.splice(place, 1);
      if (doing[worker] >= 0) {
        wasted += Math.max(0, now - since[worker]);
        events.push({ at: now + stallSeconds, kind: 'stalled', worker, chunk: doing[worker], life: 0 });
        doing[worker] = -1;
      }
      away += returnSeconds;
      events.push({ at: now + returnSeconds, kind: 'return', worker, life: life[worker] });
      continue;
    }
    if (event.kind === 'finish') {
      const chunk = event.chunk as number;
      doing[worker] = -1;
      const spent = now - since[worker];
      if (finished[chunk]) wasted += spent;
      else {
        finished[chunk] = 1;
        done++;
        useful += spent;
      }
    }
    if (Number.isNaN(tailFrom) && chunks - done < workers) tailFrom = now;
    give(worker);
  }
  return {
    wallSeconds: now,
    utilisation: useful / (workers * now - Math.min(away, workers * now)),
    tailSeconds: now - (Number.isNaN(tailFrom) ? 0 : tailFrom),
    begunTwice: begun.reduce((sum, times) => sum + (times > 1 ? 1 : 0), 0) / chunks,
    wasted: wasted / useful,
    queueBusy: queueBusy / now,
  };
}

function chunkLength({ chunkSeconds, chunkSpread }: QueueSimulation, random: Random): number {
  // Lognormal with the wanted mean.
  return chunkSeconds * Math.exp(chunkSpread * random.normal() - (chunkSpread * chunkSpread) / 2);
}

function createHeap<Item>(key: (item: Item) => number) {
  const items: Item[] = [];
  const before = (a: number, b: number) => key(items[a]) < key(items[b]);
  const swap = (a: number, b: number) => {
    [items[a], items[b]] = [items[b], items[a]];
  };
  return {
    push(item: Item) {
      items.push(item);
      for (let i = items.length - 1; i > 0; ) {
        const parent = (i - 1) >> 1;
        if (!before(i, parent)) break;
        swap(i, parent);
        i = parent;
      }
    },
    pop(): Item | undefined {
      const top = items[0];
      const last = items.pop();
      if (items.length && last !== undefined) {
        items[0] = last;
        for (let i = 0; ; ) {
          const [left, right] = [2 * i + 1, 2 * i + 2];
          let least = i;
          if (left < items.length && before(left, least)) least = left;
          if (right < items.length && before(right, least)) least = right;
          if (least === i) break;
          swap(i, least);
          i = least;
        }
      }
      return top;
    },
  };
}
