import { expected, UserError } from '../../contracts/errors.ts';
import type { ModelRecord, Preprocessing, ResizeFilter } from '../../contracts/model-record.ts';
import { namedSets } from './named-sets.ts';

/** One place that says something about a model, and its name for people. */
export interface Statement {
  readonly from: string;
  readonly record: ModelRecord;
}

/** What the graph itself fixes. 0: left open. */
export interface InputFacts {
  readonly name: string;
  readonly type: 'float32' | 'float16' | 'uint8';
  readonly layout: 'NCHW' | 'NHWC' | undefined;
  readonly channels: number;
  readonly width: number;
  readonly height: number;
}

export interface ResolvedRecord {
  readonly preprocessing: Preprocessing;
  /** Who said it: geometry (pad, resize, crop) and values (scale, mean, std) are each taken whole from one place. */
  readonly from: { readonly geometry: string; readonly values: string };
  readonly warnings: readonly string[];
}

const geometryFields = ['padToSquare', 'resize', 'crop', 'fill'] as const;
const valueFields = ['scale', 'mean', 'std'] as const;
type Fields = typeof geometryFields | typeof valueFields;

const saysAnyOf = (record: ModelRecord, fields: Fields) =>
  record.preprocessing !== undefined || fields.some((field) => record[field] !== undefined);

export const imagenetAssumed: Statement = { from: 'imagenet (assumed)', record: { preprocessing: 'imagenet' } };

/**
 * The config is laid over the strongest other statement field by field. Below it, the first statement that says
 * anything about a group gives the whole group: fields of two statements are never mixed into a preprocessing that
 * neither describes.
 */
export function resolveRecord(
  statements: readonly Statement[],
  input: InputFacts,
  { config, fallback = imagenetAssumed }: { config?: Statement; fallback?: Statement } = {},
): ResolvedRecord {
  const all = [...(config ? [config] : []), ...statements];
  const group = (fields: Fields): Statement => {
    const base = [...statements, fallback].find(({ record }) => saysAnyOf(record, fields)) ?? fallback;
    const own = config && saysAnyOf(config.record, fields) ? config : undefined;
    const below = own?.record.preprocessing ? { from: '', record: {} } : base;
    const expand = ({ record }: Statement): ModelRecord => ({
      ...(record.preprocessing && pick(namedSets[record.preprocessing](input), fields)),
      ...pick(record, fields),
    });
    if (!own) return { from: base.from, record: expand(base) };
    const from = [own.from, below.from].filter(Boolean).join(', the rest from ');
    return { from, record: { ...expand(below), ...expand(own) } };
  };
  const geometry = group(geometryFields);
  const values = group(valueFields);
  const stated = <T>(read: (record: ModelRecord) => T | undefined): T | undefined => {
    for (const { record } of all) if (read(record) !== undefined) return read(record);
    return undefined;
  };

  const layout = input.layout ?? stated((record) => record.input?.layout) ?? 'NCHW';
  for (const { from, record } of all) {
    if (record.input?.layout && input.layout && record.input.layout !== input.layout)
      throw new UserError(
        `${from} says input.layout is ${record.input.layout}, but the model's input '${input.name}' is ${input.layout}`,
      );
    if (record.input?.type && record.input.type !== input.type)
      throw new UserError(
        `${from} says input.type is ${record.input.type}, but the model's input '${input.name}' is ${input.type}`,
      );
  }
  checkBytes(all, input);
  const channels = stated((record) => record.input?.channels) ?? (input.channels === 1 ? 'L' : 'RGB');
  const channelCount = channels === 'L' ? 1 : 3;
  if (input.channels && input.channels !== channelCount)
    throw expected(
      `${channels === 'L' ? '1 channel' : '3 channels'} (${channels})`,
      `the model's input '${input.name}'`,
      input.channels,
    );

  const preprocessing: Preprocessing = {
    ...geometryOf(geometry, input),
    ...valuesOf(values, input, channelCount),
    channels,
    layout,
    type: input.type,
  };
  checkSize(preprocessing, input, geometry.from);
  const assumed = [geometry, values].some(({ from }) => from === fallback.from);
  const guess = assumed
    ? [
        `no preprocessing is stated ${geometry.from === values.from ? '' : geometry.from === fallback.from ? 'for size and crop ' : 'for scale, mean and std '}` +
          `beside the model or in the config: ${fallback.from.replace(' (assumed)', '')} is assumed; a wrong guess gives wrong numbers`,
      ]
    : [];
  const warnings = [...guess, ...(input.type === 'uint8' ? [] : doubtfulValues(values))];
  return { preprocessing, from: { geometry: geometry.from, values: values.from }, warnings };
}

/** Numbers that are rarely meant together; they are used as written. */
function doubtfulValues({ from, record: { scale = 1 / 255, mean, std } }: Statement): string[] {
  const list = (value: number | readonly number[] | undefined) => (typeof value === 'number' ? [value] : (value ?? []));
  const shown = (value: typeof mean) => JSON.stringify(value);
  const above1 = (value: typeof mean) => list(value).some((each) => each > 1);
  const small = typeof scale === 'number' && scale < 0.1;
  const doubts: string[] = [];
  if (small && above1(mean))
    doubts.push(
      `${from}: mean ${shown(mean)} belongs to pixels of 0 to 255, but scale ${Number(scale.toPrecision(4))} makes them 0 to 1 first; is "scale": 1 meant, or the mean divided by 255?`,
    );
  if (small && !above1(mean) && above1(std) && !list(std).every((each) => each === 1))
    doubts.push(
      `${from}: std ${shown(std)} belongs to pixels of 0 to 255, but scale ${Number(scale.toPrecision(4))} makes them 0 to 1 first`,
    );
  if (scale === 1 && list(mean).some((each) => each > 0) && list(mean).every((each) => each <= 1))
    doubts.push(
      `${from}: mean ${shown(mean)} belongs to pixels of 0 to 1, but scale 1 leaves them 0 to 255; is "scale": 1/255 (0.00392156862745098) meant?`,
    );
  if (mean !== undefined && list(mean).some((each) => each !== 0) && std === undefined)
    doubts.push(`${from} gives a mean and no std, so nothing is divided; write "std": 1 if that is meant`);
  return doubts;
}

function pick(record: Partial<ModelRecord>, fields: Fields): ModelRecord {
  return Object.fromEntries(
    fields.filter((field) => record[field] !== undefined).map((field) => [field, record[field]]),
  );
}

function geometryOf({ record }: Statement, input: InputFacts) {
  const filter: ResizeFilter = record.resize?.filter ?? 'bilinear';
  let resize: Preprocessing['resize'] = null;
  if (record.resize && 'width' in record.resize)
    resize = { ...record.resize, filter, fit: record.resize.fit ?? 'stretch' };
  else if (record.resize) resize = { ...record.resize, filter };
  const exact = resize !== null && 'width' in resize && resize.fit === 'stretch' ? resize : undefined;
  let crop: Preprocessing['crop'] = null;
  if (typeof record.crop === 'number') crop = { width: record.crop, height: record.crop, offset: 'even' };
  else if (record.crop) crop = { ...record.crop, offset: record.crop.offset ?? 'even' };
  else if (!exact && input.width && input.height) crop = { width: input.width, height: input.height, offset: 'even' };
  // A crop of the size that the resize already has would do nothing.
  if (exact && crop && crop.width === exact.width && crop.height === exact.height) crop = null;
  return { padToSquare: record.padToSquare ?? false, resize, crop, fill: record.fill ?? ([0, 0, 0] as const) };
}

function valuesOf({ from, record }: Statement, input: InputFacts, channelCount: number) {
  const spread = (value: number | readonly number[], field: string): number[] => {
    const list = typeof value === 'number' ? [value] : [...value];
    if (list.length !== channelCount && list.length !== 1 && new Set(list).size !== 1)
      throw expected(`${channelCount} numbers`, `${field} in ${from}`, value);
    return Array.from({ length: channelCount }, (_, i) => list[list.length === channelCount ? i : 0]);
  };
  if (input.type === 'uint8') return { scale: 1, mean: spread(0, 'mean'), std: spread(1, 'std') };
  const std = spread(record.std ?? 1, 'std');
  if (std.some((value) => !(value > 0))) throw expected('positive numbers', `std in ${from}`, record.std);
  if (record.scale === 0)
    throw expected('a factor that is not 0', `scale in ${from}`, 0, 'every picture is black by it');
  return { scale: record.scale ?? 1 / 255, mean: spread(record.mean ?? 0, 'mean'), std };
}

/** A network that takes bytes scales by itself; files made for its float form may still say how that one is fed. */
function checkBytes(statements: readonly Statement[], { name, type }: InputFacts): void {
  if (type !== 'uint8') return;
  for (const { from, record } of statements) {
    const written = from !== 'preprocessor_config.json' && from !== 'config.json';
    if (written && record.scale !== undefined && record.scale !== 1)
      throw new UserError(
        `${from} says scale is ${record.scale}, but the model's input '${name}' is uint8 and takes pixel values as they are`,
      );
  }
}

function checkSize({ resize, crop }: Preprocessing, input: InputFacts, from: string): void {
  const result = crop ?? (resize && 'width' in resize ? resize : null);
  if (result && input.width && input.height && (result.width !== input.width || result.height !== input.height))
    throw new UserError(
      `the model's input '${input.name}' takes ${input.width} × ${input.height} pixels (width × height), but ${from} makes ${result.width} × ${result.height}`,
    );
}
