import type { SamplePage } from '../../../src/contracts/studio/sample.ts';
import { apiUrl, get, isStatic } from '../api.ts';
import { runData } from '../explore/run-data.ts';
import { useShortcuts } from '../keys.ts';
import type { PageProps } from '../pages.ts';
import { percent } from '../parts/format.ts';
import { Loaded } from '../parts/state.tsx';
import { href, place, setQuery } from '../router.ts';
import { staticSample } from '../static/sample.ts';
import { useData } from '../use-data.ts';
import { Answers } from './answers.tsx';
import { CompareSlider } from './compare-slider.tsx';
import './sample.css';

/** One photograph in all its scenarios, and what every model says of each. */
export function Sample({ params: { run } }: PageProps) {
  const { query } = place.value;
  const id = query.get('id') ?? '';
  const sample = useData(`${run} ${id}`, (signal) =>
    isStatic ? staticSample(run, id) : get<SamplePage>(['runs', run, 'sample'], { query: { id }, signal }),
  );
  return (
    <section class="page sample">
      <Loaded of={sample}>{(page) => <SampleView key={page.sample} run={run} page={page} />}</Loaded>
    </section>
  );
}

type Overlay = 'none' | 'mask' | 'border';

function SampleView({ run, page }: { run: string; page: SamplePage }) {
  const { query } = place.value;
  const names = page.scenarios.map(({ scenario }) => scenario);
  const chosen = names.includes(query.get('scenario') ?? '')
    ? (query.get('scenario') as string)
    : (names[1] ?? names[0]);
  const overlay = (query.get('overlay') ?? 'none') as Overlay;
  const looking = query.get('looking');
  const setOverlay = (next: Overlay) =>
    setQuery({ overlay: overlay === next || next === 'none' ? null : next }, { replace: true });
  const toScenario = (step: number) => {
    const next = names[(names.indexOf(chosen) + step + names.length) % names.length];
    setQuery({ scenario: next, looking: null }, { replace: true });
  };
  const toSample = (other: string | null) => other !== null && setQuery({ id: other, looking: null });
  useShortcuts('Sample', [
    { keys: 'ArrowRight', does: 'next scenario', run: () => toScenario(1) },
    { keys: 'ArrowLeft', does: 'scenario before', run: () => toScenario(-1) },
    { keys: 'n', does: 'next sample', run: () => toSample(page.after) },
    { keys: 'p', does: 'sample before', run: () => toSample(page.before) },
    { keys: 'm', does: 'show the mask, or not', run: () => setOverlay('mask') },
    { keys: 'b', does: 'show the border, or not', run: () => setOverlay('border') },
  ]);
  const scenario = page.scenarios.find(({ scenario: name }) => name === chosen) ?? page.scenarios[0];
  const stored = page.saliency.some((map) => map.model === looking && map.scenario === chosen);
  const map =
    looking && (stored || !isStatic)
      ? apiUrl(['runs', run, 'saliency'], { sample: page.sample, scenario: chosen, model: looking })
      : undefined;
  return (
    <>
      <h1>
        {page.sample} <span class="soft">{page.label}</span>
      </h1>
      <p class="sample-bar">
        {page.before !== null && (
          <a href={href(['runs', run, 'sample'], { id: page.before, scenario: chosen })}>← before</a>
        )}{' '}
        {page.after !== null && (
          <a href={href(['runs', run, 'sample'], { id: page.after, scenario: chosen })}>next →</a>
        )}{' '}
        <a href={href(['runs', run, 'explore'], { sample: `=${page.sample}`, group: 'scenario' })}>in Explore</a>{' '}
        {page.size !== null && <span class="soft">the object covers {percent(page.size)}</span>}
      </p>
      <div class="sample-body">
        <div>
          <CompareSlider run={run} sample={page.sample} scenario={chosen} overlay={overlay} map={map} />
          <fieldset class="buttons" aria-label="Overlay">
            <button type="button" aria-pressed={overlay === 'mask'} onClick={() => setOverlay('mask')}>
              Mask
            </button>
            <button type="button" aria-pressed={overlay === 'border'} onClick={() => setOverlay('border')}>
              Border
            </button>
          </fieldset>
        </div>
        <Answers run={run} sample={page} scenario={scenario} />
      </div>
      <h2>All scenarios</h2>
      <ul class="strip">
        {page.scenarios.map(({ scenario: name, answers }) => {
          const fails = answers.filter(({ correct }) => !correct).length;
          return (
            <li key={name}>
              <a
                href={href(['runs', run, 'sample'], { id: page.sample, scenario: name })}
                aria-current={name === chosen ? 'true' : undefined}
              >
                <img
                  src={runData.pictureUrl(run, { sample: page.sample, scenario: name, size: 160 })}
                  alt={name}
                  width={128}
                  height={128}
                  loading="lazy"
                />
                <span class="tile-line">{name}</span>
                <span class="tile-line">
                  <span class={fails ? 'wrong' : 'right'}>
                    {fails} of {answers.length} wrong
                  </span>
                </span>
              </a>
            </li>
          );
        })}
      </ul>
    </>
  );
}
