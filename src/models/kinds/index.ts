import { UserError } from '../../contracts/errors.ts';
import type { ModelDescription, ModelKind } from '../define.ts';
import { clipKind } from './clip.ts';
import { commandKind } from './command.ts';
import { onnxKind } from './onnx.ts';
import { predictionsKind } from './predictions.ts';
import { vlmKind } from './vlm.ts';

/** Every kind of model that comes with the program. Adding one is a file beside this and a line here. */
const builtIn: readonly ModelKind[] = [
  // A file or folder without a prefix is of the first kind that finds something in it.
  predictionsKind,
  clipKind,
  onnxKind,
  commandKind,
  vlmKind,
];
const added: ModelKind[] = [];

export const modelKinds = (): readonly ModelKind[] => [...added, ...builtIn];

/** Takes a kind from outside; in every thread that opens models. */
export function addModelKind(kind: ModelKind): void {
  const clash = modelKinds().find(
    ({ id, describes }) => id === kind.id || describes.some((d) => kind.describes.includes(d)),
  );
  if (clash === kind) return;
  if (clash)
    throw new UserError(
      `There is a model kind '${clash.id}' already; give the new one another id and other 'describes'`,
    );
  added.push(kind);
}

/** Whether a model is of a kind that a plugin, or the library's caller, brought. */
export const isFromOutside = ({ kind }: Pick<ModelDescription, 'kind'>): boolean =>
  added.some(({ describes }) => describes.includes(kind));

export const kindNamed = (id: string): ModelKind | undefined => modelKinds().find((kind) => kind.id === id);

/** The kind whose descriptions are called so. */
export function kindOf({ kind, name }: ModelDescription): ModelKind {
  const found = modelKinds().find(({ describes }) => describes.includes(kind));
  if (!found) throw new UserError(`${name} is a '${kind}', which no model kind here opens; is a plugin missing?`);
  return found;
}
