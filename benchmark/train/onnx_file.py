"""Writes ONNX files with nothing but the standard library and NumPy.

The files must come out the same under any version of PyTorch, and torch.onnx does not write half-precision weights that
are computed with in single precision. The message numbers are those of onnx.proto (ONNX 1.12, operator set 17).
"""

import struct

import numpy as np

FLOAT, INT64, FLOAT16 = 1, 7, 10
TYPES = {np.dtype(np.float32): FLOAT, np.dtype(np.int64): INT64, np.dtype(np.float16): FLOAT16}


def varint(value):
    value &= (1 << 64) - 1
    out = bytearray()
    while value > 0x7F:
        out.append((value & 0x7F) | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


def number(field, value):
    return varint(field << 3) + varint(value)


def data(field, value):
    value = value.encode() if isinstance(value, str) else value
    return varint(field << 3 | 2) + varint(len(value)) + value


def tensor(name, array):
    array = np.array(array, order="C")  # np.ascontiguousarray would turn a scalar into a list of one
    dims = b"".join(number(1, size) for size in array.shape)
    return dims + number(2, TYPES[array.dtype]) + data(8, name) + data(9, array.tobytes())


def attribute(name, value):
    head = data(1, name)
    if isinstance(value, bool) or isinstance(value, int):
        return head + number(3, int(value)) + number(20, 2)
    if isinstance(value, float):
        return head + varint(2 << 3 | 5) + struct.pack("<f", value) + number(20, 1)
    return head + b"".join(number(8, each) for each in value) + number(20, 7)


def value_info(name, dims):
    shape = b"".join(data(1, data(2, dim) if isinstance(dim, str) else number(1, dim)) for dim in dims)
    return data(1, name) + data(2, data(1, number(1, FLOAT) + data(2, shape)))


class Graph:
    """Collects nodes; every method that adds one returns the name of its output."""

    def __init__(self):
        self.nodes, self.initializers, self.count = [], [], 0

    def name(self, stem):
        self.count += 1
        return f"{stem}_{self.count}"

    def node(self, op, inputs, output=None, **attributes):
        output = output or self.name(op.lower())
        fields = [data(1, each) for each in inputs] + [data(2, output), data(3, output), data(4, op)]
        fields += [data(5, attribute(name, value)) for name, value in attributes.items()]
        self.nodes.append(b"".join(fields))
        return output

    def constant(self, array, stem="value"):
        name = self.name(stem)
        self.initializers.append(tensor(name, array))
        return name

    def weight(self, values):
        """Stored in half precision, computed with in single precision: every processor gives the same answers."""
        return self.node("Cast", [self.constant(np.asarray(values, np.float16), "weight")], to=FLOAT)

    def single(self, values):
        return self.constant(np.asarray(values, np.float32), "weight")

    def whole(self, values):
        return self.constant(np.asarray(values, np.int64), "shape")

    def write(self, path, inputs, outputs):
        graph = b"".join(data(1, node) for node in self.nodes) + data(2, "network")
        graph += b"".join(data(5, each) for each in self.initializers)
        graph += b"".join(data(11, value_info(*each)) for each in inputs)
        graph += b"".join(data(12, value_info(*each)) for each in outputs)
        model = number(1, 8) + data(2, "sceneshift benchmark/train") + data(7, graph)
        model += data(8, data(1, "") + number(2, 17))
        with open(path, "wb") as file:
            file.write(model)
