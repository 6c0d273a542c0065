import { createServer } from 'node:http';
import { resolve } from 'node:path';
import { expected } from '../../contracts/errors.ts';
import { fixedOf } from '../../contracts/numbers.ts';
import { connectQueue, withoutPassword } from '../../run/queue/connection.ts';
import { type QueueWorker, startWorker } from '../../run/queue/worker.ts';
import { defineCommand } from '../command.ts';
import { onInterrupt } from '../interrupt.ts';
import { workOptions } from '../options.ts';
import { print } from '../ui/output.ts';
import { version } from '../version.ts';

export const worker = defineCommand({
  name: 'worker',
  summary: 'Take work from the queue that run --queue fills; any number of machines, joining and leaving at any time.',
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
      url: values.queue,
      redis,
      root: resolve(values.root),
      threads: values.threads,
      version: version(),
      onChunk: ({ answers, seconds }) => say(`${answers} answers in ${fixedOf(seconds, 1)} s`),
      onError: (message) => say(`! ${message}`),
    });
    say(`Worker ${started.name} takes work from ${withoutPassword(values.queue)}`);
    const metrics =
      values['metrics-port'] === undefined
        ? undefined
        : serveMetrics(started, values['metrics-port'], values['metrics-host']);
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

/** Prometheus' text form, and a line for probes: healthy while the queue answers. */
function serveMetrics(started: QueueWorker, port: number, host: string) {
  const server = createServer((request, response) => {
    if (request.url === '/health') {
      const up = started.isConnected();
      response.writeHead(up ? 200 : 503, { 'content-type': 'text/plain' });
      response.end(up ? 'ok\n' : 'the queue does not answer\n');
    } else if (request.url === '/metrics') {
      response.writeHead(200, { 'content-type': 'text/plain; version=0.0.4' });
      response.end(metricsText(started));
    } else {
      response.writeHead(404);
      response.end();
    }
  });
  server.listen(port, host);
  return server;
}

function metricsText({ counts, name }: QueueWorker): string {
  const metric = (id: string, help: string, value: number) =>
    `# HELP sceneshift_${id} ${help}\n# TYPE sceneshift_${id} counter\nsceneshift_${id}{worker="${name.replaceAll(/["\\\n]/g, '_')}"} ${value}\n`;
  return [
    metric('chunks_total', 'Chunks finished', counts.chunks),
    metric('answers_total', 'Answers given', counts.answers),
    metric('failures_total', 'Chunks that failed here', counts.failures),
    metric('busy_seconds_total', 'Seconds spent on chunks', counts.seconds),
  ].join('');
}
