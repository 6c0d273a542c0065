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

/** Every layout that can be read. Adding one is a file beside this and a line here. */
export const readers: readonly Reader[] = [
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
