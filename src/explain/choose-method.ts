import { UserError } from '../contracts/errors.ts';
import type { SaliencyMethod } from '../contracts/saliency.ts';
import type { ModelDescription } from '../models/define.ts';

export interface MethodChoice {
  readonly method: SaliencyMethod;
  readonly layer: string;
  readonly why: string;
}

/** `auto`: CAM where it is exact, else Score-CAM where the graph can be read, else RISE. */
export async function chooseMethod(
  description: ModelDescription,
  { method }: { readonly method: SaliencyMethod | 'auto'; readonly layer?: string },
): Promise<MethodChoice> {
  checkKind(description);
  if (method === 'rise' || method === 'occlusion') return { method, layer: '', why: 'as asked' };
  return { method: 'rise', layer: '', why: 'the graph is not open' };
}

function checkKind({ name, kind }: ModelDescription): void {
  const reason = {
    segmenter: 'a segmentation model: its answer is a map already',
    vlm: 'a vision-language model: it answers in words, not in scores',
    predictions: 'a file of predictions: it cannot be asked about other pictures',
  }[kind as string];
  if (reason) throw new UserError(`${name} cannot be explained, being ${reason}; choose others with --models`);
}
