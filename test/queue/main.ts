import { parseArgs } from 'node:util';
import { manyMachines } from '../support/many-machines.ts';
import { hasRedis, startRedis } from '../support/redis.ts';
import { networkLacking } from './network.ts';
import { killTrial, networkTrial } from './trials.ts';

/** The long form of the queue's tests: what is asked for, until so many kills have landed; rows held against one process's. */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    kills: { type: 'string', default: '30' },
    restarts: { type: 'string', default: '3' },
    workers: { type: 'string', default: '2' },
    'per-class': { type: 'string', default: '100' },
    chunk: { type: 'string', default: '25' },
    delay: { type: 'string', default: '80' },
    loss: { type: 'string', default: '2' },
    seed: { type: 'string', default: '0' },
  },
});
const wanted = positionals.length ? positionals : ['kills', 'network'];
if (!hasRedis) throw new Error('There is no redis-server: apt-get install redis-server');
const number = (name: keyof typeof values) => Number(values[name]);

const machines = await manyMachines({
  perClass: number('per-class'),
  width: 240,
  height: 180,
  scenarios: 'original,blur-background,random-background,no-fg,size:0.05,dark-background',
});
console.log(`one process: ${machines.whole.length} rows`);
let broken = 0;
try {
  if (wanted.includes('kills')) {
    let [kills, restarts] = [0, 0];
    for (let round = 0; kills < number('kills') || restarts < number('restarts'); round++) {
      const redis = await startRedis();
      const left = { kills: Math.max(1, number('kills') - kills), restarts: number('restarts') - restarts };
      const settings = { ...left, workers: number('workers'), chunk: number('chunk'), seed: number('seed') + round };
      const result = await killTrial(machines, redis, `kills-${round}`, settings).finally(redis.stop);
      console.log('kills', JSON.stringify(result));
      kills += result.kills;
      restarts += result.restarts;
      if (!result.identical) broken++;
    }
    console.log(
      `${kills} kills, ${restarts} restarts of the queue server, ${broken} runs that differ from one process`,
    );
  }
  if (wanted.includes('network')) {
    const lacking = networkLacking();
    if (lacking) console.log(`- network: left out, ${lacking}`);
    else {
      const settings = { workers: number('workers'), chunk: number('chunk') };
      const link = { delayMs: number('delay'), lossPercent: number('loss') };
      const start = (hosts: readonly string[]) => startRedis({ hosts });
      const result = await networkTrial(machines, start, 'network', { ...settings, ...link });
      console.log('network', JSON.stringify(result));
      if (!result.identical) broken++;
    }
  }
} finally {
  await machines.stop();
}
if (broken) process.exitCode = 1;
