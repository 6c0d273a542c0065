"""An open umbrella of eight gores over ribs: a rain umbrella lying on its rim and handle, or a beach umbrella planted."""
import math

import bmesh
import bpy
from mathutils import Vector

import kit

LABEL = 'umbrella'
TARGET = 879
YAWS = (-18, 18)
ELEVATIONS = (2, 18)
LYING = 0.0

GORES = 8
RADIUS = 0.5

RAIN = (('#a3161b',), ('#15171a',), ('#1d2f66',), ('#d9a914',), ('#1f6a46',), ('#b51f63',), ('#5b2a7a',), ('#a3161b',), ('#15171a',), ('#1d2f66', '#efefef'))
BEACH = (('#c81e1e', '#f3f0e6'), ('#1c57a8', '#f3f0e6'), ('#e0a50f', '#f3f0e6'), ('#0f8a6d', '#f3f0e6'), ('#d8431a', '#f0b81d'), ('#c81e1e', '#1c57a8'), ('#d02a7a', '#f2c21c'))


def cloth(rng, colour):
    """Woven nylon: light shines through a little."""
    made = kit.material('cloth', kit.vary(rng, kit.rgb(colour), 0.04), roughness=rng.uniform(0.5, 0.75))
    tree = made.node_tree
    shader, out = kit.shader_of(made), tree.nodes['Material Output']
    through, mix = tree.nodes.new('ShaderNodeBsdfTranslucent'), tree.nodes.new('ShaderNodeMixShader')
    through.inputs['Color'].default_value = shader.inputs['Base Color'].default_value
    mix.inputs['Fac'].default_value = 0.22
    tree.links.new(shader.outputs[0], mix.inputs[1])
    tree.links.new(through.outputs[0], mix.inputs[2])
    tree.links.new(mix.outputs[0], out.inputs['Surface'])
    return made


def rib_point(angle, share, drop, bend):
    """A point of a rib: `share` 0 at the top, 1 at the tip; the rib is an arc that turns by `bend`."""
    r = RADIUS * math.sin(bend * share) / math.sin(bend)
    z = -drop * (1 - math.cos(bend * share)) / (1 - math.cos(bend))
    return Vector((r * math.cos(angle), r * math.sin(angle), z))


def canopy(colours, drop, bend, scallop):
    """Gores stretched between neighbouring ribs, their free edge curved inward."""
    bm = bmesh.new()
    across, along = 12, 18
    for g in range(GORES):
        a0, a1 = (2 * math.pi * k / GORES for k in (g, g + 1))
        grid = []
        for i in range(across + 1):
            u = i / across
            inward = 4 * u * (1 - u)
            column = []
            for j in range(along + 1):
                s = j / along * (1 - scallop * inward)
                flat = rib_point(a0, s, drop, bend).lerp(rib_point(a1, s, drop, bend), u)
                round_one = rib_point(a0 + (a1 - a0) * u, s, drop, bend)
                column.append(bm.verts.new(flat.lerp(round_one, 0.1)))
            grid.append(column)
        for i in range(across):
            for j in range(along):
                bm.faces.new((grid[i][j], grid[i + 1][j], grid[i + 1][j + 1], grid[i][j + 1])).material_index = g % len(colours)
    bmesh.ops.remove_doubles(bm, verts=bm.verts, dist=1e-4)
    made = kit.from_bmesh(bm, 'canopy', colours[0], auto_smooth_degrees=20)
    for colour in colours[1:]:
        made.data.materials.append(colour)
    return made


def valance(colours, drop, bend, height):
    """The strip that hangs from the edge of a beach umbrella."""
    bm = bmesh.new()
    across = 10
    for g in range(GORES):
        a0, a1 = (2 * math.pi * k / GORES for k in (g, g + 1))
        columns = []
        for i in range(across + 1):
            u = i / across
            flat = rib_point(a0, 1, drop, bend).lerp(rib_point(a1, 1, drop, bend), u)
            top = flat.lerp(rib_point(a0 + (a1 - a0) * u, 1, drop, bend), 0.1)
            hang = height * (0.75 + 0.25 * math.sin(math.pi * u))
            columns.append((bm.verts.new(top), bm.verts.new(top + Vector((top.x * 0.03, top.y * 0.03, -hang)))))
        for a, b in zip(columns, columns[1:]):
            bm.faces.new((a[0], b[0], b[1], a[1])).material_index = g % len(colours)
    made = kit.from_bmesh(bm, 'valance', colours[0], auto_smooth_degrees=60)
    for colour in colours[1:]:
        made.data.materials.append(colour)
    return made


def ribs(drop, bend, runner, metal):
    """Ribs under the cloth, a stretcher from the runner to the middle of each, tips at the rim."""
    made = []
    for g in range(GORES):
        angle = 2 * math.pi * g / GORES
        under = Vector((0, 0, -0.009))
        made.append(kit.tube([rib_point(angle, k / 10, drop, bend) + under for k in range(11)], 0.004, 'rib', metal, resolution=1))
        made.append(kit.tube([rib_point(angle, 0.5, drop, bend) + under, Vector((0.012 * math.cos(angle), 0.012 * math.sin(angle), runner))], 0.0035, 'stretcher', metal, resolution=1))
        made.append(kit.sphere(0.008, rib_point(angle, 1.005, drop, bend), 'tip', metal, subdivisions=2))
    return made


def rain(rng):
    """Shaft with a hooked or straight grip; apex pointed away from the ground as it lies."""
    colours = [cloth(rng, c) for c in rng.choice(RAIN)]
    drop, bend = rng.uniform(0.22, 0.3), math.radians(rng.uniform(52, 72))
    metal = kit.material('metal', (0.5, 0.5, 0.52, 1), roughness=0.3, metallic=1.0)
    grip = rng.choice((kit.wood('grip', rng, '#8a5a30', '#5a3418'), kit.material('grip', (0.02, 0.02, 0.02, 1), roughness=0.35)))
    length = rng.uniform(0.82, 0.92)
    items = [canopy(colours, drop, bend, 0.1)] + ribs(drop, bend, -0.34, metal)
    items.append(kit.tube([(0, 0, 0.0), (0, 0, -length + 0.1)], 0.009, 'shaft', metal))
    items.append(kit.tube([(0, 0, -0.01), (0, 0, 0.03), (0, 0, 0.075)], 0.011, 'ferrule', metal, radii=[1.2, 1, 0.5]))
    hook = [(0, 0, -length + 0.14), (0, 0, -length + 0.045)] + [(0.045 * (1 - math.cos(t)), 0, -length + 0.045 - 0.045 * math.sin(t)) for t in (math.pi * k / 12 for k in range(1, 14))]
    items.append(kit.tube(hook, 0.016, 'hook', grip))
    kit.place(items, rotation=(0, 0, rng.uniform(0, math.pi / 4)))
    # Lies where handle and rim touch the ground together.
    low = -min((v.co.z for v in items[-1].data.vertices))
    tilt = math.atan2(low - drop, RADIUS * math.cos(math.pi / GORES))
    kit.place(items, rotation=(tilt, 0, 0))
    kit.place(items, rotation=(0, 0, rng.choice((-1, 1)) * math.radians(rng.choice((rng.uniform(38, 58), rng.uniform(115, 135))))))
    return items


def beach(rng):
    """Larger panels in two colours on a straight pole stuck in the ground, leaning a little."""
    colours = [cloth(rng, c) for c in rng.choice(BEACH)]
    drop, bend = rng.uniform(0.2, 0.27), math.radians(rng.uniform(40, 58))
    pole = rng.choice((kit.material('pole', (0.8, 0.8, 0.8, 1), roughness=0.35), kit.wood('pole', rng, '#c9a06a', '#94683a')))
    metal = kit.material('metal', (0.6, 0.6, 0.6, 1), roughness=0.35, metallic=1.0)
    length = rng.uniform(0.74, 0.88)
    hem = rng.random() < 0.75
    items = [canopy(colours, drop, bend, 0 if hem else 0.05)] + ribs(drop, bend, -0.2, metal)
    items.append(kit.tube([(0, 0, 0.01), (0, 0, -length)], 0.013, 'pole', pole))
    items.append(kit.sphere(0.02, (0, 0, 0.012), 'cap', pole, subdivisions=3))
    if hem:
        items.append(valance(colours, drop, bend, rng.uniform(0.05, 0.075)))
    kit.place(items, rotation=(0, 0, rng.uniform(0, math.pi / 4)))
    kit.place(items, rotation=(math.radians(rng.uniform(-8, 14)), math.radians(rng.uniform(-8, 8)), 0))
    return items


def build(rng):
    items = rng.choice((rain, rain, rain, beach, beach))(rng)
    bpy.context.view_layer.update()
    low, high = kit.bounds(items)
    kit.place(items, location=(-(low.x + high.x) / 2, -(low.y + high.y) / 2, -low.z))
    return items
