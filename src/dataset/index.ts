export { defineReader, type Reader } from './define.ts';
export { layouts, readDataset } from './read.ts';
export { registerReaders } from './readers/index.ts';
