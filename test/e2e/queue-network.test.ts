import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { networkLacking } from '../queue/network.ts';
import { networkTrial } from '../queue/trials.ts';
import { type ManyMachines, manyMachines } from '../support/many-machines.ts';
import { hasRedis, startRedis } from '../support/redis.ts';

const lacking = hasRedis ? networkLacking() : 'needs redis-server: apt-get install redis-server';

describe.skipIf(lacking)(`workers in network namespaces of their own${lacking ? ` (${lacking})` : ''}`, () => {
  let machines: ManyMachines;
  beforeAll(async () => {
    machines = await manyMachines();
  });
  afterAll(() => machines.stop());

  it('with 80 ms of delay and 2 % of all packets lost, two workers give the rows of one process', async () => {
    const start = (hosts: readonly string[]) => startRedis({ hosts });
    const result = await networkTrial(machines, start, 'network', { chunk: 5, delayMs: 80, lossPercent: 2 });
    expect(result).toMatchObject({ identical: true, rows: machines.whole.length });
    expect(result.carried).toBeGreaterThan(100);
  });
});
