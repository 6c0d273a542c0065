// A plugin: one scenario, one dataset layout and one kind of model, none of which Sceneshift has.
//
//   sceneshift plugin check sepia.mjs
//   sceneshift run --plugin sepia.mjs --data photos/ --model brightness:110 --scenarios original,sepia --out runs/sepia
import { join } from 'node:path';
import { defineModel, defineReader, defineScenario, z } from 'sceneshift';

// The matrix of the W3C's filter effects, section "sepia".
const rows = [
  [0.393, 0.769, 0.189],
  [0.349, 0.686, 0.168],
  [0.272, 0.534, 0.131],
];

/** An old photograph: the background alone is toned, so that the object keeps its pixels. */
export const sepia = defineScenario({
  id: 'sepia',
  family: 'colour',
  part: 'shift',
  title: 'Sepia background',
  description: "The background is toned with the W3C's sepia matrix.",
  object: 'untouched',
  needs: ['mask'],
  params: { amount: z.number().min(0).max(1).default(1).describe('0: as it was, 1: wholly sepia') },
  apply({ image, mask }, { amount }) {
    const data = image.data.slice();
    for (let i = 0; i < mask.data.length; i++) {
      if (mask.data[i]) continue;
      const [r, g, b] = image.data.subarray(3 * i, 3 * i + 3);
      rows.forEach(([fromRed, fromGreen, fromBlue], channel) => {
        const toned = Math.min(255, fromRed * r + fromGreen * g + fromBlue * b);
        data[3 * i + channel] = Math.round(image.data[3 * i + channel] * (1 - amount) + toned * amount);
      });
    }
    return { ...image, data };
  },
});

/** One folder of pictures whose names end with their label: `0001.cat.jpg`. */
export const dotted = defineReader({
  id: 'dotted',
  title: 'Label before the extension',
  looksLike: 'NAME.LABEL.jpg in one folder',
  detect: ({ listing }) => (listing.files.some((name) => labelIn(name)) ? 0.9 : 0),
  read: async ({ path, listing }) => ({
    samples: listing.files
      .filter((name) => labelIn(name))
      .map((name) => ({ id: name, image: join(path, name), label: labelIn(name) })),
  }),
});

const labelIn = (name) => /^[^.]+\.([\w-]+)\.jpe?g$/i.exec(name)?.[1];

/** The simplest model there is: `brightness:110` calls a picture bright where its mean is above 110. */
export const brightness = defineModel({
  id: 'brightness',
  title: 'bright or dark',
  written: 'brightness:THRESHOLD',
  describes: ['brightness'],
  describe: async (threshold, { name = 'brightness' }) => ({
    name,
    kind: 'brightness',
    source: `brightness:${threshold}`,
    identity: { kind: 'brightness', threshold: Number(threshold) },
    labels: ['bright', 'dark'],
    outputs: 'logits',
    outputCount: 2,
    batch: 8,
    runsIn: 'worker',
    looksAtPixels: true,
    warnings: [],
  }),
  open: (described) => ({
    ...described,
    prepare: ({ data }) => Float32Array.of(data.reduce((sum, value) => sum + value, 0) / data.length),
    answer: async (pictures) =>
      pictures.map(([mean]) => {
        const above = mean - described.identity.threshold;
        return { kind: 'scores', scores: Float32Array.of(above, -above) };
      }),
    close: async () => undefined,
  }),
});
