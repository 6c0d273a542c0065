"""Measures painted pictures against rendered plates.

    python measure.py --plates DIR --samples SAMPLES.zip [SAMPLES.zip …] --backbone mobilenetv2-12-int8.onnx --cache DIR [--nearest sheet.jpg]

DIR holds ENVIRONMENT-SCENE-VIEW.jpg (pack.py), a zip NNNN-ENVIRONMENT.jpg (sample.py). Features are the backbone's last pooled layer (1280 numbers);
it is used to measure with and nothing else. KID: Bińkowski et al. 2018, cubic kernel, unbiased. FID: Heusel et al. 2017, formula on the same features,
with equal numbers of pictures on both sides, since its bias depends on the number.
"""
import argparse
import io
import json
import zipfile
from pathlib import Path

import numpy as np
import onnx
import onnxruntime
from PIL import Image
from sklearn.linear_model import LogisticRegression
from sklearn.preprocessing import StandardScaler


def backbone(path):
    model = onnx.load(str(path))
    pool = next(node for node in model.graph.node if 'GlobalAveragePool' in node.op_type)
    after = next(node for node in model.graph.node if pool.output[0] in node.input)
    name = after.output[0] if after.op_type == 'DequantizeLinear' else pool.output[0]
    if after.op_type != 'DequantizeLinear' and pool.op_type.startswith('QLinear'):
        # The pooled layer in 8 bits: brought back to numbers with its own scale.
        model.graph.node.append(onnx.helper.make_node('DequantizeLinear', [pool.output[0], pool.input[3], pool.input[4]], ['pooled']))
        name = 'pooled'
    model.graph.output.append(onnx.helper.make_tensor_value_info(name, onnx.TensorProto.FLOAT, None))
    session = onnxruntime.InferenceSession(model.SerializeToString(), providers=['CPUExecutionProvider'])
    return lambda pixels: session.run([name], {session.get_inputs()[0].name: pixels})[0].reshape(-1)


def prepare(image):
    x = np.asarray(image.convert('RGB').resize((224, 224), Image.BICUBIC), np.float32) / 255
    return ((x - (0.485, 0.456, 0.406)) / (0.229, 0.224, 0.225)).astype(np.float32).transpose(2, 0, 1)[None]


def features(network, name, images, cache):
    path = cache / f'{name}.npz'
    if path.exists():
        return np.load(path)['features']
    found = np.stack([network(prepare(image)) for image in images()])
    np.savez(path, features=found)
    return found


def kid(a, b):
    def kernel(x, y):
        return (x @ y.T / x.shape[1] + 1) ** 3
    m, n = len(a), len(b)
    aa, bb = kernel(a, a), kernel(b, b)
    return float((aa.sum() - np.trace(aa)) / (m * (m - 1)) + (bb.sum() - np.trace(bb)) / (n * (n - 1)) - 2 * kernel(a, b).mean())


def fid(a, b):
    """The trace of the root of the covariances' product is the sum of singular values of the centred features' product: exact, and small."""
    gap = a.mean(0) - b.mean(0)
    a, b = (x - x.mean(0) for x in (a, b))
    a, b = a / (len(a) - 1) ** 0.5, b / (len(b) - 1) ** 0.5
    return float(gap @ gap + (a**2).sum() + (b**2).sum() - 2 * np.linalg.svd(a @ b.T, compute_uv=False).sum())


def halves(scenes, rng):
    """Two sets of plates that share no scene."""
    known = np.unique(scenes)
    first = set(rng.permutation(known)[: len(known) // 2])
    side = np.array([scene in first for scene in scenes])
    return np.where(side)[0], np.where(~side)[0]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--plates', type=Path, required=True)
    parser.add_argument('--samples', type=Path, nargs='+', required=True)
    parser.add_argument('--backbone', type=Path, required=True)
    parser.add_argument('--cache', type=Path, required=True)
    parser.add_argument('--nearest', type=Path)
    options = parser.parse_args()
    options.cache.mkdir(parents=True, exist_ok=True)
    network, rng = backbone(options.backbone), np.random.default_rng(1)
    paths = sorted(options.plates.glob('*.jpg'))
    places = np.array([path.stem.rsplit('-', 2)[0] for path in paths])
    scenes = np.array([int(path.stem.rsplit('-', 2)[1]) for path in paths])
    held = scenes % 10 == 9
    plates = features(network, 'plates', lambda: (Image.open(path) for path in paths), options.cache)
    scaler = StandardScaler().fit(plates[~held])
    judge = LogisticRegression(C=0.02, max_iter=400).fit(scaler.transform(plates[~held]), places[~held])
    result = {'plates': len(paths), 'held_out': int(held.sum()), 'judge_on_held_out': float((judge.predict(scaler.transform(plates[held])) == places[held]).mean())}
    first, second = halves(scenes, rng)
    count = min(500, len(first), len(second))
    a, b = plates[rng.permutation(first)[:count]], plates[rng.permutation(second)[:count]]
    few = int(held.sum())
    result |= {'halves': {'count': count, 'kid': kid(a, b), 'fid': fid(a, b)}, 'training_to_held_out': {'count': few, 'kid': kid(plates[rng.permutation(np.where(~held)[0])[:few]], plates[held]), 'fid': fid(plates[rng.permutation(np.where(~held)[0])[:few]], plates[held])}}
    for path in options.samples:
        with zipfile.ZipFile(path) as file:
            names = sorted(name for name in file.namelist() if name.endswith('.jpg'))
            wanted = np.array([name[5:-4] for name in names])
            found = features(network, path.stem, lambda: (Image.open(io.BytesIO(file.read(name))) for name in names), options.cache)
            said = judge.predict(scaler.transform(found))
            chosen = rng.permutation(len(found))[:few]
            own = {'count': len(found), 'right': float((said == wanted).mean()), 'by_place': {place: round(float((said[wanted == place] == place).mean()), 3) for place in sorted(set(places))}}
            own |= {'to_held_out': {'count': few, 'kid': kid(found, plates[held]), 'fid': fid(found[chosen], plates[held])}, 'to_half': {'count': min(count, len(found)), 'kid': kid(found[:count], b), 'fid': fid(found[:count], b)}}
            own['nearest'] = nearest(found, plates, held)
            result[path.stem] = own
            if options.nearest and path == options.samples[0]:
                sheet(file, names, wanted, found, paths, plates, held, options.nearest)
    print(json.dumps(result, indent=1))


def unit(x):
    return x / np.linalg.norm(x, axis=1, keepdims=True)


def nearest(found, plates, held):
    """Median cosine to the nearest training plate: of painted pictures, and of held-out plates, which are certainly no copies."""
    train = unit(plates[~held])
    return {'painted': float(np.median((unit(found) @ train.T).max(1))), 'held_out': float(np.median((unit(plates[held]) @ train.T).max(1))), 'painted_highest': float((unit(found) @ train.T).max()), 'held_out_highest': float((unit(plates[held]) @ train.T).max())}


def sheet(file, names, wanted, found, paths, plates, held, target):
    """For each place two painted pictures, each above the training plate nearest to it."""
    train, own = unit(plates[~held]), [path for path, out in zip(paths, held) if not out]
    side = 112
    order = sorted(set(wanted))
    picture = Image.new('RGB', (len(order) * side, 4 * side), 'white')
    for column, place in enumerate(order):
        for row, i in enumerate(np.where(wanted == place)[0][:2]):
            closest = own[int((unit(found[i : i + 1]) @ train.T).argmax())]
            for k, image in enumerate((Image.open(io.BytesIO(file.read(names[i]))), Image.open(closest))):
                picture.paste(image.resize((side - 2, side - 2), Image.LANCZOS), (column * side, (row * 2 + k) * side))
    picture.save(target, quality=85)


if __name__ == '__main__':
    main()
