import { expect, it } from 'vitest';
import { parseConfig } from './settings.ts';

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
