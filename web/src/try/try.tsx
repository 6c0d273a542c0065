import { useState } from 'preact/hooks';
import { fixedOf } from '../../../src/contracts/numbers.ts';
import type { TryOptions } from '../../../src/contracts/studio/try.ts';
import { trySizes } from '../../../src/contracts/studio/try.ts';
import { get } from '../api.ts';
import { useShortcuts } from '../keys.ts';
import { fromName } from '../parts/scenario-name.ts';
import { Loaded } from '../parts/state.tsx';
import { place as address, href, setQuery } from '../router.ts';
import { useData } from '../use-data.ts';
import { TryAnswers } from './answers.tsx';
import { MaskTools } from './mask-tools.tsx';
import { type Handled, handleObject } from './move-object.ts';
import { Settings } from './settings.tsx';
import { type Box, Stage } from './stage.tsx';
import { Subject, takePicture } from './subject.tsx';
import './try.css';
import { useTry } from './use-try.ts';

/** One picture, edited while one looks, and what every model makes of it. */
export function Try() {
  const asked = address.value.query.get('place') ?? undefined;
  const options = useData(`try ${asked}`, (signal) => get<TryOptions>(['try'], { query: { place: asked }, signal }));
  return (
    <section class="page wide try">
      <h1>Try</h1>
      <Loaded of={options}>{(found) => <Room options={found} />}</Loaded>
    </section>
  );
}

function Room({ options }: { options: TryOptions }) {
  const { query } = address.value;
  const [problem, onProblem] = useState('');
  const [note, onNote] = useState('');
  const [drawing, onDraw] = useState<Box>();
  const [outline, setOutline] = useState(false);
  const subject = new URLSearchParams();
  if (options.place) subject.set('place', options.place);
  for (const name of ['sample', 'picture', 'mask', 'decode']) {
    const value = query.get(name);
    if (value) subject.set(name, value);
  }
  const isChosen = options.place !== null && (subject.has('sample') || subject.has('picture'));
  const size = query.get('size') ?? '512';
  const scenario = query.get('scenario') || 'original';
  const key = new URLSearchParams(subject);
  key.set('scenario', scenario);
  key.set('size', size);
  if (query.get('label')) key.set('label', query.get('label') as string);
  const [id, settings] = fromName(scenario, options.scenarios);
  const declared = options.scenarios.find((one) => one.id === id);
  const painted = !!declared?.needs.includes('generator') || settings.blend === 'diffusion';
  const tried = useTry(isChosen ? key.toString() : '', `${subject} ${size}`, painted);
  const { edit } = tried;
  const hasMask = edit?.mask !== undefined;

  const setScenario = (next: string, moving = false) => setQuery({ scenario: next }, { replace: moving });
  const onHandle = (change: Handled) => {
    if (!edit?.box) return;
    const { width, height } = edit.picture;
    // Starts from the scenario asked for last, not from the picture shown, so that a second key press does not undo the
    // first.
    const now = address.value.query.get('scenario') || 'original';
    setScenario(handleObject(now, change, { box: edit.box, width, height }, options.scenarios), true);
  };
  const scale = (factor: number) => edit?.box && onHandle({ share: edit.box.share * factor });
  const shift = (dx: number, dy: number) => () => onHandle({ moveBy: [0.05 * dx, 0.05 * dy] });
  useShortcuts('Try', [
    {
      keys: 'shift+ArrowLeft',
      does: 'move the object left (without shift: a little, in the picture)',
      run: shift(-1, 0),
    },
    { keys: 'shift+ArrowRight', does: 'right', run: shift(1, 0) },
    { keys: 'shift+ArrowUp', does: 'up', run: shift(0, -1) },
    { keys: 'shift+ArrowDown', does: 'down', run: shift(0, 1) },
    { keys: '+ =', does: 'a larger object', run: () => scale(1.15) },
    { keys: '-', does: 'a smaller object', run: () => scale(1 / 1.15) },
    { keys: '[', does: 'turn the object to the left', run: () => onHandle({ turnBy: 5 }) },
    { keys: ']', does: 'turn it to the right', run: () => onHandle({ turnBy: -5 }) },
    { keys: '0', does: 'the photograph as it is', run: () => setScenario('original') },
    { keys: 'm', does: 'show the object’s outline, or not', run: () => setOutline(!outline) },
  ]);
  const drop = (event: DragEvent) => {
    event.preventDefault();
    const [file] = event.dataTransfer?.files ?? [];
    if (file) void takePicture(file, { onProblem, onNote });
  };

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: files can be dropped anywhere; the button beside does the same.
    <div class="try-room" onDragOver={(event) => event.preventDefault()} onDrop={drop}>
      <div class="try-side">
        <Subject options={options} onProblem={onProblem} onNote={onNote} />
        {isChosen && (
          <MaskTools
            options={options}
            subject={subject}
            share={edit?.box?.share}
            drawing={drawing}
            onDraw={onDraw}
            onProblem={onProblem}
            onNote={onNote}
          />
        )}
        {note && (
          <p class="warn" role="status">
            {note}.{' '}
            {subject.has('picture') && (
              <button type="button" onClick={() => setQuery({ decode: query.get('decode') ? null : 'corrected' })}>
                {query.get('decode') ? 'As models see it' : 'As a person sees it'}
              </button>
            )}
          </p>
        )}
      </div>
      <div class="try-middle">
        {(problem || tried.error) && (
          <p class="error" role="alert">
            {problem || tried.error}
          </p>
        )}
        {edit ? (
          <Stage
            edit={edit}
            pending={edit.key !== key.toString()}
            outline={outline}
            drawing={drawing}
            onHandle={onHandle}
            onBox={onDraw}
          />
        ) : (
          <p class="drop">
            {isChosen && !tried.error ? 'Loading …' : 'Drop a picture here, open one, or choose a sample.'}
          </p>
        )}
        {edit && (
          <p class="try-bar">
            <code>{edit.scenario}</code>{' '}
            <span class="soft">
              {edit.picture.width} × {edit.picture.height}
            </span>{' '}
            <span class="soft" data-latency={tried.latencyMs?.toFixed(0)}>
              {tried.latencyMs !== undefined && `${fixedOf(tried.latencyMs, 0)} ms`}
            </span>{' '}
            <label>
              <input type="checkbox" checked={outline} onChange={() => setOutline(!outline)} /> outline
            </label>{' '}
            <label>
              at most{' '}
              <select value={size} onChange={(event) => setQuery({ size: event.currentTarget.value })}>
                {trySizes.map((px) => (
                  <option key={px} value={px}>
                    {px} px
                  </option>
                ))}
              </select>
            </label>
          </p>
        )}
        {tried.share !== undefined && (
          <p role="status">
            <label>
              Painting <progress value={tried.share} max={1} />
            </label>{' '}
            <button type="button" onClick={tried.cancel}>
              Cancel
            </button>
          </p>
        )}
      </div>
      <div class="try-side">
        <Settings options={options} scenario={scenario} hasMask={hasMask || !isChosen} onChange={setScenario} />
        {subject.has('picture') && options.classes.length > 0 && (
          <label>
            It shows{' '}
            <select
              value={query.get('label') ?? ''}
              onChange={(event) => setQuery({ label: event.currentTarget.value || null })}
            >
              <option value="">(not said)</option>
              {options.classes.map(({ label, name }) => (
                <option key={label} value={label}>
                  {name}
                </option>
              ))}
            </select>
          </label>
        )}
        {isChosen && (
          <TryAnswers
            models={options.models}
            scenario={tried.answersOf ? (edit?.scenario ?? '') : ''}
            answers={tried.answers}
            before={tried.before}
            problem={tried.problem}
            sample={samplePage(options.place, query.get('sample'))}
          />
        )}
        {options.dataset && (
          <p>
            <a
              class="main-link"
              href={href(['start'], {
                dataset: options.dataset,
                scenario: edit ? edit.scenario : scenario,
                model: options.models,
              })}
            >
              Run this on everything
            </a>
          </p>
        )}
      </div>
    </div>
  );
}

/** Of a sample of a run. */
const samplePage = (place: string | null, sample: string | null): string | undefined =>
  place?.startsWith('run:') && sample
    ? href(['runs', place.slice('run:'.length), 'sample'], { id: sample })
    : undefined;
