import type { ComponentType } from 'preact';
import { isStatic } from './api.ts';

/** The parts of the address that a pattern leaves open: `/runs/:run` gives `{ run }`. */
export type Params = Readonly<Record<string, string>>;
export type PageProps = { readonly params: Params };

export interface Page {
  /** `runs/:run/explore`. */
  readonly path: string;
  readonly title: string;
  /** Loaded when first shown. */
  load(): Promise<ComponentType<PageProps>>;
  /** Pages that need a server are left out of an exported site. */
  readonly live?: boolean;
  /** In the navigation: of the whole studio, or of a run; in the order of this list. */
  readonly nav?: 'studio' | 'run';
}

/** Every page, one line each; what is not listed here does not exist. */
const all: readonly Page[] = [
  { path: '', title: 'Runs', nav: 'studio', load: async () => (await import('./runs/runs.tsx')).Runs },
  {
    path: 'compare',
    title: 'Compare',
    nav: 'studio',
    load: async () => (await import('./runs/compare.tsx')).Compare,
  },
  {
    path: 'start',
    title: 'Start a run',
    nav: 'studio',
    live: true,
    load: async () => (await import('./runs/start.tsx')).Start,
  },
  { path: 'try', title: 'Try', nav: 'studio', live: true, load: async () => (await import('./try/try.tsx')).Try },
  {
    path: 'annotate',
    title: 'Annotate',
    nav: 'studio',
    live: true,
    load: async () => (await import('./annotate/datasets.tsx')).AnnotateDatasetsPage,
  },
  {
    path: 'annotate/:dataset',
    title: 'Masks',
    live: true,
    load: async () => (await import('./annotate/sheet.tsx')).Sheet,
  },
  {
    path: 'annotate/:dataset/draw',
    title: 'Draw a mask',
    live: true,
    load: async () => (await import('./annotate/draw.tsx')).Draw,
  },
  {
    path: 'review',
    title: 'Review',
    nav: 'studio',
    load: async () => (await import('./review/reviews.tsx')).Reviews,
  },
  {
    path: 'review/:review',
    title: 'Review',
    live: true,
    load: async () => (await import('./review/judge.tsx')).JudgePage,
  },
  {
    path: 'review/:review/results',
    title: 'Results of a review',
    load: async () => (await import('./review/results.tsx')).ReviewResultsPage,
  },
  {
    path: 'runs/:run',
    title: 'Overview',
    nav: 'run',
    load: async () => (await import('./runs/overview.tsx')).Overview,
  },
  {
    path: 'runs/:run/explore',
    title: 'Explore',
    nav: 'run',
    load: async () => (await import('./explore/explore.tsx')).Explore,
  },
  {
    path: 'runs/:run/map',
    title: 'Map',
    nav: 'run',
    load: async () => (await import('./map/map.tsx')).MapPage,
  },
  {
    path: 'runs/:run/mine',
    title: 'Mined',
    nav: 'run',
    load: async () => (await import('./mine/mine.tsx')).Mined,
  },
  { path: 'runs/:run/sample', title: 'Sample', load: async () => (await import('./sample/sample.tsx')).Sample },
];

export const pages: readonly Page[] = all.filter(({ live }) => !(live && isStatic));

export function findPage(path: readonly string[]): { page: Page; params: Params } | undefined {
  for (const page of pages) {
    const pattern = page.path.split('/').filter(Boolean);
    if (pattern.length !== path.length) continue;
    if (!pattern.every((part, i) => part.startsWith(':') || part === path[i])) continue;
    const open = pattern.flatMap((part, i) => (part.startsWith(':') ? [[part.slice(1), path[i]]] : []));
    return { page, params: Object.fromEntries(open) };
  }
  return undefined;
}
