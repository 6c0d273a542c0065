"""The sizes of the model that ships, and the schedule it is trained and sampled with."""
import numpy as np
import torch

from captions import all_words
from networks import Decoder, Encoder, TextEncoder, UNet
from tokenizer import Tokenizer, learn_merges

SCALING = 0.18215
CONTEXT = 128
VAE_WIDTHS = (24, 48, 80, 96)
UNET_WIDTHS = (64, 128, 192)
SCHEDULE = {'num_train_timesteps': 1000, 'beta_start': 0.00085, 'beta_end': 0.012, 'beta_schedule': 'scaled_linear', 'prediction_type': 'v_prediction'}


def build_tokenizer():
    return Tokenizer(learn_merges(all_words(), 4000))


def build_autoencoder(quick=False):
    widths = (8, 8, 16, 16) if quick else VAE_WIDTHS
    return Encoder(widths, 1, 8, attended=False), Decoder(widths, 2, 8, attended=False)


def build_unet(quick=False):
    return UNet((16, 32, 48) if quick else UNET_WIDTHS, (False, True, True), CONTEXT, layers=1, head=32, groups=16, widen=2)


def build_text(tokenizer):
    return TextEncoder(len(tokenizer.vocabulary), CONTEXT, 4, 4, end=tokenizer.end)


def alphas():
    s = SCHEDULE
    betas = np.linspace(s['beta_start'] ** 0.5, s['beta_end'] ** 0.5, s['num_train_timesteps']) ** 2
    return np.cumprod(1 - betas)


def karras_levels(steps, product, rho=7.0):
    """Noise levels of Karras et al. 2022, eq. 5, and the time steps whose levels are nearest in the logarithm (as diffusers finds them)."""
    levels = ((1 - product) / product) ** 0.5
    low, high = levels[0], levels[-1]
    sigmas = (high ** (1 / rho) + np.linspace(0, 1, steps) * (low ** (1 / rho) - high ** (1 / rho))) ** rho
    times = np.interp(np.log(sigmas), np.log(levels), np.arange(len(levels))).round()
    return sigmas, times


@torch.no_grad()
def sample(unet, context, empty, steps, guidance, generator, side=32, noise=None):
    """DPM-Solver++ (2M) of Lu et al. 2022 with Karras levels, in latents of unit scale; the last step of first order."""
    sigmas, times = karras_levels(steps, alphas())
    device, count = context.device, context.shape[0]
    x = torch.randn(count, 4, side, side, generator=generator, device=device) if noise is None else noise
    before, log_before = None, None
    both = torch.cat([empty.expand(count, -1, -1), context])
    for i in range(steps):
        a = 1 / (sigmas[i] ** 2 + 1) ** 0.5
        s = sigmas[i] * a
        answer = unet(torch.cat([x, x]), torch.full((1,), float(times[i]), device=device), both).float()
        answer = answer[:count] + guidance * (answer[count:] - answer[:count])
        clean = a * x - s * answer
        nothing_left = i == steps - 1
        sigma = 0.0 if nothing_left else sigmas[i + 1]
        a2 = 1 / (sigma**2 + 1) ** 0.5
        s2 = sigma * a2
        moved = clean
        if not nothing_left:
            h = np.log(sigmas[i] / sigma)
            if before is not None:
                r = log_before / h
                moved = clean + (clean - before) / (2 * r)
            x = s2 / s * x - a2 * np.expm1(-h) * moved
            before, log_before = clean, h
        else:
            x = clean
    return x
