"""Writes the networks as ONNX with the names of an optimum export, weights stored in half precision or in 8 bits and computed with in single precision."""
import warnings
from pathlib import Path

import numpy as np
import onnx
import torch
from onnx import helper, numpy_helper

import networks

OPSET = 17


def to_onnx(network, arguments, path, inputs, outputs, dynamic):
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    networks.FUSED = False
    options = {'dynamo': False} if 'dynamo' in torch.onnx.export.__code__.co_varnames else {}
    with warnings.catch_warnings():
        warnings.simplefilter('ignore')
        torch.onnx.export(network.eval(), arguments, str(path), input_names=inputs, output_names=outputs, dynamic_axes=dynamic, opset_version=OPSET, do_constant_folding=True, **options)
    return path


def store(name, values, bits, axis):
    """Nodes that bring the stored weight back to single precision; onnxruntime folds them when it loads the file, so they cost nothing later.
    In 8 bits every output channel, along `axis`, has its own scale."""
    if bits == 8 and values.ndim > 1 and values.shape[axis] > 1:
        others = tuple(i for i in range(values.ndim) if i != axis % values.ndim)
        scale = np.maximum(np.abs(values).max(others, keepdims=True), 1e-8) / np.float32(127)
        whole = np.clip(np.round(values / scale), -127, 127).astype(np.int8)
        parts = [numpy_helper.from_array(whole, f'{name}.int8'), numpy_helper.from_array(scale.astype(np.float32), f'{name}.scale')]
        nodes = [helper.make_node('Cast', [parts[0].name], [f'{name}.whole'], to=onnx.TensorProto.FLOAT), helper.make_node('Mul', [f'{name}.whole', parts[1].name], [name])]
    else:
        parts = [numpy_helper.from_array(values.astype(np.float16), f'{name}.half')]
        nodes = [helper.make_node('Cast', [parts[0].name], [name], to=onnx.TensorProto.FLOAT)]
    return parts, nodes


def shrink(path, bits=16, least=64):
    """Stores every weight of at least so many numbers in 16 or 8 bits."""
    model = onnx.load(str(path))
    kept, nodes = [], []
    # The exporter turns a linear layer's weight over for MatMul.
    turned = {node.input[1] for node in model.graph.node if node.op_type == 'MatMul'}
    for tensor in model.graph.initializer:
        values = numpy_helper.to_array(tensor)
        if values.dtype != np.float32 or values.size < least:
            kept.append(tensor)
            continue
        parts, made = store(tensor.name, values, bits, -1 if tensor.name in turned else 0)
        kept += parts
        nodes += made
    rest = list(model.graph.node)
    for node in rest:
        node.ClearField('doc_string')
    del model.graph.initializer[:], model.graph.node[:]
    model.graph.initializer.extend(kept)
    model.graph.node.extend(nodes + rest)
    rename(model)
    onnx.checker.check_model(model)
    onnx.save(model, str(path))


def rename(model):
    """Short names for what is inside: the exporter's paths are a third of a small file."""
    outside = {value.name for value in [*model.graph.input, *model.graph.output]}
    names = {'': ''}

    def short(name):
        if name in outside:
            return name
        return names.setdefault(name, f'v{len(names)}')

    for tensor in model.graph.initializer:
        tensor.name = short(tensor.name)
    for i, node in enumerate(model.graph.node):
        node.name = f'n{i}'
        node.input[:] = [short(name) for name in node.input]
        node.output[:] = [short(name) for name in node.output]
    del model.graph.value_info[:]


def answers(path, **inputs):
    import onnxruntime
    session = onnxruntime.InferenceSession(str(path), providers=['CPUExecutionProvider'])
    return session.run(None, inputs)
