"""A PyTorch model for Sceneshift's `command:` kind, on a GPU where there is one.

    sceneshift run --data DATA --model "command:python3 examples/command-model/torch_model.py --arch resnet50 --weights resnet50.pth"

It speaks the protocol of docs/command-protocol.md: a hello on the first line, then frames. Replace `load` with your own.
"""

import argparse
import hashlib
import json
import os
import struct
import sys

import numpy as np
import torch


def load(options):
    """The network, and a word that tells its weights apart from others."""
    if options.torchscript:
        model = torch.jit.load(options.torchscript, map_location="cpu")
        return model, sha256(options.torchscript)
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


def read_exactly(stream, length):
    data = bytearray(length)
    view, filled = memoryview(data), 0
    while filled < length:
        count = stream.readinto(view[filled:])
        if not count:
            return None
        filled += count
    return data


def read_frame(stream):
    lengths = read_exactly(stream, 8)
    if lengths is None:
        return None  # Sceneshift has closed the pipe: done.
    header_length, payload_length = struct.unpack("<II", lengths)
    header = json.loads(read_exactly(stream, header_length))
    return header, read_exactly(stream, payload_length)


def write_frame(stream, header, payload=b""):
    text = json.dumps(header).encode()
    stream.write(struct.pack("<II", len(text), len(payload)) + text + payload)
    stream.flush()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--arch", default="resnet50", help="a name torchvision knows")
    parser.add_argument("--weights", help="a state dict")
    parser.add_argument("--torchscript", help="a scripted model, instead of --arch")
    parser.add_argument("--outputs", type=int, default=1000)
    parser.add_argument("--batch", type=int, default=64)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--half", action="store_true", help="compute in float16")
    options = parser.parse_args()

    # Standard output belongs to the protocol; whatever else is printed goes to standard error.
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    requests = os.fdopen(os.dup(0), "rb", buffering=0)

    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    model, version = load(options)
    dtype = torch.float16 if options.half else torch.float32
    model = model.eval().to(device=device, dtype=dtype)
    print(f"{options.torchscript or options.arch} on {device}", file=sys.stderr)

    hello = {
        "sceneshift": 1,
        "name": os.path.basename(options.torchscript or options.arch),
        "input": "tensor",
        "preprocessing": "imagenet",
        "outputs": options.outputs,
        "kind": "logits",
        "batch": options.batch,
        "version": version,
    }
    answers.write(json.dumps(hello).encode() + b"\n")
    answers.flush()

    while (frame := read_frame(requests)) is not None:
        header, payload = frame
        try:
            pictures = np.frombuffer(payload, dtype="<f4").reshape(header["shape"])
            with torch.inference_mode():
                scores = model(torch.from_numpy(pictures).to(device=device, dtype=dtype))
            scores = scores.float().cpu().numpy().astype("<f4")
            write_frame(answers, {"id": header["id"]}, scores.tobytes())
        except torch.cuda.OutOfMemoryError as error:
            torch.cuda.empty_cache()
            write_frame(answers, {"id": header["id"], "error": f"out of GPU memory: {error}"[:200]})


if __name__ == "__main__":
    main()
