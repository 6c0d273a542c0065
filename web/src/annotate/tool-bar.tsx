import { percentOf } from '../../../src/contracts/numbers.ts';
import type { Tool } from './editor.ts';
import { isHidden, largestRadius, opacity, radius, tool } from './settings.ts';

export interface ToolWords {
  readonly key: string;
  readonly title: string;
  readonly does: string;
}

export const toolWords: Record<Tool, ToolWords> = {
  box: { key: 'x', title: 'Box', does: 'box: pull one about the object, GrabCut finds it' },
  polygon: { key: 'p', title: 'Polygon', does: 'polygon: a point a click, closed at the first' },
  brush: { key: 'b', title: 'Brush', does: 'brush: paint the object' },
  eraser: { key: 'e', title: 'Eraser', does: 'eraser: paint background' },
  fill: { key: 'f', title: 'Fill', does: 'fill a hole; with Shift, take a piece away' },
  doubt: { key: 'd', title: 'Doubt', does: 'doubt: paint over an edge that is hard to tell' },
};

interface ToolBarProps {
  readonly choose: (tool: Tool) => void;
  readonly zoom: (factor: number) => void;
  readonly fit: () => void;
  readonly scale: number;
}

/** Tools, brush, opacity and zoom. */
export function ToolBar({ choose, zoom, fit, scale }: ToolBarProps) {
  return (
    <div class="tools" role="toolbar" aria-label="Tools" aria-orientation="vertical">
      {(Object.keys(toolWords) as Tool[]).map((each) => (
        <button
          key={each}
          type="button"
          aria-pressed={tool.value === each}
          title={toolWords[each].does}
          onClick={() => choose(each)}
        >
          <kbd>{toolWords[each].key}</kbd> {toolWords[each].title}
        </button>
      ))}
      <label>
        Brush <span class="soft">{2 * radius.value} px</span>
        <input
          type="range"
          min="1"
          max={largestRadius}
          value={radius.value}
          onInput={(event) => {
            radius.value = Number(event.currentTarget.value);
          }}
        />
      </label>
      <label>
        Opacity <span class="soft">{percentOf(opacity.value, 0)}</span>
        <input
          type="range"
          min="0"
          max="1"
          step="0.1"
          value={opacity.value}
          onInput={(event) => {
            opacity.value = Number(event.currentTarget.value);
          }}
        />
      </label>
      <button
        type="button"
        aria-pressed={isHidden.value}
        onClick={() => {
          isHidden.value = !isHidden.value;
        }}
      >
        <kbd>h</kbd> Hide
      </button>
      <fieldset class="zooms">
        <legend class="unseen">Zoom</legend>
        <button type="button" onClick={() => zoom(1 / 1.4)} aria-label="Smaller" title="Smaller (−)">
          −
        </button>
        <output>{percentOf(scale, 0)}</output>
        <button type="button" onClick={() => zoom(1.4)} aria-label="Larger" title="Larger (+)">
          +
        </button>
        <button type="button" onClick={fit} title="All of it (0)">
          Fit
        </button>
      </fieldset>
    </div>
  );
}
