import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { overlayPath, type SaliencyRow } from '../../contracts/saliency.ts';
import { readSaliency } from '../../explain/read.ts';
import { groups, originalScenario } from '../../explain/summary/cells.ts';
import { type SaliencySummary, summariseSaliency } from '../../explain/summary/summarise.ts';
import { inspectImage } from '../../image/decode.ts';

export interface OverlayStrip {
  readonly model: string;
  readonly sample: string;
  readonly label: string;
  /** Change of the share on the object, from the photograph to where it is lowest. */
  readonly fall: number;
  readonly tiles: readonly (SaliencyRow & { readonly src: string; readonly width: number; readonly height: number })[];
}

export interface LoadedSaliency extends SaliencySummary {
  readonly strips: readonly OverlayStrip[];
}

/** The overlays stay small beside the other pictures. */
const budgetBytes = 600_000;
const mostStrips = 8;

/** What `explain` left in the run, with the most telling overlays as addresses that hold the picture itself. */
export async function loadSaliency(run: string): Promise<LoadedSaliency | null> {
  const saliency = await readSaliency(run);
  if (!saliency?.rows.length) return null;
  const order = new Map(saliency.index.scenarios.map((scenario, i) => [scenario, i]));
  const strips: OverlayStrip[] = [];
  let bytes = 0;
  for (const own of tellingFirst(saliency.rows)) {
    if (strips.length >= mostStrips) break;
    const sorted = [...own.rows].sort((a, b) => (order.get(a.scenario) ?? 0) - (order.get(b.scenario) ?? 0));
    const files = await Promise.all(
      sorted.map((row) => readFile(join(run, 'saliency', overlayPath(row, 'small'))).catch(() => undefined)),
    );
    const size = files.reduce((sum, file) => sum + (file?.length ?? 0), 0);
    if (!size || bytes + size > budgetBytes) continue;
    bytes += size;
    const tiles: OverlayStrip['tiles'][number][] = [];
    for (const [i, row] of sorted.entries()) {
      const file = files[i];
      if (!file) continue;
      const { width, height } = await inspectImage(file);
      tiles.push({ ...row, width, height, src: `data:image/webp;base64,${file.toString('base64')}` });
    }
    const { model, sample, label } = sorted[0];
    strips.push({ model, sample, label, fall: own.fall, tiles });
  }
  return { ...summariseSaliency(saliency), strips };
}

/** Samples from which attention moves away furthest and whose answer is lost, one of each class before a second. */
function tellingFirst(rows: readonly SaliencyRow[]) {
  const samples = [...groups(rows, ({ model, sample }) => JSON.stringify([model, sample])).values()].map((own) => {
    const before = own.find(({ scenario }) => scenario === originalScenario);
    const changes = own
      .filter((row) => row !== before)
      .map((row) => row.shareOnObject - (before?.shareOnObject ?? Number.NaN))
      .filter(Number.isFinite);
    const lost = before?.correct === true && own.some(({ correct }) => !correct);
    return { rows: own, fall: Math.min(0, ...changes), lost };
  });
  samples.sort((a, b) => Number(b.lost) - Number(a.lost) || a.fall - b.fall);
  const seen = new Map<string, number>();
  const turn = samples.map((own) => {
    const { label } = own.rows[0];
    seen.set(label, (seen.get(label) ?? 0) + 1);
    return { own, round: seen.get(label) as number };
  });
  return turn.sort((a, b) => a.round - b.round).map(({ own }) => own);
}
