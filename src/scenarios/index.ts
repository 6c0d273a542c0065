// The registry: one line per scenario, and nothing else. Order does not matter; lists are ordered by family.
export { original } from './original.ts';
