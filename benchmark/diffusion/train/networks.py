"""Stable Diffusion's three networks in plain PyTorch, at any width: the autoencoder, the UNet with cross-attention and CLIP's text encoder.

The shapes are those of Rombach et al. 2022 and of the Hugging Face implementations (block order, GroupNorm, sinusoidal time embedding with cosine
first, causal text mask, quick GELU), so that an export has the inputs and outputs of an optimum export. Works with PyTorch 1.13 and later.
"""
import math

import torch
from torch import nn
from torch.nn import functional as F


# An export spells attention out, since operator set 17 has no fused one.
FUSED = hasattr(F, 'scaled_dot_product_attention')


def norm(channels, groups, eps=1e-5):
    return nn.GroupNorm(groups, channels, eps)


def attend(q, k, v, heads, mask=None):
    """Scaled dot-product attention over (batch, tokens, channels)."""
    batch, tokens, channels = q.shape
    size = channels // heads
    q, k, v = (x.reshape(batch, -1, heads, size).transpose(1, 2) for x in (q, k, v))
    if FUSED:
        mixed = F.scaled_dot_product_attention(q, k, v, attn_mask=mask)
    else:
        scores = q @ k.transpose(-1, -2) * size**-0.5
        mixed = torch.softmax(scores if mask is None else scores + mask, -1) @ v
    return mixed.transpose(1, 2).reshape(batch, -1, channels)


class ResBlock(nn.Module):
    def __init__(self, before, after, groups, time=None, eps=1e-5):
        super().__init__()
        self.norm1, self.conv1 = norm(before, groups, eps), nn.Conv2d(before, after, 3, padding=1)
        self.time = nn.Linear(time, after) if time else None
        self.norm2, self.conv2 = norm(after, groups, eps), nn.Conv2d(after, after, 3, padding=1)
        self.shortcut = nn.Conv2d(before, after, 1) if before != after else nn.Identity()

    def forward(self, x, time=None):
        y = self.conv1(F.silu(self.norm1(x)))
        if self.time is not None:
            y = y + self.time(F.silu(time))[:, :, None, None]
        return self.shortcut(x) + self.conv2(F.silu(self.norm2(y)))


class Attention(nn.Module):
    def __init__(self, channels, heads, context=None):
        super().__init__()
        self.heads = heads
        self.to_q = nn.Linear(channels, channels, bias=False)
        self.to_k = nn.Linear(context or channels, channels, bias=False)
        self.to_v = nn.Linear(context or channels, channels, bias=False)
        self.to_out = nn.Linear(channels, channels)

    def forward(self, x, context=None):
        context = x if context is None else context
        return self.to_out(attend(self.to_q(x), self.to_k(context), self.to_v(context), self.heads))


class Transformer(nn.Module):
    """Self-attention, cross-attention to the caption and a gated feed-forward layer, as in Stable Diffusion's SpatialTransformer."""

    def __init__(self, channels, heads, context, groups, widen=4):
        super().__init__()
        self.norm, self.proj_in = norm(channels, groups, 1e-6), nn.Conv2d(channels, channels, 1)
        self.norm1, self.attn1 = nn.LayerNorm(channels), Attention(channels, heads)
        self.norm2, self.attn2 = nn.LayerNorm(channels), Attention(channels, heads, context)
        self.norm3, self.gate, self.down = nn.LayerNorm(channels), nn.Linear(channels, 2 * widen * channels), nn.Linear(widen * channels, channels)
        self.proj_out = nn.Conv2d(channels, channels, 1)

    def forward(self, x, context):
        batch, channels, height, width = x.shape
        y = self.proj_in(self.norm(x)).flatten(2).transpose(1, 2)
        y = y + self.attn1(self.norm1(y))
        y = y + self.attn2(self.norm2(y), context)
        value, gate = self.gate(self.norm3(y)).chunk(2, -1)
        y = y + self.down(value * F.gelu(gate))
        return x + self.proj_out(y.transpose(1, 2).reshape(batch, channels, height, width))


class Upsample(nn.Module):
    def __init__(self, channels):
        super().__init__()
        self.conv = nn.Conv2d(channels, channels, 3, padding=1)

    def forward(self, x):
        return self.conv(F.interpolate(x, scale_factor=2.0, mode='nearest'))


class Downsample(nn.Module):
    """The autoencoder's pads right and below only, the UNet's on all sides; both as in the original."""

    def __init__(self, channels, lopsided):
        super().__init__()
        self.lopsided = lopsided
        self.conv = nn.Conv2d(channels, channels, 3, stride=2, padding=0 if lopsided else 1)

    def forward(self, x):
        return self.conv(F.pad(x, (0, 1, 0, 1)) if self.lopsided else x)


def time_embedding(steps, channels):
    """Cosines first, then sines (flip_sin_to_cos, no shift of the frequencies)."""
    half = channels // 2
    frequencies = torch.exp(-math.log(10000) * torch.arange(half, dtype=torch.float32, device=steps.device) / half)
    angles = steps.float()[:, None] * frequencies[None]
    return torch.cat([torch.cos(angles), torch.sin(angles)], -1)


class UNet(nn.Module):
    """`attention` says for each level whether it has transformers; `added` is the width of SDXL's pooled text with its six size conditions."""

    def __init__(self, widths=(320, 640, 1280, 1280), attention=(True, True, True, False), context=768, channels=4, layers=2, head=64, groups=32, added=None, size_width=256, widen=4):
        super().__init__()
        self.channels, self.context = channels, context
        self.first, time = widths[0], 4 * widths[0]
        self.time = nn.Sequential(nn.Linear(widths[0], time), nn.SiLU(), nn.Linear(time, time))
        self.size_width = size_width
        self.added = nn.Sequential(nn.Linear(added + 6 * size_width, time), nn.SiLU(), nn.Linear(time, time)) if added else None
        self.conv_in = nn.Conv2d(channels, widths[0], 3, padding=1)

        def transformer(width, there):
            return Transformer(width, max(1, width // head), context, groups, widen) if there else None

        self.down, skips, width = nn.ModuleList(), [widths[0]], widths[0]
        for level, (after, attended) in enumerate(zip(widths, attention)):
            for _ in range(layers):
                self.down.append(Step(ResBlock(width, after, groups, time), transformer(after, attended)))
                skips.append(after)
                width = after
            if level < len(widths) - 1:
                self.down.append(Step(Downsample(width, False)))
                skips.append(width)
        self.middle = nn.ModuleList([Step(ResBlock(width, width, groups, time), transformer(width, True)), Step(ResBlock(width, width, groups, time))])
        self.up = nn.ModuleList()
        for level, (after, attended) in reversed(list(enumerate(zip(widths, attention)))):
            for layer in range(layers + 1):
                self.up.append(Step(ResBlock(width + skips.pop(), after, groups, time), transformer(after, attended), Upsample(after) if level and layer == layers else None))
                width = after
        self.norm_out, self.conv_out = norm(width, groups), nn.Conv2d(width, 4, 3, padding=1)

    def forward(self, sample, timestep, encoder_hidden_states, text_embeds=None, time_ids=None):
        time = self.time(time_embedding(timestep.reshape(-1).expand(sample.shape[0]), self.first).to(sample.dtype))
        if self.added is not None:
            sizes = time_embedding(time_ids.reshape(-1), self.size_width).reshape(sample.shape[0], -1)
            time = time + self.added(torch.cat([text_embeds, sizes.to(sample.dtype)], -1))
        x = self.conv_in(sample)
        kept = [x]
        for step in self.down:
            x = step(x, time, encoder_hidden_states)
            kept.append(x)
        for step in self.middle:
            x = step(x, time, encoder_hidden_states)
        for step in self.up:
            x = step(torch.cat([x, kept.pop()], 1), time, encoder_hidden_states)
        return self.conv_out(F.silu(self.norm_out(x)))


class Step(nn.Module):
    """One entry of a path through the UNet: a residual block or a change of size, then attention, then a change of size, where they are there."""

    def __init__(self, first, attention=None, resize=None):
        super().__init__()
        self.first, self.attention, self.resize = first, attention, resize

    def forward(self, x, time, context):
        x = self.first(x, time) if isinstance(self.first, ResBlock) else self.first(x)
        x = x if self.attention is None else self.attention(x, context)
        return x if self.resize is None else self.resize(x)


class Middle(nn.Module):
    def __init__(self, width, groups, attended):
        super().__init__()
        self.first, self.last = ResBlock(width, width, groups, eps=1e-6), ResBlock(width, width, groups, eps=1e-6)
        self.norm, self.attention = (norm(width, groups, 1e-6), Attention(width, 1)) if attended else (None, None)

    def forward(self, x):
        x = self.first(x)
        if self.attention is not None:
            batch, channels, height, width = x.shape
            x = x + self.attention(self.norm(x).flatten(2).transpose(1, 2)).transpose(1, 2).reshape(batch, channels, height, width)
        return self.last(x)


class Encoder(nn.Module):
    """Pixels in −1…1 to the mean and log variance of latents, one eighth of the side with four widths."""

    def __init__(self, widths=(128, 256, 512, 512), layers=2, groups=32, latent=4, attended=True):
        super().__init__()
        parts, width = [nn.Conv2d(3, widths[0], 3, padding=1)], widths[0]
        for level, after in enumerate(widths):
            for _ in range(layers):
                parts.append(ResBlock(width, after, groups, eps=1e-6))
                width = after
            if level < len(widths) - 1:
                parts.append(Downsample(width, True))
        self.parts = nn.Sequential(*parts, Middle(width, groups, attended), norm(width, groups, 1e-6), nn.SiLU(), nn.Conv2d(width, 2 * latent, 3, padding=1), nn.Conv2d(2 * latent, 2 * latent, 1))

    def forward(self, sample):
        return self.parts(sample)


class Decoder(nn.Module):
    def __init__(self, widths=(128, 256, 512, 512), layers=3, groups=32, latent=4, attended=True):
        super().__init__()
        width = widths[-1]
        parts = [nn.Conv2d(latent, latent, 1), nn.Conv2d(latent, width, 3, padding=1), Middle(width, groups, attended)]
        for level, after in reversed(list(enumerate(widths))):
            for _ in range(layers):
                parts.append(ResBlock(width, after, groups, eps=1e-6))
                width = after
            if level:
                parts.append(Upsample(width))
        self.parts = nn.Sequential(*parts, norm(width, groups, 1e-6), nn.SiLU(), nn.Conv2d(width, 3, 3, padding=1))

    def forward(self, latent_sample):
        return self.parts(latent_sample)


class TextLayer(nn.Module):
    def __init__(self, width, heads, widen, gelu):
        super().__init__()
        self.heads, self.gelu = heads, gelu
        self.norm1, self.norm2 = nn.LayerNorm(width), nn.LayerNorm(width)
        self.q, self.k, self.v, self.out = (nn.Linear(width, width) for _ in range(4))
        self.up, self.down = nn.Linear(width, widen * width), nn.Linear(widen * width, width)

    def forward(self, x, mask):
        y = self.norm1(x)
        x = x + self.out(attend(self.q(y), self.k(y), self.v(y), self.heads, mask))
        y = self.up(self.norm2(x))
        return x + self.down(F.gelu(y) if self.gelu else y * torch.sigmoid(1.702 * y))


class TextEncoder(nn.Module):
    """CLIP's text model. Answers the last hidden state, the pooled state at the first end token, and every hidden state."""

    def __init__(self, vocabulary, width=768, layers=12, heads=12, length=77, end=49407, projection=None, gelu=False, widen=4):
        super().__init__()
        self.end = end
        self.tokens, self.positions = nn.Embedding(vocabulary, width), nn.Embedding(length, width)
        self.layers = nn.ModuleList(TextLayer(width, heads, widen, gelu) for _ in range(layers))
        self.final = nn.LayerNorm(width)
        self.projection = nn.Linear(width, projection, bias=False) if projection else None
        self.register_buffer('mask', torch.full((length, length), -1e4).triu(1), persistent=False)

    def forward(self, input_ids):
        count = input_ids.shape[1]
        x = self.tokens(input_ids.long()) + self.positions.weight[None, :count]
        states = [x]
        for layer in self.layers:
            x = layer(x, self.mask[:count, :count])
            states.append(x)
        last = self.final(x)
        at = (input_ids == self.end).int().argmax(-1)
        pooled = last[torch.arange(last.shape[0], device=last.device), at]
        return last, pooled if self.projection is None else self.projection(pooled), states


def parameters(network):
    return sum(p.numel() for p in network.parameters())
