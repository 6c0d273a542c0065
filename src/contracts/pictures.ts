import { z } from 'zod';

/** Why a sample is worth looking at. */
export const tellingReasons = ['fragile', 'steady', 'lost', 'typical'] as const;

const pictureSchema = z.object({
  scenario: z.string(),
  /** Path below `pictures/`, `/`-separated. */
  file: z.string(),
  width: z.number().int(),
  height: z.number().int(),
});

/** `pictures/index.json` of a run folder: the telling samples, every scenario's variant rendered small. */
export const picturesSchema = z.object({
  sizePx: z.number().int(),
  /** Hash of all that decides them: while it is the same, they are not drawn again. */
  madeFrom: z.string().optional(),
  samples: z.array(
    z.object({
      sample: z.string(),
      label: z.string(),
      /** `fragile`: right as it is, lost by many edits; `steady`: right throughout; `lost`: wrong throughout. */
      why: z.enum(tellingReasons),
      pictures: z.array(pictureSchema),
    }),
  ),
});
export type Pictures = z.infer<typeof picturesSchema>;
export type TellingReason = (typeof tellingReasons)[number];

/** A sample that is worth showing, and why. */
export interface Telling {
  readonly sample: string;
  readonly label: string;
  readonly why: TellingReason;
}
