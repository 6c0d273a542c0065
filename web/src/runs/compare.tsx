import type { SegmentationComparison } from '../../../src/contracts/comparison.ts';
import { equalsP, pointsOf } from '../../../src/contracts/numbers.ts';
import type { ExportedComparison as Compared } from '../../../src/contracts/studio/exported-comparison.ts';
import type { RunSummary, Workspace } from '../../../src/contracts/studio/runs.ts';
import { get, isStatic } from '../api.ts';
import { interval, percent, points, probability } from '../parts/format.ts';
import { NumberCell } from '../parts/number-cell.tsx';
import { PlotFigure } from '../parts/plot.tsx';
import { Loaded } from '../parts/state.tsx';
import { href, place, setQuery } from '../router.ts';
import { staticComparedModels, staticComparison } from '../static/compare.ts';
import { staticRuns } from '../static/run.ts';
import { useData } from '../use-data.ts';
import { Flips, flipsHref } from './flips.tsx';
import './runs.css';

export interface Asked {
  readonly a: string;
  readonly b: string;
  readonly modelA: string;
  readonly modelB: string;
}

/** Two models, of one run or of two, on the same images. */
export function Compare() {
  const workspace = useData('workspace', async (signal) =>
    isStatic ? { runs: await comparedRuns() } : get<Workspace>(['workspace'], { signal }),
  );
  return (
    <section class="page">
      <h1>Compare</h1>
      <Loaded of={workspace}>
        {({ runs }) => (runs.length ? <Sides runs={runs} /> : <p>There is no run to compare.</p>)}
      </Loaded>
    </section>
  );
}

/** An exported site compares models within a run. */
const comparedRuns = async () =>
  Promise.all((await staticRuns()).map(async (run) => ({ ...run, models: await staticComparedModels(run.id) })));

function Sides({ runs }: { runs: readonly RunSummary[] }) {
  const { query } = place.value;
  const find = (key: string) => runs.find(({ id }) => id === query.get(key)) ?? runs[0];
  const a = find('a');
  const b = isStatic ? a : find('b');
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
          {(isStatic && key === 'b' ? [a] : runs).map(({ id, name }) => (
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
    isStatic
      ? staticComparison(asked.a, asked.modelA, asked.modelB)
      : get<Compared | SegmentationComparison>(['compare'], { query: { ...asked }, signal }),
  );
  return (
    <Loaded of={compared}>
      {(found) =>
        'segmentation' in found ? (
          <p>These models segment. Compare them in a terminal: sceneshift compare A B</p>
        ) : (
          <Answers asked={asked} found={found} />
        )
      }
    </Loaded>
  );
}

function Answers({ asked, found }: { asked: Asked; found: Compared }) {
  return (
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
              href: (d) => turnedHref(asked, d),
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
  );
}

/** Behind a difference stand the answers that turned; where none did, the pairs. */
const turnedHref = ({ a, modelA }: Asked, { scenario, gained, lost }: Compared['scenarios'][number]) =>
  gained + lost ? flipsHref(scenario, null) : href(['runs', a, 'explore'], { model: modelA, scenario });

function Differences({ asked, found }: { asked: Asked; found: Compared }) {
  const { a, b, modelA, modelB } = asked;
  const wrong = (run: string, model: string, { scenario, right }: { scenario: string; right: number }) =>
    href(['runs', run, 'explore'], { model, scenario, outcome: right < 1 ? 'wrong' : undefined });
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
              <NumberCell to={wrong(a, modelA, { scenario: row.scenario, right: row.a })} title="What A gets wrong">
                {percent(row.a)}
              </NumberCell>
              <NumberCell to={wrong(b, modelB, { scenario: row.scenario, right: row.b })} title="What B gets wrong">
                {percent(row.b)}
              </NumberCell>
              <NumberCell
                to={turnedHref(asked, row)}
                tone={row.pHolm < 0.05 ? (row.difference > 0 ? 'right' : 'wrong') : ''}
              >
                {points(row.difference)}
              </NumberCell>
              <NumberCell to={turnedHref(asked, row)}>{interval(row.ci, points)}</NumberCell>
              <NumberCell to={row.gained ? flipsHref(row.scenario, 'gained') : undefined}>{row.gained}</NumberCell>
              <NumberCell to={row.lost ? flipsHref(row.scenario, 'lost') : undefined}>{row.lost}</NumberCell>
              <NumberCell to={turnedHref(asked, row)}>{probability(row.pHolm)}</NumberCell>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
