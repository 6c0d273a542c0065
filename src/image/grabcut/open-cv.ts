import { createRequire } from 'node:module';

/** The few parts of OpenCV that GrabCut takes. */
export interface Mat {
  readonly data: Uint8Array;
  delete(): void;
}

export interface OpenCv {
  onRuntimeInitialized?: () => void;
  readonly Mat: new (rows?: number, cols?: number, type?: number) => Mat;
  readonly Rect: new (x: number, y: number, width: number, height: number) => object;
  readonly CV_8UC3: number;
  readonly CV_8UC1: number;
  readonly GC_INIT_WITH_MASK: number;
  setRNGSeed?(seed: number): void;
  grabCut(
    image: Mat,
    mask: Mat,
    rect: object,
    background: Mat,
    foreground: Mat,
    iterations: number,
    mode: number,
  ): void;
}

const require = createRequire(import.meta.url);
const library = '@techstark/opencv-js';
let loading: Promise<{ cv: OpenCv }> | undefined;

/** OpenCV's module has a `then` that never settles, so it travels in a wrapper and is never awaited itself. */
export function loadOpenCv(): Promise<{ cv: OpenCv }> {
  loading ??= new Promise((resolve) => {
    const cv = withoutHandlers(() => require(library) as OpenCv);
    if (typeof cv.Mat === 'function') resolve({ cv });
    else cv.onRuntimeInitialized = () => resolve({ cv });
  });
  return loading;
}

/** The library's own handlers would end the process at any error left unhandled anywhere in the program. */
function withoutHandlers<T>(load: () => T): T {
  const events = ['uncaughtException', 'unhandledRejection'] as const;
  const before = events.map((event) => new Set<unknown>(process.listeners(event as 'uncaughtException')));
  const loaded = load();
  events.forEach((event, i) => {
    for (const listener of process.listeners(event as 'uncaughtException'))
      if (!before[i].has(listener)) process.off(event, listener);
  });
  return loaded;
}

/** After a failure inside WebAssembly its memory cannot be trusted: the next call gets a fresh instance. */
export function forgetOpenCv(): void {
  loading = undefined;
  delete require.cache[require.resolve(library)];
  // The library keeps its instance in a global variable and would take it up again.
  delete (globalThis as { Module?: unknown }).Module;
}
