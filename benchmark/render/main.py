"""Renders the benchmark's raw pictures. Run by Blender:

    blender -b -P benchmark/render/main.py -- JOB --out DIR [--seed N] [--only GLOB] [--samples N] [--size PX] [--limit N] [--part I/N]

JOB is test, plates, training-plates or cutouts. What exists in DIR is not rendered again. `assemble.py` makes pictures of the results.
"""
import argparse
import fnmatch
import json
import math
import os
import sys
import time
import traceback
from contextlib import contextmanager
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent))

import bpy  # noqa: E402
import numpy as np  # noqa: E402

import camera  # noqa: E402
import lights  # noqa: E402
import passes  # noqa: E402
import stage  # noqa: E402
from jobs import JOBS  # noqa: E402
from setting import Setting  # noqa: E402


def arguments():
    parser = argparse.ArgumentParser(prog='main.py', description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('job', choices=JOBS)
    parser.add_argument('--out', required=True, type=Path)
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('--only', default='*', help='glob over CLASS/NNN, or over the environment with env:GLOB')
    parser.add_argument('--samples', type=int)
    parser.add_argument('--size', type=int)
    parser.add_argument('--limit', type=int)
    parser.add_argument('--part', default='1/1', help='I/N: only every N-th picture, from the I-th on')
    return parser.parse_args(sys.argv[sys.argv.index('--') + 1 :] if '--' in sys.argv else ['--help'])


def wanted(item, pattern):
    if pattern.startswith('env:'):
        return fnmatch.fnmatch(item.environment or '', pattern[4:])
    return fnmatch.fnmatch(item.name, pattern) or fnmatch.fnmatch(item.name, f'{pattern}/*')


def lacking(item):
    return [name for kind, name in (('objects', item.subject), ('environments', item.environment)) if name and not stage.find_module(kind, name)]


def compose(item, job, seed, offset):
    """Builds the scene of one picture and returns its record."""
    def rng(purpose):
        return stage.stream(seed, job, item.name, purpose, offset)

    stage.empty_scene()
    setting = Setting()
    if item.environment:
        setting = stage.load_module('environments', item.environment).build(rng('environment'))
    module = stage.load_module('objects', item.subject) if item.subject else None
    if module:
        subject = stage.Subject(stage.build_subject(module, rng('object')))
        yaw = rng('yaw').uniform(*module.YAWS)
        elevations = module.ELEVATIONS
    else:
        subject, yaw, elevations = stand_in(rng('object')), 0.0, (5, 35)
    if job == 'cutouts':
        (lights.sky if item.number % 2 else lights.lamps)(rng('light'))
        setting = Setting(elevations=module.ELEVATIONS, distance=(0.75, 0.75), lens_mm=(35, 85), spot=(0, 0, 0))
        lights.bounce_ground(rng('ground'))
    view, box, sight = camera.find_view(rng('camera'), setting, elevations, subject, yaw, tries=1 if job == 'cutouts' else 10)
    if module is None:
        for part in subject.items:
            bpy.data.objects.remove(part)
    return {
        'name': item.name, 'class': item.subject, 'label': module.LABEL if module else None, 'target': module.TARGET if module else None,
        'environment': item.environment, 'usual': item.usual, 'seed': seed, 'offset': offset, 'yaw': round(yaw, 2),
        'azimuth': round(view.azimuth, 2), 'elevation': round(view.elevation, 2), 'roll': round(view.roll, 2), 'distance': round(view.distance, 3),
        'lens': round(view.lens, 1), 'fstop': view.fstop and round(view.fstop, 2), 'light': lights.describe(),
        'exposure': setting.exposure, 'box': [round(v, 4) for v in box], **sight,
    }


def stand_in(rng):
    """A box the size of an object, to point the camera of an empty plate."""
    import kit
    size = (rng.uniform(0.4, 1), rng.uniform(0.4, 1), rng.uniform(0.4, 1))
    part = kit.box(size, (0, 0, size[2] / 2), f'{stage.SUBJECT}000')
    return stage.Subject([part])


def make(item, options, job_samples, job_size):
    target = options.out / f'{item.name}.npz'
    started, worked = time.time(), time.process_time()
    for offset in range(4):
        record = compose(item, options.job, options.seed, offset)
        if item.subject is None or record['visible'] >= 0.85:
            break
    built = time.time()
    samples, size = options.samples or job_samples, options.size or job_size
    passes.set_up(bpy.context.scene, size, samples if options.job != 'test' else max(1, samples // 2), options.job == 'cutouts')
    first = stage.stream(options.seed, options.job, item.name, 'noise').randrange(1 << 30)
    with quiet():
        made = passes.render([first, first + 1] if options.job == 'test' else [first])
    record |= {'samples': samples, 'size': size, 'seconds': round(time.time() - started, 1), 'processor_seconds': round(time.process_time() - worked, 1)}
    passes.save(target, made, record=np.array(json.dumps(record)))
    share = float(made['mask'].mean())
    print(f'{item.name} in {item.environment or "no environment"}: {time.time() - started:.1f} s (building {built - started:.1f}; {time.process_time() - worked:.1f} of processor), '
          f'visible {record["visible"]:.2f}, covers {share:.2f}', flush=True)


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
    listing, size, samples = JOBS[options.job]
    index, parts = map(int, options.part.split('/'))
    items = [item for item in listing(options.seed) if wanted(item, options.only)]
    missing = {item.name: lacking(item) for item in items}
    items = [item for item in items if not missing[item.name]][index - 1 :: parts][: options.limit]
    failed, started, done = [], time.time(), 0
    for item in items:
        if (options.out / f'{item.name}.npz').exists():
            continue
        try:
            make(item, options, samples, size)
            done += 1
        except Exception:
            traceback.print_exc()
            failed.append(item.name)
    print(f'{done} rendered in {time.time() - started:.0f} s, {sum((options.out / f"{i.name}.npz").exists() for i in items)} of {len(items)} there')
    if any(missing.values()):
        print(f'no file yet for {", ".join(sorted(set().union(*missing.values())))}')
    if failed:
        print(f'failed: {", ".join(failed)}')
        sys.exit(1)


main()
