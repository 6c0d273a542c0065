import { type Filter, filterFromQuery, filterKeys, filterToQuery } from '../../../src/contracts/explore/filter.ts';
import { place } from '../router.ts';

const layoutKeys = ['sort', 'group'];

/** The part of the address that decides what is found, in a fixed order; a filter that cannot be read is an error. */
export function exploreQuery(query = place.value.query): URLSearchParams {
  const params = new URLSearchParams(filterToQuery(filterFromQuery(query)));
  for (const key of layoutKeys) {
    const value = query.get(key);
    if (value) params.set(key, value);
  }
  return params;
}

/** The same of the first answers, as long as all of a large run are being read. */
export const headOf = (query: URLSearchParams): URLSearchParams => {
  const params = new URLSearchParams(query);
  params.set('head', '1');
  return params;
};

export interface Chip {
  readonly key: keyof Filter;
  readonly value: string;
  readonly words: string;
}

const named: Partial<Record<keyof Filter, string>> = { class: 'asked', cluster: 'cluster', lasso: 'drawn on the map' };

/** One for each value of the filter, in words. */
export function chipsOf(query: URLSearchParams): Chip[] {
  return filterKeys
    .filter((key) => key !== 'map')
    .flatMap((key) =>
      query.getAll(key).map((value) => ({
        key,
        value,
        words: key === 'lasso' ? (named.lasso ?? '') : `${named[key] ?? key}: ${value}`,
      })),
    );
}
