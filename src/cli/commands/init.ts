import { existsSync } from 'node:fs';
import { UserError } from '../../contracts/errors.ts';
import { replaceFile } from '../../formats/replace-file.ts';
import { defineCommand } from '../command.ts';
import { configFile } from '../config.ts';
import { print } from '../ui/output.ts';

export const init = defineCommand({
  name: 'init',
  summary: 'Write a commented sceneshift.yaml to start from.',
  options: {
    data: { type: 'string', value: 'PATH', describe: 'image folder, manifest or dataset', default: 'photos/' },
    model: { type: 'string', value: 'MODEL', multiple: true, describe: 'models to compare' },
    out: { type: 'string', value: 'FILE', describe: 'where to write', default: configFile },
    force: { type: 'boolean', describe: 'replace the file if there is one' },
  },
  async run({ data, model, out, force, json }) {
    const text = template(data, model.length ? model : ['model.onnx']);
    if (!force && existsSync(out)) throw new UserError(`${out} is there already; --force replaces it`);
    await replaceFile(out, text);
    print(
      json,
      { written: out },
      () => `Wrote ${out}. Edit it, then: sceneshift dataset check ${data} and sceneshift run`,
    );
  },
});

const quoted = (text: string) => (/^[\w./-]+$/.test(text) ? text : JSON.stringify(text));

const template = (
  data: string,
  models: readonly string[],
) => `# yaml-language-server: $schema=./node_modules/sceneshift/dist/sceneshift.schema.json
# Settings of \`sceneshift run\`. Paths are relative to this file. Every option of the command line wins over its line here.

# Image folder (CLASS/*.jpg), manifest (.csv, .jsonl), COCO, LabelMe, VOC, …: see docs/datasets.md
data: ${quoted(data)}
# masks: masks/              # parallel to the images, where they are not beside them
# border: ignore             # ignore | object | background: a trimap's uncertain border

models:
${models.map((model) => `  - ${quoted(model)}`).join('\n')}
#  - model: other.onnx
#    name: other             # as it is called in tables
#    preprocessing: imagenet # imagenet | inception | clip | u2net | raw, or a record; else FILE.json beside the model

# The dataset's label: the model's output (index, name or wnid, or several), where names do not meet by themselves
# labelMap:
#   tabby: [281, 282]

scenarios:
  - quick                    # or ximagenet-12, imagenet-e, imagenet-9, corruptions, or single ones: size:0.05
# backgrounds: backgrounds/  # pictures to put objects onto; else other classes' photographs, their objects removed

out: runs/first
seed: 0
# sample: 50                 # so many of each class
# folds: 12
# maxErrors: 0.1             # share of samples that may fail

# Limits for \`sceneshift check\`; status 100 where one does not hold
gates:
  - metric: drop             # robustness | top1 | top1Own | drop
    max: 0.2
    bound: estimate          # confidence: the 95 % bound must hold too
`;
