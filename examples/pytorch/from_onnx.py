"""Start weights for train.py from an ONNX classifier, where no pretrained weights can be downloaded.

    from_onnx.py mobilenetv2-12-int8.onnx --model mobilenetv2_100 --images EXPORT --out weights.pt

Reads the convolutions and the linear layer of the file in order, int8 ones turned back into numbers, and lays them into the
layers of the same shapes of a timm network. The file has its batch normalisation folded into the convolutions; here it is
given back: mean and variance are measured on images, gain and offset set so that nothing changes. Without that, the first
step of training would throw the weights' scale away. Prints how often both networks name the same class.
"""

import argparse
import csv
import struct
from pathlib import Path

import numpy as np
import torch
from PIL import Image
from torch import nn

MEAN, STD = (0.485, 0.456, 0.406), (0.229, 0.224, 0.225)
TYPES = {1: np.float32, 2: np.uint8, 3: np.int8, 6: np.int32, 7: np.int64, 10: np.float16, 11: np.float64}


def fields(message):
    """(field number, value) of a protobuf message: whole numbers as int, everything else as bytes."""
    at = 0

    def varint():
        nonlocal at
        value = shift = 0
        while True:
            byte = message[at]
            at += 1
            value |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                return value

    while at < len(message):
        tag = varint()
        kind = tag & 7
        if kind == 0:
            yield tag >> 3, varint()
        else:
            size = varint() if kind == 2 else {1: 8, 5: 4}[kind]
            yield tag >> 3, bytes(message[at : at + size])
            at += size


def read_tensor(message):
    """TensorProto of onnx.proto: dims 1, type 2, float 4, int32 5, name 8, raw 9."""
    dims, kind, name, raw, floats, whole = [], 1, "", None, [], []
    for number, value in fields(message):
        if number == 1:
            dims += [value] if isinstance(value, int) else packed(value)
        elif number == 2:
            kind = value
        elif number == 4:
            floats += list(struct.unpack(f"<{len(value) // 4}f", value))
        elif number in (5, 7):
            whole += [value] if isinstance(value, int) else packed(value)
        elif number == 8:
            name = value.decode()
        elif number == 9:
            raw = value
    if raw is not None:
        array = np.frombuffer(raw, TYPES[kind])
    else:
        array = np.array(floats or [each - (1 << 64) if each >> 63 else each for each in whole]).astype(TYPES[kind])
    return name, array.reshape(dims)


def packed(data):
    values, value, shift = [], 0, 0
    for byte in data:
        value |= (byte & 0x7F) << shift
        shift += 7
        if byte < 0x80:
            values.append(value)
            value = shift = 0
    return values


def read_graph(path):
    """Nodes as (operator, inputs), in order, and the stored arrays by name."""
    graph = next(value for number, value in fields(Path(path).read_bytes()) if number == 7)
    nodes, arrays = [], {}
    for number, value in fields(graph):
        if number == 1:
            parts = list(fields(value))
            operator = next(each for field, each in parts if field == 4).decode()
            nodes.append((operator, [each.decode() for field, each in parts if field == 1]))
        elif number == 5:
            name, array = read_tensor(value)
            arrays[name] = array
    return nodes, arrays


def dequantise(values, scale, zero, axis=0):
    shape = [-1 if each == axis else 1 for each in range(values.ndim)] if np.ndim(scale) else []
    scale, zero = (np.reshape(each, shape) if np.ndim(each) else each for each in (scale, zero))
    return ((values.astype(np.float64) - zero) * scale).astype(np.float32)


def read_layers(path):
    """(weight, bias) of every convolution and of the last linear layer, in the order of the file."""
    nodes, arrays = read_graph(path)
    layers = []
    for position, (operator, names) in enumerate(nodes):
        stored = [arrays.get(name) for name in names]
        if operator == "QLinearConv":
            weight = dequantise(stored[3], stored[4], stored[5])
            bias = stored[8].astype(np.float64) * stored[1] * stored[4] if len(stored) > 8 else np.zeros(len(weight))
            layers.append((weight, bias.astype(np.float32)))
        elif operator == "Conv":
            bias = stored[2] if len(stored) > 2 else np.zeros(len(stored[1]), np.float32)
            layers.append((stored[1].astype(np.float32), bias.astype(np.float32)))
        elif operator == "QLinearMatMul" and stored[3] is not None:
            weight = dequantise(stored[3], stored[4], stored[5], axis=1).T
            following, after = nodes[position + 1]
            found = [arrays.get(name) for name in after]
            bias = dequantise(found[3], found[4], found[5]) if following == "QLinearAdd" else np.zeros(len(weight))
            layers.append((weight, bias.astype(np.float32)))
        elif operator == "Gemm":
            columns = arrays[names[1]].shape
            weight = stored[1] if columns[0] == len(stored[2]) else stored[1].T
            layers.append((weight.astype(np.float32), stored[2].astype(np.float32)))
    return layers


def lay_into(network, layers):
    """Convolutions and linear layers are matched in order; a layer of another shape ends the attempt with its name."""
    modules = [(name, each) for name, each in network.named_modules() if isinstance(each, (nn.Conv2d, nn.Linear))]
    if len(modules) != len(layers):
        raise SystemExit(f"the network has {len(modules)} layers with weights, the file {len(layers)}")
    for (name, module), (weight, bias) in zip(modules, layers):
        if tuple(module.weight.shape) != weight.shape:
            raise SystemExit(f"{name}: the network has {tuple(module.weight.shape)}, the file {weight.shape}")
        module.weight.data = torch.from_numpy(np.array(weight))
        if module.bias is not None:
            module.bias.data = torch.from_numpy(np.array(bias))
    norms = [each for each in network.modules() if isinstance(each, nn.BatchNorm2d)]
    convolutions = [(module, bias) for (_, module), (_, bias) in zip(modules, layers) if isinstance(module, nn.Conv2d)]
    if len(norms) != len(convolutions):
        raise SystemExit("expected one batch normalisation after each convolution")
    for norm, (_, bias) in zip(norms, convolutions):
        norm.running_mean.zero_()
        norm.running_var.fill_(1 - norm.eps)
        norm.weight.data.fill_(1)
        norm.bias.data = torch.from_numpy(np.array(bias))
    return [module for module, _ in convolutions], norms


@torch.no_grad()
def give_statistics(network, convolutions, norms, images):
    """Mean and variance of every convolution's output over the images; eval mode computes what it did before."""
    sums = {}

    def collect(module, _, output):
        values = output.double().transpose(0, 1).flatten(1)
        count, total, squares = sums.get(module, (0, 0, 0))
        sums[module] = (count + values.shape[1], total + values.sum(1), squares + (values**2).sum(1))

    hooks = [each.register_forward_hook(collect) for each in convolutions]
    for i in range(0, len(images), 32):
        network(images[i : i + 32])
    for hook in hooks:
        hook.remove()
    for module, norm in zip(convolutions, norms):
        count, total, squares = sums[module]
        mean = total / count
        variance = (squares / count - mean**2).clamp(min=0)
        norm.bias.data = (norm.bias.double() + mean).float()
        norm.weight.data = torch.sqrt(variance + norm.eps).float()
        norm.running_mean.copy_(mean.float())
        norm.running_var.copy_(variance.float())


def read_images(export, count, size):
    with open(Path(export) / "folds.csv", newline="") as file:
        rows = [row["file"] for row in csv.DictReader(file) if row["scenario"] == "original"]
    pictures = []
    for file in rows[:: max(1, len(rows) // count)][:count]:
        with Image.open(Path(export) / file) as image:
            image = image.convert("RGB")
        short = round(size / 0.875)
        scale = short / min(image.size)
        image = image.resize([max(short, round(side * scale)) for side in image.size], Image.BILINEAR)
        left, top = (image.width - size) // 2, (image.height - size) // 2
        pixels = np.asarray(image.crop((left, top, left + size, top + size)), np.float32) / 255
        pictures.append(((pixels - MEAN) / STD).astype(np.float32).transpose(2, 0, 1))
    return torch.from_numpy(np.stack(pictures))


def compare(path, network, images):
    try:
        import onnxruntime
    except ImportError:
        print("onnxruntime is missing: the file's own answers were not compared")
        return
    options = onnxruntime.SessionOptions()
    options.add_session_config_entry("session.x64quantprecision", "1")
    session = onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
    name = session.get_inputs()[0].name
    theirs = np.concatenate([session.run(None, {name: each[None].numpy()})[0] for each in images])
    with torch.no_grad():
        ours = torch.cat([network(images[i : i + 32]) for i in range(0, len(images), 32)]).numpy()
    same = (ours.argmax(1) == theirs.argmax(1)).mean()
    close = np.corrcoef(ours.ravel(), theirs.ravel())[0, 1]
    print(f"{len(images)} images: the same class in {same:.1%}, correlation of the logits {close:.4f}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("onnx")
    parser.add_argument("--model", default="mobilenetv2_100", help="timm's name; torchvision/NAME takes torchvision's")
    parser.add_argument("--images", required=True, help="the exported folder")
    parser.add_argument("--count", type=int, default=192)
    parser.add_argument("--size", type=int, default=224)
    parser.add_argument("--out", default="weights.pt")
    args = parser.parse_args()
    from train import create

    layers = read_layers(args.onnx)
    network = create(args, len(layers[-1][0])).eval()
    convolutions, norms = lay_into(network, layers)
    images = read_images(args.images, args.count, args.size)
    give_statistics(network, convolutions, norms, images)
    compare(args.onnx, network, images[:64])
    torch.save(network.state_dict(), args.out)
    print(f"{args.out}: {len(layers)} layers")


if __name__ == "__main__":
    main()
