// Compiles the WebAssembly kernels and embeds them in a TypeScript module, so that source, tests and bundle load them alike.
// What is up to date is left alone, so that whoever needs the kernels can call this.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { changedAt, newestUnder, root } from './setup.mjs';

const source = 'src/image/kernels/assembly/index.ts';
const made = 'src/image/kernels/wasm.generated.ts';
const target = join(root, made);

if (changedAt(made) < Math.max(newestUnder('src/image/kernels/assembly'), changedAt('scripts/build-kernels.mjs'))) {
  const { error, stderr, binary } = await compile();
  if (error) {
    console.error(stderr);
    process.exit(1);
  }
  mkdirSync(join(target, '..'), { recursive: true });
  writeFileSync(target, `export const wasmBase64 =\n  '${Buffer.from(binary).toString('base64')}';\n`);
}

async function compile() {
  const { default: asc } = await import('assemblyscript/asc');
  let binary;
  const args = [
    source,
    '--outFile',
    'kernels.wasm',
    '-O3',
    '--noAssert',
    '--runtime',
    'stub',
    '--enable',
    'simd',
    '--exportRuntime',
  ];
  const { error, stderr } = await asc.main(['--baseDir', root, ...args], {
    writeFile: (_name, contents) => {
      if (typeof contents !== 'string') binary = contents;
    },
  });
  return { error, stderr: stderr.toString(), binary };
}
