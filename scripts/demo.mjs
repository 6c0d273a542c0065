// `npm run demo [-- --out DIR]`: installs and builds what is missing, then runs `sceneshift demo`.
import { build, install, sh } from './setup.mjs';

try {
  await install();
  build();
  sh(process.execPath, ['bin/sceneshift.js', 'demo', ...process.argv.slice(2)]);
} catch (error) {
  console.error(`✗ ${error.message}`);
  process.exitCode = 1;
}
