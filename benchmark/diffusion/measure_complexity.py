"""What λ does to the background: mean Fourier amplitude with the object's place painted in the background's mean colour, and whether the object is untouched.

    sceneshift render --data benchmark/manifest.csv --scenarios original,inversion,complexity-diffusion:-20,complexity-diffusion:20 --format png --out rendered
    python benchmark/diffusion/measure_complexity.py rendered

Needs NumPy and Pillow; shares no code with the engine.
"""
import csv
import sys
from collections import defaultdict
from pathlib import Path

import numpy as np
from PIL import Image

root = Path(sys.argv[1])


def amplitude(picture, keep):
    x = picture.astype(float) / 255
    x[keep] = x[~keep].mean(0)
    return np.abs(np.fft.fft2(x, axes=(0, 1))).mean()


found = defaultdict(dict)
with open(root / 'manifest.csv', newline='') as file:
    for row in csv.DictReader(file):
        picture = np.asarray(Image.open(root / row['image']).convert('RGB'))
        keep = np.asarray(Image.open(root / row['mask']).convert('L')) > 127
        found[row.get('group') or Path(row['image']).stem + row['label']][row['scenario']] = (picture, keep)

simpler, busier = sys.argv[2:] or ['complexity-diffusion:-20', 'complexity-diffusion:20']
names = ['inversion', simpler, busier]
rows, touched = [], 0
for pictures in found.values():
    if not all(name in pictures for name in ['original', *names]):
        continue
    original, keep = pictures['original']
    touched += sum(bool((pictures[name][0][keep] != original[keep]).any()) for name in names)
    rows.append([amplitude(picture.copy(), keep) for picture, _ in (pictures[name] for name in ['original', *names])])
a = np.array(rows)
print(f'{len(a)} images; mean amplitude: original {a[:, 0].mean():.2f}, inversion {a[:, 1].mean():.2f}, -20 {a[:, 2].mean():.2f}, 20 {a[:, 3].mean():.2f}')
print(f'-20 below inversion {np.mean(a[:, 2] < a[:, 1]):.1%}, below original {np.mean(a[:, 2] < a[:, 0]):.1%}')
print(f'20 above inversion {np.mean(a[:, 3] > a[:, 1]):.1%}, above original {np.mean(a[:, 3] > a[:, 0]):.1%}')
print(f'median change against inversion: -20 {np.median(a[:, 2] / a[:, 1] - 1):+.1%}, 20 {np.median(a[:, 3] / a[:, 1] - 1):+.1%}; pictures whose object changed: {touched}')
