"""Writes a trained network as ONNX with its record beside it, and compares the file's answers with PyTorch's."""

import json
from pathlib import Path

import numpy as np
import torch

from composer import MEAN, STD
from networks import SIZE_PX
from onnx_file import Graph


def write_model(network, path, labels, training):
    """`network` is folded and on the CPU. Returns the largest difference from PyTorch's logits, or None without onnxruntime."""
    path = Path(path)
    graph = Graph()
    network.emit(graph, "input", "output")
    graph.write(path, [("input", ["n", 3, SIZE_PX, SIZE_PX])], [("output", ["n", len(labels)])])
    path.with_suffix(".json").write_text(json.dumps(record(path.stem, labels, training), indent=2) + "\n")
    return difference(network, path)


def record(name, labels, training):
    return {
        "name": name,
        "task": "classify",
        "labels": labels,
        "input": {"name": "input", "layout": "NCHW", "type": "float32", "channels": "RGB"},
        "resize": {"shortSide": SIZE_PX, "filter": "bilinear"},
        "crop": SIZE_PX,
        "scale": 1 / 255,
        "mean": list(MEAN),
        "std": list(STD),
        "output": {"name": "output", "kind": "logits"},
        "source": "benchmark/train/train.py",
        "training": training,
    }


def difference(network, path):
    try:
        import onnxruntime
    except ImportError:
        return None
    session = onnxruntime.InferenceSession(str(path), providers=["CPUExecutionProvider"])
    x = torch.randn(16, 3, SIZE_PX, SIZE_PX, generator=torch.Generator().manual_seed(1))
    with torch.no_grad():
        expected = network(x).numpy()
    return float(np.abs(session.run(["output"], {"input": x.numpy()})[0] - expected).max())
