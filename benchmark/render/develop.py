"""From linear light to a photograph's pixels: exposure as a camera's meter would set it, a film-like curve, sRGB."""
import numpy as np


def expose(linear, stops, meter=0.6):
    """Brightness moved towards what a meter would choose (mean of logs at 18 % grey), `meter` of the way, at most 1.5 stops; then by the setting's stops."""
    luminance = linear @ np.array([0.2126, 0.7152, 0.0722], np.float32)
    mean = np.exp(np.log(np.maximum(luminance, 1e-3)).mean())
    correction = np.clip(np.log2(0.2 / mean) * meter, -1.5, 1.5)
    # Highlights decide where the picture is bright already: no more than about 3 % may run into white.
    bright = np.percentile(luminance, 97) * 2**correction
    if bright > 1.6:
        correction -= min(1.0, np.log2(bright / 1.6))
    return linear * 2 ** (correction + stops)


def curve(linear):
    """A film-like curve: middle grey stays, shadows deepen, highlights roll off (Narkowicz 2015's fit of the ACES curve)."""
    x = np.maximum(linear, 0) * 0.72
    return np.clip(x * (2.51 * x + 0.03) / (x * (2.43 * x + 0.59) + 0.14), 0, 1)


def srgb(linear):
    return np.where(linear <= 0.0031308, linear * 12.92, 1.055 * np.power(np.maximum(linear, 1e-8), 1 / 2.4) - 0.055)


def develop(linear, stops=0.0):
    """8-bit sRGB of a linear render."""
    return to_bytes(srgb(curve(expose(linear, stops))))


def to_bytes(values):
    return np.clip(values * 255 + 0.5, 0, 255).astype(np.uint8)
