import { stat } from 'node:fs/promises';
import { z } from 'zod';
import type { RunColumns } from '../../contracts/explore/columns.ts';
import type { ModelConfig } from '../../contracts/model-config.ts';
import { hashJson } from '../../run/hash.ts';
import { readCache, writeCache } from '../cache-folder.ts';
import type { BuiltMap } from './build-map.ts';

/** Raised when the same answers and network would give another map. */
const recipe = 1;

const storedSchema = z.object({
  layer: z.string(),
  variants: z.array(z.number().int().nonnegative()),
  x: z.array(z.number()),
  y: z.array(z.number()),
  cluster: z.array(z.number().int()),
});

/** Of everything that decides a map: the variants there are and the network's file. */
export async function mapName(columns: RunColumns, spec: ModelConfig): Promise<string> {
  const file = typeof spec === 'string' ? spec : spec.model;
  const found = await stat(file).catch(() => undefined);
  const { samples, scenarios, variantSample, variantScenario } = columns;
  const variants = Array.from(variantSample, (sample, v) => [sample, variantScenario[v]]);
  return `map-${hashJson({ recipe, spec, file: [found?.size, found?.mtimeMs], samples, scenarios, variants })}.json`;
}

/** A map takes minutes to make; it outlives the studio in the user's cache. */
export async function readMap(name: string, columns: RunColumns): Promise<BuiltMap | undefined> {
  const bytes = await readCache(name);
  if (!bytes) return undefined;
  try {
    const { layer, variants, x, y, cluster } = storedSchema.parse(JSON.parse(bytes.toString('utf8')));
    const isWhole = [x, y, cluster].every(({ length }) => length === variants.length);
    if (!isWhole || variants.some((variant) => variant >= columns.variantSample.length)) return undefined;
    return {
      layer,
      variants: Uint32Array.from(variants),
      x: Float32Array.from(x),
      y: Float32Array.from(y),
      cluster: Int32Array.from(cluster),
    };
  } catch {
    return undefined;
  }
}

export const writeMap = (name: string, { layer, variants, x, y, cluster }: BuiltMap): Promise<void> =>
  writeCache(name, JSON.stringify({ layer, variants: [...variants], x: [...x], y: [...y], cluster: [...cluster] }));
