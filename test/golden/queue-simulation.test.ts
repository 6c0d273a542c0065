import { describe, expect, it } from 'vitest';
import { type QueueSimulation, simulateQueue } from '../../bench/queue-simulation.ts';

const quiet: QueueSimulation = {
  workers: 10,
  chunks: 1000,
  chunkSeconds: 4,
  chunkSpread: 0,
  startSeconds: 0,
  stragglers: 0,
  stragglerFactor: 1,
  lossesPerHour: 0,
  returnSeconds: 0,
  stallSeconds: 30,
  queueSeconds: 0,
  seed: 1,
};

describe('the simulated queue, where the answer is known', () => {
  it('equal chunks on equal workers: the work over the workers, nothing idle, nothing twice', () => {
    expect(simulateQueue(quiet)).toMatchObject({ wallSeconds: 400, utilisation: 1, begunTwice: 0, wasted: 0, queueBusy: 0 });
  });

  it('a server that takes longer than a chunk over the workers is what limits', () => {
    const { wallSeconds, queueBusy } = simulateQueue({ ...quiet, queueSeconds: 1 });
    expect(wallSeconds).toBeGreaterThanOrEqual(1000);
    expect(wallSeconds).toBeLessThan(1010);
    expect(queueBusy).toBeGreaterThan(0.99);
  });

  it('one worker in ten four times as slow: nine and a quarter workers', () => {
    const { wallSeconds } = simulateQueue({ ...quiet, workers: 1000, chunks: 200_000, stragglers: 0.1, stragglerFactor: 4 });
    expect(wallSeconds).toBeGreaterThan((200_000 * 4) / 940);
    expect(wallSeconds).toBeLessThan((200_000 * 4) / 910 + 16);
  });

  it('losses cost about the half of a chunk each, everything is finished, and the same seed gives the same', () => {
    const stormy = { ...quiet, workers: 200, chunks: 20_000, lossesPerHour: 20, returnSeconds: 60, startSeconds: 2 };
    const result = simulateQueue(stormy);
    expect(result).toEqual(simulateQueue(stormy));
    // 200 workers × about 430 s × 20 an hour: each loss throws away 2 s on average.
    const losses = (200 * result.wallSeconds * 20) / 3600;
    expect(result.wasted * 20_000 * 4).toBeGreaterThan(losses);
    expect(result.wasted * 20_000 * 4).toBeLessThan(3 * losses);
    expect(result.begunTwice).toBeGreaterThan(0);
  });
});
