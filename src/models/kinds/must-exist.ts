import { existsSync } from 'node:fs';
import { UserError } from '../../contracts/errors.ts';

export function mustExist(path: string): string {
  if (!existsSync(path)) throw new UserError(`There is no file ${path}`);
  return path;
}
