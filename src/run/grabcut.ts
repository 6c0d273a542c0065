import { createRequire } from 'node:module';
import { createMask, type Mask, type Raster } from '../image/raster.ts';

export type Box = readonly [x: number, y: number, width: number, height: number];

/** The few parts of OpenCV that GrabCut takes. */
interface Mat {
  readonly data: Uint8Array;
  delete(): void;
}
interface OpenCv {
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

let loading: Promise<{ cv: OpenCv }> | undefined;

/** OpenCV's module has a `then` that never settles, so it travels in a wrapper and is never awaited itself. */
function loadOpenCv(): Promise<{ cv: OpenCv }> {
  loading ??= new Promise((resolve) => {
    const cv = createRequire(import.meta.url)('@techstark/opencv-js') as OpenCv;
    if (typeof cv.Mat === 'function') resolve({ cv });
    else cv.onRuntimeInitialized = () => resolve({ cv });
  });
  return loading;
}

const sureBackground = 0;
const probablyBackground = 2;
const probablyObject = 3;
const sureObject = 1;

/**
 * GrabCut (Rother, Kolmogorov and Blake, 2004) by OpenCV: everything outside the box is background, what is inside is
 * probably the object. Without a box the object is taken to be about the middle: a frame of 5 % is background, an ellipse
 * over the middle tenth certainly object.
 */
export async function grabCut(
  image: Raster,
  { box, iterations = 5 }: { box?: Box; iterations?: number } = {},
): Promise<Mask> {
  const { cv } = await loadOpenCv();
  const { width, height } = image;
  const pixels = new cv.Mat(height, width, cv.CV_8UC3);
  const marks = new cv.Mat(height, width, cv.CV_8UC1);
  const models = [new cv.Mat(), new cv.Mat()];
  try {
    // GrabCut only compares colours, so the order of the channels does not matter.
    pixels.data.set(image.data);
    marks.data.set(box ? priorFromBox(width, height, box) : priorFromCentre(width, height));
    const found = createMask(width, height);
    if (!new Set(marks.data).has(sureBackground)) return { ...found, data: found.data.fill(255) };
    // Its mixtures start from k-means with OpenCV's own generator: seeded, so that a mask depends on its image alone.
    cv.setRNGSeed?.(0);
    cv.grabCut(pixels, marks, new cv.Rect(0, 0, width, height), models[0], models[1], iterations, cv.GC_INIT_WITH_MASK);
    for (let i = 0; i < found.data.length; i++) {
      const mark = marks.data[i];
      found.data[i] = mark === sureObject || mark === probablyObject ? 255 : 0;
    }
    return found;
  } finally {
    for (const mat of [pixels, marks, ...models]) mat.delete();
  }
}

function priorFromBox(width: number, height: number, [x, y, boxWidth, boxHeight]: Box): Uint8Array {
  const marks = new Uint8Array(width * height).fill(sureBackground);
  const [left, top] = [Math.max(0, Math.floor(x)), Math.max(0, Math.floor(y))];
  const [right, bottom] = [Math.min(width, Math.ceil(x + boxWidth)), Math.min(height, Math.ceil(y + boxHeight))];
  for (let row = top; row < bottom; row++) marks.fill(probablyObject, row * width + left, row * width + right);
  return marks;
}

function priorFromCentre(width: number, height: number): Uint8Array {
  const marks = new Uint8Array(width * height);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const [u, v] = [(2 * x + 1) / width - 1, (2 * y + 1) / height - 1];
      const radius = Math.hypot(u, v);
      const edge = Math.max(Math.abs(u), Math.abs(v));
      marks[y * width + x] =
        edge > 0.9 ? sureBackground : radius < 0.3 ? sureObject : radius < 0.8 ? probablyObject : probablyBackground;
    }
  }
  return marks;
}
