import type { ParamField } from '../../../src/contracts/studio/start.ts';
import type { TryOptions } from '../../../src/contracts/studio/try.ts';
import { fromName, scenarioName } from '../parts/scenario-name.ts';

interface SettingsProps {
  readonly options: TryOptions;
  readonly scenario: string;
  readonly hasMask: boolean;
  /** `moving`: a slider is under way, no step for the back button. */
  onChange(scenario: string, moving: boolean): void;
}

/** The scenario and its settings, made from its declaration. */
export function Settings({ options, scenario, hasMask, onChange }: SettingsProps) {
  const [id, settings] = fromName(scenario, options.scenarios);
  const declared = options.scenarios.find((one) => one.id === id);
  const put = (name: string, value: string, moving: boolean) =>
    onChange(scenarioName(id, { ...settings, [name]: value }), moving);
  return (
    <fieldset class="settings">
      <legend>Scenario</legend>
      <select aria-label="Scenario" value={id} onChange={(event) => onChange(event.currentTarget.value, false)}>
        {Object.entries(options.families).map(([family, title]) => (
          <optgroup key={family} label={title}>
            {options.scenarios
              .filter((one) => one.family === family)
              .map((one) => (
                <option key={one.id} value={one.id} disabled={one.needs.includes('mask') && !hasMask}>
                  {one.title} ({one.id})
                </option>
              ))}
          </optgroup>
        ))}
      </select>
      {declared && <p class="soft">{declared.description}</p>}
      {!hasMask && <p class="warn">Scenarios that need to know where the object is wait for a mask.</p>}
      {declared?.params.map((param) => (
        <Setting
          key={`${id} ${param.name}`}
          param={param}
          value={settings[param.name] ?? param.default}
          words={param.name === 'prompt' ? options.painting?.words : undefined}
          put={(value, moving) => put(param.name, value, moving)}
        />
      ))}
    </fieldset>
  );
}

interface SettingProps {
  readonly param: ParamField;
  readonly value: string;
  readonly words: readonly string[] | null | undefined;
  put(value: string, moving: boolean): void;
}

function Setting({ param, value, words, put }: SettingProps) {
  const { name, describe, kind, choices } = param;
  const id = `setting-${name}`;
  return (
    <div class="setting">
      <label for={id} title={describe}>
        {name}
      </label>
      {kind === 'choice' ? (
        <select id={id} value={value} onChange={(event) => put(event.currentTarget.value, false)}>
          {choices?.map((choice) => (
            <option key={choice}>{choice}</option>
          ))}
        </select>
      ) : kind === 'number' ? (
        <Slider id={id} param={param} value={value} put={put} />
      ) : (
        <>
          <input
            id={id}
            value={value.replaceAll('-', ' ')}
            list={words ? `${id}-words` : undefined}
            onChange={(event) =>
              put(event.currentTarget.value.trim().replaceAll(/[^\p{L}\p{N}]+/gu, '-') || param.default, false)
            }
          />
          {words && (
            <datalist id={`${id}-words`}>
              {words.map((word) => (
                <option key={word} value={word} />
              ))}
            </datalist>
          )}
        </>
      )}
      <small class="soft">{describe}</small>
    </div>
  );
}

/** A slider and its number; words that may stand instead are chosen beside it. */
function Slider({ id, param, value, put }: Omit<SettingProps, 'words'> & { id: string }) {
  const { min, max, step } = rangeOf(param);
  const number = Number(value);
  const isWord = value.trim() === '' || !Number.isFinite(number);
  const start = isWord ? (min + max) / 2 : number;
  return (
    <span class="slide">
      <input
        id={id}
        type="range"
        min={min}
        max={Math.max(max, start)}
        step={step}
        value={start}
        aria-valuetext={value}
        data-word={isWord ? '' : undefined}
        onInput={(event) => put(event.currentTarget.value, true)}
      />
      {param.words ? (
        <select
          aria-label={`${param.name}: number or word`}
          value={isWord ? value : ''}
          onChange={(event) => put(event.currentTarget.value || String(start), false)}
        >
          <option value="">{isWord ? 'a number' : value}</option>
          {param.words.map((word) => (
            <option key={word}>{word}</option>
          ))}
        </select>
      ) : (
        <input
          type="number"
          aria-label={`${param.name}: number`}
          step="any"
          value={value}
          onChange={(event) => put(event.currentTarget.value || param.default, false)}
        />
      )}
    </span>
  );
}

/** Where a declaration names no end, four times the usual value is far enough for a slider. */
function rangeOf({ min: low = 0, max, step, without = [], default: usual }: ParamField) {
  const high = max ?? Math.max(4 * (Number(usual) || 0), low + 1);
  const fine = step ?? 10 ** Math.floor(Math.log10((high - low) / 100));
  return {
    min: step === 2 ? 1 : without.includes('min') ? low + fine : low,
    max: without.includes('max') ? high - fine : high,
    step: fine,
  };
}
