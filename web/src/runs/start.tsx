import { useState } from 'preact/hooks';
import type { ParamField, ScenarioField, StartOptions } from '../../../src/contracts/studio/start.ts';
import { get, notice, post } from '../api.ts';
import { plural } from '../parts/format.ts';
import { fromName, scenarioName } from '../parts/scenario-name.ts';
import { Loaded } from '../parts/state.tsx';
import { go, place } from '../router.ts';
import { useData } from '../use-data.ts';
import './runs.css';

/** A form made from the scenarios' declarations; what it starts is what the same command in a terminal would. */
export function Start() {
  const options = useData('start', (signal) => get<StartOptions>(['start'], { signal }));
  return (
    <section class="page">
      <h1>Start a run</h1>
      <Loaded of={options}>{(found) => <Form options={found} />}</Loaded>
    </section>
  );
}

type Settings = Record<string, Record<string, string>>;

function Form({ options }: { options: StartOptions }) {
  const asked = place.value.query;
  const [name, setName] = useState('');
  const [dataset, setDataset] = useState(
    options.datasets.find(({ id }) => id === asked.get('dataset'))?.id ?? options.datasets[0]?.id ?? '',
  );
  const [models, setModels] = useState<string[]>(
    options.models.filter(({ short }) => asked.getAll('model').includes(short)).map(({ id }) => id),
  );
  const [chosen, setChosen] = useState<Settings>({
    original: {},
    ...Object.fromEntries(asked.getAll('scenario').map((text) => fromName(text, options.scenarios))),
  });
  const [backgrounds, setBackgrounds] = useState('');
  const [limit, setLimit] = useState('');
  const [problem, setProblem] = useState('');
  const scenarios = Object.entries(chosen).map(([id, settings]) => scenarioName(id, settings));
  const submit = async (event: Event) => {
    event.preventDefault();
    setProblem('');
    try {
      const body = {
        name,
        dataset,
        models,
        scenarios,
        ...(backgrounds && { backgrounds }),
        ...(limit && { limit: Number(limit) }),
      };
      await post(['start'], body);
      notice.value = `${name} is being started`;
      go('#/');
    } catch (error) {
      setProblem((error as Error).message);
    }
  };
  if (!options.datasets.length || !options.models.length)
    return (
      <p>
        To start a run the studio must know a dataset and a model:{' '}
        <code>sceneshift studio DATASET --model MODEL.onnx</code>, or open a run that has them.
      </p>
    );
  return (
    <form class="start-form" onSubmit={submit}>
      <fieldset>
        <legend>What</legend>
        <p>
          <label>
            Name{' '}
            <input
              required
              pattern="[\w][\w.\-]*"
              value={name}
              onInput={(event) => setName(event.currentTarget.value)}
            />
          </label>{' '}
          <label>
            Dataset{' '}
            <select value={dataset} onChange={(event) => setDataset(event.currentTarget.value)}>
              {options.datasets.map(({ id, name: shown }) => (
                <option key={id} value={id}>
                  {shown}
                </option>
              ))}
            </select>
          </label>{' '}
          <label>
            At most{' '}
            <input type="number" min={1} value={limit} onInput={(event) => setLimit(event.currentTarget.value)} />{' '}
            samples
          </label>
        </p>
        {options.backgrounds.length > 0 && (
          <label>
            Backgrounds{' '}
            <select value={backgrounds} onChange={(event) => setBackgrounds(event.currentTarget.value)}>
              <option value="">from the dataset’s other photographs</option>
              {options.backgrounds.map(({ id, name: shown }) => (
                <option key={id} value={id}>
                  {shown}
                </option>
              ))}
            </select>
          </label>
        )}
      </fieldset>
      <fieldset>
        <legend>Models</legend>
        {options.models.map(({ id, name: file, short }) => (
          <div key={id}>
            <label>
              <input
                type="checkbox"
                checked={models.includes(id)}
                onChange={() =>
                  setModels(models.includes(id) ? models.filter((other) => other !== id) : [...models, id])
                }
              />{' '}
              {short} {file !== short && <span class="soft path">{file}</span>}
            </label>
          </div>
        ))}
      </fieldset>
      <fieldset>
        <legend>Scenarios</legend>
        <div class="row-buttons">
          {options.presets.map(({ id, title, scenarios: list }) => (
            <button
              key={id}
              type="button"
              onClick={() => setChosen(Object.fromEntries(list.map((text) => fromName(text, options.scenarios))))}
            >
              {title}
            </button>
          ))}
        </div>
        {Object.entries(options.families).map(([family, title]) => {
          const own = options.scenarios.filter((scenario) => scenario.family === family);
          if (!own.length) return null;
          return (
            <details key={family} open={own.some(({ id }) => chosen[id])}>
              <summary>{title}</summary>
              {own.map((scenario) => (
                <ScenarioRow key={scenario.id} scenario={scenario} chosen={chosen} setChosen={setChosen} />
              ))}
            </details>
          );
        })}
      </fieldset>
      {problem && (
        <p class="error" role="alert">
          {problem}
        </p>
      )}
      <button type="submit" class="main" disabled={!models.length || !scenarios.length}>
        Start: {plural(models.length, 'model')} × {plural(scenarios.length, 'scenario')}
      </button>
    </form>
  );
}

function ScenarioRow({
  scenario: { id, title, description, params },
  chosen,
  setChosen,
}: {
  scenario: ScenarioField;
  chosen: Settings;
  setChosen: (next: Settings) => void;
}) {
  const isOn = chosen[id] !== undefined;
  const toggle = () => {
    const { [id]: before, ...others } = chosen;
    setChosen(before ? others : { ...chosen, [id]: {} });
  };
  return (
    <div class="scenario">
      <label title={description}>
        <input type="checkbox" checked={isOn} onChange={toggle} /> {title} <span class="soft">{id}</span>
      </label>
      {isOn && params.length > 0 && (
        <span class="params">
          {params.map((param) => (
            <Param
              key={param.name}
              of={id}
              param={param}
              value={chosen[id][param.name] ?? param.default}
              put={(value) => setChosen({ ...chosen, [id]: { ...chosen[id], [param.name]: value } })}
            />
          ))}
        </span>
      )}
    </div>
  );
}

function Param({
  of,
  param: { name, describe, kind, choices, min, max, words },
  value,
  put,
}: {
  of: string;
  param: ParamField;
  value: string;
  put: (value: string) => void;
}) {
  const label = `${of}: ${name}`;
  return (
    <label title={describe} for={label}>
      {name}{' '}
      {kind === 'choice' ? (
        <select id={label} aria-label={label} value={value} onChange={(event) => put(event.currentTarget.value)}>
          {choices?.map((choice) => (
            <option key={choice}>{choice}</option>
          ))}
        </select>
      ) : (
        <input
          id={label}
          aria-label={label}
          type={kind === 'number' && !words ? 'number' : 'text'}
          step="any"
          min={min}
          max={max}
          value={value}
          onInput={(event) => put(event.currentTarget.value)}
        />
      )}
    </label>
  );
}
