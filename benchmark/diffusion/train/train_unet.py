"""Trains the UNet and the text encoder together on cached latents: v prediction, captions left out for one in ten, moving average of the weights.

    python train_unet.py --pictures DIR --vae vae.pt --out unet.pt --seconds 300 [--resume unet.pt] [--decay-from 0.6] [--average unet-ema.pt]
"""
import argparse
import copy
import random
import time
from pathlib import Path

import torch
from torch.nn import functional as F

from captions import caption
from data import Pictures, vary
from model import SCALING, alphas, build_autoencoder, build_text, build_tokenizer, build_unet


class Latents:
    """Latents of every picture in several variations, each with several captions."""

    def __init__(self, options, tokenizer, device):
        self.options, self.tokenizer, self.device = options, tokenizer, device
        self.pictures, self.values, self.rows, self.rng = Pictures(options.pictures, device), None, None, random.Random(5)
        self.encoder = None

    def load_encoder(self):
        encoder, _ = build_autoencoder(self.options.quick)
        encoder.load_state_dict(torch.load(self.options.vae, map_location=self.device)['encoder'])
        self.encoder = encoder.to(self.device, memory_format=torch.channels_last).eval()

    @torch.no_grad()
    def refresh(self):
        first = len(self.pictures)
        if not self.pictures.refresh():
            return
        values, rows = [], []
        for start in range(first, len(self.pictures), 64):
            pixels, records = self.pictures.pixels[start : start + 64], self.pictures.records[start : start + 64]
            for _ in range(self.options.variations):
                tints = [self.rng.choice((-1, 0, 0, 0, 0, 1)) for _ in records]
                with torch.autocast(self.device, dtype=torch.bfloat16):
                    moments = self.encoder(vary(pixels, torch.tensor(tints, dtype=torch.float32)))
                values.append(moments.float()[:, :4] * SCALING)
                for record, tint in zip(records, tints):
                    said = [caption(self.rng, record, record['moods'], {1: 'warm', -1: 'cold'}.get(tint)) for _ in range(self.options.captions)]
                    rows.append([self.tokenizer.encode(text) for text in said])
        rows = torch.tensor(rows, dtype=torch.int16)
        self.values = torch.cat([*([] if self.values is None else [self.values]), *values])
        self.rows = rows.to(self.device) if self.rows is None else torch.cat([self.rows, rows.to(self.device)])

    def batch(self, count):
        at = torch.randint(len(self.values), (count,), device=self.device)
        which = torch.randint(self.options.captions, (count,), device=self.device)
        return self.values[at], self.rows[at, which].long()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--pictures', type=Path, required=True)
    parser.add_argument('--vae', type=Path, required=True)
    parser.add_argument('--out', type=Path, required=True)
    parser.add_argument('--average', type=Path, help='where the moving average is written in half precision')
    parser.add_argument('--resume', type=Path)
    parser.add_argument('--seconds', type=float, default=300)
    parser.add_argument('--decay-from', type=float, default=1.0, help='share of the time after which the rate falls')
    parser.add_argument('--batch', type=int, default=256)
    parser.add_argument('--rate', type=float, default=6e-4)
    parser.add_argument('--variations', type=int, default=6)
    parser.add_argument('--captions', type=int, default=6)
    parser.add_argument('--no-compile', action='store_true')
    parser.add_argument('--quick', action='store_true')
    options = parser.parse_args()
    device = 'cuda' if torch.cuda.is_available() else 'cpu'
    torch.manual_seed(2)
    torch.backends.cudnn.benchmark = True
    torch.backends.cuda.matmul.allow_tf32 = torch.backends.cudnn.allow_tf32 = True
    tokenizer = build_tokenizer()
    unet, text = build_unet(options.quick).to(device, memory_format=torch.channels_last), build_text(tokenizer).to(device)
    average = copy.deepcopy(torch.nn.ModuleList([unet, text])).requires_grad_(False)
    learned = [*unet.parameters(), *text.parameters()]
    optimizer = torch.optim.AdamW(learned, options.rate, (0.9, 0.99), weight_decay=0.01, **({'fused': True} if device == 'cuda' else {}))
    step = 0
    if options.resume:
        state = torch.load(options.resume, map_location=device)
        unet.load_state_dict(state['unet']), text.load_state_dict(state['text']), average.load_state_dict(state['average'])
        if 'optimizer' in state:
            optimizer.load_state_dict(state['optimizer'])
        step = state['steps']
    product = torch.tensor(alphas(), dtype=torch.float32, device=device)
    empty = torch.tensor([tokenizer.encode('')], device=device)

    def loss_of(clean, rows):
        count = clean.shape[0]
        rows = torch.where(torch.rand(count, 1, device=device) < 0.1, empty, rows)
        times = torch.randint(1000, (count,), device=device)
        a = product[times][:, None, None, None]
        noise = torch.randn_like(clean)
        noised, wanted = a.sqrt() * clean + (1 - a).sqrt() * noise, a.sqrt() * noise - (1 - a).sqrt() * clean
        with torch.autocast(device, dtype=torch.bfloat16):
            answer = painter(noised.contiguous(memory_format=torch.channels_last), times.float(), text(rows)[0])
        return F.mse_loss(answer.float(), wanted)

    painter = unet
    latents = Latents(options, tokenizer, device)
    side = 8 if options.quick else 32
    if device == 'cuda' and not options.no_compile:
        # Compiled while the autoencoder is still learning.
        try:
            began = time.time()
            painter = torch.compile(unet)
            loss_of(torch.randn(options.batch, 4, side, side, device=device), empty.expand(options.batch, -1)).backward()
            optimizer.zero_grad(set_to_none=True)
            torch.cuda.synchronize()
            print(f'compiled in {time.time() - began:.0f} s', flush=True)
        except Exception as error:
            print(f'not compiled: {str(error)[:300]}', flush=True)
            painter = unet
    while not options.vae.exists():
        time.sleep(0.5)
    latents.load_encoder()
    latents.refresh()
    started, refreshed, sum_, first = time.time(), time.time(), 0.0, step
    weights, slow = [*unet.parameters(), *text.parameters()], list(average.parameters())

    def save(path, full):
        if full:
            torch.save({'unet': unet.state_dict(), 'text': text.state_dict(), 'average': average.state_dict(), 'optimizer': optimizer.state_dict(), 'steps': step}, path.with_suffix('.part'))
        else:
            torch.save({'average': {name: value.half() for name, value in average.state_dict().items()}, 'steps': step, 'latents': len(latents.values)}, path.with_suffix('.part'))
        path.with_suffix('.part').rename(path)

    while True:
        share = (time.time() - started) / options.seconds
        if share >= 1:
            break
        if time.time() - refreshed > 15:
            latents.refresh()
            refreshed = time.time()
        rate = min(1, (step + 1) / 300) * (1 if share < options.decay_from else max(0.02, (1 - share) / (1 - options.decay_from)))
        for group in optimizer.param_groups:
            group['lr'] = options.rate * rate
        loss = loss_of(*latents.batch(options.batch))
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(learned, 1.0)
        optimizer.step()
        keep = min(0.9995, (step + 1) / (step + 20))
        with torch.no_grad():
            torch._foreach_mul_(slow, keep)
            torch._foreach_add_(slow, weights, alpha=1 - keep)
        step += 1
        if step % 250 == 0:
            print(f'unet step {step} at {time.time() - started:.0f} s: loss {float(loss):.4f}, {len(latents.pictures)} pictures, {(step - first) / (time.time() - started):.1f} steps/s', flush=True)
    save(options.out, True)
    if options.average:
        save(options.average, False)
    print(f'unet: {step} steps, {len(latents.pictures)} pictures', flush=True)


if __name__ == '__main__':
    main()
