import { expected } from '../../contracts/errors.ts';
import type { Reader } from '../define.ts';
import { coco } from './coco.ts';
import { imageFolder } from './image-folder.ts';
import { imagenetD } from './imagenet-d.ts';
import { imagenetE } from './imagenet-e.ts';
import { imagenetS } from './imagenet-s.ts';
import { labelme } from './labelme.ts';
import { manifest } from './manifest.ts';
import { mvtecAd } from './mvtec-ad.ts';
import { oxfordPet } from './oxford-pet.ts';
import { voc } from './voc.ts';
import { ximagenet12 } from './ximagenet-12.ts';

/** Every layout that comes with the program. Adding one is a file beside this and a line here. */
const ownReaders: readonly Reader[] = [
  manifest,
  coco,
  labelme,
  voc,
  imagenetS,
  oxfordPet,
  mvtecAd,
  ximagenet12,
  imagenetD,
  imagenetE,
  imageFolder,
];

const addedReaders: Reader[] = [];

/** Every layout that can be read now; those of plugins come first, because they were written for the data at hand. */
export const allReaders = (): readonly Reader[] => [...addedReaders, ...ownReaders];

/** Adds layouts at run time, as a plugin's module exports them; the same one twice counts once. */
export function registerReaders(more: readonly Reader[]): void {
  for (const reader of more) {
    checkReader(reader);
    if (addedReaders.includes(reader)) continue;
    if (allReaders().some(({ id }) => id === reader.id))
      throw expected('an id that no other layout has', 'the reader', reader.id, 'rename it');
    addedReaders.push(reader);
  }
}

/** A plugin may be plain JavaScript, so what the compiler would check is checked here. */
function checkReader(reader: Reader): void {
  const texts = ['id', 'title', 'looksLike'] as const;
  const missing =
    texts.find((field) => typeof reader?.[field] !== 'string' || !reader[field]) ??
    (['detect', 'read'] as const).find((field) => typeof reader?.[field] !== 'function');
  if (missing)
    throw expected(
      `${missing}, as defineReader declares it`,
      `the reader ${reader?.id ?? ''}`.trim(),
      reader?.[missing],
    );
}
