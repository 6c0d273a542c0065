export * from './blur';
export * from './colour';
export * from './fill';
export * from './filter';
export * from './memory';
export { blend } from './region';
export * from './resize';
export * from './table';
export * from './warp';
