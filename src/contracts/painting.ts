/** Three bytes a pixel, or one for a mask. */
interface Pixels {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8Array;
}

/** A background that is to be painted around an object. */
export interface PaintOrder {
  /** The picture to start from, the object where it is to stand. */
  readonly image: Pixels;
  /** 255 where the picture is kept; the rest is painted. */
  readonly keep: Pixels;
  /** What is to be seen; empty: whatever the model finds likely. */
  readonly prompt: string;
  /** How far from the picture, 0 to 1: 1 forgets all but what is kept. */
  readonly strength: number;
  /** ImageNet-E's λ: below 0 a simpler background, above 0 a busier one. */
  readonly lambda: number;
  /** Names the noise: orders of one sample with the same name start from the same noise. */
  readonly noise: string;
  /** Of so many backgrounds, the one before which the surrogate believes least in the truth. */
  readonly adversarial?: { readonly queries: number };
}

/** What paints. The answer has the size of the order's picture. */
export type Paint<Picture = Pixels> = (order: PaintOrder) => Promise<Picture>;
