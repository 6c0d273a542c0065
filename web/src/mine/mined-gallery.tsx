import { useEffect, useRef } from 'preact/hooks';
import type { MiningRecord } from '../../../src/contracts/mining.ts';
import { modeName } from '../../../src/contracts/mining-words.ts';
import type { MinedPictures } from '../../../src/contracts/studio/mine.ts';
import { get, isStatic } from '../api.ts';
import { sampleHref } from '../explore/grid.tsx';
import { runData } from '../explore/run-data.ts';
import { plural } from '../parts/format.ts';
import { Loaded } from '../parts/state.tsx';
import { place } from '../router.ts';
import { staticMinedPictures } from '../static/mine.ts';
import { prepareStatic } from '../static/static-run-data.ts';
import { useData } from '../use-data.ts';
import { filterKeys } from './mined-query.ts';

/** The pictures that the address asks for; without anything asked, the hard set. */
export function MinedGallery({ run, mining }: { run: string; mining: MiningRecord }) {
  const query = new URLSearchParams([...place.value.query].filter(([key]) => filterKeys.includes(key as 'set')));
  const found = useData(`mined ${run} ${query}`, async (signal) => ({
    ...(await (isStatic
      ? chooseHere(run, query)
      : get<MinedPictures>(['runs', run, 'mine', 'pictures'], { query, signal }))),
    words: wordsOf(query, mining),
  }));
  const box = useRef<HTMLElement>(null);
  const asked = query.toString();
  useEffect(() => {
    if (asked) box.current?.scrollIntoView({ block: 'start' });
  }, [asked]);
  return (
    <section ref={box} class="mined" aria-label="Pictures">
      <Loaded of={found}>
        {({ total, pictures, words }) => (
          <>
            <h2 aria-live="polite">
              {plural(total, 'picture')}: {words}
            </h2>
            <ul class="mined-tiles">
              {pictures.map(({ sample, scenario, label, nuisance, wrong, models, answer }) => (
                <li key={`${scenario}\n${sample}`}>
                  <a href={sampleHref(run, { sample, scenario })} title={`${sample}: wrong are ${wrong.join(', ')}`}>
                    <img
                      src={runData.pictureUrl(run, { sample, scenario, size: 160 })}
                      alt={`${label}, ${nuisance}: ${wrong.length} of ${models} wrong`}
                      width={120}
                      height={120}
                      loading="lazy"
                    />
                    <span>
                      {label}
                      {answer && <span class="wrong"> → {answer}</span>}
                    </span>
                    <span class="soft">
                      {wrong.length}/{models} {nuisance}
                    </span>
                  </a>
                </li>
              ))}
            </ul>
            {total > pictures.length && <p class="soft">The first {pictures.length} are shown.</p>}
          </>
        )}
      </Loaded>
    </section>
  );
}

const chooseHere = async (run: string, query: URLSearchParams): Promise<MinedPictures> => {
  await prepareStatic(run);
  return staticMinedPictures(run, query);
};

const sets = { pool: 'the pool', chosen: 'the hard set', released: 'the released set' } as const;

function wordsOf(query: URLSearchParams, { modes }: MiningRecord): string {
  const mode = query.get('mode');
  if (mode !== null) return modes[Number(mode)] ? `examples of ${modeName(modes[Number(mode)])}` : 'a failure mode';
  const [wrong, right] = [query.getAll('wrong'), query.getAll('right')];
  return [
    sets[(query.get('set') ?? 'chosen') as keyof typeof sets],
    query.get('nuisance'),
    query.get('class'),
    wrong.length ? `failed by ${wrong.join(' and ')}` : null,
    right.length ? `right for ${right.join(' and ')}` : null,
  ]
    .filter(Boolean)
    .join(', ');
}
