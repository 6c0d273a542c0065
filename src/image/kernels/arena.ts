import { roomFor } from '../spare-room.ts';
import { wasmBase64 } from './wasm.generated.ts';

/** The exported kernels; every pointer is a byte offset into the instance's memory. See assembly/ for the parameters. */
interface Kernels {
  readonly memory: WebAssembly.Memory;
  heapBase(): number;
  readonly resampleColumns3: Kernel;
  readonly resampleColumns1: Kernel;
  readonly resampleRows: Kernel;
  readonly resampleRowsToTensor: Kernel;
  readonly twoTapColumns: Kernel;
  readonly fftJoinTwo: Kernel;
  readonly fftJoinFour: Kernel;
  readonly fftJoinAny: Kernel;
  readonly fftWeave: Kernel;
  readonly fftUnweave: Kernel;
  readonly scaleBy: Kernel;
  readonly gainsFor: Measure;
  readonly slopesFor: Measure;
  readonly cosineForwardIn: Kernel;
  readonly cosineForwardOut: Kernel;
  readonly cosineInverseIn: Kernel;
  readonly cosineInverseOut: Kernel;
  readonly toBytes: Kernel;
  readonly amplitudeIn: Kernel;
  readonly amplitudeSplit: Kernel;
  readonly amplitudeTotal: Measure;
  readonly chirpIn: Kernel;
  readonly chirpTimes: Kernel;
  readonly chirpOutFour: Kernel;
  readonly chirpOutTwo: Kernel;
  readonly gaussianBlur: Kernel;
  readonly toShares: Kernel;
  readonly toLevels: Kernel;
  readonly gaussianDown: Kernel;
  readonly gaussianAcross: Kernel;
  readonly gaussianPad: Kernel;
  readonly motionRow: Kernel;
  readonly zoomLine: Kernel;
  readonly zoomAdd: Kernel;
  readonly zoomMean: Kernel;
  readonly runningSums: Kernel;
  readonly addRunning: Kernel;
  readonly addIntervals: Kernel;
  readonly sumsToLevels: Kernel;
  readonly shear: Kernel;
  readonly displace: Kernel;
  readonly smoothNodes: Kernel;
  readonly sumRows: Kernel;
  readonly smoothRows: Kernel;
  readonly turnDoubles: Kernel;
  readonly blend: Kernel;
  readonly setHue: Kernel;
  readonly shiftHue: Kernel;
  readonly rgbToHsv: Kernel;
  readonly hsvToRgb: Kernel;
  readonly grey: Kernel;
  readonly combine: Kernel;
  readonly lookUp: Kernel;
  readonly tensor: Kernel;
  readonly pick: Kernel;
  readonly warp: Kernel;
  readonly linearSolve: Kernel;
  readonly linearScores: Kernel;
  readonly linearAddRows: Kernel;
  readonly matteWindows: Kernel;
  readonly mattePairs: Measure;
  readonly matteMultiply: Measure;
  readonly matteStep: Measure;
  readonly matteTurn: Kernel;
  readonly matteNumber: Measure;
  readonly matteTake: Kernel;
  readonly matteWrite: Kernel;
  readonly foregroundLevel: Kernel;
  readonly foregroundMeans: Kernel;
  readonly foregroundOwn: Kernel;
  readonly layOver: Kernel;
  readonly maskGrow: Kernel;
  readonly guidedProducts: Kernel;
  readonly boxMean: Kernel;
  readonly guidedFit: Kernel;
  readonly guidedApply: Kernel;
}

type Kernel = (...parameters: number[]) => void;
type Measure = (...parameters: number[]) => number;

/** Vector loads and stores may reach this far past the end of a block. */
const slack = 64;
const pageBytes = 65536;

/** After a picture that needed more than this, a new instance takes over: memory of the old one never shrinks. */
const keptBytes = 256 * 1024 * 1024;

let module: WebAssembly.Module | undefined;
let instance: Kernels | undefined;
let base = 0;
let next = 0;
let bytes = new Uint8Array(0);

/** One instance for each thread, made on first use: module state is never shared between worker threads. */
export function kernels(): Kernels {
  if (!instance) {
    module ??= new WebAssembly.Module(Buffer.from(wasmBase64, 'base64'));
    instance = new WebAssembly.Instance(module, { env: { abort: fail } }).exports as unknown as Kernels;
    base = next = (instance.heapBase() + 63) & ~63;
    bytes = new Uint8Array(instance.memory.buffer);
  }
  return instance;
}

function fail(): never {
  throw new Error('A WebAssembly kernel stopped');
}

/** Begins an operation: all blocks taken before are given up. Kernels run to completion, so operations never nest. */
export function begin(): Kernels {
  if (bytes.length > keptBytes) instance = undefined;
  const made = kernels();
  next = base;
  return made;
}

/** Room for `length` bytes, not cleared, aligned to 64; `extra` more bytes may be touched after it. */
export function take(length: number, extra = 0): number {
  const at = next;
  next = Math.ceil((at + length + extra + slack) / 64) * 64;
  if (next > bytes.length) {
    const { memory } = kernels();
    memory.grow(Math.ceil((next - bytes.length) / pageBytes));
    bytes = new Uint8Array(memory.buffer);
  }
  return at;
}

/** A copy of `data` inside. */
export function put(data: ArrayBufferView, extra = 0): number {
  const at = take(data.byteLength, extra);
  bytes.set(data instanceof Uint8Array ? data : new Uint8Array(data.buffer, data.byteOffset, data.byteLength), at);
  return at;
}

/** A block of one value. */
export function filled(length: number, value: number): number {
  const at = take(length);
  bytes.fill(value, at, at + length + slack);
  return at;
}

/** A copy of a block, in memory of its own that can be transferred. */
export function get(at: number, length: number): Uint8Array {
  const out = roomFor(length);
  out.set(bytes.subarray(at, at + length));
  return out;
}

/** The bytes of a block as they are, good until the next block is taken. */
export function look(at: number, length: number): Uint8Array {
  return bytes.subarray(at, at + length);
}

/** The numbers of a block as they are, to read and to write, good until the next block is taken. */
export const integers = (at: number, length: number) => new Int32Array(bytes.buffer, at, length);
export const singles = (at: number, length: number) => new Float32Array(bytes.buffer, at, length);
export const doubles = (at: number, length: number) => new Float64Array(bytes.buffer, at, length);
