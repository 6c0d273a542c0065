import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

export const bin = fileURLToPath(new URL('../../bin/sceneshift.js', import.meta.url));

export interface Ran {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** The built command line, as a user would call it. */
export function sceneshift(
  args: string[],
  {
    cwd = tmpdir(),
    env = {},
    bin: program = bin,
    within = [],
    onStart,
  }: {
    cwd?: string;
    env?: NodeJS.ProcessEnv;
    bin?: string;
    /** A program that starts it, with its arguments. */
    within?: readonly string[];
    onStart?: (child: ChildProcess) => void;
  } = {},
): Promise<Ran> {
  return new Promise((resolve, reject) => {
    const [command, ...rest] = [...within, process.execPath, program, ...args];
    const child = spawn(command, rest, { cwd, env: { ...process.env, ...env } });
    let stdout = '';
    let stderr = '';
    child.stdout.on('data', (data) => (stdout += data));
    child.stderr.on('data', (data) => (stderr += data));
    child.on('error', reject);
    child.on('close', (status) => resolve({ status, stdout, stderr }));
    onStart?.(child);
  });
}

/** Several calls one after the other, in one process of the built command line; without the watching one. Where starting asserts nothing. */
export async function sceneshiftEach(calls: readonly (readonly string[])[], { cwd = tmpdir() } = {}): Promise<Ran[]> {
  const program = fileURLToPath(new URL('many-calls.mjs', import.meta.url));
  const cli = new URL('../../dist/cli.js', import.meta.url).href;
  const { stdout } = await promisify(execFile)(process.execPath, [program, cli, JSON.stringify(calls)], {
    cwd,
    maxBuffer: 2 ** 28,
  });
  return JSON.parse(stdout);
}

/** Path → hash of every file below a folder. */
export async function fingerprints(folder: string): Promise<Record<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const pairs = files.map(async (file) => [
    file.slice(folder.length + 1),
    createHash('sha256')
      .update(await readFile(file))
      .digest('hex'),
  ]);
  return Object.fromEntries((await Promise.all(pairs)).sort(([a], [b]) => (a < b ? -1 : 1)));
}
