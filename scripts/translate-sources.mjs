// The sources as JavaScript in .cache/sources, for `npm test`: Node loads them by itself (test/support/native-sources.ts).
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { transformWithOxc } from 'vite';
import { root } from './setup.mjs';

const from = join(root, 'src');
const to = join(root, '.cache', 'sources');
/** Of another language, which only looks the same. */
const isKernel = (name) => name.startsWith(join('image', 'kernels', 'assembly'));

rmSync(to, { recursive: true, force: true });
for (const name of readdirSync(from, { recursive: true })) {
  if (!name.endsWith('.ts') || name.endsWith('.test.ts') || isKernel(name)) continue;
  const file = join(from, name);
  const { code } = await transformWithOxc(readFileSync(file, 'utf8'), file, { sourcemap: false });
  const target = join(to, name.replace(/\.ts$/, '.js'));
  mkdirSync(dirname(target), { recursive: true });
  writeFileSync(target, elsewhere(code, pathToFileURL(file).href));
}

/** Imports name what was translated; all that is found beside the file is still found there. */
function elsewhere(code, url) {
  return code
    .replace(/(from\s*|import\s*\(?\s*)(["'])(\.[^"']+)\.ts\2/g, '$1$2$3.js$2')
    .replaceAll('import.meta.url', JSON.stringify(url));
}
