import type { Preprocessing } from '../../contracts/model-record.ts';

export function geometryText({ padToSquare, resize, crop, fill }: Preprocessing): string {
  const steps = [
    padToSquare && `padded to a square with rgb(${fill.join(', ')})`,
    resize &&
      ('shortSide' in resize
        ? `short side to ${resize.shortSide}, ${resize.filter}`
        : `${resize.fit} to ${resize.width} × ${resize.height}, ${resize.filter}`),
    crop && `centre crop ${crop.width} × ${crop.height}${crop.offset === 'down' ? ' (offset rounded down)' : ''}`,
  ].filter(Boolean);
  return steps.join(', then ') || 'as it is';
}

export function valuesText({ scale, mean, std, type }: Preprocessing): string {
  if (type === 'uint8') return '0 to 255';
  const unit = scale === 'max' ? 'x / largest x' : scale === 1 / 255 ? 'x / 255' : scale === 1 ? 'x' : `x · ${scale}`;
  const plain = mean.every((value) => value === 0) && std.every((value) => value === 1);
  return plain ? unit : `(${unit} − [${mean.join(' ')}]) / [${std.join(' ')}]`;
}

/** The same in a few words, for tables. */
export function shortGeometryText({ padToSquare, resize, crop }: Preprocessing): string {
  const size =
    resize &&
    ('shortSide' in resize ? `short ${resize.shortSide}` : `${resize.fit} ${resize.width} × ${resize.height}`);
  const cut = crop && `crop ${crop.width === crop.height ? crop.width : `${crop.width} × ${crop.height}`}`;
  return [padToSquare && 'square', size, cut, resize?.filter].filter(Boolean).join(', ') || 'as it is';
}

export function shortValuesText({ scale, mean, std, type }: Preprocessing): string {
  if (type === 'uint8') return '0–255';
  const range = scale === 1 / 255 ? '0–1' : scale === 1 ? '0–255' : scale === 'max' ? '0–1 by max' : `x · ${scale}`;
  const round = (list: readonly number[]) => {
    const short = list.map((value) => String(Number(value.toPrecision(3))));
    return new Set(short).size === 1 ? short[0] : short.join(' ');
  };
  const less = mean.every((value) => value === 0) ? '' : ` − ${round(mean)}`;
  return `${range}${less}${std.every((value) => value === 1) ? '' : `, ÷ ${round(std)}`}`;
}
