import { begin, take } from '../kernels/arena.ts';

type Kernel = (...parameters: number[]) => number;

/** The kernels of assembly/fill*.ts, where the parameters are. */
export interface FillKernels {
  readonly memory: WebAssembly.Memory;
  readonly fillPrior: Kernel;
  readonly fillPeel: Kernel;
  readonly fillSearch: Kernel;
  readonly fillVote: Kernel;
  readonly fillChoose: Kernel;
  readonly fillGradients: Kernel;
  readonly fillBlend: Kernel;
  readonly fillChamfer: Kernel;
  readonly fillTexture: Kernel;
  readonly fillHalve: Kernel;
  readonly fillCoverage: Kernel;
  readonly fillLoad: Kernel;
  readonly fillStore: Kernel;
  readonly fillMissing: Kernel;
  readonly fillUnset: Kernel;
  readonly fillPatches: Kernel;
  readonly fillVoters: Kernel;
  readonly fillMark: Kernel;
  readonly fillRefine: Kernel;
  readonly fillQuartile: Kernel;
}

/** A block of kernel memory: its address, and its content as seen from here. */
export interface Block<T> {
  readonly at: number;
  readonly view: T;
}

type Shape = Record<string, readonly ['bytes' | 'integers' | 'floats', number]>;
type Blocks<S extends Shape> = {
  [K in keyof S]: Block<S[K][0] extends 'bytes' ? Uint8Array : S[K][0] extends 'integers' ? Int32Array : Float32Array>;
};

/** Takes all blocks an operation needs at once; they hold until the next image operation begins. */
export function workspace<const S extends Shape>(shape: S): { kernels: FillKernels; blocks: Blocks<S> } {
  const kernels = begin() as unknown as FillKernels;
  const addresses = Object.entries(shape).map(([, [kind, length]]) => take(kind === 'bytes' ? length : length * 4));
  const { buffer } = kernels.memory;
  const views = { bytes: Uint8Array, integers: Int32Array, floats: Float32Array };
  const blocks = Object.entries(shape).map(([name, [kind, length]], i) => [
    name,
    { at: addresses[i], view: new views[kind](buffer, addresses[i], length) },
  ]);
  return { kernels, blocks: Object.fromEntries(blocks) as Blocks<S> };
}
