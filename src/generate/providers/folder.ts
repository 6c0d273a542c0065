import { readdir, readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { UserError } from '../../contracts/errors.ts';
import { Refused } from '../../net/throttle.ts';
import type { Provider } from '../provider.ts';
import { finished } from './http-provider.ts';

const extensions = new Set(['.png', '.jpg', '.jpeg', '.webp']);

/**
 * Pictures made elsewhere. A request's own picture is `ID.png` (or .jpg, .webp), ID being the item's id; pictures that
 * follow no naming are handed out in the order of their names, one per request.
 */
export function folderProvider(folder: string): Provider {
  let listing: Promise<string[]> | undefined;
  const list = () =>
    (listing ??= readdir(folder, { recursive: true }).then(
      (names) =>
        names
          .map((name) => name.replaceAll('\\', '/'))
          .filter((name) => extensions.has(extname(name).toLowerCase()))
          .sort(),
      () => {
        throw new UserError(`No folder ${folder}; expected pictures made elsewhere`);
      },
    ));
  let next = 0;
  return {
    id: 'folder',
    identity: { folder },
    async generate(asked) {
      const names = await list();
      const named = asked.id && names.find((name) => name.slice(0, -extname(name).length) === asked.id);
      const unnamed = named ? undefined : names[next++];
      const name = named ?? unnamed;
      if (!name) throw new Refused(`${folder} has no picture left for '${asked.prompt}'`);
      const bytes = new Uint8Array(await readFile(join(folder, name)));
      return finished(bytes, asked, {
        provider: 'folder',
        model: name,
        settings: {},
        warnings: named ? [] : ['taken in the order of names: the folder does not say which prompt made it'],
      });
    },
  };
}
