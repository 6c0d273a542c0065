"""Talks to a `command:` program as Sceneshift does, to try and to time one without Sceneshift.

    python3 examples/pytorch/driver.py [--pictures 20000] [--pipe] -- python3 examples/pytorch/model.py --arch resnet50

Pictures are noise of 224 × 224 pixels; several requests are under way at a time, as many as the program's hello says.
"""

import argparse
import json
import os
import struct
import subprocess
import threading
import time

import numpy as np


def read_exactly(stream, length):
    data = stream.read(length)
    if len(data) != length:
        raise SystemExit(f"the program closed its output after {len(data)} of {length} bytes")
    return data


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--pictures", type=int, default=2048)
    parser.add_argument("--size", type=int, default=224)
    parser.add_argument("--pipe", action="store_true", help="send pictures through the pipe although memory could be shared")
    parser.add_argument("--save", help="write pixels and scores of the first batch here (.npz)")
    parser.add_argument("command", nargs="+")
    options = parser.parse_args()

    path = f"/dev/shm/sceneshift-driver-{os.getpid()}"
    shared = not options.pipe and os.path.isdir("/dev/shm")
    env, keep = dict(os.environ), []
    if shared:
        file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600)
        os.unlink(path)
        if file != 3:
            os.dup2(file, 3)
        env["SCENESHIFT_MEMORY_FD"], keep = "3", [3]

    started = time.perf_counter()
    program = subprocess.Popen(options.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, pass_fds=keep, env=env)
    hello = json.loads(program.stdout.readline())
    print(f"hello after {time.perf_counter() - started:.1f} s: {json.dumps(hello)[:300]}")
    assert hello["sceneshift"] == 1 and hello.get("input") == "pixels", "the driver sends pixels; the program wants something else"
    shared = shared and hello.get("memory", False)

    batch, size, parallel = hello.get("batch", 8), options.size, hello.get("parallel", 2)
    pictures = np.random.default_rng(0).integers(0, 256, (batch, size, size, 3), np.uint8)
    each = size * size * 3
    if shared:
        os.ftruncate(3, pictures.nbytes)
        os.pwrite(3, pictures.tobytes(), 0)
    values = {"scale": 1 / 255, "mean": [0.485, 0.456, 0.406], "std": [0.229, 0.224, 0.225], "channels": "RGB"}
    samples = [{"sample": str(i), "scenario": "original", "width": size, "height": size} for i in range(batch)]
    requests = -(-options.pictures // batch) + 1
    room = threading.Semaphore(parallel)

    def send():
        for number in range(requests):
            room.acquire()
            header = {"id": number, "kind": "predict", "count": batch, "type": "uint8", "shape": list(pictures.shape), "values": values, "samples": samples}
            if shared:
                header["memory"] = [i * each for i in range(batch)]
            text = json.dumps(header).encode()
            program.stdin.write(struct.pack("<II", len(text), 0 if shared else pictures.nbytes) + text)
            if not shared:
                program.stdin.write(memoryview(pictures).cast("B"))
            program.stdin.flush()

    threading.Thread(target=send, daemon=True).start()
    first, begun = None, 0.0
    for _ in range(requests):
        header_length, payload_length = struct.unpack("<II", read_exactly(program.stdout, 8))
        answer = json.loads(read_exactly(program.stdout, header_length))
        scores = np.frombuffer(read_exactly(program.stdout, payload_length), "<f4")
        room.release()
        if "error" in answer:
            raise SystemExit(f"the program says: {answer['error']}")
        scores = scores.reshape(batch, hello["outputs"])
        assert np.isfinite(scores).all()
        if first is None:  # The first batch warms up and is not timed.
            first, begun = scores, time.perf_counter()
        assert np.allclose(scores, first, rtol=1e-2, atol=1e-2), "the same pictures got other scores"
    seconds = time.perf_counter() - begun
    if options.save:
        np.savez(options.save, pixels=pictures, scores=first)
    program.stdin.close()
    asked = (requests - 1) * batch
    way = "shared memory" if shared else "the pipe"
    print(f"{asked} pictures in batches of {batch}: {asked / seconds:.0f} pictures/s through {way}; ended with status {program.wait(30)}")


if __name__ == "__main__":
    main()
