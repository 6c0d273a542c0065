import { readFileSync } from 'node:fs';

/** Of the package that is running. Everything is built into one folder, `dist`, beside `package.json`. */
export const version = (): string =>
  JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')).version;
