import type { Saving } from './saving.ts';

const timeOf = (iso: string | null | undefined) => (iso ? new Date(iso).toLocaleTimeString() : '');

/** What is on disk; and, where another browser was there first, what to do about it. */
export function SavePanel({ saving, file }: { saving: Saving; file: string }) {
  const { state, overtaken } = saving;
  return (
    <div class="save-panel">
      <button type="button" class="main" onClick={() => void saving.save()} disabled={state === 'saving'}>
        <kbd>Ctrl S</kbd> Save
      </button>
      <p class={`save-state ${state}`}>
        <output aria-live="polite" data-state={state}>
          {state === 'saving' && 'Saving …'}
          {state === 'unsaved' && 'Not saved yet'}
          {state === 'saved' && saving.savedAt.value !== null && `On disk: ${file}, ${timeOf(saving.savedAt.value)}`}
          {state === 'saved' && saving.savedAt.value === null && 'Nothing drawn here yet'}
        </output>
      </p>
      {saving.problem.value && (
        <p class="error" role="alert">
          Not saved: {saving.problem.value}
        </p>
      )}
      {overtaken.value && (
        <div class="overtaken" role="alert">
          <p>
            Another browser saved this picture{overtaken.value.savedAt ? ` at ${timeOf(overtaken.value.savedAt)}` : ''},
            after you opened it. Nothing of yours was written over it.
          </p>
          <div class="row-buttons">
            <button type="button" onClick={() => void saving.takeTheirs()}>
              Show theirs (Undo brings yours back)
            </button>
            <button type="button" onClick={() => void saving.saveOver()}>
              Save mine over it
            </button>
          </div>
        </div>
      )}
    </div>
  );
}
