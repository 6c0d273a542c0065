import { type RunColumns, rowFlag } from '../../contracts/explore/columns.ts';
import { placeOf } from '../../contracts/explore/match.ts';
import type { FeatureMap, MapCluster } from '../../contracts/studio/map.ts';
import { clusterFailures } from '../../stats/cluster-failures.ts';
import { clusterShares } from '../../stats/cluster-shares.ts';
import type { BuiltMap } from './build-map.ts';

/** The map in words and numbers, from the answers as they are now. */
export function describeMap(
  columns: RunColumns,
  backbone: string,
  { layer, variants, x, y, cluster }: BuiltMap,
): FeatureMap & { state: 'ready' } {
  const clusters = cluster.reduce((most, c) => Math.max(most, c + 1), 0);
  const sample = Array.from(variants, (v) => columns.variantSample[v]);
  const fails = Array.from(variants, (v) => failShare(columns, v));
  const failures = clusterFailures({ fails, sample, cluster }, clusters);
  const shares = clusterShares(propertiesOf(columns, variants, sample), cluster, clusters);
  const described = failures.map(({ p: _p, ...failure }, c): MapCluster => {
    const own = Array.from(variants.keys()).filter((i) => cluster[i] === c);
    return {
      id: String(c + 1),
      variants: own.length,
      samples: new Set(own.map((i) => sample[i])).size,
      ...failure,
      shares: shares[c],
      ...middleOf(
        own.map((i) => x[i]),
        own.map((i) => y[i]),
      ),
    };
  });
  return {
    state: 'ready',
    backbone,
    layer,
    of: columns.variantSample.length,
    sample: sample.map((s) => columns.samples[s]),
    scenario: Array.from(variants, (v) => columns.scenarios[columns.variantScenario[v]]),
    x: Array.from(x, round),
    y: Array.from(y, round),
    fails,
    cluster: [...cluster],
    clusters: described.filter(({ variants: count }) => count).sort((a, b) => (b.ratio ?? 0) - (a.ratio ?? 0)),
  };
}

/** The point nearest to the medians: a cluster of the features may lie in pieces on the map, with nothing at its mean. */
function middleOf(x: readonly number[], y: readonly number[]): { x: number; y: number } {
  const median = (values: readonly number[]) => values.toSorted((a, b) => a - b)[values.length >> 1];
  const [middleX, middleY] = [median(x), median(y)];
  const distances = x.map((value, i) => Math.hypot(value - middleX, y[i] - middleY));
  const nearest = distances.indexOf(Math.min(...distances));
  return { x: x[nearest], y: y[nearest] };
}

const round = (value: number) => Math.round(1000 * value) / 1000;

function failShare({ rowStart, rowFlags }: RunColumns, v: number): number {
  let wrong = 0;
  for (let row = rowStart[v]; row < rowStart[v + 1]; row++) if (!(rowFlags[row] & rowFlag.correct)) wrong++;
  return wrong / Math.max(1, rowStart[v + 1] - rowStart[v]);
}

function propertiesOf(columns: RunColumns, variants: Uint32Array, sample: readonly number[]) {
  const { size, brightness, x, y } = columns.facts;
  const perVariant = Array.from(variants, (v) => v);
  const thirds = (values: Float32Array, names: readonly [string, string, string]) => {
    const known = [...new Set(sample)]
      .map((s) => values[s])
      .filter((value) => !Number.isNaN(value))
      .sort((a, b) => a - b);
    const [low, high] = [known[Math.floor(known.length / 3)], known[Math.floor((2 * known.length) / 3)]];
    return sample.map((s) =>
      Number.isNaN(values[s]) ? undefined : values[s] < low ? names[0] : values[s] < high ? names[1] : names[2],
    );
  };
  return [
    { of: 'class' as const, values: sample.map((s) => columns.labels[columns.sampleLabel[s]]), countedBy: sample },
    {
      of: 'scenario' as const,
      values: Array.from(variants, (v) => columns.scenarios[columns.variantScenario[v]]),
      countedBy: perVariant,
    },
    {
      of: 'size' as const,
      values: thirds(size, ['small object', 'middling object', 'large object']),
      countedBy: sample,
    },
    {
      of: 'brightness' as const,
      values: thirds(brightness, ['dark photograph', 'middling light', 'bright photograph']),
      countedBy: sample,
    },
    { of: 'place' as const, values: sample.map((s) => placeOf(x[s], y[s])), countedBy: sample },
  ];
}
