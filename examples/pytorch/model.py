"""A PyTorch model for Sceneshift's `command:` kind, on a GPU where there is one.

    sceneshift run --data DATA --model "command:python3 examples/pytorch/model.py --arch resnet50 --weights resnet50.pth"

It speaks the protocol of docs/command-protocol.md: a hello on the first line, then frames. Pictures come as 8-bit pixels at
the network's size and are normalised on the device. Three threads keep the device busy: one reads ahead (the shared memory is
pinned, so the device fetches pictures from it itself, beside the computing), one computes, one waits for scores and writes
answers. On a GPU it computes in half precision, channels last, unless --float32 is given. Replace `load` with your own.
"""

import argparse
import hashlib
import json
import math
import mmap
import os
import queue
import struct
import sys
import threading

import torch


def load(options):
    """The network, and a word that tells its weights apart from others."""
    if options.torchscript:
        return torch.jit.load(options.torchscript, map_location="cpu"), sha256(options.torchscript)
    import torchvision

    torch.manual_seed(options.seed)
    model = torchvision.models.get_model(options.arch, weights=None, num_classes=options.outputs)
    if not options.weights:
        return model, f"random weights, seed {options.seed}"
    model.load_state_dict(torch.load(options.weights, map_location="cpu", weights_only=True))
    return model, sha256(options.weights)


def sha256(path):
    digest = hashlib.sha256()
    with open(path, "rb") as file:
        while block := file.read(1 << 20):
            digest.update(block)
    return digest.hexdigest()


class Frames:
    """Both directions of the protocol. Pictures lie in the payload, or in the shared memory that descriptor 3 is."""

    def __init__(self):
        # Standard output belongs to the protocol; whatever else is printed goes to standard error.
        self.answers = os.fdopen(os.dup(1), "wb")
        os.dup2(2, 1)
        self.requests = os.fdopen(os.dup(0), "rb", buffering=1 << 20)
        self.shared, self.has_memory = None, False
        try:
            self.has_memory = os.environ.get("SCENESHIFT_MEMORY_FD") == "3" and os.fstat(3) is not None
        except OSError:
            pass

    def hello(self, fields):
        self.answers.write(json.dumps({"sceneshift": 1, **fields, "memory": self.has_memory}).encode() + b"\n")
        self.answers.flush()

    def exactly(self, length):
        data = self.requests.read(length)
        return data if len(data) == length else None

    def read(self):
        """The next request's header and its pictures, each a flat tensor; None when Sceneshift is done."""
        lengths = self.exactly(8)
        if lengths is None:
            return None
        header_length, payload_length = struct.unpack("<II", lengths)
        header = json.loads(self.exactly(header_length))
        payload = self.exactly(payload_length)
        each = math.prod(header["shape"][1:])
        if "memory" not in header:
            return header, torch.frombuffer(bytearray(payload), dtype=torch.uint8).view(header["count"], each)
        if self.shared is None:  # its size is settled after the hello
            self.shared = pinned(torch.frombuffer(mmap.mmap(3, 0), dtype=torch.uint8))
        return header, [self.shared[at : at + each] for at in header["memory"]]

    def write(self, header, payload=b""):
        text = json.dumps(header).encode()
        self.answers.write(struct.pack("<II", len(text), len(payload)) + text)
        self.answers.write(payload)
        self.answers.flush()


def pinned(memory):
    """The same memory; where there is a GPU it may be read by it at any time. Where that is refused, copies wait instead."""
    if torch.cuda.is_available():
        torch.cuda.cudart().cudaHostRegister(memory.data_ptr(), memory.numel(), 0)
    return memory


class Network:
    """The network on its device, fed with whole batches of a few sizes only, each tried once before the first picture comes."""

    def __init__(self, options):
        self.device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        self.gpu = self.device.type == "cuda"
        model, self.version = load(options)
        self.dtype = torch.float16 if self.gpu and not options.float32 else torch.float32
        self.model = model.eval().to(self.device, self.dtype, memory_format=torch.channels_last)
        self.upload = torch.cuda.Stream() if self.gpu else None
        torch.backends.cuda.matmul.allow_tf32 = torch.backends.cudnn.allow_tf32 = False
        self.batch, self.constants = options.batch, {}

    @torch.inference_mode()
    def warm_up(self, side=224):
        """The first batch of every size loads kernels, which takes seconds in all."""
        for count in sorted({self.rows_for(1 << power) for power in range(3, 13)}) if self.gpu else []:
            pixels = torch.zeros([count, side, side, 3], dtype=torch.uint8, device=self.device)
            self.compute(pixels, None, {"scale": 1 / 255, "mean": [0.5] * 3, "std": [0.5] * 3})[1].synchronize()

    def rows_for(self, count):
        """Filled up to a power of two, or to the whole batch."""
        return min(self.batch, 1 << max(3, (count - 1).bit_length())) if self.gpu else count

    def read_in(self, header, pictures):
        """Pixels on the device, on their way there beside the computing."""
        shape = [self.rows_for(header["count"]), *header["shape"][1:]]
        if not self.gpu:
            return torch.stack(list(pictures)).view(shape), None
        with torch.inference_mode(), torch.cuda.stream(self.upload):
            pixels = torch.empty(shape, dtype=torch.uint8, device=self.device)
            for row, picture in zip(pixels.view(shape[0], -1), pictures):
                row.copy_(picture, non_blocking=True)
            return pixels, self.upload.record_event()

    def compute(self, pixels, arrived, values):
        if arrived:
            torch.cuda.current_stream().wait_event(arrived)
            pixels.record_stream(torch.cuda.current_stream())
        scale, mean, std = self.constants_of(values)
        # NHWC seen as NCHW is channels last already: nothing is moved.
        pictures = (((pixels.float() * scale) - mean) / std).to(self.dtype).permute(0, 3, 1, 2)
        scores = self.model(pictures).float()
        if not self.gpu:
            return scores, None
        scores = scores.to("cpu", non_blocking=True)
        return scores, torch.cuda.current_stream().record_event()

    def constants_of(self, values):
        key = json.dumps(values)
        if key not in self.constants:
            made = [torch.tensor(values[name], device=self.device, dtype=torch.float32) for name in ("scale", "mean", "std")]
            self.constants[key] = made
        return self.constants[key]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--arch", default="resnet50", help="a name torchvision knows")
    parser.add_argument("--weights", help="a state dict")
    parser.add_argument("--torchscript", help="a scripted model, instead of --arch")
    parser.add_argument("--outputs", type=int, default=1000)
    parser.add_argument("--preprocessing", default="imagenet", help="a named set, or a record in JSON")
    parser.add_argument("--batch", type=int, default=256)
    parser.add_argument("--parallel", type=int, default=2, help="requests under way at a time")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--float32", action="store_true", help="do not compute in half precision on a GPU")
    options = parser.parse_args()

    frames = Frames()
    network = Network(options)
    network.warm_up()
    name = os.path.basename(options.torchscript or options.arch)
    print(f"{name} on {network.device}, {network.dtype}, memory {frames.has_memory}", file=sys.stderr)
    preprocessing = options.preprocessing
    frames.hello(
        {
            "name": name,
            "input": "pixels",
            "preprocessing": json.loads(preprocessing) if preprocessing.startswith("{") else preprocessing,
            "outputs": options.outputs,
            "kind": "logits",
            "batch": options.batch,
            "parallel": options.parallel,
            "version": f"{network.version} {network.dtype}",
        }
    )

    read, computed = queue.Queue(options.parallel), queue.Queue(options.parallel)

    def reading():
        while (frame := frames.read()) is not None:
            header, pictures = frame
            read.put((header, *network.read_in(header, pictures)))
        read.put(None)

    def writing():
        while (item := computed.get()) is not None:
            header, scores, done = item
            if isinstance(scores, str):
                frames.write({"id": header["id"], "error": scores})
                continue
            if done:
                done.synchronize()
            frames.write({"id": header["id"]}, scores[: header["count"]].contiguous().numpy().astype("<f4", copy=False).tobytes())

    reader = threading.Thread(target=reading, daemon=True)
    writer = threading.Thread(target=writing)
    reader.start()
    writer.start()
    with torch.inference_mode():
        while (item := read.get()) is not None:
            header, pixels, arrived = item
            try:
                scores, done = network.compute(pixels, arrived, header["values"])
            except RuntimeError as error:  # out of memory among them
                if network.gpu:
                    torch.cuda.empty_cache()
                scores, done = f"{error}"[:200], None
            computed.put((header, scores, done))
    computed.put(None)
    writer.join()


if __name__ == "__main__":
    main()
