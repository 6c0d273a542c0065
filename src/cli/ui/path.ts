import { relative } from 'node:path';
import { withAddresses } from '../../storage/shown.ts';

/** A path for people: relative where that is shorter, quoted where a shell would take it apart. */
export function shownPath(path: string): string {
  const near = relative(process.cwd(), path);
  const address = withAddresses(path);
  const short = address !== path ? address : near && near.length < path.length ? near : path;
  return /^[\w@%+=:,./-]+$/.test(short) ? short : `'${short.replaceAll("'", `'\\''`)}'`;
}
