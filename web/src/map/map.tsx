import { fixedOf } from '../../../src/contracts/numbers.ts';
import type { FeatureMap, MapCluster } from '../../../src/contracts/studio/map.ts';
import { get, isStatic, notice, post } from '../api.ts';
import type { PageProps } from '../pages.ts';
import { count, interval, percent, probability } from '../parts/format.ts';
import { NumberCell } from '../parts/number-cell.tsx';
import { Loaded } from '../parts/state.tsx';
import { href, place, setQuery } from '../router.ts';
import { staticMap, staticNetworks } from '../static/map.ts';
import { useData } from '../use-data.ts';
import './map.css';
import { Scatter } from './scatter.tsx';

const pollMs = 1000;
const times = (value: number) => `${fixedOf(value, 2)} ×`;

/** Variants laid out by what a network sees in them, and where models fail more often than elsewhere. */
export function MapPage({ params: { run } }: PageProps) {
  const networks = useData(`networks ${run}`, (signal) =>
    isStatic ? staticNetworks(run) : get<string[]>(['runs', run, 'map', 'networks'], { signal }),
  );
  return (
    <section class="page wide">
      <h1>Map</h1>
      <p class="soft">
        Every point is a variant; near each other lie variants that the network sees alike (features of its penultimate
        layer). The redder, the more models are wrong. Draw around points to see them, or take a cluster from the table.
      </p>
      <Loaded of={networks}>
        {(names) =>
          names.length ? (
            <OfNetwork run={run} names={names} />
          ) : (
            <p>
              {isStatic
                ? 'No map of this run had been made in the studio when this site was exported.'
                : 'The run names no ONNX network whose features could be read.'}
            </p>
          )
        }
      </Loaded>
    </section>
  );
}

function OfNetwork({ run, names }: { run: string; names: readonly string[] }) {
  const chosen = names.find((name) => name === place.value.query.get('map')) ?? names[0];
  const map = useData(
    `map ${run} ${chosen}`,
    (signal) =>
      isStatic ? staticMap(run, chosen) : get<FeatureMap>(['runs', run, 'map'], { query: { model: chosen }, signal }),
    undefined,
  );
  const waiting = map.data?.state === 'computing';
  const poll = useData(
    `poll ${run} ${chosen} ${waiting}`,
    async () => (waiting ? map.reload() : undefined),
    waiting ? pollMs : undefined,
  );
  void poll;
  const make = () =>
    post(['runs', run, 'map'], { model: chosen })
      .then(() => map.reload())
      .catch((error: Error) => {
        notice.value = error.message;
      });
  return (
    <>
      <div class="row-buttons">
        <label>
          Network{' '}
          <select value={chosen} onChange={(event) => setQuery({ map: event.currentTarget.value })}>
            {names.map((name) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        </label>
        {(map.data?.state === 'missing' || map.data?.state === 'failed') && (
          <button type="button" class="main" onClick={make}>
            Make the map
          </button>
        )}
      </div>
      <Loaded of={map}>
        {(found) =>
          found.state === 'ready' ? (
            <Ready run={run} map={found} />
          ) : found.state === 'computing' ? (
            <p role="status">
              {found.step === 'map'
                ? 'Laying out the map …'
                : `Features: ${count(found.done)} of ${count(found.total)}`}{' '}
              <progress
                value={found.total ? found.done / found.total : undefined}
                max={1}
                aria-label="Progress of the map"
              />
            </p>
          ) : found.state === 'failed' ? (
            <p class="error">{found.message}</p>
          ) : (
            <p class="soft">The map is not made yet.</p>
          )
        }
      </Loaded>
    </>
  );
}

function Ready({ run, map }: { run: string; map: FeatureMap & { state: 'ready' } }) {
  const explore = (filter: Record<string, string>) => href(['runs', run, 'explore'], { ...filter, map: map.backbone });
  return (
    <>
      {map.of > map.x.length && (
        <p class="soft">
          {count(map.x.length)} of {count(map.of)} variants, of photographs drawn at random.
        </p>
      )}
      <div class="map-body">
        <Scatter
          map={map}
          onLasso={(points) => {
            location.hash = explore({ lasso: points.map((value) => value.toFixed(2)).join(',') });
          }}
        />
        <div class="scroll map-table">
          <table>
            <caption class="unseen">Clusters, those where models fail most often first</caption>
            <thead>
              <tr>
                <th scope="col">Cluster</th>
                <th scope="col">What it shares</th>
                <th scope="col" class="number">
                  Pictures
                </th>
                <th scope="col" class="number">
                  Wrong
                </th>
                <th scope="col" class="number">
                  Against elsewhere
                </th>
                <th scope="col" class="number">
                  95 % interval
                </th>
                <th scope="col" class="number">
                  P (Holm)
                </th>
              </tr>
            </thead>
            <tbody>
              {map.clusters.map((cluster) => (
                <ClusterRow
                  key={cluster.id}
                  cluster={cluster}
                  explore={(filter) => explore({ cluster: cluster.id, ...filter })}
                />
              ))}
            </tbody>
          </table>
          <p class="soft">
            Failures are counted over all models; photographs are kept together in the intervals; P is corrected over
            the clusters (Holm). What a cluster shares is tested value by value (Fisher) at a false discovery rate of 5
            %.
          </p>
        </div>
      </div>
    </>
  );
}

/** Shared properties that are also filters of Explore; sizes and lightness are only words here, so they get no link. */
const filterable = new Set<string>(['class', 'scenario', 'place']);

function ClusterRow({
  cluster: { id, variants, samples, fails, ratio, ci, pHolm, shares },
  explore,
}: {
  cluster: MapCluster;
  /** The cluster's pictures, or some of them. */
  explore(filter: Record<string, string>): string;
}) {
  const to = explore({});
  const wrong = fails > 0 ? explore({ outcome: 'wrong' }) : to;
  const isSure = pHolm !== null && pHolm < 0.05 && ratio !== null;
  return (
    <tr>
      <th scope="row">
        <a href={to}>{id}</a>
      </th>
      <td>
        {shares.length ? (
          shares.map(({ of, value, share, usual }) => (
            <div key={`${of} ${value}`}>
              {value}{' '}
              <a class="soft" href={explore(filterable.has(of) ? { [of]: value } : {})}>
                {`${percent(share)} of it, ${percent(usual)} of all`}
              </a>
            </div>
          ))
        ) : (
          <span class="soft">nothing that stands out</span>
        )}
      </td>
      <NumberCell to={to} title={`of ${samples} photographs`}>
        {count(variants)}
      </NumberCell>
      <NumberCell to={wrong}>{percent(fails)}</NumberCell>
      <NumberCell to={ratio === null ? undefined : wrong} tone={isSure ? (ratio > 1 ? 'wrong' : 'right') : ''}>
        {ratio === null ? '' : times(ratio)}
      </NumberCell>
      <NumberCell to={ci ? wrong : undefined}>{ci ? interval(ci, times) : ''}</NumberCell>
      <NumberCell to={pHolm === null ? undefined : wrong}>{probability(pHolm)}</NumberCell>
    </tr>
  );
}
