import type { Frame } from './protocol.ts';

/** A first line with tens of thousands of labels fits; so does any reason in an answer's header. */
const largest = { hello: 2 ** 24, header: 2 ** 20 };

export interface FrameHandlers {
  onHello(line: string): void;
  onFrame(frame: Frame): void;
  /** What came is not the protocol; nothing after it is read. */
  onBroken(reason: string): void;
  /** The longest payload that is due: more is refused before it is waited for. */
  mostPayload(): number;
}

/** Cuts a program's output into its first line and the frames after it. */
export function createFrameReader(handlers: FrameHandlers): { push(chunk: Uint8Array): void } {
  let waiting: Uint8Array[] = [];
  let size = 0;
  /** Bytes that the next step takes. */
  let needed = 8;
  let state: 'hello' | 'lengths' | 'body' | 'broken' = 'hello';
  let headerLength = 0;

  const take = (length: number): Buffer => {
    const all =
      waiting.length === 1 ? Buffer.from(waiting[0].buffer, waiting[0].byteOffset, size) : Buffer.concat(waiting);
    const rest = all.subarray(length);
    waiting = rest.length ? [rest] : [];
    size = rest.length;
    return all.subarray(0, length);
  };
  const fail = (reason: string) => {
    state = 'broken';
    waiting = [];
    handlers.onBroken(reason);
  };
  const readLengths = () => {
    const lengths = take(8);
    headerLength = lengths.readUInt32LE(0);
    const payload = lengths.readUInt32LE(4);
    const most = handlers.mostPayload();
    if (headerLength === 0 || headerLength > largest.header || payload > most) {
      const meant = lengths.every((byte) => byte === 10 || byte === 13 || (byte >= 32 && byte < 127))
        ? `it wrote '${printable(lengths)}' where an answer's lengths were due; only answers may go to standard output`
        : `its answer claims a header of ${headerLength} bytes and ${payload} bytes of scores, where at most ${most} are due`;
      return fail(meant);
    }
    state = 'body';
    needed = headerLength + payload;
  };
  const readBody = () => {
    const body = take(needed);
    state = 'lengths';
    needed = 8;
    let header: unknown;
    try {
      header = JSON.parse(body.subarray(0, headerLength).toString('utf8'));
    } catch {
      header = undefined;
    }
    if (header === null || typeof header !== 'object') return fail('the header of its answer is not a JSON object');
    handlers.onFrame({ header: header as Frame['header'], payload: body.subarray(headerLength) });
  };

  return {
    push(chunk) {
      if (state === 'broken') return;
      waiting.push(chunk);
      size += chunk.length;
      if (state === 'hello') {
        const end = chunk.indexOf(0x0a);
        if (end < 0 && size > largest.hello) fail('its first line does not end');
        if (end < 0) return;
        const line = take(size - chunk.length + end + 1);
        state = 'lengths';
        handlers.onHello(line.toString('utf8').trim());
      }
      while (size >= needed && (state === 'lengths' || state === 'body'))
        state === 'lengths' ? readLengths() : readBody();
    },
  };
}

const printable = (bytes: Uint8Array) =>
  Buffer.from(bytes)
    .toString('latin1')
    .replaceAll(/[^ -~]/g, '·');
