export { defineReader, type Found, type Place, type Reader, type ReadOptions } from './define.ts';
export { loadMask } from './masks/load.ts';
export { layouts, readDataset } from './read.ts';
export { registerReaders } from './readers/index.ts';
