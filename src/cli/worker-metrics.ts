import { createServer, type Server } from 'node:http';
import type { Redis } from 'ioredis';
import { queueDepth } from '../run/queue/status.ts';
import type { QueueWorker } from '../run/queue/worker.ts';

/** Prometheus' text form, and a line for probes: healthy while the queue answers and work can be taken. */
export function serveMetrics(
  worker: QueueWorker,
  { redis, port, host }: { redis: Redis; port: number; host: string },
): Server {
  const server = createServer(async (request, response) => {
    if (request.url === '/health') {
      const problem = worker.isConnected() ? worker.trouble() : 'the queue does not answer';
      response.writeHead(problem ? 503 : 200, { 'content-type': 'text/plain' });
      response.end(`${problem ?? 'ok'}\n`);
    } else if (request.url === '/metrics') {
      const depth = worker.isConnected() ? await queueDepth(redis).catch(() => undefined) : undefined;
      response.writeHead(200, { 'content-type': 'text/plain; version=0.0.4' });
      response.end(metricsText(worker, depth));
    } else {
      response.writeHead(404);
      response.end();
    }
  });
  server.listen(port, host);
  return server;
}

function metricsText({ counts, name }: QueueWorker, depth: Awaited<ReturnType<typeof queueDepth>> | undefined): string {
  const worker = `{worker="${name.replaceAll(/["\\\n]/g, '_')}"}`;
  const metric = (type: 'counter' | 'gauge', id: string, help: string, value: number) =>
    `# HELP sceneshift_${id} ${help}\n# TYPE sceneshift_${id} ${type}\nsceneshift_${id}${type === 'counter' ? worker : ''} ${value}\n`;
  return [
    metric('counter', 'chunks_total', 'Chunks finished', counts.chunks),
    metric('counter', 'answers_total', 'Answers given', counts.answers),
    metric('counter', 'failures_total', 'Chunks that failed here', counts.failures),
    metric('counter', 'openings_total', 'Runs, or groups of their models, that were opened', counts.openings),
    metric('counter', 'busy_seconds_total', 'Seconds spent on chunks', counts.seconds),
    // The same from every worker: an autoscaler takes the largest.
    ...(depth
      ? [
          metric('gauge', 'queue_waiting', 'Chunks that wait for a worker', depth.waiting),
          metric('gauge', 'queue_active', 'Chunks under way', depth.active),
          metric('gauge', 'queue_failed', 'Chunks set aside', depth.failed),
        ]
      : []),
  ].join('');
}
