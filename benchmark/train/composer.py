"""Puts cut-out objects onto plates, a batch at a time, on the device. Everything that varies is drawn from one generator.

A picture is made at twice the network's input and halved at the end, which keeps edges as smooth as a photograph's.
"""

import math

import torch
from torch.nn import functional as F

from networks import SIZE_PX
from training_set import CUTOUT_PX

FRAME_PX = 2 * SIZE_PX
MEAN = (0.485, 0.456, 0.406)
STD = (0.229, 0.224, 0.225)
# The object's longer side, as a share of the frame; the test images have 0.58 to 0.88.
LONG_SIDE_RANGE = (0.5, 0.93)


class Composer:
    def __init__(self, part, device, seed):
        self.part, self.device = part, device
        self.random = torch.Generator(device=device).manual_seed(seed)
        axis = (torch.arange(FRAME_PX, device=device) + 0.5) / FRAME_PX * 2 - 1
        self.x, self.y = axis[None, None, None, :], axis[None, None, :, None]
        self.waves, self.coarser = block_waves(device)
        self.mean = torch.tensor(MEAN, device=device).view(1, 3, 1, 1)
        self.std = torch.tensor(STD, device=device).view(1, 3, 1, 1)

    def batch(self, count, usual_share=None):
        """Pictures ready for a network, and their classes. `usual_share`: how many stand in their usual environment; the
        others are spread evenly over the other environments. None: every environment is as likely for every class."""
        labels = self.whole(count, len(self.part.usual))
        return self.compose(labels, self.environments(labels, usual_share)), labels

    @torch.no_grad()
    def collection(self, count, usual_share=None, at_once=256):
        """A training set as people have them: so many pictures and no more, held in half precision."""
        parts = [self.batch(min(at_once, count - start), usual_share) for start in range(0, count, at_once)]
        return torch.cat([images.half() for images, _ in parts]), torch.cat([labels for _, labels in parts])

    @torch.no_grad()
    def jitter(self, images):
        """Mirrored or not, and shifted by up to a sixteenth of the frame."""
        count, reach = len(images), SIZE_PX // 16
        flip = self.unit(count).view(-1, 1, 1, 1) < 0.5
        images = F.pad(torch.where(flip, images.flip(3), images), (reach,) * 4, mode="reflect")
        rows = self.whole(count, 2 * reach + 1)[:, None] + torch.arange(SIZE_PX, device=self.device)
        columns = self.whole(count, 2 * reach + 1)[:, None] + torch.arange(SIZE_PX, device=self.device)
        each = torch.arange(count, device=self.device)[:, None, None]
        return images.permute(0, 2, 3, 1)[each, rows[:, :, None], columns[:, None, :]].permute(0, 3, 1, 2)

    def environments(self, labels, usual_share):
        count, places = len(labels), len(self.part.plate_of[1])
        if usual_share is None:
            return self.whole(count, places)
        usual = self.part.usual[labels]
        others = (usual + 1 + self.whole(count, max(1, places - 1))) % places
        return torch.where(self.unit(count) < usual_share, usual, others)

    def compose(self, labels, environments):
        part, count = self.part, len(labels)
        which = self.pick(part.cutout_of, labels)
        plate = self.plate(self.pick(part.plate_of, environments))
        colour, alpha, bottom = self.object(which, count)
        shown = self.recolour(colour / alpha.clamp(min=1 / 255), 0.6) * self.shade(count, 0.25)
        picture = plate * (1 - bottom)
        picture = picture + alpha * (shown.clamp(0, 1) - picture)
        picture = self.recolour(picture, 1.0) * self.shade(count, 0.15)
        picture = self.soften(picture.clamp(0, 1), self.between(count, -0.5, 1.0).clamp(min=0), 3)
        noise = torch.randn(picture.shape, generator=self.random, device=self.device)
        picture = picture + noise * self.between(count, -0.02, 0.06).clamp(min=0)
        picture = self.compress(picture, self.between(count, 0.002, 0.05))
        return (F.avg_pool2d(picture.clamp(0, 1), 2) - self.mean) / self.std

    def plate(self, which):
        count = len(which)
        zoom = self.between(count, 0.6, 1.0).view(-1)
        turn = torch.where(self.unit(count) < 0.5, 1.0, -1.0)
        theta = torch.zeros(count, 2, 3, device=self.device)
        theta[:, 0, 0], theta[:, 1, 1] = zoom * turn, zoom
        theta[:, :, 2] = (self.unit(count, 2) * 2 - 1) * (1 - zoom)[:, None]
        plate = self.sample(self.part.plates[which].float() / 255, theta, "reflection")
        plate = self.soften(plate, self.between(count, -0.7, 1.0).clamp(min=0), 7)
        return self.recolour(plate, 0.5) * self.shade(count, 0.15)

    def object(self, which, count):
        """The object's colour times its alpha, its alpha, and the shadow below it."""
        height, width = self.part.shape[which].unbind(1)
        low, high = LONG_SIDE_RANGE
        scale = FRAME_PX * (low + (high - low) * self.unit(count)) / torch.maximum(height, width)
        stretch = torch.exp(0.06 * self.normal(count).clamp(-2, 2))
        angle = 0.14 * self.normal(count).clamp(-2, 2)
        wide, high = scale * stretch * width / FRAME_PX, scale / stretch * height / FRAME_PX
        room = torch.stack([1 - wide, 1 - high], 1).clamp(min=0)
        centre = (torch.stack([self.normal(count) * 0.35, 0.15 + self.normal(count) * 0.35], 1).clamp(-1, 1)) * room
        flip = torch.where(self.unit(count) < 0.5, 1.0, -1.0)
        cos, sin = torch.cos(angle), torch.sin(angle)
        linear = torch.stack(
            [flip * cos / (scale * stretch), flip * sin / (scale * stretch), -sin * stretch / scale, cos * stretch / scale], 1
        ).view(-1, 2, 2) * (FRAME_PX / CUTOUT_PX)
        theta = torch.cat([linear, -linear @ centre[:, :, None]], 2)
        found = self.sample(self.part.cutouts[which].float() / 255, theta, "zeros")
        found = self.soften(found, self.between(count, 0, 0.9), 3)
        return found[:, :3], found[:, 3:], self.shadow(centre, wide, high, count)

    def shadow(self, centre, wide, high, count):
        """A soft ellipse where the object touches the ground; three in ten stand without one."""
        strength = self.between(count, -0.3, 0.7).clamp(min=0)
        reach = (wide * (0.35 + 0.3 * self.unit(count))).view(-1, 1, 1, 1)
        depth = reach * self.between(count, 0.15, 0.4)
        x0 = (centre[:, 0] + wide * 0.4 * self.normal(count).clamp(-1, 1)).view(-1, 1, 1, 1)
        y0 = (centre[:, 1] + high * 0.94).view(-1, 1, 1, 1)
        return strength * torch.exp(-(((self.x - x0) / reach) ** 2) - ((self.y - y0) / depth) ** 2)

    def recolour(self, picture, strength):
        """Brightness, the colour of the light, gamma, contrast and saturation."""
        count = len(picture)
        gain = torch.exp(strength * (0.16 * self.normal(count, 1) + 0.07 * self.normal(count, 3))).view(count, -1, 1, 1)
        gamma = torch.exp(strength * 0.2 * self.normal(count)).view(-1, 1, 1, 1)
        picture = (picture * gain).clamp(1e-4, 1) ** gamma
        grey = picture.mean(1, keepdim=True)
        picture = grey + (picture - grey) * (1 + strength * 0.3 * self.normal(count)).clamp(0, 2).view(-1, 1, 1, 1)
        middle = grey.mean((2, 3), keepdim=True)
        return (middle + (picture - middle) * torch.exp(strength * 0.15 * self.normal(count)).view(-1, 1, 1, 1)).clamp(0, 1)

    def shade(self, count, strength):
        """Light that falls off across the frame."""
        slope = (strength * self.normal(count, 2)).clamp(-0.6, 0.6).view(count, 2, 1, 1)
        return 1 + slope[:, :1] * self.x + slope[:, 1:] * self.y

    def soften(self, picture, share, width_px):
        """Mixed with its own running mean over `width_px` pixels; a share of 0 leaves it sharp."""
        blurred = F.avg_pool2d(picture, width_px, 1, width_px // 2, count_include_pad=False)
        return picture + share * (blurred - picture)

    def compress(self, picture, step):
        """JPEG's way to lose detail: cosine transform of 8×8 blocks, coarser steps for finer detail."""
        waves = F.conv2d(picture.reshape(-1, 1, FRAME_PX, FRAME_PX), self.waves, stride=8)
        size = (step * self.coarser).repeat_interleave(3, 0)
        waves = torch.round(waves / size) * size
        return F.conv_transpose2d(waves, self.waves, stride=8).view(picture.shape)

    def sample(self, pictures, theta, padding):
        grid = F.affine_grid(theta, [len(theta), 1, FRAME_PX, FRAME_PX], align_corners=False)
        return F.grid_sample(pictures, grid, mode="bilinear", padding_mode=padding, align_corners=False)

    def pick(self, table, groups):
        members, sizes = table
        place = (self.unit(len(groups)) * sizes[groups]).long().minimum(sizes[groups] - 1)
        return members[groups, place]

    def unit(self, *shape):
        return torch.rand(shape, generator=self.random, device=self.device)

    def normal(self, *shape):
        return torch.randn(shape, generator=self.random, device=self.device)

    def whole(self, count, below):
        return torch.randint(below, (count,), generator=self.random, device=self.device)

    def between(self, count, low, high):
        return (low + (high - low) * self.unit(count)).view(-1, 1, 1, 1)


def block_waves(device):
    """The 64 waves of JPEG's cosine transform (orthonormal), and how much coarser each is rounded than the first."""
    k = torch.arange(8, dtype=torch.float32)
    cosine = torch.cos(math.pi * (2 * k[None, :] + 1) * k[:, None] / 16) / 2
    cosine[0] /= math.sqrt(2)
    waves = torch.einsum("uy,vx->uvyx", cosine, cosine).reshape(64, 1, 8, 8)
    coarser = 2 * (1 + (k[:, None] + k) / 3).reshape(1, 64, 1, 1)
    return waves.to(device), coarser.to(device)
