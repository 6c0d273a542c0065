import type { Command } from './command.ts';

interface CommandEntry {
  readonly summary: string;
  load(): Promise<Command>;
}

/** Every command, with its line in `--help`; a command's file is loaded only when it is called. */
export const commands: Record<string, CommandEntry> = {
  demo: {
    summary: 'the whole line on the embedded benchmark, offline; ends with the report',
    load: async () => (await import('./commands/demo.ts')).demo as Command,
  },
  init: {
    summary: 'write a commented sceneshift.yaml to start from',
    load: async () => (await import('./commands/init.ts')).init as Command,
  },
  run: {
    summary: 'every model on every scenario; the same command continues where it stopped',
    load: async () => (await import('./commands/run.ts')).run as Command,
  },
  render: {
    summary: 'write every scenario of a dataset to disk',
    load: async () => (await import('./commands/render.ts')).renderCommand as Command,
  },
  mask: {
    summary: 'make object masks, by GrabCut or by a salient-object model',
    load: async () => (await import('./commands/mask.ts')).mask as Command,
  },
  'dataset check': {
    summary: 'open every image and mask of a dataset; say what is there and what is wrong',
    load: async () => (await import('./commands/dataset-check.ts')).datasetCheck as Command,
  },
  score: {
    summary: 'accuracy, drops and robustness of every model, from a run or a CSV',
    load: async () => (await import('./commands/score.ts')).score as Command,
  },
  compare: {
    summary: 'two runs or two models on the same images: what changed, and is it more than chance',
    load: async () => (await import('./commands/compare.ts')).compareCommand as Command,
  },
  train: {
    summary: 'train a head on frozen features in every scenario; test each in every scenario',
    load: async () => (await import('./commands/train.ts')).train as Command,
  },
  quality: {
    summary: 'are generated pictures like real ones: KID, FID, precision and recall on any features',
    load: async () => (await import('./commands/quality.ts')).quality as Command,
  },
  worker: {
    summary: 'take work from the queue that run --queue fills',
    load: async () => (await import('./commands/worker.ts')).worker as Command,
  },
  queue: {
    summary: 'what is in the queue: depth, workers, rate, failures',
    load: async () => (await import('./commands/queue.ts')).queue as Command,
  },
  merge: {
    summary: 'join run folders that several machines made',
    load: async () => (await import('./commands/merge.ts')).merge as Command,
  },
  mine: {
    summary: 'pictures that several models fail: choose, test on models held out, review, release',
    load: async () => (await import('./commands/mine.ts')).mine as Command,
  },
  report: {
    summary: 'the report of a run: one HTML file, or its tables as Markdown, CSV, LaTeX or JSON',
    load: async () => (await import('./commands/report.ts')).report as Command,
  },
  studio: {
    summary: 'the web app: explore, compare, try, annotate, review',
    load: async () => (await import('./commands/studio.ts')).studio as Command,
  },
  check: {
    summary: 'hold a run to the limits in its settings, for CI',
    load: async () => (await import('./commands/check.ts')).check as Command,
  },
  scenarios: {
    summary: 'what can be changed about a scene: every scenario with its settings, and the presets',
    load: async () => (await import('./commands/scenarios.ts')).scenariosCommand as Command,
  },
  'models inspect': {
    summary: 'what a model is: inputs, outputs, operators, preprocessing, labels; runs it once',
    load: async () => (await import('./commands/models-inspect.ts')).modelsInspect as Command,
  },
  'plugin check': {
    summary: 'try a plugin: what it adds, and whether its scenarios keep what they promise',
    load: async () => (await import('./commands/plugin-check.ts')).pluginCheck as Command,
  },
  doctor: {
    summary: 'what this machine has: Node, cores, memory, libraries, optional parts',
    load: async () => (await import('./commands/doctor.ts')).doctor as Command,
  },
  generate: {
    summary: 'pictures from words, offline by the embedded diffusion model or by one of your own',
    load: async () => (await import('./commands/generate.ts')).generate as Command,
  },
  explain: {
    summary: 'where the models look: saliency maps, and numbers about them, for samples of a run',
    load: async () => (await import('./commands/explain.ts')).explain as Command,
  },
  helps: {
    summary: 'what helps a model as delivered: the object cropped, or its background suppressed',
    load: async () => (await import('./commands/helps.ts')).helps as Command,
  },
  analyze: {
    summary: 'regression: what matters, how much, and how sure',
    load: async () => (await import('./commands/analyze.ts')).analyze as Command,
  },
};
