import { saliencyIndexSchema } from '../contracts/saliency.ts';
import { type RunFolder, readDocument, sqlText } from '../run/folder/index.ts';

/** Measures of `explain` as columns of the predictions, by the names they have there. */
const columns = {
  reliance: 'reliance',
  shareOnObject: 'shareOnObject',
  energyRatio: 'energyRatio',
  pointing: 'pointing',
  saliencyIou: 'iou',
  deletion: 'deletion',
  insertion: 'insertion',
} as const;

/**
 * The predictions with what `explain` found beside each answer, as variables for the regression; `relianceOriginal` is the
 * same model's and image's reliance on `original`. Answers that were not explained have none; where nothing was, the
 * predictions alone.
 */
export async function withSaliency(folder: RunFolder): Promise<string> {
  const index = folder.tables.has('saliency')
    ? await readDocument(folder.path, 'saliency/index.json', saliencyIndexSchema, {
        remedy: 'sceneshift explain writes it again',
      })
    : undefined;
  if (!index) return 'SELECT * FROM predictions';
  // Rows of earlier selections stay in the folder; only the last one is what the index says it is.
  const samples = index.samples.map((sample) => `(${sqlText(sample)})`).join(', ');
  const chosen = Object.entries(columns).map(([name, column]) => `s."${column}" AS "${name}"`);
  return `
    WITH explained AS (SELECT * FROM saliency WHERE sample IN (SELECT * FROM (VALUES ${samples}))),
      p AS (SELECT *, row_number() OVER () AS place FROM predictions)
    SELECT p.* EXCLUDE (place), ${chosen.join(', ')}, o.reliance AS "relianceOriginal" FROM p
    LEFT JOIN explained AS s
      ON s.model = p.model AND s.scenario = p.scenario AND s.sample = p.sample AND p.trained = ''
    LEFT JOIN explained AS o
      ON o.model = p.model AND o.scenario = 'original' AND o.sample = p.sample AND p.trained = ''
    ORDER BY p.place`;
}
