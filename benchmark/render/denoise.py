"""Takes the noise out of a render with the help of its noise-free passes.

Non-local means on light (colour divided by albedo), after Rousselle, Knaus and Zwicker 2012: two halves of the samples,
each filtered with weights taken from the other, patch distances measured against the noise that the halves' difference shows.
Where the halves agree nothing is averaged, so textures and reflections stay; edges of albedo, normal and depth stop the filter.
"""
import cv2
import numpy as np

REACH = 6
PATCH = 5
STRENGTH = 0.5


def denoise(passes, strength=STRENGTH):
    """Linear colour, H×W×3, from the passes `main.py` saved."""
    halves = passes['colour'].astype(np.float32)
    if len(halves) == 1:
        halves = np.concatenate([halves, halves])
        paired = False
    else:
        paired = True
    glow = np.maximum(passes['emission'].astype(np.float32) + passes['sky'].astype(np.float32), 0)
    albedo = np.clip(passes['albedo'].astype(np.float32), 0, 1)
    divisor = np.maximum(albedo, 0.04)
    light = [np.maximum(tame(half) - glow, 0) / divisor for half in halves]
    guides = [np.log1p(4 * x) for x in light]
    variance = noise_of(guides, light[0], divisor, paired)
    factor = feature_weights(albedo, passes['normal'].astype(np.float32), passes['depth'].astype(np.float32))
    first = cross_filter(light, guides, variance, factor, strength, REACH, PATCH)
    # A second, narrow pass with the first one's result as guide takes out what patches alone let through.
    clean = [np.log1p(4 * x) for x in first]
    rest = noise_of(clean, first[0], divisor, True) + 0.02 * variance
    second = cross_filter(first, clean, rest, factor, strength, 3, 3)
    return (second[0] + second[1]) / 2 * divisor + glow


def tame(image, times=3.0):
    """Single pixels far brighter than all around them are lowered to their brightest neighbour but one."""
    value = image.max(2)
    around = cv2.medianBlur(value, 3)
    limit = np.maximum(around * times, around + 0.15)
    return image * np.minimum(1, limit / np.maximum(value, 1e-6))[..., None]


def noise_of(guides, light, divisor, paired):
    if paired:
        variance = ((guides[0] - guides[1]) ** 2).mean(2) / 4
    else:
        high = guides[0] - cv2.blur(guides[0], (3, 3))
        variance = (high**2).mean(2) * 9 / 8
        return cv2.blur(variance, (9, 9)) * 0.6
    return cv2.GaussianBlur(variance, (0, 0), 2.0)


def feature_weights(albedo, normal, depth):
    """A function of an offset: how alike albedo, normal and distance are at the two ends of it."""
    far = np.log(np.maximum(depth[..., 0] if depth.ndim == 3 else depth, 0.05))
    slope = cv2.blur(np.abs(cv2.Sobel(far, cv2.CV_32F, 1, 0, scale=1 / 8)) + np.abs(cv2.Sobel(far, cv2.CV_32F, 0, 1, scale=1 / 8)), (3, 3))
    slope = np.minimum(slope, 0.02) + 0.004

    def at(dy, dx):
        steps = max(abs(dy), abs(dx))
        colour = ((albedo - shift(albedo, dy, dx)) ** 2).sum(2) / (2 * 0.06**2)
        facing = ((normal - shift(normal, dy, dx)) ** 2).sum(2) / (2 * 0.22**2)
        range_ = np.abs(far - shift(far, dy, dx)) / (slope * (steps + 1) * 2)
        return np.exp(-np.minimum(colour + facing + range_, 60))

    return at


def cross_filter(light, guides, variance, features, strength, reach, patch):
    sums = [np.zeros_like(light[0]) for _ in light]
    weights = [np.zeros(light[0].shape[:2], np.float32) for _ in light]
    for dy in range(-reach, reach + 1):
        for dx in range(-reach, reach + 1):
            factor = features(dy, dx)
            other = shift(variance, dy, dx)
            for k in range(2):
                guide = guides[1 - k]
                gap = ((guide - shift(guide, dy, dx)) ** 2).mean(2) - (variance + np.minimum(variance, other)) * 2
                gap = gap / (1e-5 + strength**2 * 2 * (variance + other))
                gap = cv2.blur(gap, (patch, patch))
                weight = np.exp(-np.clip(gap, 0, 60)) * factor
                sums[k] += weight[..., None] * shift(light[k], dy, dx)
                weights[k] += weight
    return [s / w[..., None] for s, w in zip(sums, weights)]


def shift(image, dy, dx):
    """The image moved by whole pixels, its border repeated."""
    height, width = image.shape[:2]
    rows = np.clip(np.arange(height) + dy, 0, height - 1)
    columns = np.clip(np.arange(width) + dx, 0, width - 1)
    return image[rows][:, columns]
