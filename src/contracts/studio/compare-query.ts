import { z } from 'zod';

/** `GET compare?a&modelA&b&modelB`: two models, of one run or of two, on the same images. */
export const compareQuerySchema = z.object({
  a: z.string(),
  b: z.string(),
  modelA: z.string(),
  modelB: z.string(),
});
