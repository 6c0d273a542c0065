import type { FuzzTarget } from './fuzz.ts';

export interface TargetEntry {
  readonly name: string;
  /** Its part of the inputs, relative to the others'. */
  readonly weight: number;
  load(): Promise<FuzzTarget>;
}

const entry = (name: string, weight: number, load: TargetEntry['load']): TargetEntry => ({ name, weight, load });

/** Adding one is a file in `formats/` and a line here. */
export const targets: readonly TargetEntry[] = [
  entry('jpeg', 14, async () => (await import('./formats/jpeg.ts')).jpegTarget),
  entry('png', 14, async () => (await import('./formats/png.ts')).pngTarget),
  entry('webp', 10, async () => (await import('./formats/webp.ts')).webpTarget),
  entry('tiff', 14, async () => (await import('./formats/tiff.ts')).tiffTarget),
  entry('gif', 10, async () => (await import('./formats/gif.ts')).gifTarget),
  entry('bmp', 8, async () => (await import('./formats/bmp.ts')).bmpTarget),
  entry('avif', 5, async () => (await import('./formats/avif.ts')).avifTarget),
  entry('masks', 8, async () => (await import('./formats/masks.ts')).masksTarget),
  entry('readers', 3, async () => (await import('./formats/readers.ts')).readersTarget),
  entry('config', 2, async () => (await import('./formats/config.ts')).configTarget),
  entry('tables', 3, async () => (await import('./formats/tables.ts')).tablesTarget),
  entry('onnx-graph', 4, async () => (await import('./formats/onnx.ts')).graphTarget),
  entry('onnx', 1, async () => (await import('./formats/onnx.ts')).onnxTarget),
  entry('command', 3, async () => (await import('./formats/command.ts')).commandTarget),
  entry('hub', 0.5, async () => (await import('./formats/hub.ts')).hubTarget),
  entry('endpoint', 0.5, async () => (await import('./formats/endpoint.ts')).endpointTarget),
];
