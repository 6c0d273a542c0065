"""A generator of pictures from words, for `sceneshift generate --provider command:`. Run by Blender:

    blender -b -t 2 -P benchmark/render/generator.py -- [--size PX] [--samples N]

Reads a line of JSON per picture on standard input (id, prompt, seed, out), writes the picture to `out` and answers a line of JSON (id, or id and error).
The prompts are those of `pool.yaml`: an object of the benchmark in one of its places, or with a texture or of a material that is not its own.
Debian's Blender runs Debian's Python, so that NumPy, OpenCV and Pillow are at hand.
"""
import argparse
import json
import os
import sys
import traceback
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent))

import bpy  # noqa: E402
from PIL import Image  # noqa: E402

import camera  # noqa: E402
import passes  # noqa: E402
import stage  # noqa: E402
import surfaces  # noqa: E402
from denoise import denoise  # noqa: E402
from develop import develop  # noqa: E402
from jobs import load_classes  # noqa: E402

CLASSES = load_classes()['classes']
PLACES = load_classes()['environments']


def read_prompt(prompt):
    """Class, kind of nuisance and nuisance of a prompt; a prompt in other words is an error."""
    words = f' {prompt.lower()} '
    subject = next((name for name in CLASSES if f' {name.replace("-", " ")} ' in words), None)
    if subject is None:
        raise ValueError(f"no object of {', '.join(CLASSES)} in '{prompt}'")
    rest = words.replace(f' {subject.replace("-", " ")} ', ' ', 1)
    for name, make in surfaces.MATERIALS.items():
        if f' made of {name} ' in rest:
            return subject, 'material', make
    for name, make in surfaces.TEXTURES.items():
        if f' a {name} texture ' in rest:
            return subject, 'texture', make
    place = next((name for name in sorted(PLACES, key=len, reverse=True) if rest.rstrip().endswith(f' {name.replace("-", " ")}')), None)
    if place is None:
        raise ValueError(f"no place, texture or material that is known in '{prompt}'")
    return subject, 'background', place


def render(prompt, seed, size, samples):
    subject_name, kind, nuisance = read_prompt(prompt)
    for offset in range(4):
        def rng(purpose):
            return stage.stream('pool', seed, prompt, purpose, offset)

        stage.empty_scene()
        # A texture or material is shown where the object usually is, so that it alone is strange.
        place = nuisance if kind == 'background' else CLASSES[subject_name]
        setting = stage.load_module('environments', place).build(rng('environment'))
        module = stage.load_module('objects', subject_name)
        items = stage.build_subject(module, rng('object'))
        if kind != 'background':
            surfaces.cover(items, nuisance(rng('surface')))
        subject = stage.Subject(items)
        _view, _box, sight = camera.find_view(rng('camera'), setting, module.ELEVATIONS, subject, rng('yaw').uniform(*module.YAWS), tries=10)
        if sight['visible'] >= 0.85:
            break
    passes.set_up(bpy.context.scene, size, max(1, samples // 2))
    first = stage.stream('pool', seed, prompt, 'noise').randrange(1 << 30)
    return develop(denoise(passes.render([first, first + 1])), setting.exposure)


def main():
    parser = argparse.ArgumentParser(prog='generator.py', description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--size', type=int, default=224)
    parser.add_argument('--samples', type=int, default=16)
    options = parser.parse_args(sys.argv[sys.argv.index('--') + 1 :] if '--' in sys.argv else [])
    # Cycles and Blender's start-up write to standard output; answers go to a copy of it, all else to standard error.
    answers = os.fdopen(os.dup(1), 'w', buffering=1)
    os.dup2(2, 1)
    for line in sys.stdin:
        asked = json.loads(line)
        try:
            Image.fromarray(render(asked['prompt'], asked['seed'], asked.get('width') or options.size, options.samples)).save(asked['out'])
            answers.write(json.dumps({'id': asked['id'], 'model': 'benchmark/render', 'version': f'Blender {bpy.app.version_string}', 'settings': {'samples': options.samples}}) + '\n')
        except Exception as error:
            traceback.print_exc(file=sys.stderr)
            answers.write(json.dumps({'id': asked['id'], 'error': str(error)}) + '\n')


main()
