import type { ExportedComparison as Compared } from '../../../src/contracts/studio/exported-comparison.ts';
import { runData } from '../explore/run-data.ts';
import { href, place, toParams } from '../router.ts';
import type { Asked } from './compare.tsx';

/** Where the answers that turned are shown: of one scenario, of one direction, or all. */
export const flipsHref = (scenario: string | null, change: string | null) =>
  href(['compare'], toParams({ scenario, change }, place.value.query));

const mostShown = 120;

/** The pictures behind the numbers: what one side has right and the other wrong. */
export function Flips({ asked, found }: { asked: Asked; found: Compared }) {
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
