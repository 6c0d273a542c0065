"""Trains a timm network in every scenario and fold of a sceneshift export, and tests each in every scenario.

    train.py --model resnet50 --weights pretrained --epochs 15
    sceneshift train --import FOLDER --out runs/resnet50

Run it inside the exported folder, or name the folder first. A network trained on scenario i learns from the images of i in
all folds but one, and is tested on the held-out fold in every scenario j. Everything finished is kept: the same command
goes on where it stopped. Writes predictions.csv, curves.csv and, with --onnx, models/. It needs PyTorch, timm and Pillow.
"""

import argparse
import csv
import hashlib
import inspect
import json
import math
import os
import random
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

os.environ.setdefault("CUBLAS_WORKSPACE_CONFIG", ":4096:8")  # before torch: needed for the same sums every time

import numpy as np
import torch
from PIL import Image
from torch.nn import functional as F

MEAN, STD = (0.485, 0.456, 0.406), (0.229, 0.224, 0.225)
CROP_SHARE = 0.875


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", nargs="?", default=".", help="what sceneshift train --export wrote")
    parser.add_argument("--model", default="mobilenetv2_100", help="timm's name; torchvision/NAME takes torchvision's")
    parser.add_argument("--name", help="name in the tables (the model's)")
    parser.add_argument("--weights", default="pretrained", help="pretrained (downloaded by timm), none, or a file of weights")
    parser.add_argument("--epochs", type=int, default=15)
    parser.add_argument("--batch", type=int, default=64)
    parser.add_argument("--lr", type=float, default=3e-4)
    parser.add_argument("--weight-decay", type=float, default=0.02)
    parser.add_argument("--size", type=int, default=224, help="side of the network's input, in pixels")
    parser.add_argument("--scenarios", help="train on these alone (all); tested on all in any case")
    parser.add_argument("--folds", help="hold out these folds alone (all), for instance 0,1")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--out", help="where the results go (FOLDER/results)")
    parser.add_argument("--onnx", help="also write these scenarios' networks as ONNX files: names, or all")
    parser.add_argument("--no-amp", action="store_true", help="single precision throughout")
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    args = parser.parse_args()
    args.folder = Path(args.folder)
    args.out = Path(args.out) if args.out else args.folder / "results"
    args.name = args.name or args.model.split("/")[-1]
    return args


def main():
    args = arguments()
    export = json.loads((args.folder / "export.json").read_text())
    with open(args.folder / "folds.csv", newline="") as file:
        rows = list(csv.DictReader(file))
    scenarios = [each["name"] for each in export["scenarios"]]
    chosen = pick(args.scenarios, scenarios, "scenario")
    folds = [int(each) for each in pick(args.folds, [str(each) for each in range(export["folds"])], "fold")]
    to_onnx = [] if not args.onnx else scenarios if args.onnx == "all" else pick(args.onnx, scenarios, "scenario")
    args.out.mkdir(parents=True, exist_ok=True)
    images = Images(rows, args)
    classes = export["classes"]
    labels = torch.tensor([classes.index(row["label"]) for row in rows])
    start = start_weights(args, len(classes))
    settings = settings_of(args, export, start)
    parts, began = [], time.time()
    for scenario in chosen:
        for fold in folds:
            part = args.out / "parts" / f"{folder_name(scenario)}-fold-{fold}"
            parts.append(part)
            if not is_done(part, settings):
                train_one(scenario, fold, part, settings, images, labels, rows, classes, start, args)
                print(f"  {time.time() - began:.0f} s so far", flush=True)
            if scenario in to_onnx:
                write_onnx(scenario, fold, part, classes, settings, args)
            for name in ("predictions.csv", "curves.csv"):
                join(parts, name, args.out)
            (args.out / "training.json").write_text(json.dumps(settings, indent=2) + "\n")
    print_matrix(args.out / "predictions.csv", chosen, scenarios)
    print(f"Take it back with: sceneshift train --import {args.out} --out RUN")


def pick(given, known, what):
    if not given:
        return known
    names = [each.strip() for each in given.split(",")]
    for name in names:
        if name not in known:
            raise SystemExit(f"--{what}s: there is no {what} {name!r}; there are {', '.join(known)}")
    return names


class Images:
    """Every image of the export, decoded once into one file on disk (memory-mapped): short side as the test wants it."""

    def __init__(self, rows, args):
        self.size, short = args.size, round(args.size / CROP_SHARE)
        self.side = short + short // 2
        self.device = torch.device(args.device)
        listed = hashlib.sha256("\n".join(row["file"] for row in rows).encode()).hexdigest()[:12]
        store = args.out / f"images-{self.size}-{listed}.npy"
        shape = (len(rows), self.side, self.side, 3)
        boxes = store.with_suffix(".boxes.npy")
        if not boxes.exists():
            print(f"Decoding {len(rows)} images …", flush=True)
            pixels = np.lib.format.open_memmap(store, "w+", np.uint8, shape)
            placed = np.zeros((len(rows), 6), np.int32)

            def read(i):
                placed[i] = fit(args.folder / rows[i]["file"], pixels[i], short, self.size)

            with ThreadPoolExecutor(min(16, os.cpu_count() or 1)) as pool:
                list(pool.map(read, range(len(rows))))
            pixels.flush()
            np.save(boxes, placed)
        self.pixels = np.load(store, mmap_mode="r")
        if self.device.type == "cuda" and self.pixels.nbytes < torch.cuda.get_device_properties(self.device).total_memory / 4:
            self.pixels = torch.from_numpy(np.array(self.pixels)).to(self.device)
        # height and width of the picture within its square, and the corner of the test crop
        self.boxes = np.load(boxes)

    def fetch(self, indices):
        """Whole squares, as [n, 3, side, side] bytes on the device."""
        if isinstance(self.pixels, np.ndarray):
            found = torch.from_numpy(np.stack([self.pixels[i] for i in indices])).to(self.device)
        else:
            found = self.pixels[torch.as_tensor(np.asarray(indices), device=self.device)]
        return found.permute(0, 3, 1, 2)

    def test_batch(self, indices):
        corners = self.boxes[indices][:, 2:4]
        crops = [
            square[:, top : top + self.size, left : left + self.size]
            for square, (top, left) in zip(self.fetch(indices), corners)
        ]
        return self.normalise(torch.stack(crops))

    def train_batch(self, indices, draw):
        """A random part of each picture (half of its area to all of it, sides 3:4 to 4:3) and a coin's flip. Colours are
        left alone: they are what scenarios change."""
        count = len(indices)
        square = self.fetch(indices)
        height, width = torch.from_numpy(self.boxes[indices][:, :2].astype(np.float32)).unbind(1)
        area = (0.5 + 0.5 * torch.rand(count, generator=draw)) * height * width
        ratio = torch.exp((torch.rand(count, generator=draw) * 2 - 1) * math.log(4 / 3))
        wide = torch.minimum(torch.sqrt(area * ratio), width)
        high = torch.minimum(torch.sqrt(area / ratio), height)
        left = torch.rand(count, generator=draw) * (width - wide)
        top = torch.rand(count, generator=draw) * (height - high)
        flip = torch.where(torch.rand(count, generator=draw) < 0.5, 1.0, -1.0)
        theta = torch.zeros(count, 2, 3)
        theta[:, 0, 0], theta[:, 1, 1] = flip * wide / self.side, high / self.side
        theta[:, 0, 2] = (2 * left + wide) / self.side - 1
        theta[:, 1, 2] = (2 * top + high) / self.side - 1
        grid = F.affine_grid(theta.to(self.device), [count, 1, self.size, self.size], align_corners=False)
        return self.normalise(F.grid_sample(square.float(), grid, padding_mode="border", align_corners=False))

    def normalise(self, pixels):
        mean = torch.tensor(MEAN, device=self.device).view(1, 3, 1, 1)
        std = torch.tensor(STD, device=self.device).view(1, 3, 1, 1)
        return (pixels.float() / 255 - mean) / std


def fit(file, target, short, size):
    """As torchvision's Resize(short) and CenterCrop(size): bilinear, the long side rounded down, offsets rounded to even.
    What lies more than half a short side off the middle is not kept."""
    with Image.open(file) as image:
        image = flatten(image)
    width, height = image.size
    wide, high = (short, short * height // width) if width <= height else (short * width // height, short)
    image = image.resize((wide, high), Image.BILINEAR)
    left, top = round((wide - size) / 2), round((high - size) / 2)
    skip_x, skip_y = max(0, (wide - target.shape[1]) // 2), max(0, (high - target.shape[0]) // 2)
    image = image.crop((skip_x, skip_y, min(wide, skip_x + target.shape[1]), min(high, skip_y + target.shape[0])))
    target[: image.height, : image.width] = np.asarray(image)
    return image.height, image.width, top - skip_y, left - skip_x, wide, high


def flatten(image):
    """Transparent pixels show white, as sceneshift shows them to models."""
    if image.mode in ("RGBA", "LA") or "transparency" in image.info:
        image = image.convert("RGBA")
        white = Image.new("RGBA", image.size, "WHITE")
        return Image.alpha_composite(white, image).convert("RGB")
    return image.convert("RGB")


def create(args, classes, pretrained=False):
    if args.model.startswith("torchvision/"):
        import torchvision

        return torchvision.models.get_model(args.model.split("/", 1)[1], weights=None, num_classes=classes)
    import timm

    return timm.create_model(args.model, pretrained=pretrained, num_classes=classes)


def start_weights(args, classes):
    """What every training starts from. The last layer is new wherever its size differs."""
    seed_all(args.seed)
    network = create(args, classes, pretrained=args.weights == "pretrained")
    if args.weights in ("pretrained", "none"):
        return network.state_dict()
    given = torch.load(args.weights, map_location="cpu")
    given = given.get("state_dict", given)
    own = network.state_dict()
    fitting = {name: each for name, each in given.items() if name in own and own[name].shape == each.shape}
    left = [name for name in own if name not in fitting]
    if len(fitting) < len(own) / 2:
        raise SystemExit(f"{args.weights}: only {len(fitting)} of {len(own)} weights fit {args.model}")
    print(f"{args.weights}: {len(fitting)} of {len(own)} taken; new: {', '.join(left) or 'none'}")
    own.update(fitting)
    return own


def settings_of(args, export, start):
    digest = hashlib.sha256()
    for name, each in start.items():
        digest.update(name.encode())
        digest.update(each.cpu().contiguous().numpy().tobytes())
    return {
        "name": args.name,
        "model": args.model,
        "weights": args.weights if args.weights in ("pretrained", "none") else Path(args.weights).name,
        "startHash": digest.hexdigest()[:16],
        "epochs": args.epochs,
        "batch": args.batch,
        "lr": args.lr,
        "weightDecay": args.weight_decay,
        "size": args.size,
        "seed": args.seed,
        "amp": not args.no_amp and args.device.startswith("cuda"),
        "folds": export["folds"],
        "scenarios": [each["name"] for each in export["scenarios"]],
        "classes": export["classes"],
        "exportHash": export.get("hash"),
        "torch": torch.__version__,
    }


def is_done(part, settings):
    try:
        known = json.loads((part / "done.json").read_text())
    except (OSError, ValueError):
        return False
    return all(known.get(key) == value for key, value in settings.items() if key != "torch")


def train_one(scenario, fold, part, settings, images, labels, rows, classes, start, args):
    part.mkdir(parents=True, exist_ok=True)
    (part / "done.json").unlink(missing_ok=True)
    seed = args.seed + int(hashlib.sha256(f"{scenario} {fold}".encode()).hexdigest()[:7], 16)
    seed_all(seed)
    device = torch.device(args.device)
    network = create(args, len(classes))
    network.load_state_dict(start)
    network = network.to(device)
    learn = [i for i, row in enumerate(rows) if row["scenario"] == scenario and int(row["fold"]) != fold]
    held = [i for i, row in enumerate(rows) if int(row["fold"]) == fold]
    watch = [i for i in held if rows[i]["scenario"] == scenario]
    if not learn or not watch:
        raise SystemExit(f"{scenario}, fold {fold}: nothing to learn from or to test on")
    optimiser = torch.optim.AdamW(groups(network, args.weight_decay), lr=args.lr)
    # Half precision of the older kind loses small gradients unless they are scaled up; bfloat16 does not.
    scaler = torch.cuda.amp.GradScaler() if settings["amp"] and not torch.cuda.is_bf16_supported() else None
    draw = torch.Generator().manual_seed(seed)
    batches = batches_of(len(learn), args.batch)
    total, step, curves = args.epochs * batches, 0, []
    for epoch in range(1, args.epochs + 1):
        network.train()
        order = torch.randperm(len(learn), generator=draw).tolist()
        loss_sum, right = torch.zeros((), device=device), torch.zeros((), device=device)
        for chunk in np.array_split(np.array(order), batches):
            rate = args.lr * min(1, (step + 1) / (0.1 * total)) * (0.5 + 0.5 * math.cos(math.pi * step / total))
            for group in optimiser.param_groups:
                group["lr"] = rate
            indices = np.array(learn)[chunk]
            target = labels[indices].to(device)
            pictures = images.train_batch(indices, draw)
            with autocast(settings, device):
                logits = network(pictures)
                loss = F.cross_entropy(logits.float(), target, label_smoothing=0.1)
            optimiser.zero_grad(set_to_none=True)
            if scaler:
                scaler.scale(loss).backward()
                scaler.step(optimiser)
                scaler.update()
            else:
                loss.backward()
                optimiser.step()
            loss_sum += F.cross_entropy(logits.detach().float(), target, reduction="sum")
            right += (logits.argmax(1) == target).sum()
            step += 1
        probabilities = test(network, watch, images, args)
        truth = labels[watch]
        seen = {"train": (loss_sum.item() / len(learn), right.item() / len(learn)), "validation": score(probabilities, truth)}
        for split, (loss, accuracy) in seen.items():
            curves.append([args.name, scenario, fold, epoch, split, f"{loss:.6f}", f"{accuracy:.6f}"])
        if epoch == args.epochs or sys.stdout.isatty():
            said = "  ".join(f"{split} loss {loss:.3f}, right {accuracy:.1%}" for split, (loss, accuracy) in seen.items())
            print(f"{scenario}, fold {fold}, epoch {epoch}: {said}", flush=True)
    answers = test(network, held, images, args)
    write_csv(part / "curves.csv", ["model", "trained", "fold", "epoch", "split", "loss", "accuracy"], curves)
    write_csv(part / "predictions.csv", PREDICTION_COLUMNS, prediction_rows(answers, held, rows, labels, classes, scenario, fold, args.name))
    torch.save(network.state_dict(), part / "checkpoint.partial")
    os.replace(part / "checkpoint.partial", part / "checkpoint.pt")
    (part / "done.json").write_text(json.dumps({**settings, "accuracy": round(seen["validation"][1], 4)}))


PREDICTION_COLUMNS = ["model", "trained", "scenario", "sample", "group", "label", "fold", "prediction", "probability", "probabilityTruth", "rank"]


def prediction_rows(probabilities, indices, rows, labels, classes, trained, fold, name):
    out = []
    for i, shares in zip(indices, probabilities):
        row, truth, best = rows[i], labels[i].item(), int(shares.argmax())
        rank = 1 + int((shares > shares[truth]).sum())
        out.append([name, trained, row["scenario"], row["sample"], row["group"], row["label"], fold, classes[best], f"{shares[best]:.6g}", f"{shares[truth]:.6g}", rank])
    return out


@torch.no_grad()
def test(network, indices, images, args):
    """In single precision: the answers do not depend on what else is in the batch more than they must."""
    network.eval()
    size = max(args.batch, 128)
    parts = [network(images.test_batch(indices[i : i + size])).float().softmax(1).cpu() for i in range(0, len(indices), size)]
    return torch.cat(parts)


def score(probabilities, truth):
    loss = -probabilities[torch.arange(len(truth)), truth].clamp(min=1e-12).log().mean().item()
    return loss, (probabilities.argmax(1) == truth).float().mean().item()


def groups(network, decay):
    """Biases and normalisation are not shrunk."""
    named = [each for each in network.parameters() if each.requires_grad]
    return [
        {"params": [each for each in named if each.ndim > 1], "weight_decay": decay},
        {"params": [each for each in named if each.ndim <= 1], "weight_decay": 0.0},
    ]


def batches_of(count, size):
    """Even batches: batch normalisation cannot learn from a last batch of one."""
    return max(1, round(count / size))


def autocast(settings, device):
    half = torch.bfloat16 if device.type != "cuda" or torch.cuda.is_bf16_supported() else torch.float16
    return torch.autocast(device.type, dtype=half, enabled=settings["amp"])


def seed_all(seed):
    random.seed(seed)
    np.random.seed(seed % 2**32)
    torch.manual_seed(seed)
    torch.backends.cudnn.deterministic, torch.backends.cudnn.benchmark = True, False
    torch.backends.cudnn.allow_tf32 = False


def write_onnx(scenario, fold, part, classes, settings, args):
    """The checkpoint as an ONNX file, with the record that sceneshift reads beside it."""
    path = args.out / "models" / f"{args.name}-{folder_name(scenario)}-fold-{fold}.onnx"
    checkpoint = part / "checkpoint.pt"
    if path.exists() and path.stat().st_mtime >= checkpoint.stat().st_mtime:
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    network = create(args, len(classes)).eval()
    network.load_state_dict(torch.load(checkpoint, map_location="cpu"))
    example = torch.zeros(2, 3, args.size, args.size)
    names = {"input_names": ["input"], "output_names": ["output"]}
    axes = {"input": {0: "n"}, "output": {0: "n"}}
    try:
        older = {"dynamo": False} if "dynamo" in inspect.signature(torch.onnx.export).parameters else {}
        torch.onnx.export(network, example, str(path), dynamic_axes=axes, opset_version=17, **older, **names)
    except Exception as error:  # where PyTorch has the newer way alone
        print(f"{path.name}: {type(error).__name__}, trying the newer exporter")
        shapes = ({0: torch.export.Dim("n")},)
        program = torch.onnx.export(network, (example,), dynamo=True, dynamic_shapes=shapes, opset_version=18, **names)
        program.save(str(path), external_data=False)
    accuracy = json.loads((part / "done.json").read_text())["accuracy"]
    record = {
        "name": path.stem,
        "task": "classify",
        "labels": classes,
        "input": {"name": "input", "layout": "NCHW", "type": "float32", "channels": "RGB"},
        "resize": {"shortSide": round(settings["size"] / CROP_SHARE), "filter": "bilinear"},
        "crop": settings["size"],
        "scale": 1 / 255,
        "mean": list(MEAN),
        "std": list(STD),
        "output": {"name": "output", "kind": "logits"},
        "training": {
            "architecture": settings["model"],
            "parameters": sum(each.numel() for each in network.parameters()),
            "seed": settings["seed"],
            "epochs": settings["epochs"],
            "accuracy": {"validation": accuracy},
            "trained": scenario,
            "heldOutFold": fold,
            "torch": settings["torch"],
        },
    }
    path.with_suffix(".json").write_text(json.dumps(record, indent=2) + "\n")


def folder_name(scenario):
    return scenario.replace(":", "@")


def write_csv(path, header, rows):
    partial = path.with_suffix(".partial")
    with open(partial, "w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(header)
        writer.writerows(rows)
    os.replace(partial, path)


def join(parts, name, out):
    header, rows = None, []
    for part in parts:
        with open(part / name, newline="") as file:
            lines = list(csv.reader(file))
        header = lines[0]
        rows += lines[1:]
    write_csv(out / name, header, rows)


def print_matrix(path, trained, tested):
    """Share of right answers over all held-out folds: trained on (down) and tested on (across)."""
    counts = {}
    with open(path, newline="") as file:
        for row in csv.DictReader(file):
            right, seen = counts.get((row["trained"], row["scenario"]), (0, 0))
            counts[row["trained"], row["scenario"]] = (right + (row["prediction"] == row["label"]), seen + 1)
    width = max(len(each) for each in tested) + 2
    print("\n" + "trained on".ljust(width) + "".join(each[: width - 2].rjust(width) for each in tested))
    for i in trained:
        cells = [counts.get((i, j), (0, 0)) for j in tested]
        print(i.ljust(width) + "".join((f"{right / seen:.1%}" if seen else "–").rjust(width) for right, seen in cells))


if __name__ == "__main__":
    main()
