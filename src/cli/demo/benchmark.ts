import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { UserError } from '../../contracts/errors.ts';
import { readCsvObjects } from '../../formats/csv-rows.ts';
import type { Twins } from '../../metrics/planted-bias/known-truth.ts';

/** What the manifest of the embedded benchmark says beyond what every dataset says. */
export interface BenchmarkImage {
  /** As rows name the sample. */
  readonly id: string;
  readonly label: string;
  readonly environment: string;
  /** Seen where its class usually is. */
  readonly usual: boolean;
}

export interface Benchmark {
  readonly manifest: string;
  readonly backgrounds: string;
  /** Folder of backgrounds that the embedded diffusion model painted, one for each image. */
  readonly generated: string;
  readonly images: readonly BenchmarkImage[];
  /** Files. */
  readonly models: readonly string[];
  readonly twins: readonly Twins[];
}

/** Seen from dist/, where the command line is built to. */
const home = fileURLToPath(new URL('../benchmark', import.meta.url));

export async function readBenchmark(folder = home): Promise<Benchmark> {
  const manifest = join(folder, 'manifest.csv');
  if (!existsSync(manifest))
    throw new UserError(`The embedded benchmark is not at ${folder}: install the package again, or clone it whole`);
  const images = readCsvObjects(await readFile(manifest)).map(({ image, label, environment, usual }) => ({
    id: image,
    label,
    environment,
    usual: usual === 'yes',
  }));
  const names = (await readdir(join(folder, 'models')))
    .filter((file) => file.endsWith('.onnx'))
    .sort()
    .map((file) => file.slice(0, -'.onnx'.length));
  return {
    manifest,
    backgrounds: join(folder, 'backgrounds'),
    generated: join(folder, 'generated'),
    images,
    models: names.map((name) => join(folder, 'models', `${name}.onnx`)),
    twins: pairTwins(names),
  };
}

export function pairTwins(names: readonly string[]): Twins[] {
  return names.flatMap((biased) => {
    const [, network] = /^(.+)-biased(-\d+)?$/.exec(biased) ?? [];
    const unbiased = biased.replace('-biased', '-unbiased');
    return network && unbiased !== biased && names.includes(unbiased) ? [{ network, biased, unbiased }] : [];
  });
}
