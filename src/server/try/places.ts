import { availableParallelism } from 'node:os';
import { SampleError } from '../../contracts/errors.ts';
import type { ModelConfig } from '../../contracts/model-config.ts';
import { runRecordSchema } from '../../contracts/run-record.ts';
import type { Sample } from '../../contracts/sample.ts';
import { shownLabel } from '../../labels/imagenet-1k.ts';
import { type LabelMap, resolveTargets } from '../../labels/targets.ts';
import type { ModelDescription } from '../../models/define.ts';
import { assumeClassOrder } from '../../models/labels.ts';
import { describeModel } from '../../models/open.ts';
import { locate } from '../../models/spec.ts';
import { recordedConfig } from '../../run/folder/index.ts';
import { outputMap } from '../../run/plan.ts';
import { createCancelFlags } from '../cancel-flags.ts';
import { notFound } from '../errors.ts';
import { type Lanes, openLanes } from '../lanes.ts';
import type { OpenRuns } from '../open-runs.ts';
import { openScenes, type Scenes } from '../scenes.ts';
import type { Workspace } from '../workspace.ts';
import { type AnswerTask, type AskedModel, answerJob } from './answer-job.ts';
import { type EditInit, type EditResult, type EditTask, editJob } from './edit-job.ts';

export interface PlaceOptions {
  readonly workspace: Workspace;
  readonly runs: OpenRuns;
  /** Named on the command line: of any kind, since the user chose them. */
  readonly models: readonly ModelConfig[];
  /** Asked where there are no others. */
  readonly spareModels: readonly ModelConfig[];
  readonly salient?: EditInit['salient'];
}

/** A run or a dataset with what is needed to try pictures in it. */
export interface TryPlace {
  readonly scenes: Scenes;
  readonly classes: readonly string[];
  /** Path of the dataset. */
  readonly data: string;
  /** Two threads: one for edits, which must be quick, one for masks and paintings, which may take their time. */
  edit(task: DistributiveOmit<EditTask, 'number'>, options?: EditOptions): Promise<EditResult>;
  /** Names of the models that will be asked; opened when first asked for. */
  models(): Promise<readonly string[]>;
  ask(task: Omit<AnswerTask, 'number' | 'targets'>, sample: Sample, options: AskOptions): Promise<void>;
  close(): Promise<void>;
}

type DistributiveOmit<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never;

interface EditOptions {
  readonly signal?: AbortSignal;
  readonly slow?: boolean;
  readonly canWait?: boolean;
  readonly onPart?: (part: EditResult) => void;
}

interface AskOptions {
  readonly signal?: AbortSignal;
  readonly onAnswer: (answer: NonNullable<Awaited<ReturnType<Lanes<AnswerTask, AnswerPart>['run']>>>) => void;
}
type AnswerPart = Awaited<ReturnType<Awaited<ReturnType<typeof answerJob.open>>['run']>>;

/** Each holds photographs and networks in memory, so few are kept. */
const mostOpen = 2;

export function createPlaces({ workspace, runs, models: given, spareModels, salient }: PlaceOptions) {
  const held = new Map<string, Promise<TryPlace>>();

  const list = async () => {
    const found = [
      ...(await workspace.runs()).map(({ id, name }) => ({ id: `run:${id}`, name })),
      ...(await workspace.datasets()).map(({ id, name }) => ({ id: `dataset:${id}`, name: `${name} (dataset)` })),
    ];
    return found;
  };

  const openPlace = async (id: string): Promise<TryPlace> => {
    const [kind, name] = id.split(/:(.*)/s);
    if (kind === 'run') {
      const run = await runs.open(name);
      const config = recordedConfig(await run.record());
      const named = (config?.models ?? []).filter((spec) => !given.some((one) => sameSpec(one, spec)));
      const specs = [...given, ...(await onlyNetworks(named))];
      return usePlace(await run.scenes(), { specs, labelMap: config?.labelMap, data: config?.data ?? '', salient });
    }
    if (kind !== 'dataset') throw notFound(`There is no place '${id.slice(0, 60)}' to try pictures in`);
    const { path } = await workspace.dataset(name);
    const record = runRecordSchema.parse({ config: { data: path }, scenarios: ['original'], models: [] });
    const scenes = await openScenes(record, workspace, Math.max(1, Math.min(2, availableParallelism())));
    const specs = given.length ? given : spareModels;
    return usePlace(scenes, { specs, data: path, salient, close: () => scenes.close() });
  };

  return {
    list,
    async open(id: string): Promise<TryPlace> {
      const known = held.get(id) ?? openPlace(id);
      held.delete(id);
      held.set(id, known);
      known.catch(() => held.delete(id));
      for (const [oldest, place] of held) {
        if (held.size <= mostOpen) break;
        held.delete(oldest);
        void place.then((opened) => opened.close()).catch(() => {});
      }
      return known;
    },
    /** The dataset's id in the form that starts runs. */
    datasetId: async (path: string) => (await workspace.datasets()).find((one) => one.path === path)?.id ?? null,
    async close() {
      await Promise.all([...held.values()].map((place) => place.then((opened) => opened.close()).catch(() => {})));
    },
  };
}

interface UseOptions {
  readonly specs: readonly ModelConfig[];
  readonly labelMap?: LabelMap;
  readonly data: string;
  readonly salient?: EditInit['salient'];
  readonly close?: () => Promise<void>;
}

function usePlace(scenes: Scenes, { specs, labelMap, data, salient, close: closeScenes }: UseOptions): TryPlace {
  const classes = [...new Set(scenes.samples.flatMap(({ label }) => (label === undefined ? [] : [label])))].sort();
  const flags = createCancelFlags();
  const init = { ...scenes.init, cancelled: flags.buffer, ...(salient !== undefined && { salient }) };
  const opening: Partial<Record<'quick' | 'slow', Promise<Lanes<EditTask, EditResult>>>> = {};
  const lane = (which: 'quick' | 'slow') => (opening[which] ??= openLanes(editJob, init, 1));
  const targetsOf = (description: ModelDescription, sample: Sample): number[] => {
    try {
      return resolveTargets({ description, labelMap, sample });
    } catch (error) {
      if (error instanceof SampleError) return [];
      throw error;
    }
  };

  let asked: Promise<AskedModel[]> | undefined;
  const askedModels = () => {
    asked ??= Promise.all(
      specs.map(async (spec) => {
        const description = assumeClassOrder(await describeModel(spec, { offline: true, classes }), classes);
        const targets = scenes.samples.map((sample) => targetsOf(description, sample));
        return { spec, description, names: outputMap(scenes.samples, description, targets).names.map(shownLabel) };
      }),
    );
    asked.catch(() => {
      asked = undefined;
    });
    return asked;
  };
  let answering: Promise<Lanes<AnswerTask, AnswerPart>> | undefined;

  return {
    scenes,
    classes,
    data,
    async edit(task, { slow = false, ...options } = {}) {
      const lanes = await lane(slow ? 'slow' : 'quick');
      return lanes.run({ ...task, number: flags.take(options.signal) } as EditTask, options);
    },
    models: async () => (await askedModels()).map(({ description }) => description.name),
    async ask(task, sample, { signal, onAnswer }) {
      const models = await askedModels();
      answering ??= openLanes(answerJob, { models, threads: 1, cancelled: flags.buffer }, 1);
      const targets = models.map(({ description }) => targetsOf(description, sample));
      const onPart = (part: AnswerPart) => {
        if (part && !signal?.aborted) onAnswer(part);
      };
      await (await answering).run({ ...task, targets, number: flags.take(signal) }, { signal, onPart });
    },
    async close() {
      const open = [opening.quick, opening.slow, answering].map(async (lanes) => (await lanes)?.close());
      await Promise.allSettled(open);
      await closeScenes?.();
    },
  };
}

const textOf = (spec: ModelConfig) => (typeof spec === 'string' ? spec : spec.model);
const sameSpec = (a: ModelConfig, b: ModelConfig) => textOf(a) === textOf(b);

/** A program or an address that stands in a run's record was chosen by whoever made the run: a click must not start it. */
async function onlyNetworks(specs: readonly ModelConfig[]): Promise<ModelConfig[]> {
  const kinds = await Promise.all(
    specs.map((spec) =>
      locate(typeof spec === 'string' ? { model: spec } : spec, { offline: true }).then(
        ({ kind }) => kind.id,
        () => 'missing',
      ),
    ),
  );
  return specs.filter((_, i) => kinds[i] === 'onnx' || kinds[i] === 'clip');
}
