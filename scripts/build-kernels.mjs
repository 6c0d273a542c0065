// Compiles the WebAssembly kernels and embeds them in a TypeScript module, so that source, tests and bundle load them alike.
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import asc from 'assemblyscript/asc';
import { root } from './setup.mjs';

const source = 'src/image/kernels/assembly/index.ts';
const target = join(root, 'src/image/kernels/wasm.generated.ts');

if (existsSync(join(root, source))) {
  const { error, stderr, binary } = await compile();
  if (error) {
    console.error(stderr);
    process.exit(1);
  }
  mkdirSync(join(target, '..'), { recursive: true });
  writeFileSync(target, `export const wasmBase64 =\n  '${Buffer.from(binary).toString('base64')}';\n`);
}

async function compile() {
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
