import { fileURLToPath } from 'node:url';

const program = fileURLToPath(new URL('../fixtures/models/network-program.mjs', import.meta.url));

/** A small network behind a program that takes its time, on any machine: what must be seen under way is not over before. */
export const slowly = (model: string, { delayMs, sidePx = 48 }: { delayMs: number; sidePx?: number }): string =>
  `command:"${process.execPath}" "${program}" "${model}" tensor ${delayMs} slow ${sidePx}`;
