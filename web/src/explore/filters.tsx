import { places } from '../../../src/contracts/explore/filter.ts';
import type { TallyCount } from '../../../src/contracts/explore/tally.ts';
import type { Explored } from '../../../src/contracts/studio/explore.ts';
import { count, percent } from '../parts/format.ts';
import { place, setQuery } from '../router.ts';
import { chipsOf } from './query.ts';

const given = (key: string) => place.value.query.getAll(key);
/** A change of the filter starts at the first picture again. */
const change = (key: string, value: string | readonly string[] | null) => setQuery({ [key]: value, at: null });

/** Everything that can be chosen, with the number of pictures that each choice would leave. */
export function Filters({ explored }: { explored: Explored }) {
  const { facets, factsKnown } = explored;
  return (
    <form class="filters" aria-label="Filters" onSubmit={(event) => event.preventDefault()}>
      <Pick name="outcome" title="Answer" counts={facets.outcome} single />
      <Pick name="flip" title="Against the original" counts={facets.flip} single />
      <Pick name="model" title="Model" counts={facets.model} />
      <Pick name="scenario" title="Scenario" counts={facets.scenario} />
      <Pick name="class" title="Asked (class)" counts={facets.class} />
      <Pick name="answered" title="Answered" counts={facets.answered} />
      {facets.fold.length > 1 && <Pick name="fold" title="Fold" counts={facets.fold} />}
      <Range name="confidence" title="Confidence of the answer" />
      <Range
        name="size"
        title="Object’s share of the photograph"
        note={factsKnown < 1 ? `known for ${percent(factsKnown)} so far` : undefined}
      />
      <Places />
      <fieldset>
        <legend>Sample</legend>
        <input
          type="search"
          aria-label="Part of the sample’s name"
          placeholder="part of its name"
          value={given('sample')[0] ?? ''}
          onChange={(event) => change('sample', event.currentTarget.value || null)}
        />
      </fieldset>
    </form>
  );
}

function Pick({
  name,
  title,
  counts,
  single = false,
}: {
  name: string;
  title: string;
  counts: readonly TallyCount[];
  single?: boolean;
}) {
  const chosen = given(name);
  const shown = counts.filter(({ answers, name: value }) => answers || chosen.includes(value));
  const toggle = (value: string) => {
    const isOn = chosen.includes(value);
    if (single) change(name, isOn ? null : value);
    else change(name, isOn ? chosen.filter((other) => other !== value) : [...chosen, value]);
  };
  return (
    <details open={shown.length <= 8 || chosen.length > 0}>
      <summary>
        {title} {chosen.length > 0 && <span class="soft">({chosen.length})</span>}
      </summary>
      <fieldset>
        <legend class="unseen">{title}</legend>
        {shown.map(({ name: value, answers, wrong }) => (
          <label key={value} class="choice">
            <input type="checkbox" checked={chosen.includes(value)} onChange={() => toggle(value)} />
            <span class="choice-name">{value || '(none)'}</span>
            <span class="soft number" title={`${count(answers)} answers, ${count(wrong)} wrong`}>
              {count(answers)}
            </span>
            <meter
              low={0.05}
              high={0.4}
              optimum={0}
              min={0}
              max={1}
              value={answers ? wrong / answers : 0}
              aria-label={`${percent(answers ? wrong / answers : 0)} wrong`}
            />
          </label>
        ))}
        {!shown.length && <span class="soft">nothing</span>}
      </fieldset>
    </details>
  );
}

function Range({ name, title, note }: { name: string; title: string; note?: string }) {
  const [low, high] = (given(name)[0] ?? '0-1').split('-').map(Number);
  const set = (next: readonly [number, number]) => {
    const [a, b] = next[0] <= next[1] ? next : [next[1], next[0]];
    change(name, a === 0 && b === 1 ? null : `${a}-${b}`);
  };
  const bound = (value: number, of: string, put: (value: number) => void) => (
    <input
      type="number"
      min={0}
      max={1}
      step={0.01}
      value={value}
      aria-label={`${title}: ${of}`}
      onChange={(event) => put(Math.min(1, Math.max(0, Number(event.currentTarget.value) || 0)))}
    />
  );
  return (
    <fieldset class="range">
      <legend>{title}</legend>
      {bound(low, 'at least', (value) => set([value, high]))} to {bound(high, 'at most', (value) => set([low, value]))}
      {note && <span class="soft"> {note}</span>}
    </fieldset>
  );
}

function Places() {
  const chosen = given('place');
  return (
    <fieldset>
      <legend>Object’s place</legend>
      <div class="places">
        {places.map((name) => (
          <button
            key={name}
            type="button"
            aria-label={name}
            title={name}
            aria-pressed={chosen.includes(name)}
            onClick={() =>
              change('place', chosen.includes(name) ? chosen.filter((other) => other !== name) : [...chosen, name])
            }
          />
        ))}
      </div>
    </fieldset>
  );
}

/** The filter in words; each word can be taken out. */
export function Chips() {
  const { query } = place.value;
  const chips = chipsOf(query);
  if (!chips.length) return <span class="soft">Everything</span>;
  return (
    <ul class="chips" aria-label="Filter">
      {chips.map(({ key, value, words }) => (
        <li key={`${key} ${value}`}>
          <button
            type="button"
            title="Take this out of the filter"
            onClick={() =>
              change(
                key,
                query.getAll(key).filter((other) => other !== value),
              )
            }
          >
            {words} <span aria-hidden="true">×</span>
          </button>
        </li>
      ))}
      {chips.length > 1 && (
        <li>
          <button
            type="button"
            class="quiet"
            onClick={() => setQuery({ ...Object.fromEntries(chips.map(({ key }) => [key, null])), at: null })}
          >
            all out
          </button>
        </li>
      )}
    </ul>
  );
}
