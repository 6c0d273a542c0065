import { href, type QueryChange } from '../router.ts';

export interface MinedFilter {
  readonly set?: 'pool' | 'chosen' | 'released';
  readonly wrong?: readonly string[];
  readonly right?: readonly string[];
  readonly nuisance?: string;
  readonly class?: string;
  readonly mode?: number;
}

/** The page with the pictures behind a number. */
export const minedHref = (run: string, filter: MinedFilter): string =>
  href(['runs', run, 'mine'], { ...filter } as QueryChange);

export const filterKeys = ['set', 'wrong', 'right', 'nuisance', 'class', 'mode'] as const;
