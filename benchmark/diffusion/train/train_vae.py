"""Trains the autoencoder: L1, gradients at several scales, and a discriminator on patches whose features also measure likeness.

    python train_vae.py --pictures DIR --out vae.pt --seconds 180 [--least 100] [--resume vae.pt]
"""
import argparse
import time
from pathlib import Path

import torch
from torch import nn
from torch.nn import functional as F

from data import Pictures, unit, vary
from model import SCALING, build_autoencoder


class Discriminator(nn.Module):
    def __init__(self, width=64):
        super().__init__()
        layers, before = [], 3
        for after in (width, 2 * width, 4 * width, 4 * width):
            layers.append(nn.Sequential(nn.Conv2d(before, after, 4, 2, 1), nn.GroupNorm(8, after) if before > 3 else nn.Identity(), nn.LeakyReLU(0.2)))
            before = after
        self.layers, self.last = nn.ModuleList(layers), nn.Conv2d(before, 1, 3, padding=1)

    def forward(self, x):
        features = []
        for layer in self.layers:
            x = layer(x)
            features.append(x)
        return self.last(x), features


def gradients(a, b):
    """L1 of differences to the right and below, at four scales."""
    total = 0.0
    for _ in range(4):
        for axis in (-1, -2):
            total = total + (torch.diff(a, dim=axis) - torch.diff(b, dim=axis)).abs().mean()
        a, b = F.avg_pool2d(a, 2), F.avg_pool2d(b, 2)
    return total


def normalise(encoder, decoder, pictures, device):
    """Folds a shift and a scale per channel into the outermost 1 × 1 convolutions, so that the means' latents times 0.18215 are of mean 0 and variance 1."""
    with torch.no_grad():
        means = torch.cat([encoder(unit(pictures.pixels[i : i + 64])).float()[:, :4] for i in range(0, min(len(pictures), 1024), 64)])
        mean, std = means.mean((0, 2, 3)), means.std((0, 2, 3))
        out, into = encoder.parts[-1], decoder.parts[0]
        factor = 1 / (std * SCALING)
        into.bias += (into.weight[:, :, 0, 0] @ mean[:, None])[:, 0]
        into.weight *= (1 / factor)[None, :, None, None]
        out.bias[:4] = (out.bias[:4] - mean) * factor
        out.weight[:4] *= factor[:, None, None, None]
        out.bias[4:] += 2 * torch.log(factor)
    return mean, std


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--pictures', type=Path, required=True)
    parser.add_argument('--out', type=Path, required=True)
    parser.add_argument('--resume', type=Path)
    parser.add_argument('--seconds', type=float, default=180)
    parser.add_argument('--least', type=int, default=100, help='pictures to wait for')
    parser.add_argument('--batch', type=int, default=48)
    parser.add_argument('--decoder-only', action='store_true', help='latents stay what they are')
    parser.add_argument('--compile', action='store_true', help='half a minute at the start, then faster')
    parser.add_argument('--quick', action='store_true')
    options = parser.parse_args()
    device = 'cuda' if torch.cuda.is_available() else 'cpu'
    torch.manual_seed(1)
    torch.backends.cudnn.benchmark = True
    torch.backends.cuda.matmul.allow_tf32 = torch.backends.cudnn.allow_tf32 = True
    encoder, decoder = (network.to(device, memory_format=torch.channels_last) for network in build_autoencoder(options.quick))
    judge = Discriminator(8 if options.quick else 64).to(device, memory_format=torch.channels_last)
    state = {}
    if options.resume:
        state = torch.load(options.resume, map_location=device)
        encoder.load_state_dict(state['encoder']), decoder.load_state_dict(state['decoder'])
        if 'judge' in state:
            judge.load_state_dict(state['judge'])
    # A judge that knows nothing yet only listens at first.
    opening = 0.35 if not options.resume else 0.0 if 'judge' in state else 0.08
    pictures = Pictures(options.pictures, device)
    while len(pictures) < options.least:
        pictures.refresh()
        time.sleep(0.5)
    learned = [*([] if options.decoder_only else encoder.parameters()), *decoder.parameters()]
    peak = 3e-4 if options.decoder_only else 1e-3
    painter, critic = torch.optim.AdamW(learned, peak, (0.9, 0.99), weight_decay=0.01), torch.optim.AdamW(judge.parameters(), 3e-4, (0.5, 0.9))
    decode, look = (torch.compile(decoder), torch.compile(judge)) if options.compile else (decoder, judge)
    started, refreshed, step = time.time(), time.time(), 0
    while True:
        share = (time.time() - started) / options.seconds
        if share >= 1:
            break
        if time.time() - refreshed > 10:
            pictures.refresh()
            refreshed = time.time()
        rate = min(1, (step + 1) / 100) * (1 if share < 0.7 else max(0.03, (1 - share) / 0.3))
        for group in painter.param_groups:
            group['lr'] = peak * rate
        x = vary(pictures.pixels[torch.randint(len(pictures), (options.batch,), device=device)])
        judging = share >= opening
        with torch.autocast(device, dtype=torch.bfloat16):
            if options.decoder_only:
                with torch.no_grad():
                    moments = encoder(x)
            else:
                moments = encoder(x)
            mean, logvar = moments.float().chunk(2, 1)
            logvar = logvar.clamp(-20, 10)
            spread = mean.detach().std() if not options.resume else 1 / SCALING
            # A sampled latent never lies exactly where the encoder would put it.
            z = mean + torch.exp(0.5 * logvar) * torch.randn_like(mean) + 0.06 * spread * torch.rand(mean.shape[0], 1, 1, 1, device=device) * torch.randn_like(mean)
            y = x
            if step % 4 == 3 and not options.decoder_only:
                # Scaled latents give the scaled picture (Kouzelis et al. 2025): smoother latents are easier to paint.
                side = x.shape[-1] // 16 * 8
                z, y = F.interpolate(z, size=(side // 8, side // 8), mode='bilinear', antialias=True), F.interpolate(x, size=(side, side), mode='bilinear', antialias=True)
            made = decode(z).float()
            loss = (made - y).abs().mean() + 0.35 * gradients(made, y) + 1e-5 * 0.5 * (mean**2 + logvar.exp() - 1 - logvar).mean()
            reconstruction = float(loss.detach()) if step % 100 == 0 else 0
            if judging:
                answer, features = look(made)
                with torch.no_grad():
                    _, wanted = look(y)
                alike = sum((a.float() - b.float()).abs().mean() / (b.float().abs().mean() + 1e-3) for a, b in zip(features, wanted)) / len(features)
                loss = loss - 0.02 * min(1, (share - opening) / 0.1 + 1e-3) * answer.float().mean() + 0.12 * alike
        painter.zero_grad(set_to_none=True)
        loss.backward()
        nn.utils.clip_grad_norm_(learned, 1.0)
        painter.step()
        if share > opening - 0.1:
            with torch.autocast(device, dtype=torch.bfloat16):
                real, fake = look(y)[0].float(), look(made.detach())[0].float()
                blame = F.relu(1 - real).mean() + F.relu(1 + fake).mean()
            critic.zero_grad(set_to_none=True)
            blame.backward()
            critic.step()
        if step % 100 == 0:
            print(f'vae step {step} at {time.time() - started:.0f} s: loss {reconstruction:.4f}, {len(pictures)} pictures, latent std {float(mean.detach().std()):.2f}', flush=True)
        step += 1
    encoder.eval(), decoder.eval()
    if not options.decoder_only:
        print('latents', *normalise(encoder, decoder, pictures, device))
    state = {'encoder': encoder.state_dict(), 'decoder': decoder.state_dict(), 'judge': judge.state_dict(), 'steps': step}
    part = options.out.with_suffix('.part')
    torch.save(state, part)
    part.rename(options.out)
    print(f'vae: {step} steps', flush=True)


if __name__ == '__main__':
    main()
