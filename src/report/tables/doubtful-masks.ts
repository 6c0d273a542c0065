import type { RunRecord } from '../../contracts/run-record.ts';
import type { ReportTable } from '../document.ts';

/** Masks to look at before believing what was measured with them, the worst first. */
export function doubtfulMasksTable(found: RunRecord['doubtfulMasks']): ReportTable | null {
  if (!found?.masks) return null;
  const { looked, masks, worst } = found;
  return {
    id: 'doubtful-masks',
    title: `Doubtful masks: ${masks} of ${looked}`,
    note: `Tiny, in many pieces or mostly uncertain; used all the same.${worst.length < masks ? ` The ${worst.length} worst;` : ''} sceneshift dataset check --sheet FILE.html shows them.`,
    folded: true,
    columns: [
      { key: 'sample', label: 'Sample' },
      { key: 'doubts', label: 'Why' },
    ],
    rows: worst.map(({ sample, doubts }) => ({ sample, doubts: doubts.join('; ') })),
  };
}
