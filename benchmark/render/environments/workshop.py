"""A workshop or garage: stained concrete or a scarred bench, tools on a pegboard, shelves with boxes and tins, planks. 1 unit is about 40 cm."""
import math

import blocks
import bpy
import indoor_light as light
import kit
import props
import tools
from setting import Setting

NAME = 'workshop'

WALLS = ['#a9a69e', '#8c9290', '#c4bda9', '#7d8578', '#b9b3a8', '#6e7680']


def build(rng):
    bench = rng.random() < 0.5
    wall_y = rng.uniform(1.9, 2.7) if bench else rng.uniform(2.6, 3.8)
    if bench:
        workbench(rng, wall_y)
    else:
        concrete(rng)
    backdrop(rng, wall_y)
    if bench:
        pegboard(rng, wall_y - 0.06, rng.uniform(0.25, 0.6))
        bench_things(rng, wall_y)
    else:
        side = rng.choice((-1, 1))
        kind = rng.choice(('shelves', 'shelves', 'pegboard'))
        if kind == 'shelves':
            shelves(rng, side * rng.uniform(0.2, 0.9), wall_y)
        else:
            pegboard(rng, wall_y - 0.06, rng.uniform(0.9, 1.3))
        floor_things(rng, wall_y)
    light.world(rng, rng.uniform(0.22, 0.42), above=rng.choice((light.NEUTRAL, light.COOL)))
    if rng.random() < 0.5:
        tubes(rng)
    else:
        side = light.window_light(rng, (300, 520))
        if rng.random() < 0.35:
            light.sun_through_panes(rng, side=side)
    return Setting(azimuths=(-36, 36), elevations=(6, 38), distance=(1.0, 1.3), lens_mm=(32, 58), focus_fstop=(0.5, 1.4), exposure=rng.uniform(-0.05, 0.35))


def tubes(rng):
    """Neon tubes overhead, a little green or blue."""
    colour = rng.choice(((0.9, 1.0, 0.92), (0.88, 0.95, 1.0), (1.0, 0.95, 0.85)))
    for y in rng.sample((-1.8, -0.4, 0.9), rng.choice((1, 2))):
        light.lamp((rng.uniform(-1, 1), y, rng.uniform(4, 5)), (0, 0.3, 0), (rng.uniform(2.5, 4), 0.35), rng.uniform(220, 340), colour)


def concrete(rng):
    tone = kit.vary(rng, kit.rgb(rng.choice(('#8d8a84', '#9c978c', '#77787a', '#a59f93', '#6b7a72'))), 0.06)
    made = blocks.surface('concrete', rng, [(0.3, tuple(c * 0.78 for c in tone[:3]) + (1,)), (0.5, tone), (0.72, tuple(min(1, c * 1.12) for c in tone[:3]) + (1,))], scale=rng.uniform(2.5, 4.5), detail=6, tinted=True, roughness=(0.5, 0.8), bump=0.2, bump_distance=0.02, grain=0.25)
    blocks.stain(made, rng, (0.018, 0.016, 0.014, 1), scale=rng.uniform(0.8, 1.5), low=rng.uniform(0.58, 0.64), high=0.68, strength=0.8, roughness=0.25)
    blocks.stain(made, rng, kit.rgb('#5e4632'), scale=rng.uniform(1.5, 2.5), low=0.6, high=0.72, strength=0.5)
    slab = rng.uniform(3.5, 6)
    blocks.floor(rng, (-9 + rng.uniform(-1, 1), 9), (-7 + rng.uniform(-1, 1), 6), (slab, slab), 0.025, made, shift=0, tint=blocks.tints(rng, 0.07, 0.01), bevel=0.015)
    kit.box((18, 14, 0.05), (0, 0, -0.08), 'joint', kit.material('joint', (0.015, 0.014, 0.013, 1), 1))
    if rng.random() < 0.35:
        yellow = blocks.surface('line', rng, [(0.38, tone), (0.46, kit.rgb(rng.choice(('#d8a92a', '#d5d2c8', '#b5422e'))))], scale=6, detail=6, roughness=(0.5, 0.7))
        kit.box((16, 0.18, 0.004), (0, rng.uniform(1.1, 1.8), 0.003), 'line', yellow, rotation=(0, 0, rng.uniform(-0.2, 0.2)))


def workbench(rng, back):
    """Thick boards with saw cuts, paint and oil."""
    made = blocks.timber('bench', rng, roughness=(0.5, 0.8), woods=[('#b08a5a', '#76532f'), ('#93704a', '#5c3f24'), ('#a39179', '#6e5f4b')], grain=0.7)
    blocks.stain(made, rng, (0.03, 0.025, 0.02, 1), scale=rng.uniform(0.9, 1.6), low=0.55, high=0.7, strength=0.7)
    blocks.stain(made, rng, kit.rgb(rng.choice(tools.PAINTS)), scale=rng.uniform(3, 5), low=0.68, high=0.7, strength=0.7)
    blocks.floor(rng, (-6, 6), (-5, back), (30, rng.uniform(0.55, 1.0)), 0.02, made, depth=0.2, shift=0, loose=0.006, tint=blocks.tints(rng, 0.14, 0.03), bevel=0.012)
    kit.box((12, 9, 0.1), (0, -0.6, -0.3), 'under', kit.material('under', (0.02, 0.015, 0.01, 1), 1))
    cuts = [((rng.uniform(-2.5, 2.5), rng.uniform(-1.2, 1.2), 0), (rng.uniform(0.1, 0.5), 0.007, 0.003), (1, 1, 1), (0, 0, rng.uniform(0, 3))) for _ in range(rng.randint(3, 14))]
    blocks.blocks(cuts, kit.material('cut', (0.08, 0.055, 0.035, 1), 0.9), 0, 'cuts')
    shavings(rng)


def shavings(rng):
    curl = blocks.timber('shaving', rng, tinted=False, roughness=(0.6, 0.8), woods=[('#dcbf8f', '#b48f5c')])
    for _ in range(rng.randint(0, 16)):
        turns, radius, wide = rng.uniform(0.8, 1.8), rng.uniform(0.03, 0.06), rng.uniform(0.04, 0.08)
        count = 18
        points = [(radius * (1 + t * 0.3) * math.cos(t), radius * (1 + t * 0.3) * math.sin(t) + radius * 1.4) for t in (turns * 2 * math.pi * k / count for k in range(count + 1))]
        mesh = bpy.data.meshes.new('shaving')
        mesh.from_pydata([(w * wide, y, z) for y, z in points for w in (-0.5, 0.5)], [], [(2 * k, 2 * k + 1, 2 * k + 3, 2 * k + 2) for k in range(count)])
        mesh.materials.append(curl)
        item = kit.link(mesh, 'soft shaving')
        angle = rng.uniform(0.4, 2 * math.pi - 0.4)
        far = rng.uniform(1.1, 2.0)
        item.location, item.rotation_euler = (far * math.sin(angle), abs(far * math.cos(angle)), 0.005), (0, 0, rng.uniform(0, 6))


def backdrop(rng, y):
    colour = kit.vary(rng, kit.rgb(rng.choice(WALLS)), 0.06)
    kind = rng.choice(('blocks', 'boards', 'plaster'))
    if kind == 'boards':
        made = blocks.timber('cladding', rng, 'z', roughness=(0.6, 0.85), grain=0.6)
        blocks.wall(rng, (-9, 9), (-1, 6), (rng.uniform(0.4, 0.7), 9), 0.02, y, 0.1, made, shift=0, loose=0.006, bevel=0.012)
        kit.box((18, 0.1, 8), (0, y + 0.12, 3), 'dark', kit.material('dark', (0.02, 0.015, 0.01, 1), 1))
        return
    made = blocks.surface('wall', rng, [(0.3, tuple(c * 0.75 for c in colour[:3]) + (1,)), (0.6, colour)], scale=2.5, detail=5, tinted=True, roughness=(0.8, 0.95), bump=0.3, bump_distance=0.015, grain=0.5)
    blocks.stain(made, rng, tuple(c * 0.35 for c in colour[:3]) + (1,), scale=0.8, low=0.5, high=0.75, strength=0.6, fade_z=(0, 2))
    if kind == 'blocks':
        blocks.wall(rng, (-9, 9), (-1, 6), (0.98, 0.48), 0.025, y, 0.12, made, loose=0.004, tint=blocks.tints(rng, 0.05, 0.01), bevel=0.015)
        kit.box((18, 0.1, 8), (0, y + 0.08, 3), 'mortar', kit.material('mortar', tuple(c * 0.7 for c in colour[:3]) + (1,), 1))
    else:
        blocks.wall(rng, (-9, 9), (-1, 6), (30, 9), 0, y, 0.12, made, shift=0)


def pegboard(rng, y, low):
    """Drilled board with two rows of hand tools; a place here and there is empty."""
    wide, high = rng.uniform(5.5, 8), rng.uniform(2.2, 2.8)
    brown = rng.random() < 0.5
    made = blocks.timber('pegboard', rng, tinted=False, woods=[('#b58d5d', '#94703f')]) if brown else kit.material('pegboard', kit.vary(rng, kit.rgb(rng.choice(('#e6e3da', '#7f8b91', '#3c6a86')))), 0.5)
    kit.box((wide, 0.05, high), (0, y, low + high / 2), 'pegboard', made, 0.01)
    step, front = 0.13, y - 0.026
    holes = [((-wide / 2 + (i + 0.5) * step, front, low + (j + 0.5) * step), (0.03, 0.004, 0.03), (1, 1, 1), (0, math.pi / 4, 0)) for i in range(int(wide / step)) for j in range(int(high / step))]
    blocks.blocks(holes, kit.material('hole', (0.01, 0.01, 0.01, 1), 1), 0, 'holes')
    for z in (low + high * 0.72, low + high * 0.28):
        x = -wide / 2 + 0.35
        while x < wide / 2 - 0.3:
            tool, half = rng.choice((tools.hammer, tools.spanner, tools.screwdriver, tools.saw, tools.pliers, tools.square))(rng)
            if rng.random() < 0.85:
                kit.place(tool, (x + half, front - 0.05, z), (0, rng.uniform(-0.05, 0.05), 0))
            else:
                for part in tool:
                    bpy.data.objects.remove(part)
            x += 2 * half + rng.uniform(0.1, 0.3)


def shelves(rng, x, wall_y):
    frame = kit.material('frame', kit.vary(rng, kit.rgb(rng.choice(('#5b666e', '#2d4f74', '#8f9092', '#a8452f')))), 0.4, 0.4)
    board, wide, deep = blocks.timber('board', rng, tinted=False), rng.uniform(3.6, 5), 0.95
    for i, z in enumerate((0.25, 1.25, 2.3, 3.3)):
        kit.box((wide, deep, 0.07), (x, wall_y - deep / 2 - 0.05, z), 'shelf', board, 0.01)
        at = x - wide / 2 + 0.1
        while at < x + wide / 2 - 0.6:
            kind = rng.random()
            if kind < 0.4:
                size = (rng.uniform(0.5, 1.1), 0.7, rng.uniform(0.35, 0.78))
                parts, half = props.carton(rng, size), size[0] / 2
            elif kind < 0.65:
                parts, half = tools.crate(rng), 0.45
            elif kind < 0.92:
                parts, half = tools.tin(rng), 0.24
            else:
                at += 0.5
                continue
            kit.place(parts, (at + half, wall_y - 0.55, z + 0.035), (0, 0, rng.uniform(-0.08, 0.08)))
            at += 2 * half + rng.uniform(0.02, 0.2)
    for sx in (-1, 0, 1):
        for y in (0.08, deep + 0.02):
            kit.box((0.07, 0.07, 3.8), (x + sx * wide / 2, wall_y - y, 1.9), 'post', frame, 0.008)


def floor_things(rng, wall_y):
    """Planks against the wall, cartons and crates on the floor, to the left and right."""
    planks = rng.choice((-1, 1))
    made = blocks.timber('planks', rng, 'z', roughness=(0.6, 0.8))
    leaning = []
    for i in range(rng.randint(3, 7)):
        long, lean = rng.uniform(3.2, 5), rng.uniform(0.14, 0.22)
        leaning.append(((planks * (2.2 + i * 0.2) + rng.uniform(-0.05, 0.05), wall_y - 0.12 - long / 2 * math.sin(lean) - 0.08 * (i % 2), long / 2 * math.cos(lean)), (rng.uniform(0.22, 0.36), 0.07, long), blocks.tints(rng, 0.2, 0.03)(), (-lean, rng.uniform(-0.06, 0.06), 0)))
    blocks.blocks(leaning, made, 0.01, 'planks')
    for _ in range(rng.randint(2, 4)):
        x = rng.choice((-1, 1)) * rng.uniform(0.7, 2.6)
        y = rng.uniform(1.5, wall_y - 1.0)
        parts = rng.choice((lambda: props.carton(rng, (rng.uniform(0.7, 1.2), rng.uniform(0.6, 0.9), rng.uniform(0.4, 0.9))), lambda: tools.crate(rng), lambda: tools.tin(rng)))()
        kit.place(parts, (x, y, 0), (0, 0, rng.uniform(-0.6, 0.6)))


def bench_things(rng, back):
    taken = []
    for _ in range(rng.randint(4, 7)):
        kind, radius = rng.choice(((tools.tin, 0.25), (tools.tin, 0.25), (tools.crate, 0.5), (tools.vice, 0.45), (lambda r: props.holder(r, 0.4, 7), 0.22), (lambda r: props.carton(r, (0.7, 0.5, 0.4)), 0.5)))
        for _ in range(10):
            x = rng.uniform(-3, 3)
            if all(abs(x - other) > radius + r for other, r in taken):
                taken.append((x, radius))
                kit.place(kind(rng), (x, max(1.0 + radius, back - radius - rng.uniform(0.05, 0.4)), 0), (0, 0, rng.uniform(-0.3, 0.3)))
                break
    for _ in range(rng.randint(0, 3)):
        parts, half = rng.choice((tools.hammer, tools.spanner, tools.screwdriver, tools.pliers))(rng)
        side = rng.choice((-1, 1))
        kit.place(parts, rotation=(math.pi / 2, 0, 0))
        kit.place(parts, (side * rng.uniform(1.15, 1.9), rng.uniform(0.1, 1.0), 0.06), (0, 0, rng.uniform(0, 6.3)))
