import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { Preprocessing } from '../contracts/model-record.ts';
import { decodeImage } from '../image/decode.ts';
import { fitPicture } from './onnx/preprocess.ts';
import { openModel } from './open.ts';

interface Reference {
  readonly images: { image: string; decoded: string; crop: string; top: number[]; logits: number[] }[];
}

/**
 * A whole data set against a Python pipeline (Pillow, torchvision, onnxruntime): made where Python has them with
 * test/fixtures/models/pets12_reference.py, compared here when asked for:
 * SCENESHIFT_REFERENCE=pets12.json.gz SCENESHIFT_DATA=FOLDER SCENESHIFT_MODEL=FILE.onnx npx vitest run --project unit src/models/python-pipeline.test.ts
 */
const { SCENESHIFT_REFERENCE: file = '', SCENESHIFT_DATA: data = '', SCENESHIFT_MODEL: spec = '' } = process.env;

describe.skipIf(!file)('every image of a data set', () => {
  it('gives the pixels, the crop and the scores of the Python pipeline', { timeout: 600_000 }, async () => {
    const { images } = JSON.parse(gunzipSync(readFileSync(file)).toString()) as Reference;
    const model = await openModel(spec, { threads: 2 });
    const sha = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex').slice(0, 32);
    const found = { decoded: 0, crops: 0, first: 0, largestDifference: 0 };
    for (const each of images) {
      const picture = await decodeImage(join(data, each.image), { mode: 'pillow' });
      const { width, height } = picture;
      const [answer] = await model.answer(
        [await model.prepare(picture)],
        [{ sample: '', scenario: '', width, height }],
      );
      if (answer.kind !== 'scores') throw new Error(answer.kind);
      const { scores } = answer;
      if (sha(picture.data) === each.decoded) found.decoded++;
      if (sha(fitPicture(picture, model.preprocessing as Preprocessing).data) === each.crop) found.crops++;
      if (scores.indexOf(Math.max(...scores)) === each.top[0]) found.first++;
      const differences = each.top.map((output, i) => Math.abs(scores[output] - each.logits[i]));
      found.largestDifference = Math.max(found.largestDifference, ...differences);
    }
    await model.close();
    console.log(images.length, found);
    expect(found).toMatchObject({ decoded: images.length, crops: images.length });
    expect(found.first).toBeGreaterThanOrEqual(0.999 * images.length);
  });
});
