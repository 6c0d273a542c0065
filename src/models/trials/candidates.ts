import type { ModelRecord, Preprocessing } from '../../contracts/model-record.ts';
import type { OnnxDescription } from '../onnx/describe.ts';
import { namedSets } from '../record/named-sets.ts';
import { type InputFacts, resolveRecord } from '../record/resolve.ts';

/** One way to prepare pictures, as it would stand in `FILE.json`. */
export interface PreprocessingCandidate {
  readonly record: ModelRecord;
  readonly preprocessing: Preprocessing;
}

type Values = Required<Pick<ModelRecord, 'scale' | 'mean' | 'std'>>;
type Geometry = Required<Pick<ModelRecord, 'resize' | 'crop'>>;

/** What training scripts and exporters do to the values: per channel in the order red, green, blue. */
function plausibleValues(input: InputFacts): Values[] {
  const { imagenet, inception, clip } = namedSets;
  const values = ({ scale, mean, std }: Values): Values => ({ scale, mean, std });
  const usual = values(imagenet(input));
  return [
    usual,
    values(inception(input)),
    values(clip(input)),
    { ...usual, mean: 0, std: 1 },
    { ...usual, std: 1 },
    { scale: 1, mean: 0, std: 1 },
    // Caffe: pixels of 0 to 255 less the mean of the training set.
    { scale: 1, mean: [123.68, 116.779, 103.939], std: 1 },
  ];
}

/** Cropped from the middle as torchvision, timm and CLIP do, or the whole picture, stretched. */
function plausibleGeometries(input: InputFacts): Geometry[] {
  const { imagenet, inception, clip } = namedSets;
  const geometry = ({ resize, crop }: Geometry): Geometry => ({ resize, crop });
  const size = { width: input.width || 224, height: input.height || 224 };
  const cropped = size.width === size.height ? [imagenet, inception, clip].map((set) => geometry(set(size))) : [];
  return [...cropped, { resize: { ...size, filter: 'bilinear' }, crop: null }];
}

/** The stated way first; then its geometry with every kind of values and both orders of the channels. */
export function candidateValues({ onnx: { input }, preprocessing }: OnnxDescription): PreprocessingCandidate[] {
  const stated = toRecord(preprocessing);
  const values = input.type === 'uint8' ? [{}] : plausibleValues(input);
  const orders = preprocessing.channels === 'L' ? (['L'] as const) : (['RGB', 'BGR'] as const);
  const { scale: _, mean: __, std: ___, ...rest } = stated;
  const tried = orders.flatMap((channels) =>
    values.map((each) => ({ ...rest, ...inOrder(each, channels), input: { ...stated.input, channels } })),
  );
  return distinct([stated, ...tried].map((record) => resolved(record, input)));
}

/** Other geometries for the values of a candidate. */
export function candidateGeometries({ record }: PreprocessingCandidate, input: InputFacts): PreprocessingCandidate[] {
  const { padToSquare: _, fill: __, ...rest } = record;
  return distinct(plausibleGeometries(input).map((geometry) => resolved({ ...rest, ...geometry }, input)));
}

export const sameCandidate = (a: PreprocessingCandidate, b: PreprocessingCandidate) => keyOf(a) === keyOf(b);

function inOrder(values: Partial<Values>, channels: 'RGB' | 'BGR' | 'L'): Partial<Values> {
  const turn = (each: Values['mean']) => (Array.isArray(each) && channels === 'BGR' ? each.toReversed() : each);
  const mean = values.mean ?? 0;
  if (channels === 'L' && Array.isArray(mean)) {
    const average = (each: Values['mean']) => (Array.isArray(each) ? each.reduce((a, b) => a + b) / each.length : each);
    return { ...values, mean: average(mean), std: average(values.std ?? 1) };
  }
  return { ...values, ...(values.mean && { mean: turn(mean) }), ...(values.std && { std: turn(values.std) }) };
}

const resolved = (record: ModelRecord, input: InputFacts): PreprocessingCandidate => ({
  record,
  preprocessing: resolveRecord([{ from: 'a trial', record }], input).preprocessing,
});

/** A resolved preprocessing, written as a record. */
function toRecord({ padToSquare, resize, crop, fill, scale, mean, std, channels, type }: Preprocessing): ModelRecord {
  const square = crop && crop.width === crop.height && crop.offset === 'even';
  const one = (list: readonly number[]) => (list.every((value) => value === list[0]) ? list[0] : [...list]);
  return {
    input: { channels },
    ...(padToSquare && { padToSquare }),
    resize,
    crop: square ? crop.width : crop,
    ...(fill.some((value) => value) && { fill: [...fill] }),
    ...(type !== 'uint8' && { scale, mean: one(mean), std: one(std) }),
  };
}

const keyOf = ({ preprocessing }: PreprocessingCandidate) => JSON.stringify(preprocessing);
const distinct = (list: readonly PreprocessingCandidate[]): PreprocessingCandidate[] => [
  ...new Map(list.map((candidate) => [keyOf(candidate), candidate])).values(),
];
