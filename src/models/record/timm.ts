import { UserError } from '../../contracts/errors.ts';
import { type ModelRecord, type ResizeFilter, resizeFilters } from '../../contracts/model-record.ts';
import { roundHalfEven } from '../round.ts';

type Config = Record<string, unknown>;

/** A model's config.json: timm's preprocessing (`pretrained_cfg`, or at the top as older files have it) and labels. */
export function fromModelConfig(json: unknown, file: string): ModelRecord {
  if (typeof json !== 'object' || json === null || Array.isArray(json))
    throw new UserError(`${file}: expected an object`);
  const config = json as Config;
  const cfg = (config.pretrained_cfg ?? config) as Config;
  return { ...labelsOf(config), ...(Array.isArray(cfg.input_size) && preprocessingOf(cfg, file)) };
}

function labelsOf(config: Config): Pick<ModelRecord, 'labels'> {
  const byId = config.id2label as Record<string, string> | undefined;
  if (byId && typeof byId === 'object') {
    const names = Object.keys(byId)
      .map(Number)
      .sort((a, b) => a - b)
      .map((id) => byId[id]);
    const placeholders = names.every((name, i) => name === `LABEL_${i}`);
    return placeholders ? {} : { labels: names };
  }
  const { label_names: names, label_descriptions: descriptions } = config;
  if (!Array.isArray(names)) return {};
  const described = descriptions as Record<string, string> | undefined;
  // The name, which is a wnid where the classes are ImageNet's, stays one of the label's words.
  return { labels: names.map((name) => (described?.[name] ? `${described[name]}, ${name}` : String(name))) };
}

/** timm's evaluation transform: the size over `crop_pct`, rounded down; `squash` stretches, `border` fits and fills. */
function preprocessingOf(cfg: Config, file: string): ModelRecord {
  const [, height, width] = cfg.input_size as number[];
  const share = typeof cfg.crop_pct === 'number' ? cfg.crop_pct : 0.875;
  const filter = String(cfg.interpolation ?? 'bilinear') as ResizeFilter;
  if (!resizeFilters.includes(filter))
    throw new UserError(
      `${file}: expected one of ${resizeFilters.join(', ')} for interpolation, but found '${filter}'`,
    );
  const mean = (cfg.mean as number[] | undefined) ?? [0.485, 0.456, 0.406];
  const scaled = { width: Math.floor(width / share), height: Math.floor(height / share) };
  const crop = { width, height, offset: 'even' as const };
  const values = { scale: 1 / 255, mean, std: (cfg.std as number[] | undefined) ?? [0.229, 0.224, 0.225] };
  if (cfg.crop_mode === 'squash') return { ...values, resize: { ...scaled, filter }, crop };
  if (cfg.crop_mode === 'border') {
    const fill = mean.map((value) => roundHalfEven(255 * value)) as [number, number, number];
    return { ...values, resize: { ...scaled, filter, fit: 'contain' }, crop, fill };
  }
  if (width === height) return { ...values, resize: { shortSide: scaled.height, filter }, crop };
  // Where the input is not square, timm leaves the filter at its default.
  return { ...values, resize: { ...scaled, filter: 'bilinear', fit: 'cover' }, crop };
}
