import type { Redis } from 'ioredis';
import type { Chunk } from '../../contracts/queue.ts';
import { assignmentKey, lanesKey } from './keys.ts';

/**
 * A lane is all chunks that need the same things open: those of one assignment or, where its models are held in groups, of one
 * group. Each lane is a queue of its own, so that a worker can go on with what it has open.
 */
export const laneOf = ({ assignment, models }: Pick<Chunk, 'assignment' | 'models'>): string =>
  models ? `${assignment}-${models.join('.')}` : assignment;

export const assignmentOf = (lane: string): string => lane.slice(0, 32);

/** BullMQ's name of a lane. */
export const queueOf = (lane: string): string => `sceneshift-${lane}`;

const keyOf = (lane: string, list: string) => `bull:${queueOf(lane)}:${list}`;

export interface LaneDepth {
  readonly lane: string;
  readonly waiting: number;
  /** In a worker's hands. */
  readonly active: number;
  /** To be tried again, now or later. */
  readonly delayed: number;
  /** Of these, those whose time has come. */
  readonly due: number;
  readonly failed: number;
}

/** BullMQ keeps the time of a delayed job in the upper bits of its score. */
const delayedScores = 0x1000;

/** How many chunks each lane has, the oldest lane first. */
export async function laneDepths(redis: Redis): Promise<LaneDepth[]> {
  const lanes = await redis.zrange(lanesKey, 0, -1);
  return depthsOf(redis, lanes);
}

export async function depthsOf(redis: Redis, lanes: readonly string[]): Promise<LaneDepth[]> {
  const asked = redis.pipeline();
  for (const lane of lanes) {
    asked.llen(keyOf(lane, 'wait')).llen(keyOf(lane, 'active')).zcard(keyOf(lane, 'delayed'));
    asked.zcount(keyOf(lane, 'delayed'), 0, (Date.now() + 1) * delayedScores).zcard(keyOf(lane, 'failed'));
  }
  const answers = ((await asked.exec()) ?? []).map(([error, count]) => {
    if (error) throw error;
    return count as number;
  });
  return lanes.map((lane, i) => {
    const [waiting, active, delayed, due, failed] = answers.slice(5 * i, 5 * i + 5);
    return { lane, waiting, active, delayed, due, failed };
  });
}

/**
 * What BullMQ keeps of a queue that has no jobs; it makes these anew where the lane comes again. Not its `stalled-check`, which
 * ends by itself: while it is there nobody looks for chunks whose worker has gone.
 */
const leftovers = ['meta', 'id', 'events', 'marker', 'stalled'];
const leftoverSeconds = 3600;

/** A lane that nobody waits for leaves the list, unless something that was set aside is to be seen in it. */
export async function leaveLane(redis: Redis, lane: string): Promise<void> {
  const [{ failed }] = await depthsOf(redis, [lane]);
  if (failed) return;
  const last = redis
    .pipeline()
    .zrem(lanesKey, lane)
    .expire(assignmentKey(assignmentOf(lane)), leftoverSeconds);
  for (const list of leftovers) last.expire(keyOf(lane, list), leftoverSeconds);
  await last.exec();
}

/** Lanes are swept when they are this old: nobody has waited for their chunks for long. */
const oldMs = 24 * 3600_000;

/** Old lanes that hold nothing any more, whose coordinators were killed, leave the list. */
export async function sweepLanes(redis: Redis): Promise<void> {
  const old = await redis.zrangebyscore(lanesKey, 0, Date.now() - oldMs);
  for (const { lane, waiting, active, delayed } of await depthsOf(redis, old))
    if (waiting + active + delayed === 0) await leaveLane(redis, lane);
}

interface OwnLane {
  /** The lane whose chunks this worker has worked on last. */
  readonly lane?: string;
  /** It has been there for long: another run may need it more. */
  readonly isLong?: boolean;
  /** Chunks in this worker's hands, by lane. */
  readonly inHand?: ReadonlyMap<string, number>;
}

/**
 * The lanes that a worker should ask for a chunk, one after the other. Its own comes first while it has chunks, then those with
 * the fewest workers. After a long time in its own it goes to a run that nobody else works on, or that fewer work on.
 */
export function lanesToAsk(depths: readonly LaneDepth[], { lane: own, isLong, inHand }: OwnLane = {}): string[] {
  const byOthers = new Map<string, number>();
  const othersIn = ({ lane, active }: LaneDepth) => Math.max(0, active - (inHand?.get(lane) ?? 0));
  for (const depth of depths) {
    const id = assignmentOf(depth.lane);
    byOthers.set(id, (byOthers.get(id) ?? 0) + othersIn(depth));
  }
  const othersOn = (lane: string) => byOthers.get(assignmentOf(lane)) ?? 0;
  const ordered = depths
    .filter(({ waiting, due }) => waiting + due > 0)
    .sort((a, b) => othersOn(a.lane) - othersOn(b.lane) || othersIn(a) - othersIn(b))
    .map(({ lane }) => lane);
  if (own === undefined || !ordered.includes(own)) return ordered;
  const other = ordered.find((lane) => assignmentOf(lane) !== assignmentOf(own));
  const isNeeded = other !== undefined && othersOn(other) < Math.max(1, othersOn(own));
  return [...new Set([isLong && isNeeded ? other : own, ...ordered])];
}
