import type { Editor } from './editor.ts';
import { colourName } from './paint.ts';

/** The objects of the picture: which is drawn now, and what each is called. */
export function Objects({ editor, label, focusStage }: { editor: Editor; label: string; focusStage: () => void }) {
  const { objects, current } = editor;
  const many = objects.value.length > 1;
  return (
    <fieldset class="objects">
      <legend>Objects</legend>
      <ul class="plain">
        {objects.value.map((name, i) => (
          <li key={i}>
            <label class="swatch">
              <input
                type="radio"
                name="object"
                checked={current.value === i + 1}
                onChange={() => {
                  current.value = i + 1;
                  focusStage();
                }}
              />
              <svg viewBox="0 0 12 12" aria-hidden="true">
                <rect width="12" height="12" rx="2" fill={colourName(i + 1)} />
              </svg>
              <span class="unseen">Draw object {i + 1}</span>
            </label>
            <input
              type="text"
              value={name}
              maxLength={200}
              aria-label={`Label of object ${i + 1}`}
              onChange={(event) => editor.rename(i + 1, event.currentTarget.value.trim() || label)}
            />
            {many && (
              <button
                type="button"
                class="quiet"
                aria-label={`Remove object ${i + 1}, ${name}`}
                title="Remove it and its pixels"
                onClick={() => editor.removeObject(i + 1)}
              >
                ×
              </button>
            )}
          </li>
        ))}
      </ul>
      <button
        type="button"
        onClick={() => {
          editor.addObject(label);
          focusStage();
        }}
      >
        Another object
      </button>
    </fieldset>
  );
}
