import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** A fresh clone has no kernels yet: whoever runs a test has them built. */
export default function setup(): void {
  execFileSync(process.execPath, [fileURLToPath(new URL('../../scripts/build-kernels.mjs', import.meta.url))], {
    stdio: 'inherit',
  });
}
