import type { LabelSet } from './label-set.ts';
import { normalizeLabel } from './match.ts';

/** The nine super-classes of ImageNet-9 (Xiao et al., 2021), in the order of its folders and of a nine-way model. */
const superClasses = [
  'dog',
  'bird',
  'wheeled vehicle',
  'reptile',
  'carnivore',
  'insect',
  'musical instrument',
  'primate',
  'fish',
];

/** ImageNet-1k indices of each super-class, `a-b` both included; facts from `in_to_in9.json` of MadryLab/backgrounds_challenge. */
const members = [
  '151-170 173-268',
  '7-24 87-100 127-146',
  '407 408 428 436 444 468 511 547 555 561 565 569 573 586 603 609 612 627 656 661 665 670 671 675 690 705 717 734 751 757 791 802 803 817 820 829 847 864 866 867 870 880',
  '33-68',
  '269-280 286-299 356-362 387 388',
  '300-326',
  '401 402 420 432 486 494 513 541 546 558 566 577 579 593 594 641 642 683 684 687 699 776 822 875 881 889',
  '365-384',
  '0-6 389-397',
];

/** A folder of the published data: `02_wheeled vehicle`. */
const folderOf = (name: string, index: number) => `0${index} ${name}`;

/** Outputs of a nine-way model; a super-class is met by its name and by its folder. */
export const imagenet9: LabelSet = { names: superClasses.map((name, i) => `${name}, ${folderOf(name, i)}`) };

/**
 * The ImageNet-1k outputs that are right for a super-class, by its name and by its folder. 630 outputs are in none, so
 * that an answer there is always wrong.
 */
export const imagenet9Map: ReadonlyMap<string, readonly number[]> = new Map(
  superClasses.flatMap((name, i) => {
    const outputs = members[i].split(' ').flatMap((part) => {
      const [first, last = first] = part.split('-').map(Number);
      return Array.from({ length: last - first + 1 }, (_, k) => first + k);
    });
    return [name, folderOf(name, i)].map((label) => [normalizeLabel(label), outputs] as const);
  }),
);
