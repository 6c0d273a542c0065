import type { Reader } from '../define.ts';
import { imageFolder } from './image-folder.ts';
import { manifest } from './manifest.ts';

/** Every layout that can be read. Adding one is a file beside this and a line here. */
export const readers: readonly Reader[] = [manifest, imageFolder];
