import { extname } from 'node:path';
import { configSchema } from '../contracts/config.ts';
import { expected } from '../contracts/errors.ts';
import { isObjectLost, objectLost } from '../generate/quality/object-kept.ts';
import { openConfiguredDataset } from '../run/configured-dataset.ts';
import { inOwnFolder } from '../run/folder/index.ts';
import { pictureNamedAfter, readDropped, writeDropped } from '../run/generated-folder.ts';
import { photographOptions } from '../run/inputs.ts';
import { type MadeAroundObject, measureObjects } from '../run/object-kept.ts';
import { loadPhotograph } from '../run/photograph.ts';
import { resolvePlace } from '../storage/s3-url.ts';
import { objectsText } from './ui/objects-text.ts';
import { createProgress } from './ui/progress.ts';

interface ObjectValues {
  readonly masks?: string;
  readonly layout?: string;
  readonly 'most-changed': number;
  readonly drop: boolean;
}

/** The objects of a folder's pictures beside those of the photographs they were painted around. */
export async function objectsOf(
  folder: string,
  data: string,
  { masks, layout, 'most-changed': most, drop }: ObjectValues,
) {
  if (!(most >= 0 && most <= 1)) throw expected('a share, 0 to 1', '--most-changed', most);
  const config = { data: resolvePlace(data), layout, masks: masks && resolvePlace(masks) };
  const { samples } = await openConfiguredDataset(config);
  const photographs = photographOptions(configSchema.parse(config));
  const pictures: MadeAroundObject[] = [];
  for (const sample of samples.filter(({ mask, scenario }) => mask && !scenario)) {
    const file = await pictureNamedAfter(folder, sample.id);
    if (file !== undefined)
      pictures.push({
        id: sample.id.slice(0, sample.id.length - extname(sample.id).length),
        file,
        source: () => loadPhotograph(sample, photographs),
      });
  }
  if (!pictures.length) throw expected('pictures named after masked photographs', '--photographs', data);
  const progress = createProgress({ title: 'object kept', noun: 'pictures', total: pictures.length });
  const objects = await measureObjects(pictures, (done) => progress.update(done)).finally(() => progress.finish());
  const broken = objects.flatMap((change) => {
    const reason = objectLost(change, most);
    return reason === undefined ? [] : [{ id: change.id, reason }];
  });
  if (drop)
    await inOwnFolder(folder, async () => {
      const measured = new Set(objects.map(({ id }) => id));
      const others = (await readDropped(folder)).filter(({ id, reason }) => !measured.has(id) || !isObjectLost(reason));
      await writeDropped(folder, [...others, ...broken.filter(({ id }) => !others.some((other) => other.id === id))]);
    });
  return { objects, broken, dropped: drop };
}

export const keptText = ({ objects, broken, dropped }: Awaited<ReturnType<typeof objectsOf>>) =>
  [
    objectsText(objects),
    ...(broken.length
      ? [
          `${broken.length} of ${objects.length} ${dropped ? 'are left out from now on (dropped.csv)' : 'would be left out by --drop'}; first: ${broken[0].id}: ${broken[0].reason}`,
        ]
      : []),
  ].join('\n');
