import { SampleError } from '../contracts/errors.ts';
import type { Sample } from '../contracts/sample.ts';
import { datasetEncoding, ownEncoding } from './masks/encoding.ts';
import { lookAt, type MaskLook } from './masks/look.ts';
import { readRawMask } from './masks/raw.ts';
import { seamWidth } from './masks/seam.ts';

/** Masks looked at to tell a dataset's encoding: enough that one without a border pixel, or an empty one, does not decide. */
const looksWanted = 40;

/**
 * Decides once for the dataset how its mask files are encoded, from a sample spread over it, and writes it into the
 * samples; files whose layout already says are left alone.
 */
export async function settleEncodings(samples: Sample[]): Promise<{ samples: Sample[]; notes: string[] }> {
  const cutOut = samples.filter(({ mask }) => mask?.kind === 'alpha').map(({ image }) => image);
  if (cutOut.length && isSoft(await lookAtMasks(cutOut)))
    samples = samples.map((each) =>
      each.mask?.kind === 'alpha' ? { ...each, mask: { ...each.mask, soft: true } } : each,
    );
  const open = samples.filter(isOpen);
  if (!open.length) return { samples, notes: [] };
  const looks = await lookAtMasks(open.map(({ mask }) => mask.path));
  const { encoding, exceptions } = datasetEncoding(looks);
  if (!encoding) return { samples, notes: [] };
  const notes = exceptions.size
    ? [
        `masks are of several encodings: of ${looks.length} looked at, ${looks.length - sum(exceptions)} are ${encoding}, ${[...exceptions].map(([other, count]) => `${count} ${other}`).join(', ')}; each is read as what it is`,
      ]
    : [];
  const found = { encoding, ...((encoding === '0/255' || encoding === 'alpha') && isSoft(looks) && { soft: true }) };
  return {
    notes,
    samples: samples.map((sample) => (isOpen(sample) ? { ...sample, mask: { ...sample.mask, ...found } } : sample)),
  };
}

/** Wider than antialiasing or a JPEG's ringing makes it. */
const wideSeamPx = 3;

const isSoft = (looks: readonly LookedAt[]): boolean =>
  looks.filter(({ seamPx }) => seamPx >= wideSeamPx).length > looks.length / 2;

type Open = Sample & { mask: { kind: 'file'; path: string } };
const isOpen = (sample: Sample): sample is Open => sample.mask?.kind === 'file' && !sample.mask.encoding;
const sum = (counts: ReadonlyMap<unknown, number>) => [...counts.values()].reduce((total, count) => total + count, 0);

/** Whether files look like masks and not like pictures, judged by a few of them. */
export async function areMasks(files: readonly string[]): Promise<boolean> {
  const looks = await lookAtMasks(files, 8);
  return looks.length > 0 && looks.every((look) => ownEncoding(look) !== undefined);
}

interface LookedAt extends MaskLook {
  /** How wide the seam between black and white is. */
  readonly seamPx: number;
}

async function lookAtMasks(files: readonly string[], wanted = looksWanted): Promise<LookedAt[]> {
  const distinct = [...new Set(files)];
  const step = Math.max(1, distinct.length / wanted);
  const looks: LookedAt[] = [];
  for (let i = 0; Math.floor(i) < distinct.length; i += step) {
    try {
      const mask = await readRawMask(distinct[Math.floor(i)]);
      const look = lookAt(mask);
      const seam = look.alphaDecides && mask.alpha ? { ...mask, values: mask.alpha } : look.soft ? mask : undefined;
      looks.push({ ...look, seamPx: seam ? seamWidth(seam) : 0 });
    } catch (error) {
      // A file that cannot be read costs its own sample later; here it says nothing.
      if (!(error instanceof SampleError)) throw error;
    }
  }
  return looks;
}
