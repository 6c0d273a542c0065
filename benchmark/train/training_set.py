"""Reads the training set: cut-out objects and empty plates, as tensors, split into a part to train on and one to validate."""

import json
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import torch
from PIL import Image

CUTOUT_PX = 160
PLATE_PX = 256
IMAGES = {".png", ".jpg", ".jpeg", ".webp"}


def read_set(folder):
    """`classes`, `environments` and `seed` of set.json, with every picture in memory."""
    folder = Path(folder)
    try:
        described = json.loads((folder / "set.json").read_text())
    except OSError:
        raise SystemExit(f"{folder}/set.json: not found; the render scripts make the training set")
    classes = described["classes"]
    environments = [each if isinstance(each, str) else each["name"] for each in described["environments"]]
    for each in classes:
        if each["usual"] not in environments:
            raise SystemExit(f"set.json: {each['name']} is usually in {each['usual']!r}, which is no environment of the set")
    with ThreadPoolExecutor(8) as pool:
        cutouts = [list(pool.map(read_cutout, files(folder / "cutouts" / each["name"]))) for each in classes]
        plates = [list(pool.map(read_plate, files(folder / "plates" / each))) for each in environments]
    return {
        "labels": [each.get("label", each["name"]) for each in classes],
        "usual": [environments.index(each["usual"]) for each in classes],
        "environments": environments,
        "seed": described.get("seed"),
        "cutouts": cutouts,
        "plates": plates,
    }


def files(folder):
    found = sorted(each for each in folder.glob("*") if each.suffix.lower() in IMAGES) if folder.is_dir() else []
    if len(found) < 2:
        raise SystemExit(f"{folder}: expected two pictures or more, found {len(found)}")
    return found


def read_cutout(file):
    """Cut to the object and put in the middle of a square; colour where nothing is seen is black."""
    with Image.open(file) as image:
        image = image.convert("RGBA")
    alpha = np.asarray(image)[:, :, 3]
    rows, columns = np.flatnonzero(alpha.max(1) > 8), np.flatnonzero(alpha.max(0) > 8)
    if rows.size == 0:
        raise SystemExit(f"{file}: nothing but transparency")
    image = image.crop((columns[0], rows[0], columns[-1] + 1, rows[-1] + 1))
    longest = max(image.size)
    if longest > CUTOUT_PX - 2:
        scale = (CUTOUT_PX - 2) / longest
        image = image.resize([max(1, round(side * scale)) for side in image.size], Image.BILINEAR)
    pixels = np.array(image)
    pixels[:, :, :3] = (pixels[:, :, :3].astype(np.uint16) * pixels[:, :, 3:] + 127) // 255
    height, width = pixels.shape[:2]
    top, left = (CUTOUT_PX - height) // 2, (CUTOUT_PX - width) // 2
    square = np.zeros((CUTOUT_PX, CUTOUT_PX, 4), np.uint8)
    square[top : top + height, left : left + width] = pixels
    return square.transpose(2, 0, 1), height, width


def read_plate(file):
    with Image.open(file) as image:
        image = image.convert("RGB")
    side = min(image.size)
    left, top = (image.width - side) // 2, (image.height - side) // 2
    image = image.crop((left, top, left + side, top + side)).resize((PLATE_PX, PLATE_PX), Image.BILINEAR)
    return np.asarray(image).transpose(2, 0, 1)


class Part:
    """The cut-outs and plates of one part, on the device; `members` and `sizes` say which belong to which class or place."""

    def __init__(self, content, keep, device):
        kept = [[each for i, each in enumerate(group) if keep(i, len(group))] for group in content["cutouts"]]
        flat = [each for group in kept for each in group]
        self.cutouts = torch.from_numpy(np.stack([each[0] for each in flat])).to(device)
        self.shape = torch.tensor([each[1:] for each in flat], dtype=torch.float32, device=device)
        self.cutout_of = members(kept, device)
        kept = [[each for i, each in enumerate(group) if keep(i, len(group))] for group in content["plates"]]
        self.plates = torch.from_numpy(np.stack([each for group in kept for each in group])).to(device)
        self.plate_of = members(kept, device)
        self.usual = torch.tensor(content["usual"], device=device)


def members(groups, device):
    """(table, sizes): row g of the table lists the numbers of the pictures of group g, filled up with zeros."""
    sizes = [len(group) for group in groups]
    table, start = torch.zeros(len(groups), max(sizes), dtype=torch.long), 0
    for row, size in enumerate(sizes):
        table[row, :size] = torch.arange(start, start + size)
        start += size
    return table.to(device), torch.tensor(sizes, device=device)


def is_held_out(i, count):
    """Every sixth picture, and at least one of each group."""
    return i % 6 == 5 or (count < 6 and i == count - 1)


def split(content, device):
    train = Part(content, lambda i, count: not is_held_out(i, count), device)
    validation = Part(content, is_held_out, device)
    return train, validation
