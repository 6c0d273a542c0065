export { loadMask } from './masks/load.ts';
export { layouts, readDataset } from './read.ts';
