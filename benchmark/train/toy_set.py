"""A toy training set of drawn shapes on coloured grounds, to try the trainer where no renders are: toy_set.py FOLDER"""

import json
import sys
from pathlib import Path

import numpy as np
from PIL import Image, ImageDraw

SHAPES = ["disc", "box", "triangle", "ring"]
GROUNDS = {"lawn": (70, 130, 50), "sea": (40, 90, 160), "sand": (210, 180, 130), "brick": (150, 70, 50)}


def shape(name, random):
    image = Image.new("RGBA", (160, 160))
    draw = ImageDraw.Draw(image)
    colour = tuple(int(value) for value in random.integers(60, 255, 3)) + (255,)
    a, b = random.integers(8, 40, 2)
    if name == "disc":
        draw.ellipse((a, b, 150, 150), colour)
    elif name == "box":
        draw.rectangle((a, b, 150, 150), colour)
    elif name == "triangle":
        draw.polygon([(80, int(b)), (int(a), 150), (150, 150)], colour)
    else:
        draw.ellipse((a, b, 150, 150), outline=colour, width=28)
    return image


def ground(colour, random):
    pixels = np.array(colour) + random.normal(0, 14, (240, 240, 1)) + random.normal(0, 12, 3)
    return Image.fromarray(pixels.clip(0, 255).astype(np.uint8))


def main(folder):
    random = np.random.default_rng(1)
    for name in SHAPES:
        place = folder / "cutouts" / name
        place.mkdir(parents=True, exist_ok=True)
        for i in range(18):
            shape(name, random).save(place / f"{i:04}.png")
    for name, colour in GROUNDS.items():
        place = folder / "plates" / name
        place.mkdir(parents=True, exist_ok=True)
        for i in range(6):
            ground(colour, random).save(place / f"{i:02}.jpg", quality=90)
    classes = [{"name": name, "target": i, "usual": usual} for i, (name, usual) in enumerate(zip(SHAPES, GROUNDS))]
    (folder / "set.json").write_text(json.dumps({"classes": classes, "environments": list(GROUNDS), "seed": 1}, indent=2))


if __name__ == "__main__":
    if len(sys.argv) != 2:
        raise SystemExit("usage: toy_set.py FOLDER")
    main(Path(sys.argv[1]))
