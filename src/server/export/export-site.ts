import { cp, mkdir, readdir, readFile, rename, rm, rmdir, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { UserError } from '../../contracts/errors.ts';
import { packColumns } from '../../contracts/explore/pack.ts';
import { scoreSchema } from '../../contracts/score.ts';
import type { RunSummary } from '../../contracts/studio/runs.ts';
import { inOwnFolder } from '../../run/folder/index.ts';
import { createOpenRuns, type OpenRun } from '../open-runs.ts';
import { summariseRun } from '../runs.ts';
import { fillFacts } from '../sample-facts.ts';
import type { Tools } from '../tools.ts';
import type { VariantView } from '../variant-job.ts';
import type { Workspace } from '../workspace.ts';
import { exportComparisons } from './export-comparisons.ts';
import { exportMaps } from './export-maps.ts';
import { exportMined } from './export-mined.ts';
import { exportReviews } from './export-reviews.ts';

export interface ExportOptions {
  readonly workspace: Workspace;
  /** The built page: address → file. */
  readonly page: ReadonlyMap<string, string>;
  readonly tools: Tools;
  readonly out: string;
  readonly onProgress?: (done: number, total: number) => void;
}

export interface Exported {
  readonly runs: string[];
  readonly pictures: number;
  readonly missing: number;
}

const picturePx = 320;
const parallel = 8;
const marker = '.sceneshift-studio-site';

/** A read-only site of the runs: the page, the answers as columns, every picture; any web server can serve it from any path. */
export async function exportSite(options: ExportOptions): Promise<Exported> {
  const places = await options.workspace.runs();
  if (!places.length) throw new UserError('There is no run to export; name one: sceneshift studio RUN --export DIR');
  const out = resolve(options.out);
  await checkPlace(out);
  // Beside its place, and moved there when it is whole: a web server never shows half a site.
  const workshop = `${out}.partial`;
  const exported = await inOwnFolder(workshop, async () => {
    const site = join(workshop, 'site');
    await rm(site, { recursive: true, force: true });
    const made = await writeSite(site, places, options);
    await rm(out, { recursive: true, force: true });
    await rename(site, out);
    return made;
  });
  // Fails, harmlessly, where another export works in it already.
  await rmdir(workshop).catch(() => undefined);
  return exported;
}

async function writeSite(
  site: string,
  places: Awaited<ReturnType<Workspace['runs']>>,
  { workspace, page, tools, onProgress }: ExportOptions,
): Promise<Exported> {
  await mkdir(site, { recursive: true });
  await writeFile(join(site, marker), '');
  for (const [address, file] of page) {
    const target = join(site, address.slice(1));
    await mkdir(dirname(target), { recursive: true });
    await cp(file, target);
  }
  const html = await readFile(join(site, 'index.html'), 'utf8');
  await writeFile(
    join(site, 'index.html'),
    html.replace('<head>', '<head>\n    <meta name="studio" content="static" />'),
  );

  const open = createOpenRuns(workspace);
  const summaries: RunSummary[] = [];
  const exported = { runs: [] as string[], pictures: 0, missing: 0 };
  try {
    for (const place of places) {
      const summary = await summariseRun(place);
      // Paths of this machine are left out of the exported site.
      summaries.push({ ...summary, name: summary.id, folder: '', data: '', message: null });
      const folder = join(site, 'data', place.id);
      await mkdir(folder, { recursive: true });
      const run = await open.open(place.id);
      const columns = await run.columns();
      const scenes = await run.scenes().catch(() => undefined);
      if (scenes)
        await fillFacts(scenes, columns.samples, columns.facts, { signal: new AbortController().signal, atOnce: true });
      await writeFile(join(folder, 'answers.bin'), packColumns(columns));
      await writeFile(join(folder, 'score.json'), JSON.stringify(await tools.json(['score', place.path], scoreSchema)));
      await exportMined(place.path, folder);
      await exportMaps(run, columns, folder);
      await exportComparisons(place, folder);
      const { made, missing } = await writePictures(run, join(folder, 'pictures'), onProgress);
      exported.runs.push(place.id);
      exported.pictures += made;
      exported.missing += missing;
    }
  } finally {
    await open.close();
  }
  await writeFile(join(site, 'data', 'runs.json'), JSON.stringify(summaries));
  await exportReviews(workspace, join(site, 'data'));
  return exported;
}

/** Only a folder that is new, empty, or an earlier export, is replaced. */
async function checkPlace(out: string): Promise<void> {
  const names = await readdir(out).catch(() => [] as string[]);
  if (names.length && !names.includes(marker))
    throw new UserError(`${out} is there already and is no exported studio; choose a new folder for --export`);
}

async function writePictures(run: OpenRun, folder: string, onProgress: ExportOptions['onProgress']) {
  const columns = await run.columns();
  const scenes = await run.scenes().catch(() => undefined);
  const count = columns.variantSample.length;
  if (!scenes) return { made: 0, missing: count };
  let [made, missing, done] = [0, 0, 0];
  const original = columns.scenarios.indexOf('original');
  const put = async (s: number, c: number, view: VariantView) => {
    const picture = await scenes
      .picture(columns.samples[s], columns.scenarios[c], view, picturePx)
      .catch(() => undefined);
    if (!picture) return false;
    await writeFile(join(folder, String(c), `${s}${view === 'picture' ? '.webp' : `-${view}.png`}`), picture.bytes);
    return true;
  };
  for (const c of columns.scenarios.keys()) await mkdir(join(folder, String(c)), { recursive: true });
  const next = Array.from({ length: count }, (_, v) => v)[Symbol.iterator]();
  const drain = async () => {
    for (const v of next) {
      const [s, c] = [columns.variantSample[v], columns.variantScenario[v]];
      if (await put(s, c, 'picture')) made++;
      else missing++;
      if (c === original) for (const view of ['mask', 'border'] as const) await put(s, c, view);
      onProgress?.(++done, count);
    }
  };
  await Promise.all(Array.from({ length: parallel }, drain));
  return { made, missing };
}
