import { expect, it } from 'vitest';
import { parseConfig, pathsFrom } from './settings.ts';

const base = { data: 'photographs', models: ['net.onnx'], scenarios: ['original'] };
const withModel = (settings: Record<string, unknown>) => ({ ...base, models: [{ model: 'net.onnx', ...settings }] });
const said = (config: unknown) => () => parseConfig(config, 'sceneshift.yaml');

it('says which field of a model is wrong, and what it takes', () => {
  expect(said(withModel({ device: 'gpu' }))).toThrow(
    "Expected one of cpu, cuda, coreml, directml, webgpu for models.0.device in sceneshift.yaml but received 'gpu'",
  );
  expect(said(withModel({ batch: 'many' }))).toThrow(/^Expected a number for models\.0\.batch in .* received 'many'/);
  expect(said(withModel({ labels: 5 }))).toThrow(/^Expected a text or a list for models\.0\.labels in .* received 5/);
  expect(said(withModel({ preprocessing: 'imagnet' }))).toThrow(
    /^Expected one of imagenet, .* or fields \(name: value\) for models\.0\.preprocessing in/,
  );
  expect(said(withModel({ vlm: { distractors: { cat: 1 } } }))).toThrow(
    /^Expected a text for models\.0\.vlm\.distractors\.cat in/,
  );
});

it('names the field of that place that is meant', () => {
  expect(said({ ...base, scenario: ['grey'] })).toThrow(
    "Unknown field 'scenario' in sceneshift.yaml; did you mean 'scenarios'?",
  );
  expect(said(withModel({ devise: 'cpu' }))).toThrow(
    "Unknown field 'models.0.devise' in sceneshift.yaml; did you mean 'device'?",
  );
  expect(said(withModel({ clip: { templat: 'photo' } }))).toThrow(
    "Unknown field 'models.0.clip.templat' in sceneshift.yaml; did you mean 'templates'?",
  );
});

it('says what a list may hold where the whole is of another kind', () => {
  expect(said({ ...base, models: [7] })).toThrow(
    'Expected a text or fields (name: value) for models.0 in sceneshift.yaml but received 7',
  );
});

it('says of a value with several forms what is wrong with the one that is meant', () => {
  const resized = (resize: unknown) => said(withModel({ preprocessing: { resize } }));
  expect(resized({ width: 5, height: 5, fit: 'fill' })).toThrow(
    "Expected one of stretch, cover, contain for models.0.preprocessing.resize.fit in sceneshift.yaml but received 'fill'",
  );
  expect(resized({ width: 5 })).toThrow(/^Expected a number for models\.0\.preprocessing\.resize\.height in/);
  expect(resized({ width: 5, heigth: 5 })).toThrow(/resize\.heigth' in .*; did you mean 'height'\?$/);
  expect(resized({ shortSide: 5, fit: 'cover' })).toThrow(
    /resize\.fit' in .*; there may be shortSide, filter, width, height$/,
  );
  expect(resized(5)).toThrow(/^Expected fields \(name: value\) or null for models\.0\.preprocessing\.resize in/);
  expect(said({ ...base, models: [[]] })).toThrow(/^Expected a text or fields \(name: value\) for models\.0 in/);
});

it('names the wrong name, not the field that is missing for it', () => {
  expect(said(withModel({ predictions: { modell: 'x' } }))).toThrow(
    /predictions\.modell' in .*did you mean 'model'\?$/,
  );
  expect(said({ ...base, gates: [{ metrik: 'top1', min: 0.5 }] })).toThrow(/gates\.0\.metrik' in .*'metric'\?$/);
});

it('says what the field itself is for', () => {
  expect(said({ ...base, diffusion: { guidance: -1 } })).toThrow(
    /received -1; diffusion\.guidance: how closely prompts are followed; 1: no guidance$/,
  );
  expect(said({ ...base, diffusion: { steps: 0 } })).toThrow(/received 0; diffusion: what paints backgrounds$/);
  expect(said({ ...base, maxErrors: Number.NaN })).toThrow(/received NaN; maxErrors: share of samples that may fail$/);
});

it('refuses an empty path, which would be the folder of the settings', () => {
  const read = (fields: Record<string, unknown>) => said(pathsFrom('/there', { ...base, ...fields }));
  for (const field of ['data', 'masks', 'backgrounds', 'generated', 'out'])
    expect(read({ [field]: '' }), field).toThrow(`Expected a text that is not empty for ${field} in`);
  expect(read({ plugins: [''] })).toThrow('for plugins.0 in');
  expect(read({ diffusion: { model: '' } })).toThrow('for diffusion.model in');
});

it('refuses a gate that holds for ever, or never', () => {
  const gate = (limits: Record<string, unknown>) => said({ ...base, gates: [{ metric: 'drop', ...limits }] });
  expect(gate({ max: 5 })).toThrow(/^Expected a share of at most 1 \(5 % is 0\.05\) for gates\.0\.max in/);
  expect(gate({ min: 0.5, max: 0.1 })).toThrow(/^Expected a number that is not below min for gates\.0\.max in/);
  expect(gate({ max: 1.2, relative: true })).not.toThrow();
});
