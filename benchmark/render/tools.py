"""Hand tools (in the plane y = 0, as they hang on a board) and the tins, bins and vices of a workshop."""
import math

import blocks
import bpy
import kit

PAINTS = ['#b3402e', '#2d5f8b', '#e0a526', '#3f6b45', '#d9d6cf', '#2a2b2d', '#c9642a', '#6f7f8a']
STEEL = (0.45, 0.45, 0.46, 1)


def handle(rng):
    return kit.material('handle', kit.rgb(rng.choice(PAINTS)), 0.4) if rng.random() < 0.6 else blocks.timber('handle', rng, 'z', tinted=False)


def steel():
    return kit.material('steel', STEEL, 0.35, 1.0)


def hammer(rng):
    return [kit.cylinder(0.035, 0.75, (0, 0, -0.05), 'handle', handle(rng), steps=16, bevel=0.01), kit.box((0.34, 0.09, 0.1), (0, 0, 0.34), 'head', steel(), 0.02)], 0.18


def spanner(rng):
    made, long = steel(), rng.uniform(0.5, 0.85)
    jaws = [kit.box((0.05, 0.03, 0.12), (s * 0.06, 0, long / 2 + 0.05), 'jaw', made, 0.01, (0, s * 0.3, 0)) for s in (-1, 1)]
    return [kit.box((0.06, 0.03, long), (0, 0, 0), 'shaft', made, 0.01), kit.cylinder(0.075, 0.03, (0, 0, -long / 2), 'ring', made, (math.pi / 2, 0, 0), 20), *jaws], 0.1


def screwdriver(rng):
    return [kit.cylinder(0.055, 0.26, (0, 0, 0.18), 'grip', handle(rng), steps=16, bevel=0.02), kit.cylinder(0.018, 0.42, (0, 0, -0.15), 'blade', steel(), steps=12)], 0.08


def saw(rng):
    mesh = bpy.data.meshes.new('blade')
    outline = [(-0.75, 0.12), (0.3, 0.2), (0.3, -0.16), (-0.75, -0.02)]
    mesh.from_pydata([(x, 0, z) for x, z in outline], [], [(0, 1, 2, 3)])
    mesh.materials.append(steel())
    return [kit.link(mesh, 'blade'), kit.box((0.28, 0.06, 0.36), (0.42, 0, 0.02), 'grip', blocks.timber('grip', rng, 'z', tinted=False), 0.03)], 0.62


def pliers(rng):
    made = kit.material('grip', kit.rgb(rng.choice(PAINTS)), 0.4)
    legs = [kit.tube([(s * 0.02, 0, 0.05), (s * 0.1, 0, -0.12), (s * 0.08, 0, -0.36)], 0.028, 'leg', made) for s in (-1, 1)]
    return [*legs, kit.cylinder(0.07, 0.05, (0, 0, 0.08), 'joint', steel(), (math.pi / 2, 0, 0), 20), kit.box((0.08, 0.04, 0.2), (0, 0, 0.2), 'nose', steel(), 0.02)], 0.13


def square(rng):
    return [kit.box((0.07, 0.03, 0.6), (-0.18, 0, 0), 'stock', handle(rng), 0.01), kit.box((0.42, 0.015, 0.06), (0.05, 0, 0.27), 'rule', steel())], 0.25


def tin(rng):
    radius, high = rng.uniform(0.14, 0.24), rng.uniform(0.3, 0.5)
    parts = [kit.cylinder(radius, high, (0, 0, high / 2), 'tin', kit.material('tin', STEEL, 0.3, 1.0), steps=32, bevel=0.01), kit.cylinder(radius * 1.004, high * 0.66, (0, 0, high * 0.48), 'label', kit.material('label', kit.vary(rng, kit.rgb(rng.choice(PAINTS))), 0.4), steps=32)]
    return parts


def crate(rng):
    """A plastic bin of small parts, or a toolbox."""
    wide, high = rng.uniform(0.6, 0.9), rng.uniform(0.3, 0.42)
    made = kit.material('crate', kit.vary(rng, kit.rgb(rng.choice(PAINTS))), 0.4)
    return [kit.box((wide, 0.5, high), (0, 0, high / 2), 'crate', made, 0.03), kit.box((wide + 0.04, 0.54, 0.06), (0, 0, high), 'rim', made, 0.015), kit.tube([(-0.16, 0, high), (-0.14, 0, high + 0.12), (0.14, 0, high + 0.12), (0.16, 0, high)], 0.022, 'grip', kit.material('grip', (0.02, 0.02, 0.02, 1), 0.5))]


def vice(rng):
    made = kit.material('vice', kit.vary(rng, kit.rgb(rng.choice(('#2d4f74', '#3a3d40', '#3f6b45', '#8a2f26')))), 0.4, 0.3)
    return [kit.box((0.45, 0.6, 0.14), (0, 0, 0.07), 'base', made, 0.03), kit.box((0.5, 0.16, 0.42), (0, 0.12, 0.34), 'jaw', made, 0.03), kit.box((0.5, 0.14, 0.42), (0, -0.16, 0.34), 'jaw', made, 0.03), kit.cylinder(0.05, 0.6, (0, -0.35, 0.3), 'screw', steel(), (math.pi / 2, 0, 0), 16), kit.cylinder(0.025, 0.5, (0, -0.6, 0.3), 'bar', steel(), (0, math.pi / 2, 0.4), 12)]
