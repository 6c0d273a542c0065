import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { UserError } from '../../contracts/errors.ts';

/** From dist/, where the command line is built to, and from the source. */
const places = ['../benchmark/diffusion/model', '../../../benchmark/diffusion/model'];

/** The miniature model of our own that comes with the package. */
export function embeddedModel(): string {
  const folders = places.map((place) => fileURLToPath(new URL(place, import.meta.url)));
  const found = folders.find((folder) => existsSync(folder));
  if (found) return found;
  throw new UserError(
    `The embedded diffusion model is not at ${folders[0]}: install the package again, or name another with --diffusion DIR`,
  );
}
