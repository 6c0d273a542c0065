"""Paints many pictures with the trained weights, rounded as they ship, to measure with and to look at.

    python sample.py --unet ema.pt --vae vae.pt --out DIR [--count 500] [--settings STEPS:GUIDANCE,…]

Writes OUT/STEPS-GUIDANCE.zip: NNNN-ENVIRONMENT.jpg and captions.json.
"""
import argparse
import io
import json
import random
import zipfile
from pathlib import Path

import torch
from PIL import Image

from captions import LIGHTS, PLACES, caption
from model import SCALING, build_autoencoder, build_text, build_tokenizer, build_unet, sample


def rounded(state, bits):
    """Weights with the rounding of export.py."""
    out = {}
    for name, value in state.items():
        value = value.float()
        if bits == 8 and value.ndim > 1 and value.numel() >= 64:
            scale = value.flatten(1).abs().amax(1).clamp(min=1e-8) / 127
            scale = scale.reshape(-1, *[1] * (value.ndim - 1))
            out[name] = (value / scale).round().clamp(-127, 127) * scale
        else:
            out[name] = value.half().float()
    return out


def load(unet_path, vae_path, device, bits=8):
    tokenizer = build_tokenizer()
    unet, text = build_unet(), build_text(tokenizer)
    both = torch.nn.ModuleList([unet, text])
    both.load_state_dict(rounded(torch.load(unet_path, map_location='cpu')['average'], bits))
    encoder, decoder = build_autoencoder()
    state = torch.load(vae_path, map_location='cpu')
    encoder.load_state_dict(rounded(state['encoder'], 16)), decoder.load_state_dict(rounded(state['decoder'], 16))
    return tokenizer, *(network.to(device).eval() for network in (unet, text, encoder, decoder))


@torch.no_grad()
def paint(parts, texts, steps, guidance, seed, batch=50):
    """Pictures as uint8 N × side × side × 3."""
    tokenizer, unet, text, _, decoder = parts
    device = next(unet.parameters()).device
    generator = torch.Generator(device).manual_seed(seed)
    empty = text(torch.tensor([tokenizer.encode('')], device=device))[0]
    out = []
    for start in range(0, len(texts), batch):
        rows = torch.tensor([tokenizer.encode(each) for each in texts[start : start + batch]], device=device)
        latents = sample(unet, text(rows)[0], empty, steps, guidance, generator)
        out += list(((decoder(latents / SCALING).clamp(-1, 1) + 1) * 127.5 + 0.5).clamp(0, 255).byte().permute(0, 2, 3, 1).cpu().numpy())
    return out


def prompts(count, seed):
    """Places in turn, in every light; what else a caption may say comes from the sentences alone."""
    rng = random.Random(seed)
    places = list(PLACES)
    records = [{'environment': places[i % len(places)], 'chosen': [], 'in_frame': []} for i in range(count)]
    for record in records:
        record['light'] = rng.choice(LIGHTS['outdoors' if record['environment'] in LIGHTS['places'] else 'indoors'])
    return [(record['environment'], caption(rng, record)) for record in records]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--unet', type=Path, required=True)
    parser.add_argument('--vae', type=Path, required=True)
    parser.add_argument('--out', type=Path, required=True)
    parser.add_argument('--count', type=int, default=500)
    parser.add_argument('--settings', default='12:2.5')
    options = parser.parse_args()
    parts = load(options.unet, options.vae, 'cuda' if torch.cuda.is_available() else 'cpu')
    wanted = prompts(options.count, 7)
    for setting in options.settings.split(','):
        steps, guidance = setting.split(':')
        with zipfile.ZipFile(options.out / f'{steps}-{guidance}.zip', 'w') as file:
            for i, (picture, (place, _)) in enumerate(zip(paint(parts, [text for _, text in wanted], int(steps), float(guidance), 3), wanted)):
                data = io.BytesIO()
                Image.fromarray(picture).save(data, 'JPEG', quality=90)
                file.writestr(f'{i:04d}-{place}.jpg', data.getvalue())
            file.writestr('captions.json', json.dumps(wanted))
        print(setting, 'done', flush=True)


if __name__ == '__main__':
    main()
