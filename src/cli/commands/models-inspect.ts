import { basename, resolve } from 'node:path';
import { configSchema } from '../../contracts/config.ts';
import { UserError } from '../../contracts/errors.ts';
import type { ModelConfig } from '../../contracts/model-config.ts';
import { pluginsRecord } from '../../run/plugins/identity.ts';
import { resolvePlace } from '../../storage/s3-url.ts';
import { defineCommand } from '../command.ts';
import { loadConfig } from '../config.ts';
import { inspectionJson, inspectModel } from '../models/inspect-model.ts';
import { inspectionText } from '../models/inspect-rows.ts';
import { runTrials, trialsText } from '../models/trial-table.ts';
import { dataOptions } from '../options.ts';
import { print } from '../ui/output.ts';
import { pluginsText } from '../ui/plugins-text.ts';
import { createProgress } from '../ui/progress.ts';

export const modelsInspect = defineCommand({
  name: 'models inspect',
  summary: 'What a model is: inputs, outputs, operators, preprocessing, labels; runs it once.',
  args: ['[MODEL]'],
  options: {
    data: { type: 'string', value: 'DIR', describe: 'labelled photographs: try every plausible preprocessing on them' },
    photographs: { type: 'number', describe: 'how many of them, evenly from the classes', default: 100 },
    layout: dataOptions.layout,
    decode: dataOptions.decode,
    config: {
      type: 'string',
      value: 'FILE',
      describe: 'show the models as these settings make them; MODEL chooses one',
    },
    threads: { type: 'number', describe: 'threads for the trial run', default: 1 },
    labels: { type: 'string', multiple: true, describe: 'names a zero-shot model is to choose from', value: 'NAME' },
    offline: { type: 'boolean', describe: 'take a Hugging Face model from the cache only' },
  },
  examples: [
    'sceneshift models inspect mobilenetv2.onnx',
    'sceneshift models inspect mobilenetv2.onnx --data photos/',
    'sceneshift models inspect --config sceneshift.yaml',
    'sceneshift models inspect openai/clip-vit-base-patch32 --labels cat --labels dog',
    'sceneshift models inspect "command:python3 my_model.py"',
  ],
  async run({ json, threads, labels, offline, config: file, data, layout, decode, photographs }, [named]) {
    if (!named && !file)
      throw new UserError('Expected a MODEL, or --config FILE; see sceneshift models inspect --help');
    if (!(photographs >= 1)) throw new UserError(`Expected 1 or more for --photographs but received ${photographs}`);
    const config = file ? await loadConfig(file, { decode }) : configSchema.parse({ decode });
    const specs = file ? chosen(config.models, named, file) : [named];
    const options = { threads, offline, classes: labels.length ? labels : undefined, onProgress: downloadBar() };
    const results = [];
    const texts: string[] = [];
    let unusable = false;
    for (const spec of specs) {
      const inspection = await inspectModel(spec, options);
      unusable ||= inspection.problem !== undefined;
      const { described } = inspection;
      const trials =
        data && described
          ? await runTrials(described, {
              ...{ data: resolvePlace(data), layout, photographs, threads },
              ...{ decode: config.decode, maxPixels: config.maxPixels, labelMap: config.labelMap },
            })
          : undefined;
      results.push({ ...inspectionJson(inspection), ...(trials && { preprocessings: trials }) });
      texts.push(inspectionText(inspection, threads));
      if (trials && described) texts.push(trialsText(trials, described));
    }
    const plugins = pluginsText();
    print(json, { ...(named ? results[0] : { models: results }), ...pluginsRecord() }, () =>
      [...texts, ...(plugins ? [plugins] : [])].join('\n\n'),
    );
    return unusable ? 2 : 0;
  },
});

/** The config's models, or the one that is called so, in whole or by its file's name. */
function chosen(models: readonly ModelConfig[], named: string | undefined, file: string): ModelConfig[] {
  const settings = (spec: ModelConfig) => (typeof spec === 'string' ? { model: spec, name: undefined } : spec);
  if (!models.length) throw new UserError(`${file} has no models`);
  if (!named) return [...models];
  const found = models.filter((spec) => {
    const { model, name } = settings(spec);
    return [name, model, basename(model)].includes(named) || resolve(model) === resolve(named);
  });
  if (found.length) return found.slice(0, 1);
  const listed = models.map((spec) => settings(spec).name ?? settings(spec).model).join(', ');
  throw new UserError(`${file} has no model '${named}'; it has ${listed}`);
}

/** A bar only where something is really downloaded. */
function downloadBar() {
  let bar: ReturnType<typeof createProgress> | undefined;
  return ({ done, total }: { done: number; total: number }) => {
    bar ??= createProgress({ title: 'downloading', noun: 'kB', total: Math.ceil(total / 1000) });
    bar.update(Math.ceil(done / 1000));
    if (done === total) bar.finish();
  };
}
