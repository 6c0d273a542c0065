import type { RunColumns } from '../contracts/explore/columns.ts';
import { layoutSchema } from '../contracts/explore/filter.ts';
import { prepareMatch } from '../contracts/explore/match.ts';
import { selectVariants } from '../contracts/explore/select.ts';
import { tileBlock } from '../contracts/studio/explore.ts';

/** The samples of the first tiles that Explore shows where the address says nothing else. */
export function firstSamples(columns: RunColumns): string[] {
  const { order } = selectVariants(columns, prepareMatch(columns, {}), layoutSchema.parse({}));
  return Array.from(order.subarray(0, tileBlock.count), (v) => columns.samples[columns.variantSample[v]]);
}
