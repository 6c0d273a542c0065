import { useState } from 'preact/hooks';
import type { TryMask, TryOptions, TryPicture, TrySamples } from '../../../src/contracts/studio/try.ts';
import { apiUrl, get, sendBytes } from '../api.ts';
import { Loaded } from '../parts/state.tsx';
import { place as address, setQuery } from '../router.ts';
import { useData } from '../use-data.ts';
import { Camera } from './camera.tsx';

interface SubjectProps {
  readonly options: TryOptions;
  onProblem(message: string): void;
  onNote(message: string): void;
}

/** Another picture: what belonged to the last one is taken out of the address. */
const choose = (change: Record<string, string | null>) =>
  setQuery({ sample: null, picture: null, mask: null, decode: null, label: null, ...change });

/** What can be wrong with how a file is stored, in words. */
const differenceWords: Record<string, string> = {
  orientation: 'it is stored turned, and models are shown it as it is stored',
  profile: 'it has a colour profile, which models are not shown',
  cmyk: 'it is stored as inks',
  alpha: 'it has transparent parts, which models are shown as what lies under them',
  'sixteen-bit-grey': 'it has 16-bit greys, which models see cut off at white',
};

export async function takePicture(file: Blob, { onProblem, onNote }: Pick<SubjectProps, 'onProblem' | 'onNote'>) {
  try {
    const { id, differences } = await sendBytes<TryPicture>(['try', 'pictures'], file);
    onProblem('');
    onNote(differences.map((word) => differenceWords[word] ?? word).join('; '));
    choose({ picture: id });
  } catch (error) {
    onProblem((error as Error).message);
  }
}

/** Where pictures come from: a file, the camera, a sample. */
export function Subject({ options, onProblem, onNote }: SubjectProps) {
  const [find, setFind] = useState('');
  const [isPicking, setPicking] = useState(false);
  const { query } = address.value;
  const open = isPicking || !(query.get('sample') || query.get('picture'));
  const upload = (files: FileList | null) => files?.[0] && void takePicture(files[0], { onProblem, onNote });
  return (
    <fieldset class="subject">
      <legend>Picture</legend>
      {options.places.length > 1 && (
        <label>
          from{' '}
          <select value={options.place ?? ''} onChange={(event) => choose({ place: event.currentTarget.value })}>
            {options.places.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </select>
        </label>
      )}
      <p class="row-buttons">
        <label class="file-button">
          Open a picture …
          <input type="file" accept="image/*" onChange={(event) => upload(event.currentTarget.files)} />
        </label>
        <Camera onPicture={(blob) => takePicture(blob, { onProblem, onNote })} onProblem={onProblem} />
        <button type="button" aria-expanded={open} onClick={() => setPicking(!isPicking)}>
          A sample …
        </button>
      </p>
      {open && options.place && (
        <>
          <input
            type="search"
            aria-label="Part of a sample’s name or label"
            placeholder={`one of ${options.samples}: part of its name`}
            value={find}
            onInput={(event) => setFind(event.currentTarget.value)}
          />
          <Samples
            place={options.place}
            find={find}
            onChoose={(id) => {
              setPicking(false);
              onNote('');
              choose({ sample: id });
            }}
          />
        </>
      )}
    </fieldset>
  );
}

function Samples({ place, find, onChoose }: { place: string; find: string; onChoose: (id: string) => void }) {
  const found = useData(`${place} ${find}`, (signal) =>
    get<TrySamples>(['try', 'samples'], { query: { place, find }, signal }),
  );
  return (
    <Loaded of={found}>
      {({ total, samples }) => (
        <>
          <ul class="pick">
            {samples.map(({ id, label }) => (
              <li key={id}>
                <button type="button" title={id} onClick={() => onChoose(id)}>
                  <img src={apiUrl(['try', 'thumbnail'], { place, sample: id })} alt={id} loading="lazy" />
                  <span class="tile-line">{label ?? id}</span>
                </button>
              </li>
            ))}
          </ul>
          {total > samples.length && <p class="soft">and {total - samples.length} more: write part of a name</p>}
        </>
      )}
    </Loaded>
  );
}

/** A mask from a file. */
export async function takeMask(file: Blob, subject: URLSearchParams): Promise<TryMask> {
  return sendBytes<TryMask>(['try', 'masks'], file, subject);
}
