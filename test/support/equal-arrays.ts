import { expect } from 'vitest';

type View = NodeJS.ArrayBufferView;
const bytesOf = ({ buffer, byteOffset, byteLength }: View) => Buffer.from(buffer, byteOffset, byteLength);

/** Pictures that are equal are known by their bytes; element by element takes a thousand times as long. What differs goes that way, and is shown. */
const haveSameBytes = (a: unknown, b: unknown) =>
  ArrayBuffer.isView(a) &&
  ArrayBuffer.isView(b) &&
  a.constructor === b.constructor &&
  bytesOf(a as View).equals(bytesOf(b as View))
    ? true
    : undefined;

// Files of one process share `expect`: once is enough.
const known = globalThis as { sceneshiftKnowsArrays?: boolean };
if (!known.sceneshiftKnowsArrays) expect.addEqualityTesters([haveSameBytes]);
known.sceneshiftKnowsArrays = true;
