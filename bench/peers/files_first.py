"""The way of the papers: a script for each edit writes its files, then the model reads them."""
import os
import tempfile
import time

import cv2
import numpy as np
from edits import EDITS, Network, Photographs, arguments, prepare, report
from PIL import Image

args = arguments()
photographs = Photographs(args, args.cores)
network = Network(args.model, args.cores)
with tempfile.TemporaryDirectory() as folder:
    started = time.perf_counter()
    for name, edit in EDITS.items():
        for i, row in enumerate(photographs.rows):
            image, mask = photographs.load(row)
            cv2.imwrite(os.path.join(folder, f"{name}_{i}.jpg"), edit(image, mask, photographs))
    written = time.perf_counter() - started
    for name in EDITS:
        for i in range(len(photographs.rows)):
            picture = np.asarray(Image.open(os.path.join(folder, f"{name}_{i}.jpg")).convert("RGB"))
            network.ask(prepare(cv2.cvtColor(picture, cv2.COLOR_RGB2BGR)))
    network.finish()
    report(variants=network.answered, seconds=time.perf_counter() - started, writing=written)
