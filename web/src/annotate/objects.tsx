import type { Editor } from './editor.ts';
import { colourName } from './paint.ts';

interface ObjectsProps {
  readonly editor: Editor;
  /** The picture's label, as it is saved. */
  readonly label: string;
  /** What people are shown for it. */
  readonly labelName: string;
  readonly focusStage: () => void;
}

/** The objects of the picture: which is drawn now, and what each is called. */
export function Objects({ editor, label, labelName, focusStage }: ObjectsProps) {
  const shown = (name: string) => (name === label ? labelName : name);
  const stored = (text: string) => (text === labelName ? label : text);
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
              value={shown(name)}
              maxLength={200}
              aria-label={`Label of object ${i + 1}`}
              onChange={(event) => editor.rename(i + 1, stored(event.currentTarget.value.trim()) || label)}
            />
            {many && (
              <button
                type="button"
                class="quiet"
                aria-label={`Remove object ${i + 1}, ${shown(name)}`}
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
