import { useState } from 'preact/hooks';
import { isStatic } from '../api.ts';
import { runData } from '../explore/run-data.ts';

interface SliderProps {
  readonly run: string;
  readonly sample: string;
  readonly scenario: string;
  readonly overlay: 'none' | 'mask' | 'border';
  /** A map of where a model looks, laid in place of the edited picture. */
  readonly map?: string;
}

/** The photograph and its edit in one frame; the line between them is moved by mouse or arrow keys. */
export function CompareSlider({ run, sample, scenario, overlay, map }: SliderProps) {
  const [share, setShare] = useState(50);
  /** The address of a picture that could not be had. */
  const [failed, setFailed] = useState('');
  const url = (name: string, view?: 'mask' | 'border') =>
    runData.pictureUrl(run, { sample, scenario: name, view, size: 1024 });
  const shown = map ?? url(scenario);
  if (failed === shown) return <p class="error">{`${sample} as ${scenario} cannot be shown.`}</p>;
  return (
    <figure class="slider">
      <div class="slider-frame">
        <img
          class="slider-base"
          src={shown}
          onError={() => setFailed(shown)}
          alt={map ? `where the model looks in ${scenario}` : `${sample} as ${scenario}`}
        />
        {overlay !== 'none' && !map && !isStatic && (
          <img class="slider-top" src={url(scenario, overlay)} alt={`${overlay} of the object in ${scenario}`} />
        )}
        <div class="slider-top" style={{ clipPath: `inset(0 ${100 - share}% 0 0)` }}>
          <img src={url('original')} alt={`${sample} as it is`} />
          {overlay !== 'none' && (
            <img class="slider-top" src={url('original', overlay)} alt={`${overlay} of the object`} />
          )}
        </div>
        <div class="slider-line" style={{ left: `${share}%` }} />
        <input
          type="range"
          min={0}
          max={100}
          value={share}
          aria-label="From the edit (0) to the photograph (100)"
          onInput={(event) => setShare(Number(event.currentTarget.value))}
        />
      </div>
      <figcaption class="soft">
        <span>photograph</span>
        <span>{map ? 'where the model looks' : scenario}</span>
      </figcaption>
    </figure>
  );
}
