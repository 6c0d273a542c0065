import { sep } from 'node:path';
import { storageCache } from './cache-folder.ts';

const copies = new Map<string, string>();

/** Says which address a folder here is the copy of. */
export const showAs = (path: string, url: string): void => void copies.set(path, url);

/** A path of a copy here, or below it, as the address it has for all machines; any other path as it is. */
export const addressOf = (path: string): string => {
  const copy = [...copies].find(([folder]) => path === folder || path.startsWith(folder + sep));
  return copy ? copy[1] + path.slice(copy[0].length).split(sep).join('/') : path;
};

/** A text as the user should see it: with the s3:// addresses that were given, not the paths of their local copies. */
export function withAddresses(text: string): string {
  const mirrors = `${storageCache()}${sep}mirror${sep}`;
  if (!copies.size && !text.includes(mirrors)) return text;
  let shown = text.replaceAll(mirrors, 's3://');
  for (const [path, url] of copies) shown = shown.replaceAll(path, url);
  return shown;
}
