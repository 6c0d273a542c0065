import type { ModelDescription } from '../../models/define.ts';
import type { SpatialLayer } from './find-layer.ts';
import { graphFacts } from './graph-facts.ts';
import { type LayerReader, openLayerReader } from './layer-reader.ts';
import { openTail, type Tail } from './tail.ts';

export interface OpenGraph {
  readonly reader: LayerReader;
  readonly tail: Tail | undefined;
  close(): Promise<void>;
}

/** A model's graph at a layer: what is active there, and with `tail` what the network makes of it. */
export async function openGraph(
  description: ModelDescription,
  layer: SpatialLayer,
  { threads, tail: wanted }: { readonly threads: number; readonly tail: boolean },
): Promise<OpenGraph> {
  const facts = graphFacts(description);
  if (!facts) throw new Error(`${description.name} has no graph`);
  const reader = await openLayerReader(facts, layer, threads);
  const tail = wanted ? await openTail(facts, layer, threads) : undefined;
  return {
    reader,
    tail,
    async close() {
      await reader.close();
      await tail?.close();
    },
  };
}
