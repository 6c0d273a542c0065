"""Things that stand about in rooms. Each is made at the origin, standing on z = 0, and returned as a list for `kit.place`."""
import math

import bmesh
import bpy
from mathutils import Vector, noise

import blocks
import kit

GLAZES = ['#e9e4d8', '#f3f1ec', '#6f8fa6', '#2f4a63', '#b5533c', '#7f9b7a', '#d9b24c', '#3c3c3e', '#cfd8d6', '#a9714b']
BINDINGS = ['#7a2326', '#1f3a5f', '#2f5d46', '#c9b48a', '#e4ded0', '#20201f', '#b8622b', '#5d3a66', '#d9a63c', '#8fa7b8', '#a83d4b', '#3f6b75']


def glaze(rng, colours=GLAZES, roughness=0.18):
    return kit.material('glaze', kit.vary(rng, kit.rgb(rng.choice(colours))), roughness=rng.uniform(roughness, roughness + 0.25))


def plates(rng, radius=0.5, count=None):
    made, profile = glaze(rng), [(0, 0), (0.55, 0), (0.6, 0.03), (1, 0.12), (1, 0.145), (0.6, 0.06), (0.5, 0.04), (0, 0.035)]
    items = []
    for i in range(count or rng.randint(2, 7)):
        item = kit.lathe([(r * radius, z * radius) for r, z in profile], 'plate', made, steps=48)
        item.location = (rng.uniform(-0.01, 0.01), rng.uniform(-0.01, 0.01), i * 0.055 * radius)
        items.append(item)
    return items


def bowl(rng, radius=0.4, filled=True):
    made = rng.choice((glaze(rng), blocks.timber('bowl', rng, tinted=False)))
    outer = [(0, 0), (0.45, 0), (0.48, 0.06), (0.8, 0.3), (1, 0.62), (0.96, 0.63), (0.75, 0.34), (0.4, 0.1), (0, 0.08)]
    items = [kit.lathe([(r * radius, z * radius) for r, z in outer], 'bowl', made, steps=48)]
    if filled:
        kind = rng.choice((apple, apple, citrus))
        skin = kind(rng, radius * 0.34)
        spots = [(0.42 * math.cos(a), 0.42 * math.sin(a), 0.3) for a in (0.2, 1.45, 2.7, 3.95, 5.2)] + [(0.05, 0.1, 0.72)]
        for x, y, z in spots:
            fruit = bpy.data.objects.new('fruit', skin.data)
            bpy.context.scene.collection.objects.link(fruit)
            fruit.location, fruit.rotation_euler = (x * radius, y * radius, z * radius), [rng.uniform(-0.6, 0.6) for _ in range(3)]
            fruit.scale = skin.scale
            items.append(fruit)
        bpy.data.objects.remove(skin)
    return items


def apple(rng, radius):
    a, b = rng.choice((('#a8201a', '#d9b23a'), ('#7c9a2e', '#b9c552'), ('#8f1d1d', '#c23b22')))
    skin = blocks.surface('apple', rng, [(0.4, kit.rgb(a)), (0.68, kit.rgb(b))], scale=3 / radius * 0.3, stretch=(1, 1, 0.3), roughness=(0.2, 0.35), bump=0)
    profile = [(0, -0.78), (0.3, -0.86), (0.7, -0.65), (0.98, 0.0), (0.95, 0.4), (0.65, 0.8), (0.3, 0.84), (0.08, 0.7), (0, 0.66)]
    smooth = [(max(0, p.x), p.z) for p in kit.bezier([(r, 0, z) for r, z in profile], 5)]
    return kit.lathe([(r * radius, z * radius) for r, z in smooth], 'apple', skin, steps=32, auto_smooth_degrees=80)


def citrus(rng, radius):
    colour = rng.choice(('#e08a1e', '#e5c02c', '#8cab2f'))
    skin = blocks.surface('citrus', rng, [(0.3, kit.rgb(colour)), (0.7, kit.vary(rng, kit.rgb(colour)))], scale=40, roughness=(0.3, 0.45), bump=0.4)
    return kit.sphere(radius, material=skin, scale=(1.2, 1, 1), subdivisions=4)


def jar(rng, radius=0.16, height=0.5):
    """A storage jar: what it holds shows through a clear coat; lid of wood or metal."""
    inside = rng.choice(('#c8a368', '#7a4a26', '#e8dcc0', '#9c3b1f', '#4f5a2a', '#d8b04a', '#3d2a1e', '#e9e6df'))
    body = blocks.surface('jar', rng, [(0.35, kit.vary(rng, kit.rgb(inside))), (0.65, kit.vary(rng, kit.rgb(inside), 0.2))], scale=rng.choice((8, 30)), roughness=(0.5, 0.6), bump=0, Clearcoat=1.0, Clearcoat_Roughness=0.03)
    lid = rng.choice((blocks.timber('lid', rng, tinted=False), kit.material('lid', (0.7, 0.7, 0.7, 1), 0.3, 1.0), kit.material('lid', (0.03, 0.03, 0.03, 1), 0.5)))
    neck = radius * rng.uniform(0.75, 0.95)
    return [
        kit.lathe([(0, 0), (radius * 0.92, 0), (radius, 0.04), (radius, height * 0.72), (neck, height * 0.84), (0, height * 0.84)], 'jar', body, 40),
        kit.cylinder(neck * 1.06, height * 0.15, (0, 0, height * 0.9), 'lid', lid, bevel=0.01),
    ]


def holder(rng, height=0.4, sticks=6, kind='pens'):
    """A pot of pens, or of kitchen spoons."""
    radius, made = height * 0.36, glaze(rng)
    items = [kit.lathe([(0, 0), (radius, 0), (radius, height), (radius * 0.9, height), (radius * 0.9, 0.05), (0, 0.05)], 'pot', made, 40)]
    for _ in range(sticks):
        lean, turn, long = rng.uniform(0.05, 0.28), rng.uniform(0, 2 * math.pi), height * rng.uniform(1.25, 1.75)
        stick = kit.material('stick', kit.rgb(rng.choice(BINDINGS)), 0.4) if kind == 'pens' else blocks.timber('spoon', rng, 'z', tinted=False)
        foot, way = Vector((-math.cos(turn), -math.sin(turn), 0)) * radius * 0.5 + Vector((0, 0, 0.06)), Vector((math.cos(turn) * lean, math.sin(turn) * lean, 1))
        thick = height * 0.035
        items.append(kit.tube([foot, foot + way * long], thick, 'stick', stick, resolution=2))
        if kind != 'pens':
            items.append(kit.sphere(thick * 3, foot + way * long, 'spoon', stick, scale=(1, 0.4, 1.5), subdivisions=3))
    return items


def books(rng, length=1.6, height=(0.55, 0.9), deep=0.5):
    """A row of books along x with their spines towards -y; the last may lean."""
    made = blocks.surface('binding', rng, [(0.3, (0.85, 0.85, 0.85, 1)), (0.7, (1, 1, 1, 1))], scale=20, tinted=True, roughness=(0.4, 0.7), bump=0.1)
    paper = kit.material('paper', kit.rgb('#e9e2cf'), 0.9)
    covers, leaves, bands, x = [], [], [], -length / 2
    while x < length / 2:
        thick, high, back = rng.uniform(0.05, 0.16), rng.uniform(*height), rng.uniform(0, 0.08)
        lean = rng.uniform(0.1, 0.25) if x + thick > length / 2 and rng.random() < 0.6 else 0
        colour = kit.vary(rng, kit.rgb(rng.choice(BINDINGS)), 0.12)[:3]
        middle = (x + thick / 2 + lean * high * 0.6, back, high / 2)
        covers.append((middle, (thick, deep, high), colour, (0, -lean, 0)))
        leaves.append(((middle[0] + lean * 0.1, back, middle[2]), (thick * 0.8, deep * 0.9, high + 0.008), (1, 1, 1), (0, -lean, 0)))
        gilt = kit.rgb(rng.choice(('#d8c27a', '#efe9dc', '#1d1d1d')))[:3]
        if not lean:
            for share in rng.sample((0.2, 0.35, 0.62, 0.8), rng.randint(1, 3)):
                bands.append(((middle[0], back - deep / 2, high * share), (thick * 0.75, 0.008, rng.uniform(0.01, 0.09)), gilt, (0, 0, 0)))
        x += thick + 0.004
    return [blocks.blocks(covers, made, 0.012, 'books'), blocks.blocks(leaves, paper, 0, 'leaves')] + ([blocks.blocks(bands, made, 0, 'bands')] if bands else [])


def book_pile(rng, count=None, size=(0.9, 0.65)):
    made = blocks.surface('binding', rng, [(0.3, (0.85, 0.85, 0.85, 1)), (0.7, (1, 1, 1, 1))], scale=20, tinted=True, roughness=(0.35, 0.6), bump=0.1)
    paper = kit.material('paper', kit.rgb('#e9e2cf'), 0.9)
    z, placed, leaves = 0.0, [], []
    for _ in range(count or rng.randint(2, 5)):
        thick, share, turn = rng.uniform(0.06, 0.16), rng.uniform(0.75, 1), rng.uniform(-0.25, 0.25)
        colour = kit.vary(rng, kit.rgb(rng.choice(BINDINGS)), 0.12)[:3]
        for edge in (0.008, thick - 0.008):
            placed.append(((0, 0, z + edge), (size[0] * share, size[1] * share, 0.016), colour, (0, 0, turn)))
        leaves.append(((0.01, 0, z + thick / 2), (size[0] * share * 0.95, size[1] * share * 0.95, thick - 0.02), (1, 1, 1), (0, 0, turn)))
        z += thick
    return [blocks.blocks(placed, made, 0.004, 'covers'), blocks.blocks(leaves, paper, 0.01, 'leaves')]


def plant(rng, size=1.0, leaves=45, colour=None):
    """A pot with long or round leaves."""
    leaf = kit.material('leaf', kit.vary(rng, kit.rgb(colour or rng.choice(('#3f6b2e', '#2f5a35', '#5d7f3a', '#48704f'))), 0.12), 0.4)
    broad, droop = rng.uniform(0.07, 0.2) * size, rng.uniform(0.3, 1.1)
    pot = size * rng.uniform(0.2, 0.28)
    high = pot * rng.uniform(1.2, 1.8)
    items = [kit.lathe([(0, 0), (pot * 0.75, 0), (pot, high), (pot * 1.08, high), (pot * 1.08, high * 1.1), (pot * 0.92, high * 1.1), (pot * 0.92, high * 0.9), (0, high * 0.9)], 'pot', glaze(rng, ['#b0603a', '#e8e4da', '#4c5357', '#9a8f7e', '#3f6670']), 40)]
    bm = bmesh.new()
    for _ in range(leaves):
        turn, long, rise = rng.uniform(0, 2 * math.pi), size * rng.uniform(0.5, 1.0), rng.uniform(0.5, 1.4)
        out, side = Vector((math.cos(turn), math.sin(turn), 0)), Vector((-math.sin(turn), math.cos(turn), 0))
        base, rows = Vector((0, 0, high * 0.9)) + out * rng.uniform(0, pot * 0.5), []
        for k in range(7):
            t = k / 6
            centre = base + out * long * t * (1 - 0.35 * rise) + Vector((0, 0, long * (rise * t - droop * rise * t * t * 0.7)))
            half = broad * math.sin(math.pi * min(1, 0.06 + t * 0.92)) ** 0.8
            rows.append([bm.verts.new(centre + side * half * s + Vector((0, 0, abs(s) * half * 0.3))) for s in (-1, 0, 1)])
        for a, b in zip(rows, rows[1:]):
            for i in (0, 1):
                bm.faces.new((a[i], a[i + 1], b[i + 1], b[i]))
    items.append(kit.from_bmesh(bm, 'leaves', leaf, auto_smooth_degrees=180))
    return items


def grid(across, along, shape, name, material, steps=(60, 60), thickness=0.0):
    """A sheet whose points (u, v in 0…1 scaled to size) are moved by `shape(x, y)` → (x, y, z)."""
    bm = bmesh.new()
    rows = [[bm.verts.new(shape((i / steps[0] - 0.5) * across, (j / steps[1] - 0.5) * along)) for i in range(steps[0] + 1)] for j in range(steps[1] + 1)]
    for a, b in zip(rows, rows[1:]):
        for i in range(steps[0]):
            bm.faces.new((a[i], a[i + 1], b[i + 1], b[i]))
    item = kit.from_bmesh(bm, name, material, auto_smooth_degrees=180)
    return kit.modifier(item, 'SOLIDIFY', thickness=thickness) if thickness else item


def fabric(rng, colours=('#c9c1b0', '#7d8a94', '#a4483b', '#5e6f54', '#e3dccb', '#3f4a5a', '#c79a4b', '#8a6f86'), stripes=None):
    """Woven cloth, plain or striped."""
    base = kit.vary(rng, kit.rgb(rng.choice(colours)))
    made = blocks.surface('fabric', rng, [(0.35, tuple(c * 0.82 for c in base[:3]) + (1,)), (0.65, base)], scale=18, roughness=(0.85, 1.0), bump=0.25, bump_distance=0.01, grain=1.0, Sheen=0.4)
    if stripes or (stripes is None and rng.random() < 0.5):
        tree = made.node_tree
        where, wave, ramp, mix = (tree.nodes.new(f'ShaderNode{kind}') for kind in ('TexCoord', 'TexWave', 'ValToRGB', 'MixRGB'))
        wave.bands_direction = rng.choice('XY')
        wave.inputs['Scale'].default_value = rng.uniform(0.8, 3)
        share = rng.uniform(0.4, 0.85)
        ramp.color_ramp.elements[0].position, ramp.color_ramp.elements[1].position = share, share + 0.03
        mix.inputs[2].default_value = kit.vary(rng, kit.rgb(rng.choice(colours)))
        tree.links.new(where.outputs['Object'], wave.inputs['Vector'])
        tree.links.new(wave.outputs['Fac'], ramp.inputs['Fac'])
        tree.links.new(ramp.outputs['Color'], mix.inputs['Fac'])
        tree.links.new(kit.shader_of(made).inputs['Base Color'].links[0].from_socket, mix.inputs[1])
        tree.links.new(mix.outputs[0], kit.shader_of(made).inputs['Base Color'])
    return made


def cloth(rng, across=1.3, along=0.9, material=None):
    """A tea towel dropped on the table: wrinkled, partly folded up."""
    far = rng.uniform(0, 100)

    def shape(x, y):
        rise = 0.5 + 0.5 * noise.noise((x * 1.7 + far, y * 2.2, far))
        ripple = 0.5 + 0.5 * noise.noise((x * 5 + far, y * 3, 7))
        bend = 0.12 * noise.noise((y * 1.5, far, 3))
        return (x + bend, y + 0.1 * noise.noise((x * 1.5, far, 9)), 0.012 + 0.13 * rise**2 + 0.05 * ripple * rise)

    return [grid(across, along, shape, 'cloth', material or fabric(rng), (70, 50), 0.012)]


def curtain(rng, across=1.2, height=3.6, material=None):
    """Hanging folds, facing -y; x from 0 to `across` at the top."""
    folds, far, deep = rng.uniform(5, 8) / across, rng.uniform(0, 100), rng.uniform(0.06, 0.1)

    def shape(x, z):
        drop = 0.5 - z / height
        sway = 0.08 * drop * noise.noise((x * 2, far, drop * 2))
        return (x + across / 2 + sway, deep * (0.6 + drop * 0.5) * math.sin(folds * 2 * math.pi * (x + sway) + 0.6 * noise.noise((x * 3, z * 0.6, far))), z + height / 2)

    return [grid(across, height, shape, 'curtain', material or fabric(rng), (110, 14), 0)]


def picture(rng, across=1.2, high=0.9):
    """A framed painting or print, facing -y, its middle at the origin."""
    frame = rng.choice((blocks.timber('frame', rng, tinted=False), kit.material('frame', (0.02, 0.02, 0.02, 1), 0.4), kit.material('frame', (0.85, 0.84, 0.8, 1), 0.4), kit.material('frame', kit.rgb('#b08d3f'), 0.35, 0.8)))
    palette = rng.sample(['#2f4858', '#f2d492', '#e76f51', '#86bbd8', '#264653', '#e9c46a', '#f1faee', '#6b705c', '#a5a58d', '#9d0208', '#457b9d'], 4)
    art = blocks.surface('art', rng, [(p, kit.rgb(c)) for p, c in zip((0.3, 0.45, 0.55, 0.68), palette)], scale=rng.uniform(0.8, 2.5), stretch=(1, 1, rng.uniform(1, 4)), distortion=rng.uniform(0, 3), roughness=(0.5, 0.6), bump=0)
    mat, w = kit.material('mount', (0.87, 0.86, 0.82, 1), 0.9), 0.06
    inset = rng.choice((0.04, 0.16))
    parts = [kit.box((across - 2 * inset, 0.02, high - 2 * inset), (0, -0.02, 0), 'art', art), kit.box((across, 0.02, high), (0, 0, 0), 'mount', mat)]
    parts += [kit.box((across + w, 0.08, w), (0, -0.02, s * high / 2), 'frame', frame, 0.01) for s in (-1, 1)]
    return parts + [kit.box((w, 0.08, high + w), (s * across / 2, -0.02, 0), 'frame', frame, 0.01) for s in (-1, 1)]


def carton(rng, size):
    """A cardboard box with tape and a label."""
    x, y, z = size
    card = blocks.surface('card', rng, [(0.3, kit.vary(rng, kit.rgb('#8f6b43'))), (0.7, kit.vary(rng, kit.rgb('#b38b5d')))], scale=3, stretch=(1, 1, 4), roughness=(0.8, 0.95), bump=0.1, grain=0.6)
    tape = kit.material('tape', kit.rgb(rng.choice(('#b99a6a', '#d8cdb4', '#7a5a34'))), 0.25)
    parts = [kit.box(size, (0, 0, z / 2), 'carton', card, 0.012), kit.box((x + 0.006, y * 0.14, z * 0.3), (0, 0, z * 0.86), 'tape', tape), kit.box((x * 0.14, y + 0.006, z * 0.35), (0, 0, z * 0.84), 'tape', tape)]
    if rng.random() < 0.6:
        parts.append(kit.box((x * 0.3, y + 0.008, z * 0.25), (x * rng.uniform(-0.25, 0.25), 0, z * 0.4), 'label', kit.material('label', kit.rgb(rng.choice(('#efece4', '#d8493a', '#3a6ea8'))), 0.6)))
    return parts
