"""Renders empty places to train the diffusion model on. Run by Blender:

    blender -b -t 1 -P benchmark/diffusion/plates/render.py -- --out DIR [--seed N] [--part I/N] [--scenes N] [--views N] [--samples N] [--size PX] [--stop-after SECONDS]

A scene of the benchmark's environments is built once and rendered from several cameras in several lights. What exists in DIR is not rendered
again; `develop.py` makes pictures and captions of the results.
"""
import argparse
import json
import math
import os
import sys
import time
import traceback
from contextlib import contextmanager
from pathlib import Path

sys.dont_write_bytecode = True
HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parents[1] / 'render')]

import bpy  # noqa: E402
import numpy as np  # noqa: E402
from mathutils import Vector  # noqa: E402

import camera  # noqa: E402
import passes  # noqa: E402
import stage  # noqa: E402
from jobs import load_classes  # noqa: E402
from recorder import Recorder  # noqa: E402
from weather import OUTDOORS, relight  # noqa: E402


def arguments():
    parser = argparse.ArgumentParser(prog='render.py', description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--out', required=True, type=Path)
    parser.add_argument('--seed', type=int, default=17)
    parser.add_argument('--part', default='1/1', help='I/N: only every N-th scene, from the I-th on')
    parser.add_argument('--scenes', type=int, default=1200)
    parser.add_argument('--views', type=int, default=3)
    parser.add_argument('--samples', type=int, default=8)
    parser.add_argument('--size', type=int, default=256)
    parser.add_argument('--only', default='', help='names of environments, with commas')
    parser.add_argument('--stop-after', type=float, default=math.inf, help='no new plate is started after so many seconds')
    return parser.parse_args(sys.argv[sys.argv.index('--') + 1 :] if '--' in sys.argv else ['--help'])


def draw_view(rng, setting, environment):
    wide = 2.3 if environment in OUTDOORS else 1.5
    return camera.View(
        azimuth=rng.uniform(*setting.azimuths), elevation=rng.uniform(*camera.meet(setting.elevations, (3, 32))), roll=rng.gauss(0, 1),
        lens=rng.uniform(setting.lens_mm[0] * 0.85, setting.lens_mm[1] * 0.9), fill=rng.uniform(0.62, 0.82) / rng.uniform(1, wide),
        offset=(rng.uniform(-0.15, 0.15), rng.uniform(-0.2, 0.1)),
    )


def open_view(matrix, lens, distance):
    """Share of the frame where nothing stands close before the camera."""
    scene, graph = bpy.context.scene, bpy.context.evaluated_depsgraph_get()
    half = camera.SENSOR_MM / 2 / lens
    near, steps = 0, 7
    for i in range(steps):
        for j in range(steps):
            ray = matrix.to_3x3() @ Vector(((2 * (i + 0.5) / steps - 1) * half, (2 * (j + 0.5) / steps - 1) * half, -1)).normalized()
            near += scene.ray_cast(graph, matrix.translation, ray, distance=distance * 0.4)[0]
    return 1 - near / steps**2


def place_camera(rng, setting, environment):
    """A camera on a spot an object could stand on, with an open view."""
    side = rng.uniform(0.6, 1.3)
    corners = np.array([(x * side / 2, y * side / 2, z * side) for x in (-1, 1) for y in (-1, 1) for z in (0, 1)]) + np.array(setting.spot)
    best = None
    for _ in range(8):
        view = draw_view(rng, setting, environment)
        matrix, _box = camera.aim(view, corners)
        free = open_view(matrix, view.lens, view.distance)
        if best is None or free > best[0]:
            best = (free, view, matrix)
        if free > 0.9:
            break
    _free, view, matrix = best
    if bpy.context.scene.camera:
        bpy.data.objects.remove(bpy.context.scene.camera)
    camera.put_camera(matrix, view, Vector(corners.mean(0).tolist()))
    return view


def in_frame():
    """Names of the objects whose middle the camera looks at, without Blender's numbering."""
    eye = bpy.context.scene.camera
    inverse, half = eye.matrix_world.inverted(), camera.SENSOR_MM / 2 / eye.data.lens
    names = set()
    for item in bpy.context.scene.objects:
        if item.type != 'MESH' or item.hide_render:
            continue
        middle = inverse @ (item.matrix_world @ (sum((Vector(corner) for corner in item.bound_box), Vector()) / 8))
        if middle.z < 0 and max(abs(middle.x), abs(middle.y)) < -middle.z * half:
            names.add(item.name.split('.')[0])
    return sorted(names)


def quick(scene):
    """Few bounces: what is lost is less than the noise of few samples."""
    cycles = scene.cycles
    cycles.max_bounces, cycles.diffuse_bounces, cycles.glossy_bounces, cycles.transmission_bounces = 4, 2, 2, 4
    cycles.use_adaptive_sampling = False
    bpy.context.view_layer.pass_cryptomatte_depth = 2


def compact(made):
    """The passes as small as they may be: whole files stay in memory while sixteen processes write them."""
    return {
        'colour': np.clip(made['colour'][0], 0, 60000).astype(np.float16),
        'glow': np.clip(made['emission'] + made['sky'], 0, 60000).astype(np.float16),
        'albedo': np.clip(made['albedo'] * 255 + 0.5, 0, 255).astype(np.uint8),
        'normal': np.clip(made['normal'] * 127, -127, 127).astype(np.int8),
        'depth': made['depth'].astype(np.float16)[..., 0],
    }


def make_scene(options, number, environment, deadline):
    targets = [options.out / f'{environment}-{number:04d}-{view}.npz' for view in range(options.views)]
    if all(target.exists() for target in targets):
        return 0
    stage.empty_scene()
    rng = Recorder(f'{options.seed}/diffusion/{environment}/{number}')
    setting = stage.load_module('environments', environment).build(rng)
    made = 0
    for k, target in enumerate(targets):
        if target.exists() or time.time() > deadline:
            continue
        started = time.process_time()
        draw = stage.stream(options.seed, 'diffusion', environment, number, 'view', k)
        bpy.context.view_layer.update()
        view = place_camera(draw, setting, environment)
        light = relight(draw, environment, view.azimuth)
        scene = bpy.context.scene
        passes.set_up(scene, options.size, options.samples)
        quick(scene)
        with quiet():
            rendered = passes.render([draw.randrange(1 << 30)])
        record = {
            'environment': environment, 'scene': number, 'view': k, 'seed': options.seed, 'light': light, 'chosen': rng.chosen, 'in_frame': in_frame(),
            'azimuth': round(view.azimuth, 1), 'elevation': round(view.elevation, 1), 'lens': round(view.lens, 1), 'distance': round(view.distance, 2),
            'exposure': setting.exposure, 'samples': options.samples, 'size': options.size, 'processor_seconds': round(time.process_time() - started, 2),
        }
        part = target.with_suffix('.part')
        with open(part, 'wb') as file:
            np.savez(file, **compact(rendered), record=np.array(json.dumps(record)))
        part.rename(target)
        made += 1
    return made


@contextmanager
def quiet():
    """Cycles reports every tile on standard output."""
    sys.stdout.flush()
    kept, nowhere = os.dup(1), os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    try:
        yield
    finally:
        os.dup2(kept, 1)
        os.close(nowhere)
        os.close(kept)


def main():
    options = arguments()
    options.out.mkdir(parents=True, exist_ok=True)
    environments = load_classes()['environments']
    index, parts = map(int, options.part.split('/'))
    started, done = time.time(), 0
    for number in range(options.scenes)[index - 1 :: parts]:
        environment = environments[number % len(environments)]
        if time.time() - started > options.stop_after:
            break
        if options.only and environment not in options.only.split(','):
            continue
        try:
            done += make_scene(options, number, environment, started + options.stop_after)
        except Exception:
            traceback.print_exc()
        print(f'{environment} {number}: {done} plates in {time.time() - started:.0f} s, {time.process_time() / max(1, done):.2f} s of processor each', flush=True)


main()
