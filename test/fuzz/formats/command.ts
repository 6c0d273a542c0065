import { createFrameReader } from '../../../src/models/command/frame-reader.ts';
import { encodeFrame, helloSchema } from '../../../src/models/command/protocol.ts';
import type { FuzzTarget } from '../fuzz.ts';
import { disturb, disturbBytes, disturbText } from '../grammar.ts';
import { oddInteger, putInteger } from '../pieces.ts';

const due = 80;
const hello = { sceneshift: 1, name: 'a', input: 'rgb', outputs: 2, kind: 'logits', labels: ['cat', 'dog'], batch: 8 };

/** What a program writes to its standard output: a first line, then frames; each with lengths, names and numbers that lie. */
export const commandTarget: FuzzTarget = {
  name: 'command',
  mostMegabytes: 100,
  make(random) {
    const line = JSON.stringify(disturb(hello, random));
    const frames = Array.from({ length: random.integer(0, 4) }, (_, id) => {
      const header = disturb({ id, ...(random.uniform() < 0.3 && { error: 'no' }) }, random, 0.1);
      const [head, ...rest] = encodeFrame(header as Record<string, unknown>, [
        new Uint8Array(random.pick([0, 8, due, due + 1, 4000])),
      ]);
      const bytes = Buffer.concat([head, ...rest]);
      if (random.uniform() < 0.3)
        putInteger(bytes, { at: random.pick([0, 4]), bytes: 4, little: true }, oddInteger(random));
      return bytes;
    });
    const whole = Buffer.concat([
      Buffer.from(
        `${random.uniform() < 0.3 ? disturbText(line, random) : line}${random.pick(['\n', '\n', '\r\n', ''])}`,
      ),
      ...frames,
    ]);
    return {
      output: random.uniform() < 0.3 ? disturbBytes(whole, random) : whole,
      pieces: String(random.pick([1, 7, 64, 5000])),
    };
  },
  async feed({ output, pieces }) {
    let [broken, held] = [0, 0];
    const reader = createFrameReader({
      onHello: (line) => {
        try {
          helloSchema.safeParse(JSON.parse(line));
        } catch (error) {
          if (!(error instanceof SyntaxError)) throw error;
        }
      },
      onFrame: ({ header, payload }) => {
        held = Math.max(held, payload.length);
        if (typeof header !== 'object' || header === null) throw new Error('a frame without a header');
      },
      onBroken: (reason) => {
        broken++;
        if (reason.length > 600 || reason.includes('\n')) throw new Error(`a reason that is no line: ${reason}`);
      },
      mostPayload: () => due,
    });
    const step = Number(pieces);
    for (let at = 0; at < output.length; at += step) reader.push((output as Uint8Array).subarray(at, at + step));
    if (broken > 1) throw new Error('it broke twice');
    if (held > due) throw new Error(`${held} bytes were kept where ${due} were due`);
  },
};
