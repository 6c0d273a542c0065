// The long form's child process: feeds seeds and says before each which one it is, so that the parent can name a hang.
import { join } from 'node:path';
import { fuzz } from './fuzz.ts';
import { targets } from './targets.ts';

const [name, count, first, corpus] = process.argv.slice(2);
const target = targets.find((one) => one.name === name);
if (!target) {
  console.error(`Expected one of ${targets.map((one) => one.name).join(', ')} but received '${name}'`);
  process.exit(2);
}
const faults = await fuzz(target, join(corpus, name), {
  count: Number(count),
  firstSeed: Number(first),
  onInput: (seed) => process.send?.({ seed }),
});
for (const { seed, reason, input } of faults) process.send?.({ fault: { seed, reason, input: pack(input) } });
process.disconnect?.();

function pack(input: Readonly<Record<string, string | Uint8Array>>) {
  return Object.fromEntries(
    Object.entries(input).map(([file, content]) => [
      file,
      typeof content === 'string' ? { text: content } : { base64: Buffer.from(content).toString('base64') },
    ]),
  );
}
