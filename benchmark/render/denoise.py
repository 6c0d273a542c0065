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
    alike = likeness(albedo, passes['normal'].astype(np.float32), passes['depth'].astype(np.float32))
    first, _ = cross_filter(light, guides, variance, alike, strength, REACH, PATCH)
    # A second, narrow pass with the first one's result as guide takes out what patches alone let through.
    clean = [np.log1p(4 * x) for x in first]
    rest = noise_of(clean, first[0], divisor, True) + 0.02 * variance
    second, company = cross_filter(first, clean, rest, alike, strength, 3, 3)
    result = (second[0] + second[1]) / 2 * divisor + glow
    # Pixels that an edge runs through resemble no neighbour and keep their noise: they take half of it from those around them.
    alone = np.clip((3.5 - company) / 2, 0, 1)[..., None]
    return result + alone * 0.8 * (cv2.GaussianBlur(result, (3, 3), 0.7) - result)


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


def likeness(albedo, normal, depth):
    """A function of two windows of the picture: how alike albedo, normal and distance are there, pixel by pixel, in 0…1."""
    far = np.log(np.maximum(depth[..., 0], 0.05))
    slope = cv2.blur(np.abs(cv2.Sobel(far, cv2.CV_32F, 1, 0, scale=1 / 8)) + np.abs(cv2.Sobel(far, cv2.CV_32F, 0, 1, scale=1 / 8)), (3, 3))
    slope = np.minimum(slope, 0.02) + 0.004

    def between(a, b, steps):
        colour = ((albedo[a] - albedo[b]) ** 2).sum(2) / (2 * 0.06**2)
        facing = ((normal[a] - normal[b]) ** 2).sum(2) / (2 * 0.22**2)
        apart = np.abs(far[a] - far[b]) / ((slope[a] + slope[b]) * (steps + 1))
        return np.exp(-np.minimum(colour + facing + apart, 60))

    return between


def cross_filter(light, guides, variance, alike, strength, reach, patch):
    """Both halves, filtered, and how many pixels' worth of weight each pixel found. Weights are symmetric, so each pair is looked at once."""
    height, width = variance.shape
    sums = [x.copy() for x in light]
    weights = [np.ones((height, width), np.float32) for _ in light]
    for dy in range(0, reach + 1):
        for dx in range(-reach, reach + 1):
            if dy == 0 and dx <= 0:
                continue
            a = (slice(0, height - dy), slice(max(0, -dx), width - max(0, dx)))
            b = (slice(dy, height), slice(max(0, dx), width - max(0, -dx)))
            factor = alike(a, b, max(dy, abs(dx)))
            noise = variance[a] + variance[b]
            for k in range(2):
                guide = guides[1 - k]
                gap = (((guide[a] - guide[b]) ** 2).mean(2) - 2 * noise) / (1e-5 + strength**2 * 2 * noise)
                weight = np.exp(-np.clip(cv2.blur(gap, (patch, patch)), 0, 60)) * factor
                sums[k][a] += weight[..., None] * light[k][b]
                sums[k][b] += weight[..., None] * light[k][a]
                weights[k][a] += weight
                weights[k][b] += weight
    return [s / w[..., None] for s, w in zip(sums, weights)], (weights[0] + weights[1]) / 2
