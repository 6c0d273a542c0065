import { UserError } from '../contracts/errors.ts';
import type { MiningRecord } from '../contracts/mining.ts';
import type { Sample } from '../contracts/sample.ts';
import { type DatasetSettings, openConfiguredDataset } from '../run/configured-dataset.ts';
import { readRunRecord, recordedConfig } from '../run/folder/index.ts';

export type ChosenPicture = MiningRecord['chosen'][number];

export interface HardPicture {
  readonly chosen: ChosenPicture;
  readonly sample: Sample;
}

/** The files behind a mined set. */
export async function hardPictures({ chosen }: MiningRecord, run: string): Promise<HardPicture[]> {
  const samples = await pictureFiles(chosen, run);
  return chosen.map((one, i) => ({ chosen: one, sample: samples[i] }));
}

interface WantedPicture {
  readonly scenario: string;
  readonly sample: string;
}

/** Pictures that a scenario made exist only while a run works: `render` writes them first. */
export async function pictureFiles(
  wanted: readonly WantedPicture[],
  run: string,
  settings?: DatasetSettings,
): Promise<Sample[]> {
  const { samples, data } = await knownPictureFiles(wanted, run, settings);
  return samples.map((sample, i) => {
    if (!sample)
      throw new UserError(
        `${wanted[i].sample} in ${wanted[i].scenario} is no file of ${data}: it was edited on the way. Write it with sceneshift render, run on that folder and mine there`,
      );
    return sample;
  });
}

/** Undefined in the place of a picture that is no file of the run's data. `settings`: where that is, on this machine. */
export async function knownPictureFiles(
  wanted: readonly WantedPicture[],
  run: string,
  settings?: DatasetSettings,
): Promise<{ readonly samples: readonly (Sample | undefined)[]; readonly data: string }> {
  const found = await readRunRecord(run);
  const { data } = found;
  if (!data) throw new UserError(`${run}/run.json does not say where its pictures are`);
  const dataset = await openConfiguredDataset({
    ...(settings ?? { ...recordedConfig(found), data: data.path }),
    layout: data.layout,
  });
  const key = (scenario: string, sample: string) => `${scenario}\u0000${sample}`;
  const samples = new Map(dataset.samples.map((sample) => [key(sample.scenario ?? 'original', sample.id), sample]));
  return { samples: wanted.map(({ scenario, sample }) => samples.get(key(scenario, sample))), data: data.path };
}
