"""Talks to a `command:` program as Sceneshift does, to try one without Sceneshift (on a GPU machine without Node, say).

    python3 examples/command-model/driver.py [--pictures 256] -- python3 examples/command-model/torch_model.py --arch resnet50
"""

import argparse
import json
import struct
import subprocess
import time

import numpy as np


def read_exactly(stream, length):
    data = stream.read(length)
    if len(data) != length:
        raise SystemExit(f"the program closed its output after {len(data)} of {length} bytes")
    return data


def ask(program, header, payload):
    text = json.dumps(header).encode()
    program.stdin.write(struct.pack("<II", len(text), len(payload)) + text)
    program.stdin.write(payload)
    program.stdin.flush()
    header_length, payload_length = struct.unpack("<II", read_exactly(program.stdout, 8))
    answer = json.loads(read_exactly(program.stdout, header_length))
    return answer, read_exactly(program.stdout, payload_length)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--pictures", type=int, default=256)
    parser.add_argument("--size", type=int, default=224)
    parser.add_argument("--save", help="write the scores of the first batch here (.npy)")
    parser.add_argument("command", nargs="+")
    options = parser.parse_args()

    started = time.perf_counter()
    program = subprocess.Popen(options.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    hello = json.loads(program.stdout.readline())
    print(f"hello after {time.perf_counter() - started:.1f} s: {json.dumps(hello)[:300]}")
    assert hello["sceneshift"] == 1 and hello.get("input", "tensor") == "tensor"

    batch, size = hello.get("batch", 8), options.size
    pictures = np.random.default_rng(0).normal(size=(batch, 3, size, size)).astype("<f4")
    seconds, asked, first = 0.0, 0, None
    for number in range(-(-options.pictures // batch) + 1):
        begun = time.perf_counter()
        header = {"id": number, "kind": "predict", "count": batch, "type": "float32", "shape": list(pictures.shape),
                  "samples": [{"sample": str(i), "scenario": "original", "width": size, "height": size} for i in range(batch)]}
        answer, payload = ask(program, header, memoryview(pictures).cast("B"))
        if "error" in answer:
            raise SystemExit(f"the program says: {answer['error']}")
        scores = np.frombuffer(payload, "<f4").reshape(batch, hello["outputs"])
        assert answer["id"] == number and np.isfinite(scores).all()
        if first is None:
            first = scores  # The first batch warms up and is not timed.
            continue
        assert np.allclose(scores, first, rtol=1e-3, atol=1e-3), "the same pictures got other scores"
        seconds += time.perf_counter() - begun
        asked += batch
    if options.save:
        np.save(options.save, np.concatenate([pictures[:8].reshape(8, -1)[:, :0], first[:8]], axis=1))
    program.stdin.close()
    print(f"{asked} pictures in batches of {batch}: {asked / seconds:.0f} pictures/s over the pipe; ended with status {program.wait(30)}")


if __name__ == "__main__":
    main()
