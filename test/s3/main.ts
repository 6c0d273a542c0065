import { parseArgs } from 'node:util';
import { manyMachines } from '../support/many-machines.ts';
import { hasRedis, startRedis } from '../support/redis.ts';
import {
  hasRadosGateway,
  hasSwift,
  type S3Server,
  startRadosGateway,
  startS3rver,
  startSwift,
} from '../support/s3-server.ts';
import { sharedOnStorage } from './shared-commands.ts';
import { onStorage } from './trials.ts';

/** The long form of the tests on object storage: what is stored is held against a run of one process on one disk. */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    workers: { type: 'string', default: '1,2,4' },
    shares: { type: 'string', default: '4' },
    kills: { type: 'string', default: '10' },
    restarts: { type: 'string', default: '1' },
    'per-class': { type: 'string', default: '60' },
    chunk: { type: 'string', default: '50' },
    seed: { type: 'string', default: '0' },
    /** Instead: the other commands whose work is made of samples. */
    commands: { type: 'boolean', default: false },
  },
});
const number = (name: keyof typeof values) => Number(values[name]);
if (!hasRedis) throw new Error('There is no redis-server: apt-get install redis-server');

const servers: Record<string, { there: boolean; start: () => Promise<S3Server>; packages: string }> = {
  radosgw: { there: hasRadosGateway, start: startRadosGateway, packages: 'radosgw ceph-mon ceph-osd' },
  swift: {
    there: hasSwift,
    start: startSwift,
    packages: 'swift-proxy swift-account swift-container swift-object memcached',
  },
  s3rver: { there: true, start: startS3rver, packages: '' },
};
const machines = await manyMachines({
  perClass: values.commands ? 7 : number('per-class'),
  width: 96,
  height: 72,
  scenarios: 'original,blur-background,random-background,no-fg,size:0.05,dark-background',
});
console.log(`one process: ${machines.whole.length} rows`);
let broken = 0;
try {
  for (const name of positionals.length ? positionals : Object.keys(servers)) {
    const { there, start, packages } = servers[name];
    if (!there) {
      console.log(`- ${name}: left out; apt-get install ${packages}`);
      continue;
    }
    const server = await start();
    const tell = (what: string, result: { identical: boolean }) => {
      console.log(`${name} (${server.puts}), ${what}: ${JSON.stringify(result)}`);
      if (!result.identical) broken++;
    };
    try {
      if (values.commands) {
        const redis = await startRedis();
        await sharedOnStorage(machines, server, redis, ({ command, way, ...result }) =>
          tell(`${command} by ${way}`, result),
        ).finally(redis.stop);
        continue;
      }
      const storage = await onStorage(machines, server);
      const chunk = number('chunk');
      for (const workers of values.workers.split(',').map(Number)) {
        const redis = await startRedis();
        const result = await storage.byWorkers(`workers-${workers}`, redis, { workers, chunk }).finally(redis.stop);
        tell(`${workers} workers`, result);
      }
      if (number('shares')) tell(`${values.shares} shares`, await storage.byShares('shares', number('shares')));
      if (number('kills')) {
        const redis = await startRedis();
        const trouble = { kills: number('kills'), redisRestarts: number('restarts'), seed: number('seed') };
        const result = await storage.byWorkers('kills', redis, { workers: 2, chunk, ...trouble }).finally(redis.stop);
        tell('2 workers, killed at random, the queue server restarted', result);
      }
    } finally {
      await server.close();
    }
  }
} finally {
  await machines.stop();
}
if (broken) process.exitCode = 1;
