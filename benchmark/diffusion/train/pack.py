"""Brings home what a training run made: weights in half precision and the pictures as JPEG, in files of less than 16 MB.

    python pack.py --work DIR --out DIR [--limit MB]
"""
import argparse
import io
import json
import zipfile
from pathlib import Path

import numpy as np
import torch
from PIL import Image

PART = 15_500_000


def split(path, data):
    for i in range(0, len(data), PART):
        path.with_name(f'{path.name}.{i // PART}').write_bytes(data[i : i + PART])


def half(state):
    return {name: value.half().cpu() if torch.is_floating_point(value) else value.cpu() for name, value in state.items()}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--work', type=Path, required=True)
    parser.add_argument('--out', type=Path, required=True)
    parser.add_argument('--limit', type=float, default=36, help='of the pictures, in MB')
    options = parser.parse_args()
    if (options.work / 'vae.pt').exists():
        state = torch.load(options.work / 'vae.pt', map_location='cpu')
        torch.save({'encoder': half(state['encoder']), 'decoder': half(state['decoder'])}, options.out / 'vae.pt')
    if (options.work / 'ema.pt').exists():
        split(options.out / 'ema.pt', (options.work / 'ema.pt').read_bytes())
    records, total, part, number = {}, 0, None, 0
    for path in sorted((options.work / 'pictures').glob('*.npz')):
        with np.load(path) as file:
            pictures, found = file['pictures'], json.loads(str(file['records']))
        for picture, record in zip(pictures, found):
            if record['moods'] or total > options.limit * 1e6:
                continue
            data = io.BytesIO()
            Image.fromarray(picture).save(data, 'JPEG', quality=88)
            if part is None or part.fp.tell() + data.tell() > PART - 500_000:
                if part:
                    part.close()
                part = zipfile.ZipFile(options.out / f'pictures-{number}.zip', 'w')
                number += 1
            name = f"{record['environment']}-{record['scene']:04d}-{record['view']}.jpg"
            part.writestr(name, data.getvalue())
            total += data.tell()
            records[name] = {key: record[key] for key in ('environment', 'scene', 'view', 'light', 'processor_seconds')}
    if part:
        part.writestr('records.json', json.dumps(records))
        part.close()
    print(f'{len(records)} pictures, {total / 1e6:.1f} MB')


if __name__ == '__main__':
    main()
