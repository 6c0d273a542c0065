import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { defaultReviewQuestions, type ReviewQueue } from '../../src/contracts/review.ts';
import { encodeImage } from '../../src/image/encode.ts';
import { createReview } from '../../src/review/review.ts';

interface MadeReview {
  readonly pictures?: number;
  /** How many of the pictures have known answers. */
  readonly gold?: number;
  readonly votes?: number;
  readonly label?: string;
  readonly title?: string;
}

/** A review of drawn pictures, each with a ground and a disc of its own. */
export async function makeReviewFolder(
  folder: string,
  { pictures = 6, gold = 1, votes = 2, label = 'mug', title = 'Hard images' }: MadeReview = {},
): Promise<ReviewQueue> {
  await mkdir(join(folder, 'images'), { recursive: true });
  const queue: ReviewQueue = {
    version: 1,
    title,
    questions: defaultReviewQuestions.slice(0, 2),
    items: Array.from({ length: pictures }, (_, i) => ({
      id: `p${i}`,
      image: `images/p${i}.png`,
      label,
      facts: { scenario: 'grey' },
      ...(i < gold && { gold: { object: 'yes', only: 'no' } }),
    })),
    rule: { wanted: { object: 'yes', only: 'yes' }, atLeast: Math.min(2, votes), votes },
    seed: 3,
  };
  for (const [i, { image }] of queue.items.entries()) await writeFile(join(folder, image), await picture(i));
  await createReview(folder, queue);
  return queue;
}

const drawn = new Map<number, Promise<Uint8Array>>();

/** Drawn once in a process: they repeat after thirty. */
function picture(i: number): Promise<Uint8Array> {
  const kind = i % 30;
  const known = drawn.get(kind) ?? encodeImage(disc(kind), { format: 'png' });
  drawn.set(kind, known);
  return known;
}

function disc(i: number) {
  const [width, height] = [320, 240];
  const data = new Uint8Array(width * height * 3);
  const green = 60 + 25 * (i % 6);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const [dx, dy] = [x - 160 + 12 * (i % 5), y - 120];
      const inside = dx * dx + dy * dy < 70 * 70;
      const ground = 90 + ((x + y * (1 + (i % 3))) % 60);
      const at = 3 * (y * width + x);
      data[at] = inside ? 200 : ground;
      data[at + 1] = inside ? green : ground;
      data[at + 2] = inside ? 40 : ground + 20;
    }
  return { width, height, data };
}
