"""What one would write in Python instead: the edits of XIMAGENET-12 with OpenCV, preparing with Pillow. Shared by the peers."""
import argparse
import csv
import json
import os
import random
import time

import cv2
import numpy as np
from PIL import Image

MEAN = np.array([0.485, 0.456, 0.406], np.float32)
STD = np.array([0.229, 0.224, 0.225], np.float32)
BATCH = 32


def arguments(**more):
    parser = argparse.ArgumentParser()
    parser.add_argument("--data", required=True, help="manifest with image, mask (1 object, 2 background, 3 border), label")
    parser.add_argument("--backgrounds", required=True)
    parser.add_argument("--model", help="ONNX, float32 [N, 3, 224, 224]")
    parser.add_argument("--cores", type=int, default=os.cpu_count())
    for name, default in more.items():
        parser.add_argument(f"--{name}", type=type(default), default=default)
    return parser.parse_args()


def report(**figures):
    print(json.dumps(figures), flush=True)


class Photographs:
    """A manifest's photographs with every edit of them, made in memory; a worker takes a part of them."""

    def __init__(self, args, threads=1):
        cv2.setNumThreads(threads)
        self.folder = os.path.dirname(os.path.abspath(args.data))
        with open(args.data, newline="") as file:
            self.rows = list(csv.DictReader(file))
        names = sorted(os.listdir(args.backgrounds))
        self.backgrounds = [cv2.imread(os.path.join(args.backgrounds, name)) for name in names]
        self.random = random.Random(1)

    def load(self, row):
        image = cv2.imread(os.path.join(self.folder, row["image"]))
        mask = cv2.imread(os.path.join(self.folder, row["mask"]), cv2.IMREAD_GRAYSCALE)
        # A trimap says 2 for the background; a mask of two levels says 0.
        background = 2 if mask.max() <= 3 else 0
        return image, np.where(mask != background, 255, 0).astype(np.uint8)

    def variants(self, row):
        image, mask = self.load(row)
        for name, edit in EDITS.items():
            yield name, edit(image, mask, self)


def on_background(image, edited, mask):
    return np.where(mask[..., None] > 0, image, edited)


def on_object(image, edited, mask):
    return np.where(mask[..., None] > 0, edited, image)


def scaled(image, factor):
    return cv2.convertScaleAbs(image, alpha=factor)


def hue(image, mask, to):
    hsv = cv2.cvtColor(image, cv2.COLOR_BGR2HSV)
    background = mask == 0
    hsv[..., 0][background] = to if np.isscalar(to) else to[background]
    return cv2.cvtColor(hsv, cv2.COLOR_HSV2BGR)


def rainbow(image, mask, by):
    turned = (cv2.cvtColor(image, cv2.COLOR_BGR2HSV)[..., 0].astype(np.int16) + by) % 180
    return hue(image, mask, turned.astype(np.uint8))


def new_background(image, mask, photographs, added):
    height, width = image.shape[:2]
    background = cv2.resize(photographs.random.choice(photographs.backgrounds), (width, height))
    if added:
        return cv2.add(cv2.bitwise_and(image, image, mask=mask), background)
    return on_background(image, background, mask)


def bright_background(image, mask):
    lit = cv2.addWeighted(image, 1.5, cv2.GaussianBlur(image, (9, 9), 4), 0.9, 1.9)
    return on_background(image, lit, mask)


EDITS = {
    "original": lambda i, m, p: i,
    "blur-background": lambda i, m, p: on_background(i, cv2.GaussianBlur(i, (15, 15), 3), m),
    "blur-object": lambda i, m, p: on_object(i, cv2.GaussianBlur(i, (15, 15), 3), m),
    "grey": lambda i, m, p: cv2.cvtColor(cv2.cvtColor(i, cv2.COLOR_BGR2GRAY), cv2.COLOR_GRAY2BGR),
    "tint-red": lambda i, m, p: hue(i, m, p.random.randrange(0, 30)),
    "tint-green": lambda i, m, p: hue(i, m, p.random.randrange(30, 90)),
    "tint-blue": lambda i, m, p: hue(i, m, p.random.randrange(90, 150)),
    "rainbow": lambda i, m, p: rainbow(i, m, p.random.randrange(91)),
    "bright-background": lambda i, m, p: bright_background(i, m),
    "bright-object": lambda i, m, p: on_object(i, scaled(i, 1.5), m),
    "dark-background": lambda i, m, p: on_background(i, scaled(i, 0.5), m),
    "dark-object": lambda i, m, p: on_object(i, scaled(i, 0.5), m),
    "random-background": lambda i, m, p: new_background(i, m, p, False),
    "random-background-additive": lambda i, m, p: new_background(i, m, p, True),
    "segmented": lambda i, m, p: cv2.bitwise_and(i, i, mask=m),
    "transparent": lambda i, m, p: np.where(m[..., None] > 0, i, 255).astype(np.uint8),
}


def prepare(image):
    """Short side 256, bilinear, the middle 224 × 224, as torchvision prepares pictures for networks of ImageNet."""
    picture = Image.fromarray(cv2.cvtColor(image, cv2.COLOR_BGR2RGB))
    width, height = picture.size
    factor = 256 / min(width, height)
    picture = picture.resize((round(width * factor), round(height * factor)), Image.BILINEAR)
    left, top = (picture.width - 224) // 2, (picture.height - 224) // 2
    pixels = np.asarray(picture.crop((left, top, left + 224, top + 224)), np.float32) / 255
    return ((pixels - MEAN) / STD).transpose(2, 0, 1)


class Network:
    """An ONNX model, asked in batches."""

    def __init__(self, path, threads):
        import onnxruntime

        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = threads
        options.inter_op_num_threads = 1
        self.session = onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])
        self.input = self.session.get_inputs()[0].name
        self.waiting = []
        self.answered = 0

    def ask(self, prepared):
        self.waiting.append(prepared)
        if len(self.waiting) == BATCH:
            self.finish()

    def finish(self):
        if self.waiting:
            answers = self.run(np.stack(self.waiting).astype(np.float32, copy=False))
            self.answered += len(answers.argmax(1))
            self.waiting = []

    def run(self, batch):
        return self.session.run(None, {self.input: batch})[0]

    def pure(self, until):
        """The same batch again and again until a file is there, and when each began and ended: what the processor could do if
        pictures came for free."""
        batch = np.random.rand(BATCH, 3, 224, 224).astype(np.float32)
        self.run(batch)
        times = []
        while not times or not os.path.exists(until):
            began = time.time()
            self.run(batch)
            times.append((began, time.time()))
        return BATCH, times
