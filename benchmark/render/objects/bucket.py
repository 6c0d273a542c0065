"""A pail with a bail handle: galvanised metal, plastic or wooden staves with hoops."""
import math

import bpy
from mathutils import Vector

import kit

LABEL = 'bucket'
TARGET = 463
YAWS = (-180, 180)
ELEVATIONS = (10, 35)
LYING = 0.0

HEIGHT = 0.72
WALL = 0.014


def radius_at(z, bottom, top):
    return bottom + (top - bottom) * z / HEIGHT


def shell(bottom, top, wall, material, beads=()):
    """Open vessel with a rolled rim; `beads` are heights of raised rings."""
    outer = []
    for k in range(73):
        z = HEIGHT * k / 72
        swell = sum(0.009 * math.exp(-(((z - b) / 0.011) ** 2)) for b in beads)
        outer.append((radius_at(z, bottom, top) + swell, z))
    roll = [(top + 0.008 * math.cos(t) + 0.002, HEIGHT + 0.012 * math.sin(t)) for t in (-1.2 + 3.9 * k / 8 for k in range(9))]
    inner = [(radius_at(z, bottom, top) - wall, z) for z in (HEIGHT * k / 12 for k in range(12, 0, -1)) if z > 0.03]
    profile = [(0, 0.012), (bottom * 0.93, 0.012), (bottom * 0.95, 0)] + outer + roll + inner + [(bottom - wall, 0.03), (0, 0.03)]
    return kit.lathe(profile, 'pail', material, steps=96, auto_smooth_degrees=50)


def staves(rng, bottom, top, band):
    """Boards side by side, each its own shade, held by hoops."""
    made, count = [], 18
    for k in range(count):
        light = kit.vary(rng, kit.rgb('#a8783f'), 0.12)
        timber = kit.noise_colour(kit.material('stave', roughness=0.6), [(0.3, tuple(c * 0.5 for c in light[:3]) + (1,)), (0.7, light)], scale=4, detail=8, distortion=1, stretch=(7, 7, 1), bump=0.2, bump_distance=0.01, seed=rng.uniform(0, 50))
        t = 2 * math.pi * k / count
        width = 2 * math.pi * (bottom + top) / 2 / count * 0.99
        board = kit.box((0.032, width, HEIGHT), (0, 0, 0), 'stave', timber, bevel=0.005)
        for vertex in board.data.vertices:
            vertex.co.y *= radius_at(vertex.co.z + HEIGHT / 2, bottom, top) / ((bottom + top) / 2)
        lean = math.atan2(top - bottom, HEIGHT)
        middle = (bottom + top) / 2 - 0.016
        board.location = (middle * math.cos(t), middle * math.sin(t), HEIGHT / 2)
        board.rotation_euler = (Vector((math.cos(t), math.sin(t), 0)).to_track_quat('X', 'Z') @ Vector((0, 0, 1)).rotation_difference(Vector((math.sin(lean), 0, math.cos(lean))))).to_euler()
        made.append(board)
    made.append(kit.cylinder(bottom - 0.01, 0.03, (0, 0, 0.05), 'bottom', made[0].data.materials[0]))
    for share in (0.14, 0.8):
        z = HEIGHT * share
        ring = [(radius_at(z + dz, bottom, top) + out, z + dz) for out, dz in ((0.004, -0.025), (0.009, -0.025), (0.009, 0.025), (0.004, 0.025))]
        made.append(kit.lathe(ring, 'hoop', band, steps=96, closed=True))
    return made


def bail(top, up, metal, grip):
    """A wire bow through two ears; `up` in radians from level."""
    made = []
    reach = top + 0.012
    level = HEIGHT - 0.05
    wire, handle = [], []
    for k in range(33):
        t = math.pi * k / 32
        out = reach * 1.02 * math.sin(t)
        p = (reach * math.cos(t), -out * math.cos(up), level + out * math.sin(up))
        wire.append(p)
        if 12 <= k <= 20:
            handle.append(p)
    made.append(kit.tube(wire, 0.0085, 'bail', metal))
    if grip:
        made.append(kit.tube(handle, 0.02, 'grip', grip))
    for side in (-1, 1):
        made.append(kit.box((0.012, 0.07, 0.08), (side * (radius_at(level, top, top) - 0.004), 0, level), 'ear', metal, bevel=0.005))
        made.append(kit.sphere(0.016, (side * reach, 0, level), 'rivet', metal, subdivisions=3))
    return made


def build(rng):
    top, bottom = rng.uniform(0.38, 0.42), rng.uniform(0.26, 0.31)
    steel = kit.material('steel', (0.55, 0.56, 0.57, 1), roughness=0.38, metallic=1.0)
    kind = rng.choices(('metal', 'plastic', 'wood'), weights=(5, 4, 2))[0]
    grip = None
    if kind == 'metal':
        zinc = kit.material('zinc', roughness=0.4, metallic=0.9)
        kit.noise_colour(zinc, [(0.35, kit.rgb('#9a9c9c')), (0.65, kit.rgb('#c4c7c8'))], scale=9, detail=3, seed=rng.uniform(0, 50))
        items = [shell(bottom, top, WALL, zinc, rng.choice(((0.18, 0.52), (0.2, 0.24, 0.55), (0.55,))))]
        grip = kit.wood('grip', rng) if rng.random() < 0.4 else None
    elif kind == 'plastic':
        colour = kit.vary(rng, kit.rgb(rng.choice(('#b3161a', '#1b4f9c', '#d9a413', '#1f7a4a', '#e6e4de', '#16181a'))), 0.05)
        items = [shell(bottom, top, WALL, kit.material('plastic', colour, roughness=0.35), (HEIGHT - 0.07, HEIGHT - 0.1))]
        grip = kit.material('grip', rng.choice(((0.8, 0.8, 0.8, 1), (0.02, 0.02, 0.02, 1))), roughness=0.4)
    else:
        items = staves(rng, bottom, top, kit.material('hoop', kit.rgb('#3a3633'), roughness=0.5, metallic=0.8))
    items += bail(top, math.radians(rng.uniform(62, 95)), steel, grip)
    kit.place(items, rotation=(0, 0, rng.uniform(-0.6, 0.6)))
    bpy.context.view_layer.update()
    low, high = kit.bounds(items)
    kit.place(items, location=(-(low.x + high.x) / 2, -(low.y + high.y) / 2, -low.z), scale=1 / max(1.0, high.z - low.z))
    return items
