import { fromBase64, packRuns, toBase64, unpackRuns } from '../../../src/contracts/annotate/runs.ts';
import type { AnnotateFound, AnnotateSaved, AnnotateTurn } from '../../../src/contracts/studio/annotate.ts';
import { ApiError, apiUrl, get, post } from '../api.ts';
import type { Editor, PictureBox } from './editor.ts';

/** Somebody else's save, made after this picture was opened. */
export interface Overtaken {
  readonly version: string;
  readonly savedAt: string | null;
}

/** Resolves when the server says that everything is on disk, or that another version is there. */
export async function saveMask(
  dataset: string,
  sample: string,
  editor: Editor,
  version: string,
): Promise<{ saved: AnnotateSaved } | { overtaken: Overtaken }> {
  const response = await fetch(apiUrl(['annotate', dataset, 'mask']), {
    method: 'PUT',
    headers: { 'content-type': 'application/json', 'if-match': `"${version}"` },
    body: JSON.stringify({ sample, objects: editor.objects.value, runs: toBase64(packRuns(editor.plane)) }),
  });
  const body = await response.json().catch(() => ({}));
  if (response.status === 412) return { overtaken: body as Overtaken };
  if (!response.ok) throw new ApiError(body.error ?? `The studio answered ${response.status}`, response.status);
  return { saved: body as AnnotateSaved };
}

export const askTurn = (dataset: string, query: { sample?: string; show: string }, signal?: AbortSignal) =>
  get<AnnotateTurn>(['annotate', dataset, 'turn'], { query, signal });

export const askVersion = (dataset: string, sample: string, signal: AbortSignal) =>
  get<Overtaken>(['annotate', dataset, 'version'], { query: { sample }, signal });

export async function askPicture(dataset: string, sample: string, signal: AbortSignal): Promise<Blob> {
  return get<Blob>(['annotate', dataset, 'picture'], { query: { sample }, signal });
}

type Size = { readonly width: number; readonly height: number };
const planeOf = ({ runs }: AnnotateFound, { width, height }: Size) => unpackRuns(fromBase64(runs), width, height).data;

export const askCut = async (
  dataset: string,
  sample: string,
  of: Size,
  box: PictureBox,
  hints?: Uint8Array,
): Promise<Uint8Array> => {
  const sent = hints && { hints: toBase64(packRuns({ data: hints })) };
  return planeOf(await post<AnnotateFound>(['annotate', dataset, 'cut'], { sample, box, ...sent }), of);
};

export const askFind = async (dataset: string, sample: string, of: Size): Promise<Uint8Array> =>
  planeOf(await post<AnnotateFound>(['annotate', dataset, 'find'], { sample }), of);

export const askRefine = async (dataset: string, sample: string, { plane }: Editor): Promise<Uint8Array> =>
  planeOf(
    await post<AnnotateFound>(['annotate', dataset, 'refine'], { sample, runs: toBase64(packRuns(plane)) }),
    plane,
  );
