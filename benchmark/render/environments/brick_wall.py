"""A brick wall with real joints behind paving, setts or asphalt; weeds, a pipe, a poster; sun, dappled shade or cloud. 1 unit is about 40 cm."""
import math

import blocks
import kit
import outdoors
from mathutils import Vector
from setting import Setting

NAME = 'brick-wall'

# Light and dark clay of one kind of brick.
BRICKS = [('#a5533a', '#7a3524'), ('#b8694a', '#8f4630'), ('#8c4636', '#5f2b22'), ('#c08a5e', '#9a6440'), ('#a87f66', '#7c5744'), ('#c9b48f', '#a48c66'), ('#6e4038', '#452722'), ('#d8d3c8', '#bdb5a6')]
MORTARS = ['#b7afa0', '#8f887c', '#cfc8ba', '#6d6760']
POSTERS = ['#d9402f', '#f0c53c', '#2d6fa3', '#efe9da', '#1f1f22', '#3f8a5c', '#e58aa0']


def build(rng):
    wall_y = rng.uniform(1.7, 3.0)
    low = rng.random() < 0.3
    height = rng.uniform(2.0, 2.7) if low else 6.5
    wall(rng, wall_y, height)
    ground(rng, wall_y)
    if low:
        coping(rng, wall_y, height)
        beyond(rng)
    else:
        fittings(rng, wall_y)
    weeds(rng, wall_y)
    shaded = daylight(rng)
    return Setting(azimuths=(-40, 40), elevations=(6, 38), distance=(1.0, 1.3), lens_mm=(34, 60), focus_fstop=(0.7, 2.0) if rng.random() < 0.6 else None, exposure=rng.uniform(0.45, 0.85) if shaded else rng.uniform(0.05, 0.4))


def wall(rng, y, height):
    light, dark = (kit.vary(rng, kit.rgb(c), 0.05) for c in rng.choice(BRICKS))
    made = blocks.surface('brick', rng, [(0.28, dark), (0.6, light), (0.78, tuple(min(1, c * 1.25) for c in light[:3]) + (1,))], scale=rng.uniform(3, 6), detail=6, tinted=True, roughness=(0.8, 1.0), bump=0.7, bump_distance=0.02, grain=0.5)
    if rng.random() < 0.5:
        blocks.stain(made, rng, kit.rgb(rng.choice(('#3d4a2c', '#2f2a26', '#4d5540'))), scale=0.9, low=0.4, high=0.7, strength=0.75, fade_z=(0.0, rng.uniform(0.8, 2)))
    if rng.random() < 0.35:
        blocks.stain(made, rng, kit.rgb('#d9d4ca'), scale=rng.uniform(0.5, 1), low=0.56, high=0.72, strength=0.6)
    size, gap = (rng.uniform(0.5, 0.58), rng.uniform(0.15, 0.18)), rng.uniform(0.022, 0.032)
    blocks.wall(rng, (-9, 9), (0.0, height), size, gap, y, 0.25, made, loose=0.008, tint=blocks.tints(rng, rng.uniform(0.12, 0.3), 0.05), bevel=0.016, name='bricks')
    joint = kit.rgb(rng.choice(MORTARS))
    mortar = blocks.surface('mortar', rng, [(0.3, tuple(c * 0.7 for c in joint[:3]) + (1,)), (0.7, joint)], scale=12, roughness=(0.95, 1), bump=0.8, bump_distance=0.02, grain=0.6)
    kit.box((18, 0.2, height), (0, y + 0.03 + 0.1, height / 2), 'mortar', mortar)


def coping(rng, y, height):
    stone = blocks.surface('coping', rng, [(0.3, kit.rgb('#6f6b63')), (0.7, kit.rgb('#a9a398'))], scale=4, detail=5, tinted=True, roughness=(0.85, 1), bump=0.4, grain=0.5)
    blocks.wall(rng, (-9, 9), (height + 0.01, height + 0.16), (rng.uniform(0.8, 1.6), 0.15), 0.02, y - 0.08, 0.42, stone, shift=0, loose=0.004, bevel=0.02, name='coping')


def beyond(rng):
    """Trees behind a low wall."""
    foliage = kit.material('foliage', kit.vary(rng, kit.rgb(rng.choice(('#4f6b2c', '#3f5a2a', '#6d7a35', '#8a6a2c'))), 0.15), 0.7)
    bark = kit.material('bark', kit.rgb('#4a3b2e'), 0.9)
    for _ in range(rng.randint(3, 6)):
        item = kit.link(outdoors.leafy_tree(rng, foliage, bark, rng.uniform(9, 16), 1400), 'tree')
        item.location = (rng.uniform(-14, 14), rng.uniform(11, 24), 0)


def ground(rng, wall_y):
    kind = rng.choice(('asphalt', 'slabs', 'setts', 'pavers'))
    tone = kit.vary(rng, kit.rgb(rng.choice(('#8b8780', '#9d968a', '#76746f', '#a39a88'))), 0.06)
    stone = blocks.surface('stone', rng, [(0.28, tuple(c * 0.6 for c in tone[:3]) + (1,)), (0.6, tone), (0.8, tuple(min(1, c * 1.2) for c in tone[:3]) + (1,))], scale=rng.uniform(3, 6), detail=6, tinted=True, roughness=(0.7, 0.95), bump=0.5, bump_distance=0.02, grain=0.5)
    if rng.random() < 0.5:
        blocks.stain(stone, rng, kit.rgb(rng.choice(('#4a5236', '#38342f'))), scale=0.8, low=0.5, high=0.75, strength=0.6)
    lay = dict(across=(-9, 9), along=(-7, wall_y + 0.05), material=stone)
    if kind == 'slabs':
        blocks.floor(rng, size=(rng.uniform(1.0, 1.6),) * 2, gap=0.03, shift=rng.choice((0, 0.5)), loose=0.008, bevel=0.015, tint=blocks.tints(rng, 0.12, 0.03), **lay)
    elif kind == 'setts':
        blocks.floor(rng, size=(rng.uniform(0.26, 0.36), rng.uniform(0.24, 0.28)), gap=0.04, loose=0.012, bevel=0.045, tint=blocks.tints(rng, 0.22, 0.04), **lay)
    elif kind == 'pavers':
        lay['material'] = blocks.surface('paver', rng, [(0.28, kit.rgb('#6b3b2e')), (0.7, kit.rgb('#a3654c'))], scale=4, detail=5, tinted=True, roughness=(0.8, 1), bump=0.4, grain=0.6) if rng.random() < 0.5 else stone
        blocks.floor(rng, size=(0.5, 0.25), gap=0.018, loose=0.006, bevel=0.015, tint=blocks.tints(rng, 0.2, 0.04), turn=rng.random() < 0.5, **lay)
    else:
        asphalt(rng, wall_y)
        return
    soil = blocks.surface('joint', rng, [(0.3, kit.rgb('#2d2820')), (0.7, kit.rgb('#6b604f'))], scale=15, roughness=(0.95, 1), bump=0.6)
    kit.box((18, 12, 0.05), (0, -1, -0.06), 'joint', soil)


def asphalt(rng, wall_y):
    grey = rng.uniform(0.035, 0.13)
    made = blocks.surface('asphalt', rng, [(0.36, (grey * 0.35,) * 3 + (1,)), (0.52, (grey, grey, grey * 1.03, 1)), (0.66, (grey * 2.6,) * 3 + (1,))], scale=42, detail=5, roughness=(0.75, 0.95), bump=0.9, bump_distance=0.02, grain=0.5)
    blocks.stain(made, rng, (grey * 0.4,) * 3 + (1,), scale=0.6, low=0.5, high=0.65, strength=0.7)
    blocks.stain(made, rng, (grey * 2.2, grey * 2.1, grey * 1.9, 1), scale=0.9, low=0.5, high=0.8, strength=0.6)
    kit.box((18, 14, 0.1), (0, wall_y - 7, -0.05), 'asphalt', made)
    kerb = blocks.surface('kerb', rng, [(0.3, kit.rgb('#7d7972')), (0.7, kit.rgb('#aaa59b'))], scale=5, detail=5, tinted=True, roughness=(0.8, 1), bump=0.4, grain=0.5)
    if rng.random() < 0.6:
        high = rng.uniform(0.1, 0.25)
        blocks.wall(rng, (-9, 9), (0, high), (rng.uniform(1.4, 2.2), high), 0.02, wall_y - rng.uniform(0.35, 0.6), 0.62, kerb, shift=0, loose=0.004, bevel=0.03, name='kerb')
    if rng.random() < 0.35:
        paint = blocks.surface('line', rng, [(0.4, (grey,) * 3 + (1,)), (0.47, kit.rgb(rng.choice(('#e8e4da', '#e0b02c'))))], scale=9, detail=6, roughness=(0.6, 0.8))
        kit.box((16, 0.25, 0.004), (0, rng.uniform(0.8, 1.2), 0.001), 'line', paint)


def fittings(rng, y):
    """What hangs on a house wall: a downpipe, posters, a grating or a small window."""
    if rng.random() < 0.55:
        x, radius = rng.choice((-1, 1)) * rng.uniform(0.9, 2.2), rng.uniform(0.09, 0.14)
        metal = pipe_paint(rng)
        path = kit.bezier([(x, y - radius - 0.06, 6.5), (x, y - radius - 0.06, 0.55), (x, y - radius - 0.08, 0.3), (x, y - radius - 0.3, 0.12)], 8)
        kit.tube(path, radius, 'pipe', metal, resolution=6)
        for z in (0.9, 2.5, 4.1):
            kit.box((radius * 3.2, radius * 2.3 + 0.08, 0.07), (x, y - radius, z), 'bracket', metal, 0.015)
    if rng.random() < 0.45:
        posters(rng, y)
    if rng.random() < 0.4:
        window(rng, rng.choice((-1, 1)) * rng.uniform(1.2, 2.6), y)


def pipe_paint(rng):
    colour = kit.vary(rng, kit.rgb(rng.choice(('#6f7a72', '#3a3b3c', '#8a8d8f', '#4f6b5e', '#7a4a35'))))
    made = blocks.surface('pipe', rng, [(0.35, tuple(c * 0.6 for c in colour[:3]) + (1,)), (0.65, colour)], scale=3, stretch=(1, 1, 0.3), roughness=(0.35, 0.7), bump=0.1)
    blocks.stain(made, rng, kit.rgb('#6b3a1e'), scale=2.5, low=0.58, high=0.68, strength=0.8)
    return made


def posters(rng, y):
    """Weathered bills: blocks of colour and lines that read as print from afar."""
    x = rng.uniform(-2.6, -0.4)
    for _ in range(rng.randint(1, 3)):
        wide, high = rng.uniform(0.9, 1.3), rng.uniform(1.2, 1.8)
        ground_tone, accent, ink = rng.sample(POSTERS, 3)
        z, turn, front = rng.uniform(1.0, 1.6), rng.uniform(-0.04, 0.04), y - 0.03
        made = blocks.surface('poster', rng, [(0.3, (0.75, 0.74, 0.7, 1)), (0.5, (1, 1, 1, 1))], scale=2, detail=5, tinted=True, roughness=(0.6, 0.9), bump=0.25, grain=0.3)
        parts = [((0, 0, 0), (wide, 0.006, high), kit.rgb(ground_tone)[:3], (0, 0, 0)), ((0, -0.004, high * rng.uniform(-0.05, 0.15)), (wide * 0.8, 0.004, high * rng.uniform(0.3, 0.5)), kit.rgb(accent)[:3], (0, 0, 0))]
        for k in range(rng.randint(3, 6)):
            parts.append(((0, -0.008, high * (0.42 - 0.16 * k)), (wide * rng.uniform(0.4, 0.85), 0.004, rng.choice((0.03, 0.05, 0.12))), kit.rgb(ink)[:3], (0, 0, 0)))
        kit.place([blocks.blocks(parts, made, 0, 'poster')], (x + wide / 2, front, z), (0, turn, 0))
        x += wide + rng.uniform(-0.05, 0.5)


def window(rng, x, y):
    """A cellar or ground-floor window let into the wall: stone sill, dark panes, bars."""
    wide, low, high = rng.uniform(1.0, 1.8), rng.uniform(1.1, 1.6), rng.uniform(3.0, 3.8)
    frame = kit.material('frame', kit.vary(rng, kit.rgb(rng.choice(('#e6e2d8', '#3f5a4c', '#5a3a28', '#39424a')))), 0.5)
    pane = kit.material('pane', (0.02, 0.025, 0.03, 1), 0.05, Specular=0.8)
    stone = blocks.surface('sill', rng, [(0.3, kit.rgb('#857f75')), (0.7, kit.rgb('#b5aea2'))], scale=5, roughness=(0.8, 1), bump=0.4)
    kit.box((wide, 0.03, high - low), (x, y - 0.02, (low + high) / 2), 'pane', pane)
    for at, size in [((x + s * wide / 2, y - 0.04, (low + high) / 2), (0.1, 0.12, high - low + 0.1)) for s in (-1, 0, 1)] + [((x, y - 0.04, z), (wide, 0.12, 0.1)) for z in (low, (low + high) / 2, high)]:
        kit.box(size, at, 'frame', frame, 0.01)
    kit.box((wide + 0.4, 0.3, 0.16), (x, y - 0.1, low - 0.12), 'sill', stone, 0.02)
    kit.box((wide + 0.5, 0.1, 0.34), (x, y - 0.02, high + 0.2), 'lintel', stone, 0.02)


def weeds(rng, y):
    """Tufts along the foot of the wall, thin in places, and a few in the open well away from the spot."""
    colour = kit.vary(rng, kit.rgb(rng.choice(('#5b7a34', '#47662f', '#7a8044', '#6b8a3a'))), 0.12)
    made = kit.material('weed', colour, 0.6)
    spots = []
    x, thick = -6.0, rng.uniform(0.3, 1.2)
    while x < 6:
        spots.append((x, y - rng.uniform(0.02, 0.12), rng.uniform(0.15, 0.55)))
        x += rng.expovariate(1.6) * thick + 0.08
    for _ in range(rng.randint(0, 7)):
        angle, far = rng.uniform(-2.2, 2.2), rng.uniform(1.1, 2.2)
        spots.append((far * math.sin(angle), min(y - 0.1, far * math.cos(angle)), rng.uniform(0.06, 0.16)))
    vertices, faces = [], []
    for sx, sy, size in spots:
        for _ in range(rng.randint(12, 34)):
            turn, long, lean = rng.uniform(0, 6.283), size * rng.uniform(0.5, 1.2), rng.uniform(0.1, 0.9)
            wide = long * rng.choice((0.04, 0.05, 0.14))
            ox, oy = sx + rng.uniform(-0.12, 0.12) * size * 2, sy + rng.uniform(-0.1, 0.02) * size
            c, s = math.cos(turn), math.sin(turn) - (0.6 if sy > y - 0.2 else 0)
            base = len(vertices)
            for t, w in ((0, 0.6), (0.4, 1.0), (0.75, 0.7), (1.0, 0.05)):
                d, z = lean * long * t * t, long * t * (1 - 0.35 * lean * t)
                for side in (-1, 1):
                    vertices.append((ox + c * d - math.sin(turn) * wide * w * side, oy + s * d + c * wide * w * side, max(0.002, z)))
            faces += [(base + 2 * k, base + 2 * k + 1, base + 2 * k + 3, base + 2 * k + 2) for k in range(3)]
    kit.link(outdoors.mesh_of(vertices, faces, [made], smooth=True, name='weeds'), 'soft weeds')


def daylight(rng):
    """Sun from before the wall, with or without shade, or an even grey sky. Returns whether the place is mostly in the shade."""
    kind = rng.choice(('sun', 'sun', 'dappled', 'edge', 'edge', 'overcast'))
    overcast = rng.uniform(0.75, 1) if kind == 'overcast' else 0.0
    elevation, azimuth = rng.uniform(22, 58), 180 + rng.choice((-1, 1)) * rng.uniform(12, 72)
    outdoors.sky(rng, sun_elevation=elevation, sun_azimuth=azimuth, clouds=rng.uniform(0, 0.7), overcast=overcast)
    a, e = math.radians(azimuth), math.radians(elevation)
    flat = Vector((math.sin(a), math.cos(a), 0))
    towards = flat * math.cos(e) + Vector((0, 0, math.sin(e)))
    if kind == 'dappled':
        foliage, bark = kit.material('foliage', kit.rgb('#4f6b2c'), 0.7), kit.material('bark', kit.rgb('#4a3b2e'), 0.9)
        tall, far = rng.uniform(13, 17), rng.uniform(15, 19)
        item = kit.link(outdoors.leafy_tree(rng, foliage, bark, tall, rng.randint(220, 420)), 'tree')
        # Its crown, at about seven tenths of its height, stands between the sun and the wall.
        item.location = towards * far + Vector((rng.uniform(-2.5, 2.5), rng.uniform(-1, 1), -0.7 * tall))
    elif kind == 'edge':
        # A house across the way whose shadow ends beside the spot.
        across = Vector((flat.y, -flat.x, 0)) * rng.choice((-1, 1))
        gap = 10 * (abs(across.x) + abs(across.y)) + rng.uniform(-0.4, 1.6)
        shade = kit.box((20, 20, 80), (0, 0, 0), 'house', kit.material('house', (0.35, 0.3, 0.26, 1), 0.9))
        shade.location = flat * 25 + across * gap
    return kind in ('dappled', 'overcast')
