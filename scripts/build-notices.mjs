// dist/NOTICES.txt: the licences of what is bundled into dist (the studio's page, and small files of packages), as they ask for.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const bundled = ['zod', '@observablehq/plot', 'linkedom', 'yaml', '@duckdb/node-api', 'preact', '@preact/signals'];
const home = fileURLToPath(new URL('../node_modules/', import.meta.url));

const found = new Map();
const visit = (name) => {
  const folder = join(home, name);
  if (found.has(name) || !existsSync(folder)) return;
  const { version, license, dependencies = {} } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
  found.set(
    name,
    `${name} ${version} (${license})\n\n${file ? readFileSync(join(folder, file), 'utf8').trim() : ''}\n`,
  );
  for (const dependency of Object.keys(dependencies)) visit(dependency);
};
bundled.forEach(visit);
mkdirSync(new URL('../dist/', import.meta.url), { recursive: true });
const texts = [...found].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, text]) => text);
writeFileSync(new URL('../dist/NOTICES.txt', import.meta.url), texts.join(`\n${'-'.repeat(80)}\n\n`));
