"""Puts a scene together: an empty file, an environment, an object standing in it."""
import importlib.util
import math
import random
from pathlib import Path

import bpy
import numpy as np
from mathutils import Matrix, Vector
from mathutils.bvhtree import BVHTree

HERE = Path(__file__).resolve().parent
SUBJECT = 'subject-'


def stream(*words):
    """A random stream of its own for each purpose, so that one image never depends on which were made before it."""
    return random.Random('/'.join(map(str, words)))


def find_module(kind, name):
    """The file of an object or environment; both `wine-bottle.py` and `wine_bottle.py` will do."""
    for stem in (name.replace('-', '_'), name):
        path = HERE / kind / f'{stem}.py'
        if path.exists():
            return path
    return None


def load_module(kind, name):
    path = find_module(kind, name)
    if path is None:
        raise SystemExit(f'Expected a file for {name} in {HERE / kind} but found none')
    spec = importlib.util.spec_from_file_location(f'{kind}_{path.stem}', path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def empty_scene():
    bpy.ops.wm.read_factory_settings(use_empty=True)
    scene = bpy.context.scene
    world = bpy.data.worlds.new('world')
    world.use_nodes = True
    scene.world = world
    return scene


def build_subject(module, rng):
    """The object's items, renamed so that rays and masks know them; helpers it linked but did not return count too."""
    before = set(bpy.context.scene.objects)
    module.build(rng)
    items = [item for item in bpy.context.scene.objects if item not in before]
    if rng.random() < getattr(module, 'LYING', 0.0):
        turn(items, Matrix.Rotation(rng.choice((-1, 1)) * math.pi / 2, 4, 'Y'))
        rest_on_zero(items)
    for i, item in enumerate(items):
        item.name = f'{SUBJECT}{i:03d}'
        if len(item.data.materials) == 0 if item.type == 'MESH' else False:
            item.data.materials.append(bpy.data.materials.new('plain'))
    return items


def turn(items, matrix):
    bpy.context.view_layer.update()
    for item in items:
        if item.parent is None:
            item.matrix_world = matrix @ item.matrix_world
    bpy.context.view_layer.update()


def rest_on_zero(items):
    points = vertices(items)
    low, high = points.min(0), points.max(0)
    turn(items, Matrix.Translation((-(low[0] + high[0]) / 2, -(low[1] + high[1]) / 2, -low[2])))


def vertices(items):
    """World coordinates of every vertex, modifiers included."""
    bpy.context.view_layer.update()
    graph = bpy.context.evaluated_depsgraph_get()
    parts = []
    for item in items:
        if item.type not in ('MESH', 'CURVE', 'SURFACE', 'FONT', 'META') or item.hide_render:
            continue
        evaluated = item.evaluated_get(graph)
        mesh = evaluated.to_mesh()
        flat = np.empty(len(mesh.vertices) * 3, np.float32)
        mesh.vertices.foreach_get('co', flat)
        world = np.array(evaluated.matrix_world)
        parts.append(flat.reshape(-1, 3) @ world[:3, :3].T + world[:3, 3])
        evaluated.to_mesh_clear()
    return np.concatenate(parts)


def surface_trees(items):
    graph = bpy.context.evaluated_depsgraph_get()
    trees = []
    for item in items:
        if item.type != 'MESH' or item.hide_render:
            continue
        evaluated = item.evaluated_get(graph)
        mesh = evaluated.to_mesh()
        world = evaluated.matrix_world
        trees.append(BVHTree.FromPolygons([world @ v.co for v in mesh.vertices], [p.vertices for p in mesh.polygons]))
        evaluated.to_mesh_clear()
    return trees


def ground_below(scene, graph, x, y, top, reach=2.0):
    """Height and name of the first firm thing below a point; the subject and things named soft… (grass, leaves) are passed through."""
    origin = Vector((x, y, top))
    for _ in range(24):
        hit, at, _normal, _index, item, _matrix = scene.ray_cast(graph, origin, (0, 0, -1), distance=reach)
        if not hit:
            return None
        if not item.name.startswith((SUBJECT, 'soft')):
            return at.z, item.name
        origin = at - Vector((0, 0, 1e-4))
    return None


class Subject:
    """The object as built, which can be stood at a setting's spot again and again."""

    def __init__(self, items):
        self.items = items
        self.ground = set()
        bpy.context.view_layer.update()
        self.base = {item.name: item.matrix_world.copy() for item in items if item.parent is None}
        self.points = vertices(items)

    def move(self, matrix):
        for name, base in self.base.items():
            bpy.data.objects[name].matrix_world = matrix @ base
        bpy.context.view_layer.update()
        m = np.array(matrix)
        return self.points @ m[:3, :3].T + m[:3, 3]

    def stand(self, setting, angle):
        """Turns the object about z and lets it down on the surface at the spot, sunk a hair so that no gap shows. Returns its points."""
        turned = Matrix.Rotation(angle, 4, 'Z')
        points = self.points @ np.array(turned)[:3, :3].T
        x, y, z = setting.spot
        low, high = points[:, 2].min(), points[:, 2].max()
        if setting.hover:
            return self.move(Matrix.Translation((x, y, z - (low + high) / 2)) @ turned)
        # Out of the way, or rays that leave the object below the surface would find the surface's underside.
        self.move(Matrix.Translation((0, 0, 500)))
        scene, graph = bpy.context.scene, bpy.context.evaluated_depsgraph_get()
        feet = points[points[:, 2] < low + 0.03 * max(1e-6, high - low)]
        feet = feet[np.linspace(0, len(feet) - 1, min(len(feet), 60)).astype(int)]
        found = [ground_below(scene, graph, x + fx, y + fy, z + 0.25) for fx, fy, _ in feet]
        found = [f for f in found if f is not None and abs(f[0] - z) < 0.25]
        self.ground = {name for _, name in found}
        ground = float(np.percentile([height for height, _ in found], 35)) if found else z
        return self.move(Matrix.Translation((x, y, ground - low - 0.004)) @ turned)
