import type { Score } from '../../../src/contracts/score.ts';
import { interval, points } from '../parts/format.ts';
import { PlotFigure } from '../parts/plot.tsx';
import { href, place, setQuery } from '../router.ts';

interface Drop {
  readonly model: string;
  readonly scenario: string;
  readonly drop: number;
  readonly low: number;
  readonly high: number;
  readonly words: string;
  readonly to: string;
}

/** Drops of one model with their intervals; each point leads to what the edit lost, or to all of that edit where it lost nothing. */
export function DropsFigure({ run, score }: { run: string; score: Score }) {
  const names = score.models.map(({ model }) => model);
  const chosen = names.includes(place.value.query.get('of') ?? '') ? (place.value.query.get('of') as string) : names[0];
  const model = score.models.find((one) => one.model === chosen);
  const drops: Drop[] = (model?.scenarios ?? []).flatMap(({ scenario, drop, dropCi, lost }) =>
    typeof drop !== 'number'
      ? []
      : [
          {
            model: chosen,
            scenario,
            drop: 100 * drop,
            low: 100 * (dropCi?.[0] ?? drop),
            high: 100 * (dropCi?.[1] ?? drop),
            words: `${scenario}: ${points(-drop)} points (${interval(dropCi, (value) => points(-value))}), ${lost ?? 0} lost`,
            to: href(['runs', run, 'explore'], { model: chosen, scenario, flip: lost ? 'lost' : undefined }),
          },
        ],
  );
  if (!model || !drops.length) return <p class="soft">There is no original to compare with.</p>;
  return (
    <>
      <label>
        Model{' '}
        <select value={chosen} onChange={(event) => setQuery({ of: event.currentTarget.value }, { replace: true })}>
          {names.map((name) => (
            <option key={name}>{name}</option>
          ))}
        </select>
      </label>
      <PlotFigure
        label={`Points that each edit costs ${chosen}`}
        of={`${chosen} ${drops.map(({ drop }) => drop).join()}`}
        draw={(Plot, width) => ({
          width,
          height: 40 + 22 * drops.length,
          marginLeft: 190,
          marginRight: 20,
          x: { label: 'points lost →', grid: true },
          y: { label: null, domain: drops.map(({ scenario }) => scenario) },
          marks: [
            Plot.ruleX([0]),
            Plot.ruleY(drops, { y: 'scenario', x1: 'low', x2: 'high', strokeWidth: 2, strokeOpacity: 0.55 }),
            Plot.dot(drops, {
              y: 'scenario',
              x: 'drop',
              r: 5,
              fill: 'var(--accent)',
              href: 'to',
              title: 'words',
              ariaLabel: 'words',
            }),
          ],
        })}
      />
    </>
  );
}
