import { UserError } from '../contracts/errors.ts';
import type { Sample } from '../contracts/sample.ts';
import { findGenerated, readDropped } from '../run/generated-folder.ts';
import { hashFile, hashJson } from '../run/hash.ts';
import { listPictures } from '../run/list-pictures.ts';
import { paints } from '../run/paint-ahead.ts';
import { paintingIdentity } from '../run/painter.ts';
import type { PaintingOptions } from '../run/painting-options.ts';
import type { PhotographOptions } from '../run/photograph.ts';
import { codeOfScenario } from '../run/plugins/identity.ts';
import type { NamedScenario } from '../scenarios/name.ts';
import { needsOf } from '../scenarios/registry.ts';
import type { Backbone } from './backbone.ts';
import type { FeatureSample } from './feature-job.ts';
import { partitionBackgrounds, planFolds } from './folds.ts';

/** A sample of the training data. */
export interface TrainingSample extends FeatureSample {
  /** Hash of its picture, mask and facts. */
  readonly sampleHash: string;
  /** Samples with the same value stay in one fold in any split. */
  readonly linkedTo: string;
  /** Place of its label among the classes. */
  readonly class: number;
}

/** A scenario as the network is shown it. */
export interface WantedFeatures {
  readonly scenario: string;
  readonly view: string;
}

export interface FeaturePlanInput {
  readonly samples: readonly Sample[];
  readonly classes: readonly string[];
  readonly scenarios: readonly NamedScenario[];
  /** The user named the scenarios: images that show another one already are left out. */
  readonly scenariosNamed: boolean;
  /** Further ways of showing every scenario; `plain` is always there. */
  readonly views?: readonly string[];
  readonly folds: number;
  readonly seed: number;
  readonly photographs: PhotographOptions;
  readonly backgrounds?: readonly string[];
  readonly generated?: string;
  readonly painting?: PaintingOptions;
  readonly backbone: Backbone;
  readonly version: string;
}

export interface FeaturePlan {
  readonly plannedSamples: readonly TrainingSample[];
  readonly wanted: readonly WantedFeatures[];
  /** By `wanted`, then by sample: the key of its features; empty where the sample has no such variant. */
  readonly keys: readonly (readonly string[])[];
  readonly folds: number;
  readonly backgrounds: readonly (readonly string[])[] | undefined;
  readonly dataHash: string;
  readonly warnings: readonly string[];
}

/** Which features are needed, under which keys, and from which fold every picture comes. */
export async function planFeatures(input: FeaturePlanInput): Promise<FeaturePlan> {
  const { scenarios, folds, seed, photographs, backbone, version } = input;
  const samples = input.samples.filter((sample) => sample.label !== undefined);
  const paths = samples.flatMap(({ image, mask, protect }) => [
    image,
    ...[mask, protect].flatMap((source) => (source?.kind === 'file' ? [source.path] : [])),
  ]);
  const hashes = await hashFiles([...paths, ...(input.backgrounds ?? [])]);
  const hashOf = (path: string) => hashes.get(path) || undefined;
  const { foldOf, linkedTo, warnings } = planFolds({ samples, hashOf, folds, seed });
  const code = new Map(input.classes.map((label, i) => [label, i]));
  const plannedSamples = samples.map((sample): TrainingSample => {
    const { image, mask, protect, ...facts } = sample;
    const hashed = (source: typeof mask) =>
      source?.kind === 'file' ? { ...source, path: hashOf(source.path) } : source;
    return {
      sample,
      fold: foldOf.get(sample.id) as number,
      linkedTo: linkedTo.get(sample.id) as string,
      class: code.get(sample.label as string) as number,
      sampleHash: hashJson({
        ...facts,
        image: hashOf(image),
        mask: hashed(mask),
        ...(protect && { protect: hashed(protect) }),
      }),
    };
  });
  const needs = new Map(scenarios.map(({ name, scenario, params }) => [name, needsOf(scenario, params)]));
  const pasted = [...needs.values()].some((own) => own.includes('backgrounds'));
  const backgrounds =
    input.backgrounds && pasted ? partitionBackgrounds(input.backgrounds, { folds, seed, hashOf }) : undefined;
  const pools = Array.from({ length: folds }, (_, fold) => {
    const own = hashJson(
      plannedSamples
        .filter((planned) => planned.fold === fold)
        .map(({ sampleHash }) => sampleHash)
        .sort(),
    );
    return { backgrounds: backgrounds ? backgrounds[fold].map(hashOf) : own, others: own };
  });
  const generated = input.generated
    ? hashJson([
        ...(await hashFiles(await listPictures(input.generated))).values(),
        ...(await readDropped(input.generated)).map(({ id }) => id).sort(),
      ])
    : paints(scenarios, undefined)
      ? await paintingIdentity(input.painting ?? {})
      : null;
  if (input.generated && [...needs.values()].some((own) => own.includes('generator')))
    await checkGenerated(input.generated, plannedSamples);
  const poolOf = (scenario: string, fold: number) => {
    const own = needs.get(scenario) ?? [];
    return [
      own.includes('backgrounds') && pools[fold].backgrounds,
      own.includes('others') && pools[fold].others,
      own.includes('generator') && generated,
    ];
  };

  const made = scenarios.map(({ name }) => name);
  const given = [...new Set(samples.flatMap(({ scenario }) => (scenario === undefined ? [] : [scenario])))];
  const photographed = samples.some(({ scenario }) => scenario === undefined);
  const names = [
    ...new Set([
      ...(photographed ? made : made.filter((name) => given.includes(name))),
      ...(input.scenariosNamed ? given.filter((name) => made.includes(name)) : given),
    ]),
  ];
  const wanted = ['plain', ...(input.views ?? [])].flatMap((view) => names.map((scenario) => ({ scenario, view })));
  const common = hashJson({ backbone: backbone.identity, seed, photographs, version });
  const keys = wanted.map(({ scenario, view }) =>
    plannedSamples.map(({ sample, sampleHash, fold }) => {
      if (sample.scenario === undefined ? !made.includes(scenario) : sample.scenario !== scenario) return '';
      const pool = sample.scenario === undefined ? poolOf(scenario, fold) : null;
      const code = sample.scenario === undefined ? codeOfScenario(scenario) : {};
      return hashJson({ common, scenario, view, source: sampleHash, pool, ...code });
    }),
  );
  const dataHash = hashJson(plannedSamples.map(({ sampleHash }) => sampleHash).sort());
  return { plannedSamples, wanted, keys, folds, backgrounds, dataHash, warnings };
}

/** Refuses a background that was generated for samples of two folds: it would be seen in training and in the test. */
async function checkGenerated(folder: string, plannedSamples: readonly TrainingSample[]): Promise<void> {
  const users = new Map<string, TrainingSample>();
  for (const planned of plannedSamples) {
    const { path } = await findGenerated(folder, planned.sample.id);
    const other = path === undefined ? undefined : users.get(path);
    if (other && other.fold !== planned.fold)
      throw new UserError(
        `${path} is the generated background of both ${other.sample.id} and ${planned.sample.id}, which are in different folds; name the files after the samples' paths, one for each`,
      );
    if (path !== undefined) users.set(path, planned);
  }
}

async function hashFiles(paths: readonly string[]): Promise<Map<string, string>> {
  const hashes = new Map(paths.map((path) => [path, '']));
  const queue = hashes.keys();
  const drain = async () => {
    // A file that cannot be read is reported as its sample's error when it is decoded.
    for (const path of queue) hashes.set(path, await hashFile(path).catch(() => ''));
  };
  await Promise.all(Array.from({ length: 8 }, drain));
  return hashes;
}
