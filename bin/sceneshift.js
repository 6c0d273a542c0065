#!/usr/bin/env node
import { existsSync } from 'node:fs';

// Commands that decode pictures or load networks run in a process of their own: a crash in a native library costs a file, not the command.
const watched = ['run', 'render', 'mask', 'explain', 'train', 'dataset check', 'demo', 'worker'];
const args = process.argv.slice(2);
const watches =
  watched.some((name) => name === args[0] || name === `${args[0]} ${args[1]}`) &&
  !args.some((arg) => arg === '--help' || arg === '-h') &&
  !process.execArgv.some((arg) => arg.startsWith('--inspect'));

const cli = new URL('../dist/cli.js', import.meta.url);
if (existsSync(cli)) await import(watches ? new URL('supervise.js', cli).href : cli.href);
else {
  process.stderr.write('sceneshift is not built yet: run `npm install && npm run build` in the clone first.\n');
  process.exitCode = 1;
}
