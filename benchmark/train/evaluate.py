"""Accuracy of ONNX classifiers on the benchmark's test images, in their usual environment and elsewhere.

evaluate.py MANIFEST.csv MODEL.onnx … ; a folder stands for the models in it.
"""

import csv
import json
import sys
from collections import Counter
from pathlib import Path

import numpy as np
import onnxruntime
from PIL import Image


def read_manifest(path):
    with open(path, newline="") as file:
        rows = list(csv.DictReader(file))
    return [(path.parent / row["image"], row["label"], row.get("usual", "").lower() in ("yes", "true", "1")) for row in rows]


def prepare(file, record):
    """As the record says: short side to size, bilinear, centre crop, scale, mean and deviation."""
    short, crop = record["resize"]["shortSide"], record["crop"]
    with Image.open(file) as image:
        image = image.convert("RGB")
    width, height = image.size
    size = (short, short * height // width) if width <= height else (short * width // height, short)
    image = image.resize(size, Image.BILINEAR)
    left, top = round((size[0] - crop) / 2), round((size[1] - crop) / 2)
    pixels = np.asarray(image.crop((left, top, left + crop, top + crop)), np.float32) * record["scale"]
    return ((pixels - record["mean"]) / record["std"]).astype(np.float32).transpose(2, 0, 1)


def evaluate(model, rows, cache):
    record = json.loads(model.with_suffix(".json").read_text())
    key = json.dumps([record[each] for each in ("resize", "crop", "scale", "mean", "std")])
    if key not in cache:
        cache[key] = np.stack([prepare(file, record) for file, _, _ in rows])
    session = onnxruntime.InferenceSession(str(model), providers=["CPUExecutionProvider"])
    inputs = cache[key]
    name = record["input"]["name"]
    logits = np.concatenate([session.run(None, {name: inputs[i : i + 64]})[0] for i in range(0, len(inputs), 64)])
    answers = [record["labels"][i] for i in logits.argmax(1)]
    right = {True: [], False: []}
    confused = Counter()
    for (_, label, usual), answer in zip(rows, answers):
        right[usual].append(answer == label)
        if answer != label:
            confused[f"{label} → {answer}"] += 1
    return right, confused


def main():
    if len(sys.argv) < 3:
        raise SystemExit(__doc__)
    rows = read_manifest(Path(sys.argv[1]))
    named = [Path(each) for each in sys.argv[2:]]
    models = [model for each in named for model in (sorted(each.glob("*.onnx")) if each.is_dir() else [each])]
    print(f"{'model':24}{'usual':>9}{'elsewhere':>11}   most often confused")
    cache = {}
    for model in models:
        right, confused = evaluate(model, rows, cache)
        shares = [f"{np.mean(right[each]):.1%}" if right[each] else "–" for each in (True, False)]
        worst = ", ".join(f"{pair} ({count})" for pair, count in confused.most_common(3))
        print(f"{model.stem:24}{shares[0]:>9}{shares[1]:>11}   {worst}")


if __name__ == "__main__":
    main()
