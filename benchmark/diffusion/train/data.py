"""The developed pictures on the device that trains, and their variations: mirrored, cropped, recoloured, with captions that stay true."""
import json
from pathlib import Path

import numpy as np
import torch
from torch.nn import functional as F

HELD_OUT_EVERY = 10


def held_out(record):
    """Every tenth scene, whole: no other view or light of it is trained on."""
    return record['scene'] % HELD_OUT_EVERY == HELD_OUT_EVERY - 1


class Pictures:
    def __init__(self, folder, device, held=False):
        self.folder, self.device, self.held = Path(folder), device, held
        self.seen, self.records, self.pixels = set(), [], None

    def refresh(self):
        """Takes in what was developed since; answers how many pictures are new."""
        parts = []
        before = len(self.records)
        for path in sorted(set(self.folder.glob('*.npz')) - self.seen):
            self.seen.add(path)
            with np.load(path) as file:
                records = json.loads(str(file['records']))
                chosen = [i for i, record in enumerate(records) if held_out(record) == self.held]
                if chosen:
                    parts.append(torch.from_numpy(file['pictures'][chosen]).to(self.device).permute(0, 3, 1, 2))
                    self.records += [records[i] for i in chosen]
        if parts:
            self.pixels = torch.cat([*([] if self.pixels is None else [self.pixels]), *parts])
        return len(self.records) - before

    def __len__(self):
        return len(self.records)


def unit(pixels):
    return pixels.float() / 127.5 - 1


def vary(pixels, tints=None, crop=0.85):
    """Pixels in −1…1, each mirrored by half a chance, cropped a little and given a little other light. `tints`: −1 cold, 1 warm, 0 as it is."""
    x = unit(pixels)
    count, device = x.shape[0], x.device
    scale = 1 - torch.rand(count, device=device) * (1 - crop)
    mirror = torch.where(torch.rand(count, device=device) < 0.5, -1.0, 1.0)
    theta = torch.zeros(count, 2, 3, device=device)
    theta[:, 0, 0], theta[:, 1, 1] = scale * mirror, scale
    theta[:, :, 2] = (torch.rand(count, 2, device=device) * 2 - 1) * (1 - scale)[:, None]
    x = F.grid_sample(x, F.affine_grid(theta, list(x.shape), align_corners=False), mode='bicubic', padding_mode='reflection', align_corners=False).clamp(-1, 1)
    warm = torch.randn(count, device=device) * 0.025
    if tints is not None:
        warm = warm + tints.to(device) * (0.12 + 0.1 * torch.rand(count, device=device))
    gain = torch.stack([1 + warm, torch.ones_like(warm), 1 - warm], 1) * (1 + 0.06 * torch.randn(count, 1, device=device))
    power = torch.exp(0.1 * torch.randn(count, 1, 1, 1, device=device))
    return (((x + 1) / 2 * gain[:, :, None, None]).clamp(1e-4, 1) ** power * 2 - 1).contiguous(memory_format=torch.channels_last)


def toy(folder, count=48, side=64):
    """Drawn pictures with records, to try every step in seconds."""
    rng = np.random.default_rng(1)
    names = ['beach', 'brick-wall', 'desk', 'forest', 'jetty', 'kitchen', 'lawn', 'living-room', 'sky', 'snow', 'street', 'workshop']
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    y, x = np.mgrid[0:side, 0:side] / side
    pictures, records = [], []
    for i in range(count):
        k = i % 12
        wave = np.stack([np.sin(6 * ((k % 3 + 1) * x + (k % 4) * y) + c + rng.uniform(0, 1)) for c in range(3)], -1)
        pictures.append(((wave * 0.4 + 0.5) * 255).astype(np.uint8))
        records.append({'environment': names[k], 'scene': i, 'view': 0, 'light': 'fair' if k % 2 else 'window', 'chosen': [], 'in_frame': [], 'moods': []})
    with open(folder / '000.npz', 'wb') as file:
        np.savez(file, pictures=np.stack(pictures), records=np.array(json.dumps(records)))
