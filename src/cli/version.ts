export { version } from '../run/version.ts';
