"""Makes pictures with captions from rendered plates, on a GPU where there is one: takes out the noise, adds fog or night to some, develops to sRGB.

    python develop.py --plates DIR --out DIR [--watch FILE] [--limit N]

With --watch it goes on until FILE exists and every plate is done. Writes OUT/NNN.npz: `pictures` (uint8, N × side × side × 3) and `records` (JSON).
"""
import argparse
import json
import random
import time
from pathlib import Path

import numpy as np
import torch
from torch.nn import functional as F

LUMA = (0.2126, 0.7152, 0.0722)


def shift(x, dy, dx):
    return torch.roll(x, (-dy, -dx), (-2, -1))


def box(x, size):
    return F.avg_pool2d(F.pad(x, [size // 2] * 4, mode='reflect'), size, 1)


def median3(x):
    """Median of three by three."""
    padded = F.pad(x, (1, 1, 1, 1), mode='reflect')
    around = torch.stack([padded[..., i : i + x.shape[-2], j : j + x.shape[-1]] for i in range(3) for j in range(3)])
    return around.median(0).values


def denoise(colour, glow, albedo, normal, depth, strength=0.55, reach=6, patch=5):
    """Non-local means on light divided by albedo, stopped by edges of albedo, normal and depth: benchmark/render/denoise.py for one render, in batches.
    Wraps around at the border, where the stops and the patches keep it from mixing."""
    value = colour.max(1, keepdim=True).values
    around = median3(value)
    limit = torch.maximum(around * 3, around + 0.15)
    colour = colour * torch.clamp(limit / value.clamp(min=1e-6), max=1)
    divisor = albedo.clamp(min=0.04)
    light = (colour - glow).clamp(min=0) / divisor
    far = torch.log(depth.clamp(min=0.05))
    slope = box((shift(far, 0, 1) - shift(far, 0, -1)).abs() / 2 + (shift(far, 1, 0) - shift(far, -1, 0)).abs() / 2, 3).clamp(max=0.02) + 0.004
    guide = torch.log1p(4 * light)
    noise = box(((guide - box(guide, 3)) ** 2).mean(1, keepdim=True) * 9 / 8, 9) * 0.6
    for step, (span, size, scale) in enumerate(((reach, patch, 1.0), (3, 3, 0.25))):
        total, weights = light.clone(), torch.ones_like(far)
        for dy in range(0, span + 1):
            for dx in range(-span, span + 1):
                if dy == 0 and dx <= 0:
                    continue
                alike = ((albedo - shift(albedo, dy, dx)) ** 2).sum(1, keepdim=True) / (2 * 0.06**2) + ((normal - shift(normal, dy, dx)) ** 2).sum(1, keepdim=True) / (2 * 0.22**2)
                alike = alike + (far - shift(far, dy, dx)).abs() / ((slope + shift(slope, dy, dx)) * (max(dy, abs(dx)) + 1))
                both = (noise + shift(noise, dy, dx)) * scale
                gap = (((guide - shift(guide, dy, dx)) ** 2).mean(1, keepdim=True) - 2 * both) / (1e-5 + strength**2 * 2 * both)
                weight = torch.exp(-box(gap, size).clamp(0, 60) - alike.clamp(max=60))
                total += weight * shift(light, dy, dx) + shift(weight * light, -dy, -dx)
                weights += weight + shift(weight, -dy, -dx)
        light = total / weights
        guide = torch.log1p(4 * light)
    return light * divisor + glow


def fog(linear, depth, thickness):
    """Light of the sky in between, more with distance."""
    sky = linear.flatten(2).topk(linear.shape[2] * linear.shape[3] // 10, -1).values.mean(-1)[..., None, None]
    grey = (sky @ torch.ones(1, 1, device=sky.device)) * 0.35 + sky.mean(1, keepdim=True) * 0.65
    through = torch.exp(-depth / thickness)
    return linear * through + grey * 0.8 * (1 - through)


def develop(linear, stops, meter=0.75):
    luma = (linear * torch.tensor(LUMA, device=linear.device)[None, :, None, None]).sum(1).flatten(1)
    correction = (torch.log2(0.2 / torch.exp(torch.log(luma.clamp(min=1e-3)).mean(1))) * meter).clamp(-2, 2)
    bright = torch.quantile(luma, 0.97, dim=1) * 2**correction
    correction = correction - torch.where(bright > 1.6, torch.log2(bright / 1.6).clamp(max=1.0), torch.zeros_like(bright))
    x = (linear * (2 ** (correction + stops))[:, None, None, None]).clamp(min=0) * 0.72
    x = (x * (2.51 * x + 0.03) / (x * (2.43 * x + 0.59) + 0.14)).clamp(0, 1)
    x = torch.where(x <= 0.0031308, x * 12.92, 1.055 * x.clamp(min=1e-8) ** (1 / 2.4) - 0.055)
    return (x * 255 + 0.5).clamp(0, 255).to(torch.uint8)


def load(path):
    with np.load(path) as file:
        parts = {name: file[name] for name in file.files}
    return parts, json.loads(str(parts.pop('record')))


def moods_of(record):
    """Which further pictures one plate gives: fog and dusk outdoors, night anywhere; drawn from the plate's name."""
    rng = random.Random(f"{record['environment']}/{record['scene']}/{record['view']}")
    outdoors = record['light'] in ('fair', 'scattered', 'overcast', 'evening')
    chances = {'fog': 0.3 if outdoors and record['environment'] != 'sky' else 0, 'dusk': 0.22 if outdoors else 0, 'night': 0.12}
    return rng, [mood for mood, chance in chances.items() if rng.random() < chance]


@torch.no_grad()
def make(paths, device):
    loaded = [load(path) for path in paths]
    stack = {name: torch.tensor(np.stack([parts[name].astype(np.float32) for parts, _ in loaded]), device=device) for name in loaded[0][0]}
    colour, glow, albedo, normal = (stack[name].permute(0, 3, 1, 2) for name in ('colour', 'glow', 'albedo', 'normal'))
    depth = stack['depth'][:, None]
    linear = denoise(colour, glow, albedo / 255, normal / 127, depth)
    pictures, records = [], []

    def add(image, stops, record, moods):
        pictures.append(develop(image[None], stops)[0].permute(1, 2, 0).cpu().numpy())
        records.append(record | {'moods': moods})

    for i, (_, record) in enumerate(loaded):
        rng, moods = moods_of(record)
        exposure = torch.tensor([record['exposure'] * 0.5 + 0.15], device=device)
        add(linear[i], exposure, record, [])
        for mood in moods:
            if mood == 'fog':
                add(fog(linear[i : i + 1], depth[i : i + 1], rng.uniform(0.6, 2.2) * record['distance'] * (1.5 if record['environment'] == 'brick-wall' else 2.5))[0], exposure, record, ['fog'])
            else:
                tint = torch.tensor((0.42, 0.6, 1.0) if mood == 'night' else (0.72, 0.78, 1.1), device=device)[:, None, None]
                add(linear[i] * tint, exposure - (1.9 if mood == 'night' else 0.9), record, [mood])
    return np.stack(pictures), records


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--plates', type=Path, required=True)
    parser.add_argument('--out', type=Path, required=True)
    parser.add_argument('--watch', type=Path)
    parser.add_argument('--batch', type=int, default=48)
    options = parser.parse_args()
    device = 'cuda' if torch.cuda.is_available() else 'cpu'
    options.out.mkdir(parents=True, exist_ok=True)
    done, shard = set(), 0
    while True:
        ended = options.watch is None or options.watch.exists()
        found = sorted(set(options.plates.glob('*.npz')) - done)
        if not found and ended:
            break
        if len(found) < options.batch and not ended:
            time.sleep(1)
            continue
        for start in range(0, len(found), options.batch):
            paths = found[start : start + options.batch]
            pictures, records = make(paths, device)
            part = options.out / f'{shard:03d}.part'
            with open(part, 'wb') as file:
                np.savez(file, pictures=pictures, records=np.array(json.dumps(records)))
            part.rename(options.out / f'{shard:03d}.npz')
            shard += 1
            done |= set(paths)
        print(f'developed {len(done)} plates', flush=True)


if __name__ == '__main__':
    main()
