import { configTarget } from './config.ts';
import type { FuzzTarget } from './fuzz.ts';
import { readersTarget } from './readers.ts';
import { tablesTarget } from './tables.ts';

/** Adding one is a file beside this, a line here, and a folder in `corpus/`. */
export const targets: readonly FuzzTarget[] = [readersTarget, configTarget, tablesTarget];
