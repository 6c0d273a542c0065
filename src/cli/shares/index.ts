import type { ShareWorks } from '../../run/queue/share-work.ts';

/** What a worker can do beside runs; each is loaded when its first share comes. */
export const shareWorks: ShareWorks = {
  render: async () => (await import('./render.ts')).renderShares,
  explain: async () => (await import('./explain.ts')).explainShares,
  train: async () => (await import('./train.ts')).trainShares,
  generate: async () => (await import('./generate.ts')).generateShares,
  mine: async () => (await import('./mine.ts')).mineShares,
};
