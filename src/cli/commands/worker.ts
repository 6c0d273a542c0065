import { expected } from '../../contracts/errors.ts';
import { fixedOf } from '../../contracts/numbers.ts';
import { terminalText } from '../../formats/escape.ts';
import { connectQueue, withoutPassword } from '../../run/queue/connection.ts';
import { type QueueWorker, startWorker } from '../../run/queue/worker.ts';
import { resolvePlace } from '../../storage/s3-url.ts';
import { defineCommand } from '../command.ts';
import { onInterrupt } from '../interrupt.ts';
import { workOptions } from '../options.ts';
import { shareWorks } from '../shares/index.ts';
import { print } from '../ui/output.ts';
import { version } from '../version.ts';
import { serveMetrics } from '../worker-metrics.ts';

export const worker = defineCommand({
  name: 'worker',
  summary:
    'Take work from the queue that run, render, train, explain, generate and mine --queue fill; any number of machines, joining and leaving at any time.',
  options: {
    queue: {
      type: 'string',
      value: 'URL',
      describe: 'redis://HOST[:PORT], or rediss:// for TLS; password in SCENESHIFT_QUEUE_PASSWORD',
    },
    root: {
      type: 'string',
      value: 'DIR',
      default: '.',
      describe: 'the folder that data, models and results lie below; nothing else is touched',
    },
    'metrics-port': { type: 'number', value: 'PORT', describe: 'serve /metrics (Prometheus) and /health' },
    'metrics-host': { type: 'string', value: 'ADDRESS', default: '127.0.0.1', describe: 'address for --metrics-port' },
    once: { type: 'boolean', describe: 'leave when the queue has been empty for a while' },
    threads: workOptions.threads,
  },
  examples: ['sceneshift worker --queue redis://head:6379 --root /shared'],
  async run(values) {
    if (!values.queue) throw expected('redis://HOST[:PORT]', '--queue', undefined);
    const redis = await connectQueue(values.queue);
    const interrupt = onInterrupt('Finishing the chunk in hand');
    const say = (line: string) => process.stderr.write(`${line}\n`);
    const started = startWorker({
      redis,
      root: resolvePlace(values.root),
      threads: values.threads,
      version: version(),
      shareWorks,
      onOpened: ({ out, models }) =>
        say(terminalText(`Opened ${out}${models.length ? ` with ${models.join(', ')}` : ''}`)),
      onChunk: ({ answers, seconds }) =>
        say(`${answers ? `${answers} answers` : 'a share'} in ${fixedOf(seconds, 1)} s`),
      onError: (message) => say(`! ${message}`),
    });
    say(`Worker ${started.name} takes work from ${withoutPassword(values.queue)}`);
    const metrics =
      values['metrics-port'] === undefined
        ? undefined
        : serveMetrics(started, { redis, port: values['metrics-port'], host: values['metrics-host'] });
    try {
      await untilDone(started, interrupt.signal, values.once);
    } finally {
      await started.close();
      metrics?.close();
      redis.disconnect();
      interrupt.done();
    }
    print(
      values.json,
      { worker: started.name, ...started.counts },
      () => `${started.counts.answers} answers in ${started.counts.chunks} chunks, ${started.counts.failures} failures`,
    );
  },
});

const idleMs = 3000;

/** Until Ctrl+C, or with `once` until nothing has come for a while. */
function untilDone(started: QueueWorker, signal: AbortSignal, once: boolean): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    signal.addEventListener('abort', () => resolve(), { once: true });
    if (!once) return;
    const timer = setInterval(() => {
      if (Date.now() - started.lastBusy() < idleMs) return;
      clearInterval(timer);
      resolve();
    }, 250);
  });
}
