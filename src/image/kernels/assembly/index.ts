export * from './fill';
