"""Four kinds of small network. Each knows how to compute (forward) and how to write itself down (emit).

The convolutional ones end in global average pooling and one linear layer, so that class activation maps are exact.
"""

import math

import torch
from torch import nn
from torch.nn import functional as F

SIZE_PX = 128


def half(values):
    """Rounded to what the file can hold, so that what is measured is what is shipped."""
    return values.detach().half().float()


class Convolution(nn.Module):
    """Convolution, batch normalisation and, if wanted, a rectifier; `fold` makes one convolution of the first two."""

    def __init__(self, inputs, outputs, kernel=3, stride=1, groups=1, relu=True):
        super().__init__()
        self.conv = nn.Conv2d(inputs, outputs, kernel, stride, kernel // 2, groups=groups, bias=False)
        self.norm = nn.BatchNorm2d(outputs)
        self.relu = relu

    def forward(self, x):
        x = self.norm(self.conv(x))
        return F.relu(x) if self.relu else x

    def fold(self):
        gain = self.norm.weight / torch.sqrt(self.norm.running_var + self.norm.eps)
        bias = self.norm.bias - self.norm.running_mean * gain
        self.conv.weight.data = half(self.conv.weight * gain[:, None, None, None])
        self.conv.bias = nn.Parameter(bias.detach().clone())
        self.norm = nn.Identity()

    def emit(self, graph, x):
        conv = self.conv
        pad, stride = conv.padding[0], conv.stride[0]
        x = graph.node(
            "Conv",
            [x, graph.weight(array(conv.weight)), graph.single(array(conv.bias))],
            kernel_shape=list(conv.kernel_size),
            pads=[pad] * 4,
            strides=[stride, stride],
            group=conv.groups,
        )
        return graph.node("Relu", [x]) if self.relu else x


class Residual(nn.Module):
    """Two convolutions beside a straight way; the straight way is 1×1 where the size changes."""

    def __init__(self, inputs, outputs, stride=1):
        super().__init__()
        self.body = nn.Sequential(Convolution(inputs, outputs, 3, stride), Convolution(outputs, outputs, relu=False))
        same = inputs == outputs and stride == 1
        self.way = None if same else Convolution(inputs, outputs, 1, stride, relu=False)

    def forward(self, x):
        return F.relu(self.body(x) + (x if self.way is None else self.way(x)))

    def emit(self, graph, x):
        y = emit_all(self.body, graph, x)
        way = x if self.way is None else self.way.emit(graph, x)
        return graph.node("Relu", [graph.node("Add", [y, way])])


class Inverted(nn.Module):
    """MobileNetV2's block (Sandler et al. 2018): widen, filter each channel by itself, narrow."""

    def __init__(self, inputs, outputs, stride=1, widen=4):
        super().__init__()
        wide = inputs * widen
        self.body = nn.Sequential(
            Convolution(inputs, wide, 1),
            Convolution(wide, wide, 3, stride, groups=wide),
            Convolution(wide, outputs, 1, relu=False),
        )
        self.add = inputs == outputs and stride == 1

    def forward(self, x):
        return x + self.body(x) if self.add else self.body(x)

    def emit(self, graph, x):
        y = emit_all(self.body, graph, x)
        return graph.node("Add", [x, y]) if self.add else y


class Shrink(nn.Module):
    def forward(self, x):
        return F.max_pool2d(x, 2)

    def emit(self, graph, x):
        return graph.node("MaxPool", [x], kernel_shape=[2, 2], strides=[2, 2])


class Pooled(nn.Module):
    """Layers, global average, linear."""

    def __init__(self, layers, channels, classes):
        super().__init__()
        self.layers = nn.Sequential(*layers)
        self.drop = nn.Dropout(0.1)
        self.head = nn.Linear(channels, classes)

    def forward(self, x):
        return self.head(self.drop(self.layers(x).mean((2, 3))))

    def emit(self, graph, x, output):
        x = graph.node("GlobalAveragePool", [emit_all(self.layers, graph, x)])
        return emit_head(self.head, graph, graph.node("Flatten", [x], axis=1), output)


class Attention(nn.Module):
    """One transformer layer: attention and a two-layer perceptron, each after normalisation and beside a straight way."""

    def __init__(self, width, heads, tokens, widen):
        super().__init__()
        self.width, self.heads, self.tokens = width, heads, tokens
        self.before, self.between = nn.LayerNorm(width), nn.LayerNorm(width)
        self.mix, self.out = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.up, self.down = nn.Linear(width, widen * width), nn.Linear(widen * width, width)

    def forward(self, x):
        n, tokens, width = x.shape
        q, k, v = self.mix(self.before(x)).view(n, tokens, 3, self.heads, -1).permute(2, 0, 3, 1, 4)
        share = (q @ k.transpose(2, 3) / math.sqrt(width // self.heads)).softmax(3)
        x = x + self.out((share @ v).transpose(1, 2).reshape(n, tokens, width))
        return x + self.down(F.relu(self.up(self.between(x))))

    def emit(self, graph, x):
        each = self.width // self.heads
        parts = graph.node(
            "Reshape", [emit_linear(self.mix, graph, emit_norm(self.before, graph, x)), graph.whole([0, self.tokens, 3, self.heads, each])]
        )
        parts = graph.node("Transpose", [parts], perm=[2, 0, 3, 1, 4])
        q, k, v = (graph.node("Gather", [parts, graph.whole(i)], axis=0) for i in range(3))
        share = graph.node("MatMul", [q, graph.node("Transpose", [k], perm=[0, 1, 3, 2])])
        share = graph.node("Mul", [share, graph.single(1 / math.sqrt(each))])
        mixed = graph.node("MatMul", [graph.node("Softmax", [share], axis=3), v])
        mixed = graph.node("Transpose", [mixed], perm=[0, 2, 1, 3])
        mixed = graph.node("Reshape", [mixed, graph.whole([0, self.tokens, self.width])])
        x = graph.node("Add", [x, emit_linear(self.out, graph, mixed)])
        up = graph.node("Relu", [emit_linear(self.up, graph, emit_norm(self.between, graph, x))])
        return graph.node("Add", [x, emit_linear(self.down, graph, up)])


class Transformer(nn.Module):
    """A stem of convolutions makes 8×8 tokens (Xiao et al. 2021: trains better on few images than plain patches)."""

    def __init__(self, classes, width=88, heads=4, depth=3, widen=3):
        super().__init__()
        self.stem = nn.Sequential(Convolution(3, 16, 3, 2), Shrink(), Convolution(16, 32, 3, 2), Convolution(32, width, 3, 2, relu=False))
        tokens = (SIZE_PX // 16) ** 2
        self.place = nn.Parameter(torch.randn(1, tokens, width) * 0.02)
        self.blocks = nn.Sequential(*(Attention(width, heads, tokens, widen) for _ in range(depth)))
        self.norm = nn.LayerNorm(width)
        self.drop = nn.Dropout(0.1)
        self.head = nn.Linear(width, classes)

    def forward(self, x):
        x = self.stem(x).flatten(2).transpose(1, 2) + self.place
        return self.head(self.drop(self.norm(self.blocks(x)).mean(1)))

    def emit(self, graph, x, output):
        width, tokens = self.place.shape[2], self.place.shape[1]
        x = graph.node("Reshape", [emit_all(self.stem, graph, x), graph.whole([0, width, tokens])])
        x = graph.node("Transpose", [x], perm=[0, 2, 1])
        x = graph.node("Add", [x, graph.single(array(self.place))])
        x = emit_norm(self.norm, graph, emit_all(self.blocks, graph, x))
        x = graph.node("ReduceMean", [x], axes=[1], keepdims=0)
        return emit_head(self.head, graph, x, output)


def array(values):
    return values.detach().cpu().numpy()


def emit_all(layers, graph, x):
    for layer in layers:
        x = layer.emit(graph, x)
    return x


def emit_norm(norm, graph, x):
    return graph.node("LayerNormalization", [x, graph.single(array(norm.weight)), graph.single(array(norm.bias))], axis=-1, epsilon=norm.eps)


def emit_linear(linear, graph, x):
    return graph.node("Add", [graph.node("MatMul", [x, graph.weight(array(linear.weight.T))]), graph.single(array(linear.bias))])


def emit_head(linear, graph, x, output):
    """In single precision and as one Gemm: what reads weights off the graph (class activation maps) finds them plainly."""
    return graph.node("Gemm", [x, graph.single(array(linear.weight)), graph.single(array(linear.bias))], output, transB=1)


def fold(network):
    """Batch normalisation into the convolutions, weights rounded to half precision: the network as its file has it."""
    for module in list(network.modules()):
        if isinstance(module, Convolution):
            module.fold()
        elif isinstance(module, Attention):
            for linear in (module.mix, module.out, module.up, module.down):
                linear.weight.data = half(linear.weight)
    return network


def plain(classes):
    layers = [Convolution(3, 16, 3, 2), Shrink(), Convolution(16, 24), Convolution(24, 48, 3, 2)]
    layers += [Convolution(48, 80, 3, 2), Convolution(80, 96), Convolution(96, 144)]
    return Pooled(layers, 144, classes)


def residual(classes):
    layers = [Convolution(3, 16, 3, 2), Shrink(), Residual(16, 16), Residual(16, 32, 2)]
    layers += [Residual(32, 80, 2), Residual(80, 80)]
    return Pooled(layers, 80, classes)


def mobile(classes):
    layers = [Convolution(3, 12, 3, 2), Inverted(12, 20, 2, 3), Inverted(20, 40, 2), Inverted(40, 40)]
    layers += [Inverted(40, 80, 2), Inverted(80, 80), Inverted(80, 80), Convolution(80, 256, 1)]
    return Pooled(layers, 256, classes)


NETWORKS = {"plain": plain, "residual": residual, "mobile": mobile, "transformer": Transformer}


def build(architecture, classes):
    network = NETWORKS[architecture](classes)
    for module in network.modules():
        if isinstance(module, nn.Conv2d):
            nn.init.kaiming_normal_(module.weight, mode="fan_out", nonlinearity="relu")
        elif isinstance(module, nn.Linear):
            nn.init.trunc_normal_(module.weight, std=0.02)
            nn.init.zeros_(module.bias)
    return network
