import { expect, it } from 'vitest';
import { randomFor } from '../stats/random.ts';
import { createScenePool } from './scene-pool.ts';

it('says which photograph is wanted where there is none', async () => {
  const sample = { id: 'a.jpg', image: '/a.jpg', label: 'cat', mask: { kind: 'alpha' as const } };
  const photographs = { mode: 'pillow', flatten: [0, 0, 0], maxPixels: 1e6, border: 'ignore' } as const;
  const pool = createScenePool({ samples: [sample], seed: 0, photographs });
  const other = (of: Parameters<typeof pool.other>[2]) => pool.other(randomFor('test'), sample, of);
  await expect(other('same-class')).rejects.toThrow('no other photograph, with a mask, of the same class as cat');
  await expect(other('other-class')).rejects.toThrow('no other photograph, with a mask, of another class than cat');
  await expect(other('next-class')).rejects.toThrow('no other photograph, with a mask, of the class after cat');
});
