"""A living room: boards, carpet or rug, a sofa or armchair, a wall with pictures, a window with curtains, a plant. 1 unit is about 40 cm."""
import math

import bmesh
import blocks
import indoor_light as light
import kit
import props
from mathutils import noise
from setting import Setting

NAME = 'living-room'

WALLS = ['#e9e3d6', '#d3d9d4', '#c2b7a3', '#9fb0ae', '#d9b8a0', '#7f95a3', '#efe9dd', '#6f8068', '#b07d62', '#e4d7c8']
SEATS = ['#8a8f94', '#4f6272', '#a59a86', '#7a4b3a', '#3e5a4e', '#c7b79c', '#9c5a3c', '#2f3e52', '#b9a27c', '#7d6b82']
RUGS = ['#8f3b32', '#d8cdb9', '#3d5468', '#b89b6b', '#6d7a5a', '#c4bdb1', '#55404a', '#a5653f']


def build(rng):
    wall_y = rng.uniform(3.4, 4.6)
    ground(rng, wall_y)
    side = rng.choice((-1, 1))
    wall(rng, wall_y, side)
    furniture(rng, wall_y, side)
    light.world(rng, rng.uniform(0.3, 0.55))
    if rng.random() < 0.3:
        light.ceiling_light(rng, watts=(300, 500), colour=light.WARM)
    else:
        light.window_light(rng, (320, 560), side)
        if rng.random() < 0.4:
            light.sun_through_panes(rng, side=side)
    return Setting(azimuths=(-36, 36), elevations=(7, 38), distance=(1.0, 1.35), lens_mm=(32, 55), focus_fstop=(0.5, 1.4), exposure=rng.uniform(-0.05, 0.3))


def ground(rng, wall_y):
    kind = rng.choice(('boards', 'boards', 'parquet', 'carpet'))
    if kind == 'carpet':
        colour = kit.vary(rng, kit.rgb(rng.choice(('#b8ab97', '#8b8a86', '#c9c0ad', '#6f7681', '#a08a72'))))
        made = pile(rng, colour)
        kit.box((16, 14, 0.1), (0, 0, -0.05), 'carpet', made)
        return
    turn = rng.random() < 0.5
    made = blocks.timber('floor', rng, 'y' if turn else 'x', roughness=(0.25, 0.5))
    size = (rng.uniform(2.2, 4), rng.uniform(0.26, 0.5)) if kind == 'boards' else (rng.uniform(0.9, 1.3), rng.uniform(0.18, 0.24))
    blocks.floor(rng, (-8, 8), (-7, wall_y), size, 0.008, made, shift='random' if kind == 'boards' else 0.5, tint=blocks.tints(rng, 0.16, 0.03), bevel=0.008, turn=turn)
    kit.box((16, 14, 0.05), (0, 0, -0.08), 'gap', kit.material('gap', (0.01, 0.008, 0.006, 1), 1))
    if rng.random() < 0.55:
        rug(rng)


def pile(rng, colour):
    """Short carpet: colour and bump by very fine noise."""
    return blocks.surface('pile', rng, [(0.3, tuple(c * 0.72 for c in colour[:3]) + (1,)), (0.7, colour)], scale=30, detail=5, roughness=(0.95, 1), bump=0.9, bump_distance=0.02, grain=0.8, Sheen=0.5)


def rug(rng):
    """A rug with bands along its border, or stripes; it lies flat where the object stands."""
    first, second, third = (kit.vary(rng, kit.rgb(c)) for c in rng.sample(RUGS, 3))
    wide, long = rng.uniform(3.4, 5.5), rng.uniform(2.6, 4)
    parts = []
    if rng.random() < 0.3:
        parts.append(kit.box((wide, long, 0.03), (0, 0, 0.003), 'rug', props.fabric(rng, RUGS, stripes=True), 0.012))
    else:
        for i, (inset, colour) in enumerate(((0, first), (0.12, second), (0.3, first), (0.36, third), (0.5, second))):
            parts.append(kit.box((wide - 2 * inset, long - 2 * inset, 0.03), (0, 0, 0.002 + i * 0.0015), 'rug', pile(rng, colour), 0.01))
        medallion(rng, parts, (wide, long), pile(rng, first), pile(rng, third))
    fringe = kit.material('fringe', kit.rgb('#d9cfba'), 0.95)
    threads = [((s * (wide / 2 + 0.07), -long / 2 + 0.03 + k * 0.06, 0.008), (0.14, 0.02, 0.01), (1, 1, 1), (0, 0, rng.uniform(-0.3, 0.3))) for s in (-1, 1) for k in range(int(long / 0.06))]
    parts.append(blocks.blocks(threads, fringe, 0.002, 'fringe'))
    kit.place(parts, (rng.uniform(-0.5, 0.5), rng.uniform(-0.3, 0.5), 0), (0, 0, rng.uniform(-0.25, 0.25)))


def medallion(rng, parts, size, *made):
    """Lozenges woven in rows."""
    step = rng.uniform(0.4, 0.7)
    for which in (0, 1):
        lozenges = []
        for i in range(-6, 7):
            for j in range(-5, 6):
                x, y = i * step, j * step
                if (i + j) % 2 == which and abs(x) < size[0] / 2 - 0.75 and abs(y) < size[1] / 2 - 0.75:
                    lozenges.append(((x, y, 0.0095), (step * 0.5,) * 2 + (0.03,), (1, 1, 1), (0, 0, math.pi / 4)))
        if lozenges:
            parts.append(blocks.blocks(lozenges, made[which], 0.002, 'lozenges'))


def wall(rng, y, side):
    colour = kit.vary(rng, kit.rgb(rng.choice(WALLS)), 0.05)
    made = blocks.surface('paint', rng, [(0.3, tuple(c * 0.94 for c in colour[:3]) + (1,)), (0.7, colour)], scale=0.7, roughness=(0.8, 0.95), bump=0.06, grain=0.6)
    white = kit.material('white', (0.8, 0.79, 0.76, 1), 0.4)
    kit.box((16, 0.06, 0.24), (0, y - 0.03, 0.12), 'skirting', white, 0.02)
    if rng.random() < 0.6:
        x0 = side * rng.uniform(0.6, 2.2)
        wide, low, high = rng.uniform(1.8, 2.6), rng.uniform(0.9, 1.7), rng.uniform(4.2, 5)
        left, right = x0 - wide / 2, x0 + wide / 2
        for x, z, w, h in ((left / 2 - 4, 3, 8 + left, 6), (4 + right / 2, 3, 8 - right, 6), (x0, low / 2, wide, low), (x0, (high + 6) / 2, wide, 6 - high)):
            kit.box((w, 0.16, h), (x, y + 0.08, z), 'wall', made)
        window(rng, x0, y, wide, low, high, white)
        pictures = [-side * rng.uniform(1.2, 2.4)]
    else:
        kit.box((16, 0.16, 6), (0, y + 0.08, 3), 'wall', made)
        pictures = [rng.uniform(-2.4, -0.8), rng.uniform(0.8, 2.4)]
    for x in pictures:
        wide = rng.uniform(1.0, 1.9)
        kit.place(props.picture(rng, wide, wide * rng.uniform(0.65, 1.3)), (x, y - 0.05, rng.uniform(2.4, 3)))


def window(rng, x, y, wide, low, high, white):
    """A bright view of sky and green, white bars, a sill and curtains."""
    outside = kit.material('outside', (0, 0, 0, 1), 1, Specular=0.0)
    tree = outside.node_tree
    new, wire = tree.nodes.new, tree.links.new
    where, split, wobble, add, ramp = new('ShaderNodeTexCoord'), new('ShaderNodeSeparateXYZ'), new('ShaderNodeTexNoise'), new('ShaderNodeMath'), new('ShaderNodeValToRGB')
    wobble.inputs['Scale'].default_value, wobble.inputs['Detail'].default_value = rng.uniform(4, 9), 4
    add.operation, add.inputs[1].default_value = 'MULTIPLY_ADD', 0.5
    stops = ramp.color_ramp.elements
    stops.new(0.5)
    greens, line = rng.choice((('#2f4a25', '#6f8f4a'), ('#4a4436', '#8a7d5c'), ('#5f7470', '#a9b8b5'))), rng.uniform(0.45, 0.95)
    for stop, (position, shade) in zip(stops, ((line - 0.25, greens[0]), (line, greens[1]), (line + 0.06, rng.choice(('#cfe2f2', '#eef2f4', '#f4e6cf'))))):
        stop.position, stop.color = min(1, position), kit.rgb(shade)
    wire(where.outputs['Generated'], split.inputs[0])
    wire(where.outputs['Generated'], wobble.inputs['Vector'])
    wire(wobble.outputs['Fac'], add.inputs[0])
    wire(split.outputs['Z'], add.inputs[2])
    wire(add.outputs[0], ramp.inputs['Fac'])
    wire(ramp.outputs['Color'], kit.shader_of(outside).inputs['Emission'])
    kit.shader_of(outside).inputs['Emission Strength'].default_value = rng.uniform(1.5, 3)
    tall, z = high - low, (low + high) / 2
    kit.box((wide * 2.4, 0.02, tall * 1.5), (x, y + 1.2, z), 'outside', outside)
    bars = [((x + s * wide / 2, y + 0.1, z), (0.12, 0.14, tall)) for s in (-1, 0, 1)] + [((x, y + 0.1, low + tall * t), (wide, 0.14, 0.1)) for t in (0, rng.uniform(0.55, 0.75), 1)]
    for at, size in bars:
        kit.box(size, at, 'bar', white, 0.015)
    kit.box((wide + 0.3, 0.4, 0.08), (x, y - 0.1, low - 0.06), 'sill', white, 0.015)
    if rng.random() < 0.5:
        kit.place(props.plant(rng, 0.6), (x + rng.uniform(-0.5, 0.5), y - 0.12, low - 0.02))
    made = props.fabric(rng, WALLS + SEATS)
    for s in (-1, 1):
        parts = props.curtain(rng, rng.uniform(0.6, 0.9), high + 0.25, made)
        kit.place(parts, (x + s * (wide / 2 + 0.1) - (0.75 if s < 0 else 0.0), y - 0.22, 0.03))
    kit.tube([(x - wide, y - 0.22, high + 0.3), (x + wide, y - 0.22, high + 0.3)], 0.035, 'rod', kit.material('rod', (0.1, 0.09, 0.08, 1), 0.4, 0.8))


def cushion(size, at, made, rng, turn=(0, 0, 0)):
    """A stuffed block: bulging faces, soft edges, a few dents."""
    bm = bmesh.new()
    bmesh.ops.create_cube(bm, size=1)
    bmesh.ops.subdivide_edges(bm, edges=list(bm.edges), cuts=11, use_grid_fill=True)
    far = rng.uniform(0, 99)
    for v in bm.verts:
        x, y, z = v.co * 2
        bulge = 1 + 0.05 * (2 - x * x - y * y) / 2
        p = 8
        norm = (abs(x) ** p + abs(y) ** p + abs(z) ** p) ** (1 / p)
        v.co = [c / norm * (bulge if i == 2 else 1) * s / 2 for i, (c, s) in enumerate(zip((x, y, z), size))]
        v.co.z *= 1 + 0.05 * noise.noise((x * 1.4 + far, y * 1.4, z))
    item = kit.from_bmesh(bm, 'cushion', made, auto_smooth_degrees=180)
    item.location, item.rotation_euler = at, turn
    return item


def sofa(rng, seats):
    """Facing -y, its back at y = 0."""
    leather = rng.random() < 0.25
    colour = kit.vary(rng, kit.rgb(rng.choice(SEATS)))
    made = blocks.surface('leather', rng, [(0.35, tuple(c * 0.7 for c in colour[:3]) + (1,)), (0.65, colour)], scale=3, roughness=(0.25, 0.45), bump=0.25, grain=0.5) if leather else props.fabric(rng, SEATS, stripes=False)
    wide, seat, arm = 1.45 * seats, rng.uniform(0.95, 1.15), rng.uniform(0.3, 0.5)
    high, deep, arm_high = rng.uniform(1.75, 2.2), 2.0, rng.uniform(1.3, 1.55)
    parts = [cushion((wide + 2 * arm, deep, 0.5), (0, -deep / 2, 0.5), made, rng), cushion((wide + 2 * arm, 0.5, high - 0.2), (0, -0.25, high / 2 + 0.1), made, rng)]
    parts += [cushion((arm, deep, arm_high - 0.2), (s * (wide + arm) / 2, -deep / 2, arm_high / 2 + 0.1), made, rng) for s in (-1, 1)]
    for i in range(seats):
        x = (i - (seats - 1) / 2) * 1.45
        parts.append(cushion((1.44, 1.5, 0.4), (x, -1.22, seat - 0.2), made, rng))
        parts.append(cushion((1.4, 0.45, high - seat + 0.1), (x, -0.62, (high + seat) / 2 + 0.08), made, rng, (-0.18, 0, 0)))
    for s in (-1, 1):
        for y in (-0.2, -deep + 0.2):
            parts.append(kit.cylinder(0.07, 0.3, (s * (wide / 2 + arm / 2), y, 0.15), 'leg', kit.material('leg', (0.08, 0.05, 0.03, 1), 0.4), steps=20))
    for _ in range(rng.randint(0, seats)):
        parts.append(cushion((0.95, 0.32, 0.95), (rng.uniform(-wide / 2 + 0.5, wide / 2 - 0.5), -1.05, seat + 0.42), props.fabric(rng), rng, (-0.35, rng.uniform(-0.3, 0.3), rng.uniform(-0.3, 0.3))))
    return parts


def furniture(rng, wall_y, side):
    kind = rng.choice(('sofa', 'sofa', 'armchair', 'sideboard'))
    x = -side * rng.uniform(0.3, 1.6)
    if kind == 'sofa':
        kit.place(sofa(rng, rng.choice((2, 3))), (x, wall_y - 0.15, 0), (0, 0, rng.uniform(-0.06, 0.06)))
        span = 2.9
    elif kind == 'armchair':
        x = -side * rng.uniform(1.2, 1.9)
        kit.place(sofa(rng, 1), (x, wall_y - 0.5, 0), (0, 0, -side * rng.uniform(0.1, 0.6)))
        span = 1.5
    else:
        sideboard(rng, x, wall_y)
        span = 2.1
    for s in rng.sample((-1, 1), rng.choice((1, 2))):
        kit.place(props.plant(rng, rng.uniform(1.3, 2.0), rng.randint(30, 60)), (x + s * (span + rng.uniform(0, 0.6)), wall_y - rng.uniform(0.6, 0.9), 0))


def sideboard(rng, x, wall_y):
    made = blocks.timber('sideboard', rng)
    kit.box((3.4, 1.0, 1.3), (x, wall_y - 0.55, 0.95), 'sideboard', blocks.timber('carcass', rng, tinted=False), 0.02)
    blocks.wall(rng, (x - 1.64, x + 1.64), (0.36, 1.54), (1.08, 1.18), 0.02, wall_y - 1.09, 0.05, made, shift=0, bevel=0.012, name='doors')
    for s in (-1, 1):
        kit.cylinder(0.06, 0.32, (x + s * 1.5, wall_y - 0.8, 0.16), 'leg', kit.material('leg', (0.05, 0.04, 0.03, 1), 0.4), steps=20)
    kit.place(props.books(rng, 1.0), (x + 0.8, wall_y - 0.5, 1.6))
    kit.place(props.plant(rng, 0.7) if rng.random() < 0.5 else props.bowl(rng, 0.35), (x - 0.7, wall_y - 0.5, 1.6))
