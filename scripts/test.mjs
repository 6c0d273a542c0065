// `npm test`: installs and builds what is missing, then runs every check. Stops at the first that fails.
import { build, install, sh, systemProgram } from './setup.mjs';
import { tryNodes } from './try-node.mjs';

const checks = [
  ['types', 'tsc', ['--noEmit']],
  ["types of the studio's page", 'tsc', ['--noEmit', '-p', 'web']],
  ['lint and format', 'biome', ['check', '.']],
  ['layers', 'depcruise', ['src', '--config', '.dependency-cruiser.cjs']],
  ['dead code', 'knip', []],
  ['unit and golden tests', 'vitest', ['run', '--project', 'unit']],
  ['end-to-end tests', 'vitest', ['run', '--project', 'e2e']],
];

try {
  install();
  systemProgram('redis-server', 'redis-server');
  build();
  for (const [title, command, args] of checks) {
    console.log(`• ${title}`);
    sh('npx', ['--no-install', command, ...args]);
  }
  console.log('• the oldest and the newest Node');
  tryNodes(['20', '26']);
} catch (error) {
  console.error(`✗ ${error.message}`);
  process.exitCode = 1;
}
