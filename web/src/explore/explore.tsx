import { useState } from 'preact/hooks';
import { groupings, sortings } from '../../../src/contracts/explore/filter.ts';
import { isStatic } from '../api.ts';
import { useShortcuts } from '../keys.ts';
import type { PageProps } from '../pages.ts';
import { count, percent } from '../parts/format.ts';
import { place, setQuery } from '../router.ts';
import { prepareStatic } from '../static/static-run-data.ts';
import { useData } from '../use-data.ts';
import './explore.css';
import { Chips, Filters } from './filters.tsx';
import { Grid } from './grid.tsx';
import { exploreQuery, headOf } from './query.ts';
import { runData } from './run-data.ts';

const sortWords = {
  fails: 'most models fail first',
  sure: 'most certain first',
  unsure: 'least certain first',
  name: 'as in the dataset',
} as const;
const groupWords = { none: 'not grouped', scenario: 'by scenario', sample: 'by sample', class: 'by class' } as const;

/** Every variant of a run that the filter in the address leaves. */
export function Explore({ params: { run } }: PageProps) {
  const query = readQuery();
  const [isOpen, setOpen] = useState(false);
  const found = useData(`${run} ${query}`, async (signal) => {
    if (query instanceof Error) throw query;
    if (isStatic) await prepareStatic(run);
    return { run, query, explored: await runData.explore(run, headOf(query), signal) };
  });
  const first = found.data;
  const isPartial = first?.explored.partial === true;
  const rest = useData(`${first?.run} ${first?.query} ${isPartial}`, async (signal) =>
    first && isPartial ? { ...first, explored: await runData.explore(first.run, first.query, signal) } : undefined,
  );
  const narrow = (outcome: string) =>
    setQuery({ outcome: place.value.query.get('outcome') === outcome ? null : outcome, at: null });
  useShortcuts('Explore', [
    { keys: 'w', does: 'wrong answers alone, or all', run: () => narrow('wrong') },
    { keys: 'r', does: 'right answers alone, or all', run: () => narrow('right') },
    {
      keys: 'l',
      does: 'what the edit lost, or all',
      run: () => setQuery({ flip: place.value.query.get('flip') ? null : 'lost', at: null }),
    },
  ]);
  const data = isPartial && rest.data?.query === first?.query ? rest.data : first;
  const error = found.error ?? (isPartial ? rest.error : undefined);
  return (
    <section class="explore">
      <h1 class="unseen">Explore {run}</h1>
      <aside id="filters" class={isOpen ? 'open' : undefined}>
        {data && <Filters explored={data.explored} />}
      </aside>
      <div class="results">
        <div class="bar">
          <button
            type="button"
            class="narrow-only"
            aria-expanded={isOpen}
            aria-controls="filters"
            onClick={() => setOpen(!isOpen)}
          >
            Filters
          </button>
          <Chips />
          <span class="totals" role="status">
            {data && (
              <>
                {count(data.explored.variants)} pictures · {count(data.explored.answers)} answers ·{' '}
                {percent(data.explored.answers ? data.explored.wrong / data.explored.answers : 0)} wrong
                {data.explored.partial && ' · the first of them; all are being read …'}
              </>
            )}
          </span>
          <Choice name="sort" label="Sort" values={sortings} words={sortWords} />
          <Choice name="group" label="Group" values={groupings} words={groupWords} />
        </div>
        {error && (
          <p class="error" role="alert">
            {error}
          </p>
        )}
        {!data && !error && <p class="waiting">Loading …</p>}
        {data && !error && isPartial && data === first && !data.explored.variants && (
          <p class="waiting">None among the first answers; all are being read …</p>
        )}
        {data && !error && <Grid run={run} query={data.query} explored={data.explored} />}
      </div>
    </section>
  );
}

function readQuery(): URLSearchParams | Error {
  try {
    return exploreQuery();
  } catch {
    return new Error('The filter in the address cannot be read; take it out and choose again');
  }
}

function Choice<Value extends string>({
  name,
  label,
  values,
  words,
}: {
  name: string;
  label: string;
  values: readonly Value[];
  words: Record<Value, string>;
}) {
  return (
    <label class="choose">
      <span class="soft">{label}</span>
      <select
        value={place.value.query.get(name) ?? values[0]}
        onChange={(event) =>
          setQuery({ [name]: event.currentTarget.value === values[0] ? null : event.currentTarget.value, at: null })
        }
      >
        {values.map((value) => (
          <option key={value} value={value}>
            {words[value]}
          </option>
        ))}
      </select>
    </label>
  );
}
