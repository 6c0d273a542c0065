import type { Comparison } from '../../../src/contracts/comparison.ts';
import { equalsP, pointsOf } from '../../../src/contracts/numbers.ts';
import type { RunSummary, Workspace } from '../../../src/contracts/studio/runs.ts';
import { get } from '../api.ts';
import { runData } from '../explore/run-data.ts';
import { interval, percent, points, probability } from '../parts/format.ts';
import { NumberCell } from '../parts/number-cell.tsx';
import { PlotFigure } from '../parts/plot.tsx';
import { Loaded } from '../parts/state.tsx';
import { href, place, setQuery, toParams } from '../router.ts';
import { useData } from '../use-data.ts';
import './runs.css';

interface Asked {
  readonly a: string;
  readonly b: string;
  readonly modelA: string;
  readonly modelB: string;
}

/** Two models, of one run or of two, on the same images. */
export function Compare() {
  const workspace = useData('workspace', (signal) => get<Workspace>(['workspace'], { signal }));
  return (
    <section class="page">
      <h1>Compare</h1>
      <Loaded of={workspace}>
        {({ runs }) => (runs.length ? <Sides runs={runs} /> : <p>There is no run to compare.</p>)}
      </Loaded>
    </section>
  );
}

function Sides({ runs }: { runs: readonly RunSummary[] }) {
  const { query } = place.value;
  const find = (key: string) => runs.find(({ id }) => id === query.get(key)) ?? runs[0];
  const [a, b] = [find('a'), find('b')];
  const modelA = a.models.find((name) => name === query.get('modelA')) ?? a.models[0];
  const modelB =
    b.models.find((name) => name === query.get('modelB')) ?? b.models[a === b ? Math.min(1, b.models.length - 1) : 0];
  const choose = (title: string, key: 'a' | 'b', run: RunSummary, model: string) => (
    <fieldset>
      <legend>{title}</legend>
      <label>
        Run{' '}
        <select
          value={run.id}
          onChange={(event) => setQuery({ [key]: event.currentTarget.value, scenario: null, change: null })}
        >
          {runs.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
      </label>{' '}
      <label>
        Model{' '}
        <select
          value={model}
          onChange={(event) => setQuery({ [key === 'a' ? 'modelA' : 'modelB']: event.currentTarget.value })}
        >
          {run.models.map((name) => (
            <option key={name}>{name}</option>
          ))}
        </select>
      </label>
    </fieldset>
  );
  const same = a.id === b.id && modelA === modelB;
  return (
    <>
      <div class="pair">
        {choose('A', 'a', a, modelA)}
        {choose('B', 'b', b, modelB)}
      </div>
      {same ? <p>Choose two models, or two runs.</p> : <Result asked={{ a: a.id, b: b.id, modelA, modelB }} />}
    </>
  );
}

function Result({ asked }: { asked: Asked }) {
  const compared = useData(JSON.stringify(asked), (signal) =>
    get<Comparison>(['compare'], { query: { ...asked }, signal }),
  );
  return (
    <Loaded of={compared}>
      {(found) => (
        <>
          <p>
            Over {found.overall.scenarios} scenarios B is right {pointsOf(Math.abs(found.overall.difference))} points{' '}
            {found.overall.difference < 0 ? 'less' : 'more'} often than A (B − A: 95 % interval{' '}
            {interval(found.overall.ci, points)}, {equalsP(found.overall.p)}), over the same images.
          </p>
          <PlotFigure
            label="Difference by scenario, B minus A"
            of={JSON.stringify(asked)}
            draw={(Plot, width) => ({
              width,
              height: 40 + 22 * found.scenarios.length,
              marginLeft: 190,
              x: { label: 'points that B is better →', grid: true },
              y: { label: null, domain: found.scenarios.map(({ scenario }) => scenario) },
              marks: [
                Plot.ruleX([0]),
                Plot.ruleY(found.scenarios, {
                  y: 'scenario',
                  x1: (d) => 100 * (d.ci?.[0] ?? d.difference),
                  x2: (d) => 100 * (d.ci?.[1] ?? d.difference),
                  strokeWidth: 2,
                  strokeOpacity: 0.55,
                }),
                Plot.dot(found.scenarios, {
                  y: 'scenario',
                  x: (d) => 100 * d.difference,
                  r: 5,
                  fill: 'var(--accent)',
                  href: (d) => flipsHref(d.scenario, null),
                  title: (d) => `${d.scenario}: ${points(d.difference)}`,
                  ariaLabel: (d) => `${d.scenario}: ${points(d.difference)}`,
                }),
              ],
            })}
          />
          <Differences asked={asked} found={found} />
          {found.notes.map((note) => (
            <p key={note} class="soft">
              {note}
            </p>
          ))}
          <Flips asked={asked} found={found} />
        </>
      )}
    </Loaded>
  );
}

const flipsHref = (scenario: string | null, change: string | null) =>
  href(['compare'], toParams({ scenario, change }, place.value.query));

function Differences({ asked: { a, b, modelA, modelB }, found }: { asked: Asked; found: Comparison }) {
  const wrong = (run: string, model: string, scenario: string) =>
    href(['runs', run, 'explore'], { model, scenario, outcome: 'wrong' });
  return (
    <div class="scroll">
      <table>
        <thead>
          <tr>
            <th scope="col">Scenario</th>
            {['Pairs', 'A', 'B', 'B − A', '95 % interval', 'Gained', 'Lost', 'P (Holm)'].map((title) => (
              <th key={title} scope="col" class="number">
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {found.scenarios.map((row) => (
            <tr key={row.scenario}>
              <th scope="row">
                <a href={flipsHref(row.scenario, null)}>{row.scenario}</a>
              </th>
              <NumberCell to={href(['runs', a, 'explore'], { model: modelA, scenario: row.scenario })}>
                {row.pairs}
              </NumberCell>
              <NumberCell to={wrong(a, modelA, row.scenario)} title="What A gets wrong">
                {percent(row.a)}
              </NumberCell>
              <NumberCell to={wrong(b, modelB, row.scenario)} title="What B gets wrong">
                {percent(row.b)}
              </NumberCell>
              <NumberCell
                to={flipsHref(row.scenario, null)}
                tone={row.pHolm < 0.05 ? (row.difference > 0 ? 'right' : 'wrong') : ''}
              >
                {points(row.difference)}
              </NumberCell>
              <NumberCell to={flipsHref(row.scenario, null)}>{interval(row.ci, points)}</NumberCell>
              <NumberCell to={flipsHref(row.scenario, 'gained')}>{row.gained}</NumberCell>
              <NumberCell to={flipsHref(row.scenario, 'lost')}>{row.lost}</NumberCell>
              <NumberCell to={flipsHref(row.scenario, null)}>{probability(row.pHolm)}</NumberCell>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

const mostShown = 120;

/** The pictures behind the numbers: what one side has right and the other wrong. */
function Flips({ asked, found }: { asked: Asked; found: Comparison }) {
  const { query } = place.value;
  const [scenario, change] = [query.get('scenario'), query.get('change')];
  const flips = found.flips.filter(
    (flip) => (!scenario || flip.scenario === scenario) && (!change || flip.change === change),
  );
  return (
    <>
      <h2>
        {change === 'gained' ? 'Right in B alone' : change === 'lost' ? 'Right in A alone' : 'Answers that turned'}
        {scenario && `: ${scenario}`} ({flips.length})
      </h2>
      {(scenario || change) && (
        <p>
          <a href={flipsHref(null, null)}>Show all</a>
        </p>
      )}
      {found.flipped > found.flips.length && (
        <p class="soft">
          The first {found.flips.length} of {found.flipped}.
        </p>
      )}
      <ul class="flips">
        {flips.slice(0, mostShown).map((flip) => (
          <li key={`${flip.scenario} ${flip.sample}`}>
            <a href={href(['runs', asked.a, 'sample'], { id: flip.sample, scenario: flip.scenario })}>
              <img
                src={runData.pictureUrl(asked.a, { sample: flip.sample, scenario: flip.scenario, size: 160 })}
                alt={`${flip.sample} as ${flip.scenario}`}
                width={150}
                height={150}
                loading="lazy"
              />
            </a>
            {asked.a !== asked.b && (
              <a href={href(['runs', asked.b, 'sample'], { id: flip.sample, scenario: flip.scenario })}>
                <img
                  src={runData.pictureUrl(asked.b, { sample: flip.sample, scenario: flip.scenario, size: 160 })}
                  alt={`${flip.sample} as ${flip.scenario}, in B`}
                  width={150}
                  height={150}
                  loading="lazy"
                />
              </a>
            )}
            <span class="tile-line">
              {flip.label}: A <b class={flip.change === 'lost' ? 'right' : 'wrong'}>{flip.a ?? '?'}</b>, B{' '}
              <b class={flip.change === 'gained' ? 'right' : 'wrong'}>{flip.b ?? '?'}</b>
            </span>
            <span class="tile-line soft">
              {flip.scenario} · {flip.sample}
            </span>
          </li>
        ))}
      </ul>
    </>
  );
}
