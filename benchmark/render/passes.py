"""Renders the scene and brings home its passes as NumPy arrays."""
import shutil
import tempfile
from pathlib import Path

import bpy
import numpy as np

from stage import SUBJECT

PASSES = {
    'colour': 'Image',
    'alpha': 'Alpha',
    'albedo': 'Denoising Albedo',
    'normal': 'Denoising Normal',
    'depth': 'Depth',
    'emission': 'Emit',
    'sky': 'Env',
}
CHANNELS = {'depth': 1, 'mask': 1, 'alpha': 1}


def set_up(scene, size, samples, transparent=False):
    scene.render.engine = 'CYCLES'
    scene.render.resolution_x = scene.render.resolution_y = size
    scene.render.resolution_percentage = 100
    scene.render.film_transparent = transparent
    scene.render.filter_size = 1.5
    scene.render.use_persistent_data = False
    cycles = scene.cycles
    cycles.device = 'CPU'
    cycles.samples = samples
    cycles.use_adaptive_sampling = True
    cycles.adaptive_threshold = 0.02
    cycles.adaptive_min_samples = min(samples, 16)
    cycles.use_denoising = False
    cycles.max_bounces = 6
    cycles.diffuse_bounces = 3
    cycles.glossy_bounces = 3
    cycles.transmission_bounces = 6
    cycles.transparent_max_bounces = 8
    cycles.caustics_reflective = cycles.caustics_refractive = False
    cycles.sample_clamp_indirect = 4
    cycles.sample_clamp_direct = 30
    cycles.blur_glossy = 0.5
    cycles.use_auto_tile = False
    # The map that light from the world is drawn by: the default is drawn finer than any sky here needs, at seconds a scene.
    scene.world.cycles.sampling_method = 'MANUAL'
    scene.world.cycles.sample_map_resolution = 256
    layer = bpy.context.view_layer
    layer.use_pass_z = layer.use_pass_emit = layer.use_pass_environment = True
    layer.cycles.denoising_store_passes = True
    layer.use_pass_cryptomatte_object = True
    layer.pass_cryptomatte_depth = 8


def wire(scene, folder):
    scene.use_nodes = True
    tree = scene.node_tree
    tree.nodes.clear()
    layers = tree.nodes.new('CompositorNodeRLayers')
    out = tree.nodes.new('CompositorNodeOutputFile')
    out.base_path = str(folder)
    out.format.file_format = 'OPEN_EXR'
    out.format.color_depth = '32'
    out.format.exr_codec = 'NONE'
    out.file_slots.clear()
    for name, socket in PASSES.items():
        out.file_slots.new(name)
        tree.links.new(layers.outputs[socket], out.inputs[name])
    matte = tree.nodes.new('CompositorNodeCryptomatteV2')
    matte.source, matte.scene = 'RENDER', scene
    matte.layer_name = f'{bpy.context.view_layer.name}.CryptoObject'
    matte.matte_id = ','.join(item.name for item in bpy.data.objects if item.name.startswith(SUBJECT))
    out.file_slots.new('mask')
    tree.links.new(matte.outputs['Matte'], out.inputs['mask'])
    return [*PASSES, 'mask']


def read(path, channels):
    image = bpy.data.images.load(str(path))
    image.colorspace_settings.name = 'Non-Color'
    width, height = image.size
    pixels = np.empty(width * height * 4, np.float32)
    image.pixels.foreach_get(pixels)
    bpy.data.images.remove(image)
    pixels = pixels.reshape(height, width, 4)[::-1]
    return pixels[..., :channels]


def render(seeds):
    """One render per noise seed: the passes, each with a first axis over the seeds for the colour, the mean of the seeds for the rest."""
    scene = bpy.context.scene
    folder = Path(tempfile.mkdtemp(prefix='passes-'))
    try:
        names = wire(scene, folder)
        runs = []
        # The second render keeps the first one's geometry in memory.
        scene.render.use_persistent_data = len(seeds) > 1
        for seed in seeds:
            scene.cycles.seed = seed
            bpy.ops.render.render(write_still=False)
            runs.append({name: read(next(folder.glob(f'{name}[0-9]*.exr')), CHANNELS.get(name, 3)) for name in names})
    finally:
        shutil.rmtree(folder)
    passes = {name: np.mean([run[name] for run in runs], axis=0) for name in names}
    passes['colour'] = np.stack([run['colour'] for run in runs])
    passes['depth'] = np.minimum(passes['depth'], 5000)
    return passes


def save(path, passes, **extra):
    """Written beside and renamed, so that a file that exists is whole."""
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_suffix('.part.npz')
    limit = 60000  # half floats end at 65504
    np.savez_compressed(part, **{name: np.clip(values, -limit, limit).astype(np.float16) for name, values in passes.items()}, **extra)
    part.rename(path)
