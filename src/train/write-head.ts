import { basename, dirname, resolve } from 'node:path';
import type { ModelRecord, Preprocessing } from '../contracts/model-record.ts';
import { editModel } from '../models/onnx/edit.ts';
import { featureOutput } from '../models/onnx/features.ts';
import { readModelFile } from '../models/onnx/model-file.ts';
import { writeAtomic } from '../run/atomic.ts';
import type { Backbone } from './backbone.ts';
import { type Head, unseenScore } from './head.ts';

export interface WriteHeadOptions {
  readonly backbone: Backbone;
  readonly head: Head;
  readonly classes: readonly string[];
  /** What the head was trained on. */
  readonly trained: string;
  /** The new file; its record is written beside it. */
  readonly out: string;
}

/** Backbone and head as one ONNX file: the layers up to the features, the scaling, a Gemm. Any runtime runs it. */
export async function writeHead({ backbone, head, classes, trained, out }: WriteHeadOptions): Promise<string[]> {
  const { description, tap } = backbone;
  const { onnx, preprocessing } = description;
  const { c, d } = head;
  const { graph } = await readModelFile(onnx.path);
  const taken = new Set(graph.nodes.flatMap(({ outputs }) => outputs));
  const prefix = freePrefix(taken);
  const own = (name: string) => name.replace(/^sceneshift\//, `${prefix}/`);
  const output = taken.has('logits') ? `${prefix}/logits` : 'logits';
  const float = (values: Float64Array) => Float32Array.from(values);
  const bytes = editModel(onnx.path, {
    nodes: [
      ...tap.nodes.map((node) => ({ ...node, inputs: node.inputs.map(own), outputs: node.outputs.map(own) })),
      { op: 'Sub', inputs: [own(featureOutput), `${prefix}/mean`], outputs: [`${prefix}/centred`] },
      { op: 'Div', inputs: [`${prefix}/centred`, `${prefix}/scale`], outputs: [`${prefix}/standardised`] },
      {
        op: 'Gemm',
        inputs: [`${prefix}/standardised`, `${prefix}/weights`, `${prefix}/intercepts`],
        outputs: [output],
        attributes: { transB: 1 },
      },
    ],
    tensors: [
      ...tap.tensors.map((tensor) => ({ ...tensor, name: own(tensor.name) })),
      { name: `${prefix}/mean`, dims: [d], values: float(head.mean) },
      { name: `${prefix}/scale`, dims: [d], values: float(head.scale) },
      { name: `${prefix}/weights`, dims: [c, d], values: float(head.weights) },
      {
        name: `${prefix}/intercepts`,
        dims: [c],
        values: float(head.intercepts.map((value) => Math.max(value, unseenScore))),
      },
    ],
    outputs: [{ name: output, shape: [onnx.input.batch || 'n', c] }],
    metadata: { 'sceneshift.head': trained, 'sceneshift.labels': classes.join('\n') },
  });
  const record: ModelRecord = {
    name: basename(out).replace(/\.onnx$/i, ''),
    task: 'classify',
    labels: [...classes],
    input: {
      name: onnx.input.name,
      layout: preprocessing.layout,
      type: preprocessing.type,
      channels: preprocessing.channels,
    },
    ...recordOf(preprocessing),
    output: { name: output, kind: 'logits' },
    source: `${backbone.name} with a head trained by sceneshift on ${trained} (strength ${head.strength}, features ${tap.layer})`,
  };
  const path = resolve(out);
  const recordPath = path.replace(/\.onnx$/i, '.json');
  await writeAtomic(dirname(path), basename(recordPath), `${JSON.stringify(record, null, 2)}\n`);
  await writeAtomic(dirname(path), basename(path), bytes);
  return [path, recordPath];
}

/** Preprocessing in the words of a record; a network that takes bytes scales by itself. */
function recordOf({ padToSquare, resize, crop, fill, scale, mean, std, type }: Preprocessing): Partial<ModelRecord> {
  return {
    padToSquare,
    resize,
    crop,
    fill: [...fill],
    ...(type !== 'uint8' && { scale, mean: [...mean], std: [...std] }),
  };
}

/**
 * A prefix for the new nodes that no name in the file has, so that a file with a head can be explained, or given
 * another head, like any other.
 */
function freePrefix(taken: ReadonlySet<string>): string {
  const used = [...taken].flatMap((name) => /^head(\d*)\//.exec(name)?.[1] ?? []);
  return used.length ? `head${1 + Math.max(...used.map((digits) => Number(digits || 1)))}` : 'head';
}
