import { type ChildProcess, fork } from 'node:child_process';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { callsVariable, type Ran, type WarmAnswer, type WarmCall, type WarmSaid } from './spawn-cli.ts';

interface Warm {
  readonly process: ChildProcess;
  /** Calls of one environment share processes: it is read when something is loaded. */
  readonly environment: string;
  megabytes: number;
}

const cli = new URL('../../dist/cli.js', import.meta.url);
/** More memory than this is given back. */
const mostMegabytes = 700;
/** Of all that wait for a call; those that waited longest go first. */
const mostIdleMegabytes = 2500;

/**
 * Processes of the built command line that stay between calls and between test files, since starting costs more than most calls:
 * this process hands each call to one that is idle, and starts another where there is none. They end with it.
 */
export default function setup(): () => Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'calls-'));
  const idle: Warm[] = [];
  const all = new Set<ChildProcess>();

  const start = (environment: string): Warm => {
    const program = fileURLToPath(new URL('warm-process.mjs', import.meta.url));
    const child = fork(program, [cli.href], {
      // As the process that watches over a command sets it.
      env: {
        UV_THREADPOOL_SIZE: String(Math.max(4, availableParallelism())),
        ...process.env,
        ...JSON.parse(environment).env,
      },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      execArgv: [],
    });
    // What native code writes must not fill a pipe that nobody reads.
    child.stdout?.resume();
    child.stderr?.resume();
    const warm = { process: child, environment, megabytes: 0 };
    all.add(child);
    child.on('exit', () => {
      all.delete(child);
      if (idle.includes(warm)) idle.splice(idle.indexOf(warm), 1);
    });
    return warm;
  };

  const take = (environment: string): Warm => {
    const at = idle.findLastIndex((one) => one.environment === environment && one.process.connected);
    return at < 0 ? start(environment) : idle.splice(at, 1)[0];
  };

  const giveBack = (warm: Warm, megabytes: number) => {
    warm.megabytes = megabytes;
    if (megabytes > mostMegabytes) warm.process.kill('SIGKILL');
    else idle.push(warm);
    while (idle.reduce((sum, one) => sum + one.megabytes, 0) > mostIdleMegabytes) idle.shift()?.process.kill('SIGKILL');
  };

  const serve = async (socket: Socket) => {
    socket.on('error', () => socket.destroy());
    for await (const line of createInterface({ input: socket })) {
      const { env = {}, machine = '', ...call }: WarmCall = JSON.parse(line);
      // A build made since then is another program.
      const built = statSync(cli, { throwIfNoEntry: false })?.mtimeMs;
      const warm = take(JSON.stringify({ env, machine, built }));
      // Whoever asked is gone: a test that ran out of time.
      const end = () => warm.process.kill('SIGKILL');
      socket.once('close', end);
      const tell = (answer: WarmAnswer) => socket.write(`${JSON.stringify(answer)}\n`);
      if (warm.process.pid) tell({ pid: warm.process.pid });
      const ended = await callIn(warm.process, call, tell);
      socket.off('close', end);
      if ('ran' in ended) giveBack(warm, ended.megabytes);
      tell('ran' in ended ? { ran: ended.ran } : ended);
      socket.end();
    }
  };

  const path = process.platform === 'win32' ? `\\\\.\\pipe\\sceneshift-calls-${process.pid}` : join(folder, 'socket');
  const server = createServer((socket) => void serve(socket));
  server.listen(path);
  process.env[callsVariable] = path;
  return async () => {
    server.close();
    await Promise.all(
      [...all].map((child) => new Promise((resolve) => child.once('exit', resolve) && child.kill('SIGKILL'))),
    );
    rmSync(folder, { recursive: true, force: true });
  };
}

type Ended = { readonly ran: Ran; readonly megabytes: number } | { readonly died: string };

function callIn(child: ChildProcess, call: WarmCall, tell: (said: WarmSaid) => void): Promise<Ended> {
  return new Promise((resolve) => {
    let raw = '';
    const hear = (text: Buffer) => (raw += text);
    child.stderr?.on('data', hear);
    const settle = (ended: Ended) => {
      child.stderr?.off('data', hear);
      child.off('message', onMessage);
      child.off('exit', onExit);
      resolve(ended);
    };
    const onMessage = (message: Ended | WarmSaid) => ('said' in message ? tell(message) : settle(message));
    const onExit = (status: number | null, signal: string | null) =>
      settle({ died: `the process ended in the middle of the call (${signal ?? `status ${status}`}): ${raw}` });
    child.once('exit', onExit);
    child.on('message', onMessage);
    child.send(call, (error) => error && settle({ died: String(error) }));
  });
}
