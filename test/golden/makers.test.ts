import { readdirSync, readFileSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const folder = fileURLToPath(new URL('../fixtures', import.meta.url));
const text = (file: string) => readFileSync(join(folder, file), 'utf8');
const files = readdirSync(folder, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => relative(folder, join(entry.parentPath, entry.name)).replaceAll('\\', '/'));
const index = text('make.py');

describe('the makers of references', () => {
  it('are all listed by make.py', () => {
    // What models/make.py imports, and what stats/make.sh calls, is made with it.
    const makers = files.filter((file) => /\/make[-_a-z]*\.(py|sh)$/.test(file) && !/^models\/make_/.test(file));
    expect(makers.length).toBeGreaterThan(20);
    for (const maker of makers) expect(index).toContain(`"${maker}"`);
    for (const [, script] of index.matchAll(/\("([\w/.-]+)", (?:None|")/g)) expect(files).toContain(script);
  });

  it('name in requirements.txt every package they import', () => {
    const own = new Set(files.filter((file) => file.endsWith('.py')).map((file) => basename(file, '.py')));
    // Networks, tokenizer and export are the benchmark's own.
    for (const name of ['networks', 'tokenizer', 'export']) own.add(name);
    const distributed: Record<string, string> = {
      ...{ PIL: 'pillow', cv2: 'opencv', skimage: 'scikit-image', sklearn: 'scikit-learn' },
    };
    const standard =
      'base64 concurrent csv decimal fractions gzip hashlib importlib io json math os pathlib platform random re struct subprocess sys tarfile tempfile traceback unicodedata warnings zlib';
    const listed = [...text('requirements.txt').matchAll(/^([\w-]+)==\d/gm)].map(([, name]) => name);
    const imported = files
      .filter((file) => file.endsWith('.py'))
      .flatMap((file) => [...text(file).matchAll(/^\s*(?:from ([\w.]+) import|import ([\w., ]+))/gm)])
      .flatMap(([, from, list]) => (from ? [from] : list.split(',').map((part) => part.trim().split(' ')[0])))
      .map((name) => name.split('.')[0])
      .filter((name) => !own.has(name) && !standard.split(' ').includes(name));
    expect(imported).toContain('numpy');
    for (const name of new Set(imported)) expect(listed).toContain(distributed[name] ?? name);
  });
});
