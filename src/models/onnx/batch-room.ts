import type { Prepared } from '../define.ts';

export interface BatchRoom {
  /** Where the next picture goes; undefined before the first one has shown how large they are. */
  next(): Prepared | undefined;
  /** Called with every picture as it was made. */
  made(prepared: Prepared): void;
  /** Answered pictures: their room is filled again. */
  takeBack(pictures: readonly Prepared[]): void;
}

interface Block {
  readonly data: Prepared;
  given: number;
  back: number;
}

const mostSpares = 4;

/** Pictures that are prepared one after another lie one after another, so that a batch of them is a tensor already. */
export function createBatchRoom(batch: number): BatchRoom {
  let example: Prepared | undefined;
  let current: Block | undefined;
  const spares: Block[] = [];
  // A WeakMap: blocks that are not handed back after an error are garbage-collected with their pictures.
  const blocks = new WeakMap<ArrayBufferLike, Block>();
  const fresh = (like: Prepared): Block => {
    const data = new (like.constructor as new (length: number) => Prepared)(batch * like.length);
    const block = { data, given: 0, back: 0 };
    blocks.set(data.buffer, block);
    return block;
  };
  return {
    next() {
      if (!example) return undefined;
      if (!current || current.given === batch) current = spares.pop() ?? fresh(example);
      const start = current.given++ * example.length;
      return current.data.subarray(start, start + example.length);
    },
    made(prepared) {
      example ??= prepared;
    },
    takeBack(pictures) {
      for (const { buffer } of pictures) {
        const block = blocks.get(buffer);
        if (!block || ++block.back < block.given) continue;
        block.given = block.back = 0;
        if (block !== current && spares.length < mostSpares) spares.push(block);
      }
    },
  };
}

/** The batch as one array, where its pictures lie one after another. */
export function joined(pictures: readonly Prepared[], each: number): Prepared | undefined {
  const [first] = pictures;
  const { buffer, byteOffset, BYTES_PER_ELEMENT: size } = first;
  const follows = (picture: Prepared, i: number) =>
    picture.buffer === buffer && picture.byteOffset === byteOffset + i * each * size && picture.length === each;
  if (!pictures.every(follows)) return undefined;
  return new (first.constructor as new (buffer: ArrayBufferLike, at: number, length: number) => Prepared)(
    buffer,
    byteOffset,
    pictures.length * each,
  );
}
