"""Trains the embedded benchmark's networks and writes them as ONNX files with their records. See README.md."""

import argparse
import copy
import json
import math
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import torch
from torch.nn import functional as F

from composer import Composer
from export import write_model
from networks import NETWORKS, build, fold
from training_set import read_set, split

USUAL_SHARE = 0.9
SEEDS = (1, 2, 3)
TWINS = ("plain", "residual")
MODELS = {f"{kind}-{way}-{seed}": (kind, way, seed) for kind in TWINS for way in ("biased", "unbiased") for seed in SEEDS}
MODELS.update({f"{kind}-biased-1": (kind, "biased", 1) for kind in NETWORKS if kind not in TWINS})
# Attention learns from many pictures what convolutions know from the start: that a thing may stand anywhere.
APPETITE = {"transformer": 4}
RATES = {"plain": 3e-3, "residual": 3e-3, "mobile": 3e-3, "transformer": 1.5e-3}


def arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--set", required=True, help="folder with cutouts/, plates/ and set.json")
    parser.add_argument("--out", help="where the models go (benchmark/models; with --quick a temporary folder)")
    parser.add_argument("--only", action="append", choices=list(MODELS), help="train this one; may be given again")
    parser.add_argument("--epochs", type=int, default=96)
    parser.add_argument("--images", type=int, default=2400, help="composites to learn from, made once (the transformer needs four times as many)")
    parser.add_argument("--batch", type=int, default=128)
    parser.add_argument("--validation", type=int, default=2400, help="composites for each of the two accuracies")
    parser.add_argument("--minutes", type=float, default=math.inf, help="stop training after so long, the learning rate down to zero by then")
    parser.add_argument("--jobs", type=int, default=6, help="processes at once on one GPU")
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    parser.add_argument("--quick", action="store_true", help="a few steps of one network on the CPU, to see that it works")
    args = parser.parse_args()
    if args.quick:
        args.device, args.epochs, args.images, args.batch, args.validation = "cpu", 2, 64, 16, 32
        args.only = args.only or ["residual-biased-1"]
    args.out = Path(args.out or (tempfile.mkdtemp(prefix="sceneshift-") if args.quick else "benchmark/models"))
    args.out.mkdir(parents=True, exist_ok=True)
    return args


def main():
    args = arguments()
    started = time.time()
    streams = {}
    for name in args.only or MODELS:
        kind, way, seed = MODELS[name]
        streams.setdefault((way, seed, APPETITE.get(kind, 1)), []).append(name)
    if args.device.startswith("cuda") and len(streams) > 1 and args.jobs > 1:
        run_processes(list(streams.values()), args)
    else:
        content = read_set(args.set)
        for names in streams.values():
            train_stream(names, content, args)
    print_table([name for names in streams.values() for name in names], args.out)
    print(f"{args.out}: {time.time() - started:.0f} s")


def run_processes(streams, args):
    """One process for each stream of pictures: a small network leaves the GPU waiting for Python."""
    shared = ["--set", args.set, "--out", str(args.out), "--jobs", "1", "--device", args.device]
    for option in ("epochs", "images", "batch", "validation", "minutes"):
        shared += [f"--{option}", str(getattr(args, option))]
    waiting, running, failed = sorted(streams, key=len, reverse=True), {}, []
    while waiting or running:
        while waiting and len(running) < args.jobs:
            names = waiting.pop(0)
            only = [word for name in names for word in ("--only", name)]
            running[subprocess.Popen([sys.executable, "-u", __file__, *shared, *only])] = names
        for process in [each for each in running if each.poll() is not None]:
            names = running.pop(process)
            if process.returncode:
                failed += names
        time.sleep(0.2)
    if failed:
        raise SystemExit(f"failed: {', '.join(failed)}")


def train_stream(names, content, args):
    """The networks of one seed and one way of choosing environments learn from the same pictures, side by side."""
    kind, way, seed = MODELS[names[0]]
    count = args.images * APPETITE.get(kind, 1)
    share = USUAL_SHARE if way == "biased" else None
    device = torch.device(args.device)
    torch.backends.cuda.matmul.allow_tf32 = torch.backends.cudnn.allow_tf32 = True
    torch.backends.cudnn.benchmark = True
    train, validation = split(content, device)
    learners = [Learner(name, len(content["labels"]), device) for name in names]
    composer = Composer(train, device, seed * 1000 + (way == "biased"))
    images, labels = composer.collection(count, share)
    steps = max(1, args.epochs * count // args.batch)
    started = time.time()
    step, progress = 0, 0.0
    while progress < 1:
        some = composer.whole(args.batch, count)
        shown = composer.jitter(images[some].float()).contiguous(memory_format=torch.channels_last)
        for learner in learners:
            learner.step(shown, labels[some], progress)
        step += 1
        if step % max(1, steps // 10) == 0:
            losses = "  ".join(f"{each.name} {each.mean_loss():.3f}" for each in learners)
            print(f"{step:5} of {steps} steps, {time.time() - started:4.0f} s   loss {losses}", flush=True)
        progress = max(step / steps, (time.time() - started) / 60 / args.minutes)
    for learner in learners:
        finish(learner, share, validation, content, {"epochs": round(step * args.batch / count, 1), "images": count}, args)


class Learner:
    """A network, its optimiser, and the running average of its weights, which is what is kept."""

    def __init__(self, name, classes, device):
        self.name = name
        self.kind, _, self.seed = MODELS[name]
        # Twins start from the same weights: what differs between them is the pictures alone.
        torch.manual_seed(self.seed * 100 + list(NETWORKS).index(self.kind))
        self.network = build(self.kind, classes).to(device, memory_format=torch.channels_last).train()
        self.average = copy.deepcopy(self.network).eval()
        weights = [each for each in self.network.parameters() if each.ndim > 1]
        others = [each for each in self.network.parameters() if each.ndim <= 1]
        self.optimiser = torch.optim.AdamW(
            [{"params": weights, "weight_decay": 0.03}, {"params": others, "weight_decay": 0.0}], lr=RATES[self.kind]
        )
        self.kept, self.newest = floats(self.average), floats(self.network)
        self.seen = 0
        self.mixed = device.type == "cuda"
        self.loss, self.steps = torch.zeros((), device=device), 0

    def step(self, images, labels, progress):
        warm = min(1.0, (progress + 1e-3) / 0.05)
        rate = RATES[self.kind] * warm * (0.5 + 0.5 * math.cos(math.pi * progress))
        for group in self.optimiser.param_groups:
            group["lr"] = rate
        with torch.autocast(images.device.type, dtype=torch.bfloat16, enabled=self.mixed):
            loss = F.cross_entropy(self.network(images).float(), labels, label_smoothing=0.05)
        self.optimiser.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.network.parameters(), 2.0)
        self.optimiser.step()
        self.loss += loss.detach()
        self.steps += 1
        self.follow()

    @torch.no_grad()
    def follow(self):
        self.seen += 1
        keep = min(0.995, self.seen / (10 + self.seen))
        torch._foreach_mul_(self.kept, keep)
        torch._foreach_add_(self.kept, self.newest, alpha=1 - keep)

    def mean_loss(self):
        mean = (self.loss / max(1, self.steps)).item()
        self.loss.zero_()
        self.steps = 0
        return mean


def floats(network):
    """Weights and running statistics, sharing memory with the network."""
    return [each for each in network.state_dict().values() if each.is_floating_point()]


def finish(learner, share, validation, content, effort, args):
    network = fold(learner.average.to(memory_format=torch.contiguous_format).float())
    device = torch.device(args.device)
    accuracy = {
        "usual": accuracy_of(network, Composer(validation, device, 77), 1.0, args),
        "elsewhere": accuracy_of(network, Composer(validation, device, 78), 0.0, args),
    }
    training = {
        "architecture": learner.kind,
        "parameters": sum(each.numel() for each in network.parameters()),
        "usualShare": share,
        "seed": learner.seed,
        "setSeed": content["seed"],
        **effort,
        "accuracy": accuracy,
        "torch": torch.__version__,
    }
    worst = write_model(network.cpu(), args.out / f"{learner.name}.onnx", content["labels"], training)
    said = "not checked, onnxruntime is missing" if worst is None else f"{worst:.1e}"
    print(f"{learner.name}: largest difference between the file and PyTorch {said}", flush=True)
    if worst is not None and not worst < 1e-3:
        raise SystemExit(f"{learner.name}: the file does not answer as the network does")


@torch.no_grad()
def accuracy_of(network, composer, usual_share, args):
    right = seen = 0
    while seen < args.validation:
        images, labels = composer.batch(min(args.batch, args.validation - seen), usual_share)
        right += (network(images).argmax(1) == labels).sum().item()
        seen += len(labels)
    return round(right / seen, 4)


def print_table(names, out):
    print(f"{'model':24}{'parameters':>12}{'kB':>8}{'usual':>9}{'elsewhere':>11}")
    for name in names:
        training = json.loads((out / f"{name}.json").read_text())["training"]
        size = (out / f"{name}.onnx").stat().st_size / 1000
        usual, elsewhere = training["accuracy"]["usual"], training["accuracy"]["elsewhere"]
        print(f"{name:24}{training['parameters']:12}{size:8.0f}{usual:9.1%}{elsewhere:11.1%}")


if __name__ == "__main__":
    main()
