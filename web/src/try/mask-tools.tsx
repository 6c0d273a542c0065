import { useState } from 'preact/hooks';
import type { TryMask, TryOptions } from '../../../src/contracts/studio/try.ts';
import { post } from '../api.ts';
import { percent } from '../parts/format.ts';
import { href, setQuery } from '../router.ts';
import type { Box } from './stage.tsx';
import { takeMask } from './subject.tsx';

interface MaskProps {
  readonly options: TryOptions;
  /** Place, picture and mask as the address has them. */
  readonly subject: URLSearchParams;
  readonly share: number | undefined;
  readonly drawing: Box | undefined;
  onDraw(box: Box | undefined): void;
  onProblem(message: string): void;
  onNote(message: string): void;
}

/** Where the object is: from a file, a box, a model; or the sample's own. */
export function MaskTools({ options, subject, share, drawing, onDraw, onProblem, onNote }: MaskProps) {
  const [isBusy, setBusy] = useState(false);
  const use = async (make: () => Promise<TryMask>) => {
    setBusy(true);
    try {
      const { id, notes } = await make();
      onProblem('');
      onNote(notes.join('; '));
      onDraw(undefined);
      setQuery({ mask: id });
    } catch (error) {
      onProblem((error as Error).message);
    } finally {
      setBusy(false);
    }
  };
  const without = new URLSearchParams(subject);
  without.delete('mask');
  const body = (more: object = {}) => ({ ...Object.fromEntries(without), ...more });
  const hasOwn = subject.has('sample') && subject.has('mask');
  return (
    <fieldset class="mask-tools" disabled={isBusy}>
      <legend>Mask</legend>
      <p class="soft" role="status">
        {isBusy ? 'The object is being found …' : share === undefined ? 'none yet' : `covers ${percent(share)}`}
      </p>
      <p class="row-buttons">
        <label class="file-button">
          Open a mask …
          <input
            type="file"
            accept="image/*,.npy"
            onChange={(event) => {
              const [file] = event.currentTarget.files ?? [];
              if (file) void use(() => takeMask(file, without));
            }}
          />
        </label>
        {drawing ? (
          <>
            <button
              type="button"
              class="main"
              onClick={() => use(() => post<TryMask>(['try', 'masks', 'box'], body({ box: drawing })))}
            >
              Find the object in the box
            </button>
            <button type="button" onClick={() => onDraw(undefined)}>
              No box
            </button>
          </>
        ) : (
          <button type="button" onClick={() => onDraw([0.15, 0.15, 0.7, 0.7])}>
            Draw a box
          </button>
        )}
        {options.salient && (
          <button type="button" onClick={() => use(() => post<TryMask>(['try', 'masks', 'salient'], body()))}>
            What stands out
          </button>
        )}
        {hasOwn && (
          <button type="button" onClick={() => setQuery({ mask: null })}>
            The sample’s own
          </button>
        )}
      </p>
      {drawing && (
        <p class="soft">
          Drag on the picture; or, with the picture in focus, arrow keys move the box and shift sizes it.
        </p>
      )}
      {!subject.has('picture') && options.dataset && options.canAnnotate && (
        <p>
          <a href={href(['annotate', options.dataset, 'draw'], { sample: subject.get('sample') })}>
            Draw it by hand in Annotate
          </a>
        </p>
      )}
    </fieldset>
  );
}
