"""Makes the benchmark's pictures from what main.py rendered. Run by Debian's Python (NumPy, OpenCV, Pillow):

    /usr/bin/python3 benchmark/render/assemble.py --work .cache/render [--benchmark benchmark] [--training training-set] [--quality 90]

Reads WORK/test, WORK/plates, WORK/cutouts and WORK/training-plates, whichever are there.
"""
import argparse
import csv
import json
import sys
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

sys.dont_write_bytecode = True

import cv2  # noqa: E402
import numpy as np  # noqa: E402
from PIL import Image  # noqa: E402

from denoise import denoise  # noqa: E402
from develop import develop, curve, srgb, to_bytes  # noqa: E402

HERE = Path(__file__).resolve().parent
COLUMNS = ['image', 'mask', 'label', 'target', 'environment', 'usual', 'yaw', 'elevation', 'azimuth', 'roll', 'distance', 'lens', 'fstop', 'light', 'visible', 'seed', 'offset', 'samples']


def load(path):
    with np.load(path) as file:
        passes = {name: file[name] for name in file.files}
    return passes, json.loads(str(passes.pop('record')))


def keep(path, write):
    """Written beside and renamed."""
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(f'.{path.name}')
    write(part)
    part.replace(path)


def save_jpeg(path, pixels, quality):
    keep(path, lambda part: Image.fromarray(pixels).save(part, 'JPEG', quality=quality, subsampling='4:2:0', optimize=True))


def save_png(path, pixels):
    keep(path, lambda part: Image.fromarray(pixels).save(part, 'PNG', optimize=True))


def newer(source, target):
    return not target.exists() or source.stat().st_mtime > target.stat().st_mtime


def make_test(source, name, out, quality, force):
    image, mask = out / 'images' / f'{name}.jpg', out / 'masks' / f'{name}.png'
    passes, record = load(source)
    covered = passes['mask'].astype(np.float32)[..., 0] >= 0.5
    if force or newer(source, image) or not mask.exists():
        save_jpeg(image, develop(denoise(passes), record['exposure']), quality)
        save_png(mask, np.where(covered, 255, 0).astype(np.uint8))
    row = {column: '' if record.get(column) is None else record.get(column) for column in COLUMNS}
    row |= {'image': f'images/{name}.jpg', 'mask': f'masks/{name}.png', 'usual': 'yes' if record['usual'] else 'no'}
    row['azimuth'] = round((row['azimuth'] + 180) % 360 - 180, 2)
    edge = bool(covered[0].any() or covered[-1].any() or covered[:, 0].any() or covered[:, -1].any())
    return row | {'_share': float(covered.mean()), '_cut': edge, '_seconds': record['seconds'], '_removed': record['removed']}


def make_plate(source, name, target, quality, force):
    if force or newer(source, target):
        passes, record = load(source)
        save_jpeg(target, develop(denoise(passes), record['exposure']), quality)


def make_cutout(source, name, target, quality, force):
    """Straight alpha, cropped to the object. Exposure is metered on the object alone."""
    if not force and not newer(source, target):
        return
    passes, _record = load(source)
    alpha = np.clip(passes['alpha'].astype(np.float32)[..., 0], 0, 1)
    # Straight colour is filtered: a premultiplied edge pixel mixed with its full neighbours would come out too bright.
    for name in ('colour', 'albedo', 'normal', 'emission'):
        passes[name] = passes[name].astype(np.float32) / np.maximum(alpha, 1 / 64)[..., None]
    straight = denoise(passes, 0.6)
    solid = alpha > 0.5
    luminance = straight[solid] @ np.array([0.2126, 0.7152, 0.0722], np.float32)
    level = np.exp(np.log(np.maximum(luminance, 1e-3)).mean())
    stops = np.clip(np.log2(0.22 / level) * 0.7, -2, 2)
    rgba = np.dstack([to_bytes(srgb(curve(straight * 2**stops))), to_bytes(alpha)])
    rgba[alpha < 1 / 255] = 0
    rows, columns = np.where(alpha > 0.02)
    save_png(target, rgba[rows.min() : rows.max() + 1, columns.min() : columns.max() + 1])


def call(task):
    cv2.setNumThreads(1)
    function, *rest = task
    return function(*rest)


def names(folder):
    return sorted(str(path.relative_to(folder).with_suffix('')) for path in folder.rglob('*.npz') if not path.name.endswith('.part.npz')) if folder.exists() else []


def contact_sheet(paths, target, columns, side=96):
    rows = -(-len(paths) // columns)
    sheet = Image.new('RGB', (columns * side, rows * side), 'white')
    for k, path in enumerate(paths):
        tile = Image.open(path).convert('RGBA')
        tile.thumbnail((side - 2, side - 2), Image.LANCZOS)
        sheet.paste(tile, (k % columns * side + (side - tile.width) // 2, k // columns * side + (side - tile.height) // 2), tile)
    keep(target, lambda part: sheet.save(part, 'JPEG' if target.suffix == '.jpg' else 'PNG', quality=88))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--work', type=Path, default=Path('.cache/render'))
    parser.add_argument('--benchmark', type=Path, default=HERE.parent)
    parser.add_argument('--training', type=Path, default=Path('.cache/training-set'))
    parser.add_argument('--quality', type=int, default=90)
    parser.add_argument('--processes', type=int, default=2)
    parser.add_argument('--force', action='store_true', help='also what is there already, as after a change of denoise.py')
    options = parser.parse_args()
    with ProcessPoolExecutor(options.processes) as pool:
        test(options, pool)
        training(options, pool)


def test(options, pool):
    folder, out = options.work / 'test', options.benchmark
    found = names(folder)
    rows = list(pool.map(call, [(make_test, folder / f'{n}.npz', n, out, options.quality, options.force) for n in found]))
    plates = names(options.work / 'plates')
    list(pool.map(call, [(make_plate, options.work / 'plates' / f'{n}.npz', n, out / 'backgrounds' / f'{n}.jpg', options.quality, options.force) for n in plates]))
    if not rows:
        return
    with open(out / '.manifest.csv', 'w', newline='') as file:
        writer = csv.DictWriter(file, COLUMNS, extrasaction='ignore', lineterminator='\n')
        writer.writeheader()
        writer.writerows(rows)
    (out / '.manifest.csv').replace(out / 'manifest.csv')
    contact_sheet([out / row['image'] for row in rows], options.work / 'contact-sheet.jpg', 20)
    contact_sheet([out / row['mask'] for row in rows], options.work / 'contact-sheet-masks.png', 20)
    if plates:
        contact_sheet([out / 'backgrounds' / f'{n}.jpg' for n in plates], options.work / 'contact-sheet-plates.jpg', 6, 160)
    for row in rows:
        faults = [text for text, bad in (('cut by the frame', row['_cut']), ('small', row['_share'] < 0.06), ('hidden in part', row['visible'] < 0.85)) if bad]
        if faults:
            print(f'{row["image"]}: {", ".join(faults)}')
    size = sum(path.stat().st_size for kind in ('images', 'masks', 'backgrounds') for path in (out / kind).rglob('*.*'))
    print(f'{len(rows)} test images, {len(plates)} plates, {size / 1e6:.1f} MB in all, {np.mean([row["_seconds"] for row in rows]):.1f} s a picture')


def training(options, pool):
    out = options.training
    cutouts, plates = names(options.work / 'cutouts'), names(options.work / 'training-plates')
    list(pool.map(call, [(make_cutout, options.work / 'cutouts' / f'{n}.npz', n, out / 'cutouts' / f'{n}.png', options.quality, options.force) for n in cutouts]))
    list(pool.map(call, [(make_plate, options.work / 'training-plates' / f'{n}.npz', n, out / 'plates' / f'{n}.jpg', options.quality, options.force) for n in plates]))
    if not cutouts:
        return
    known = json.loads((HERE / 'classes.json').read_text())
    records = {n.split('/')[0]: load(options.work / 'cutouts' / f'{n}.npz')[1] for n in cutouts if n.endswith('/0000')}
    classes = [{'name': name, 'label': records[name]['label'], 'target': records[name]['target'], 'usual': usual} for name, usual in known['classes'].items() if name in records]
    seed = next(iter(records.values()))['seed']
    text = json.dumps({'classes': classes, 'environments': known['environments'], 'seed': seed}, indent=2)
    keep(out / 'set.json', lambda part: part.write_text(text + '\n'))
    contact_sheet([out / 'cutouts' / f'{n}.png' for n in cutouts if int(n.split('/')[1]) < 16], options.work / 'contact-sheet-cutouts.png', 16)
    size = sum(path.stat().st_size for path in out.rglob('*.*'))
    print(f'{len(cutouts)} cut-outs, {len(plates)} training plates, {size / 1e6:.1f} MB in all')


if __name__ == '__main__':
    main()
