import { spawn } from 'node:child_process';
import type { z } from 'zod';
import { UserError } from '../contracts/errors.ts';

/** The command line beside this studio, started in a process of its own, so that heavy sums never hold up a picture. */
export interface Tools {
  /** Runs a command to its end; what `--json` printed, held against its contract. */
  json<Result>(args: readonly string[], contract: z.ZodType<Result>, signal?: AbortSignal): Promise<Result>;
  /** Starts a command and gives the lines it says. */
  start(args: readonly string[], onLine: (line: string) => void): Started;
}

export interface Started {
  readonly pid: number | undefined;
  /** As Ctrl+C: it finishes what is in hand. */
  stop(): void;
  readonly ended: Promise<number | null>;
}

/** `program`: how this command line was called (`node bin/sceneshift.js`). */
export function createTools(program: readonly [string, ...string[]]): Tools {
  const [command, ...before] = program;
  return {
    json: (args, contract, signal) =>
      new Promise((resolve, reject) => {
        const child = spawn(command, [...before, ...args, '--json'], { stdio: ['ignore', 'pipe', 'pipe'], signal });
        const [out, said]: [Buffer[], Buffer[]] = [[], []];
        child.stdout.on('data', (chunk: Buffer) => out.push(chunk));
        child.stderr.on('data', (chunk: Buffer) => said.push(chunk));
        child.on('error', reject);
        child.on('close', (status) => {
          if (status === 0) return resolve(contract.parseAsync(JSON.parse(Buffer.concat(out).toString('utf8'))));
          const last = Buffer.concat(said).toString('utf8').trim().split('\n').at(-1);
          reject(new UserError(last?.replace(/^✗ /, '') || `sceneshift ${args[0]} ended with status ${status}`));
        });
      }),
    start(args, onLine) {
      const child = spawn(command, [...before, ...args], { stdio: ['ignore', 'ignore', 'pipe'] });
      let rest = '';
      child.stderr.on('data', (chunk: Buffer) => {
        const lines = (rest + chunk.toString('utf8')).split(/[\r\n]+/);
        rest = lines.pop() ?? '';
        for (const line of lines) if (line.trim()) onLine(line.trim());
      });
      const ended = new Promise<number | null>((resolve) => {
        child.on('error', () => resolve(1));
        child.on('close', (status) => resolve(status));
      });
      return { pid: child.pid, stop: () => child.kill('SIGINT'), ended };
    },
  };
}
