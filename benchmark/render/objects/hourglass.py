"""Two glass bulbs with sand, between two turned plates held by posts."""
import math

import bpy

import kit

LABEL = 'hourglass'
TARGET = 604
YAWS = (-180, 180)
ELEVATIONS = (2, 20)
LYING = 0.0

GAP = 0.82
"""Between the plates."""


def bulb_outline(radius, waist, squareness):
    """(radius, height) from the lower plate to the upper one; `squareness` fills the shoulders."""
    points, n = [], 48
    for k in range(n + 1):
        h = k / n
        d = abs(2 * h - 1)
        neck = math.sin(min(1.0, d * squareness) * math.pi / 2) ** 1.25
        close = math.sqrt(max(0.0, 1 - max(0.0, (d - 0.72) / 0.28) ** 2.2))
        r = (waist + (radius - waist) * neck) * (0.42 + 0.58 * close)
        points.append((r, h * GAP))
    return points


def sand_lump(outline, low, high, clearance, cone, material):
    """Fills the glass from `low` to `high`; `cone` raises (or hollows) its surface in the middle."""
    inside = [(max(0.002, r - clearance), z) for r, z in outline if low <= z <= high]
    rim, level = inside[-1]
    profile = [(0, inside[0][1])] + inside + [(rim * (1 - k / 6), level + cone * k / 6) for k in range(1, 6)] + [(0, level + cone)]
    return kit.lathe(profile, 'sand', material, steps=64)


def post(radius, turned, x, y, base, material):
    """A straight rod or a turned baluster."""
    if not turned:
        item = kit.lathe([(radius, 0), (radius, GAP)], 'post', material, steps=24)
    else:
        shape = []
        for k in range(61):
            h = k / 60
            d = abs(2 * h - 1)
            bead = 0.45 * max(0.0, math.cos((d - 0.86) * 30)) if 0.8 < d < 0.92 else 0
            knob = 0.5 * math.exp(-((d / 0.08) ** 2))
            shape.append((radius * (0.8 + 0.35 * math.sin(math.pi * min(1, d / 0.8)) + bead + knob), h * GAP))
        item = kit.lathe(shape, 'post', material, steps=24)
    item.location = (x, y, base)
    return item


def clear_glass():
    """Glass for the camera, open to light: the sand inside is lit although caustics are off."""
    made = kit.glass('glass', roughness=0.0)
    tree = made.node_tree
    path, either, clear, mix = (tree.nodes.new(f'ShaderNode{kind}') for kind in ('LightPath', 'Math', 'BsdfTransparent', 'MixShader'))
    either.operation = 'MAXIMUM'
    tree.links.new(path.outputs['Is Shadow Ray'], either.inputs[0])
    tree.links.new(path.outputs['Is Diffuse Ray'], either.inputs[1])
    tree.links.new(either.outputs[0], mix.inputs['Fac'])
    tree.links.new(kit.shader_of(made).outputs[0], mix.inputs[1])
    tree.links.new(clear.outputs[0], mix.inputs[2])
    tree.links.new(mix.outputs[0], tree.nodes['Material Output'].inputs['Surface'])
    return made


def build(rng):
    radius = rng.uniform(0.2, 0.235)
    outline = bulb_outline(radius, 0.016, rng.uniform(1.25, 1.6))
    frame = rng.choice((
        kit.wood('frame', rng, '#a8743f', '#6a3f1d', scale=4, roughness=0.3),
        kit.wood('frame', rng, '#6b3a1f', '#3c1c0e', scale=4, roughness=0.25),
        kit.material('brass', kit.rgb('#c79a45'), roughness=0.22, metallic=1.0),
        kit.material('black', (0.015, 0.013, 0.012, 1), roughness=0.3),
    ))
    sand = kit.material('sand', roughness=0.95)
    grain = kit.rgb(rng.choice(('#e3cfa0', '#f0e9da', '#d8b26a', '#c23b2c', '#2f66a8')))
    kit.noise_colour(sand, [(0.35, tuple(c * 0.8 for c in grain[:3]) + (1,)), (0.65, grain)], scale=200, detail=2, bump=0.3, bump_distance=0.003)
    base = thick = rng.uniform(0.045, 0.06)
    plate = radius * rng.uniform(1.28, 1.4)
    items = []
    for z, flip in ((0, 1), (base + GAP, -1)):
        edge = [(0, 0), (plate * 0.97, 0), (plate, 0.01), (plate, thick * 0.5), (plate * 0.93, thick * 0.65), (plate * 0.9, thick), (0, thick)]
        item = kit.lathe(edge if flip > 0 else [(r, thick - h) for r, h in edge], 'plate', frame, steps=72)
        item.location = (0, 0, z)
        items.append(item)
    posts, ring, turned = rng.choice((3, 4)), plate * 0.86, rng.random() < 0.6
    for k in range(posts):
        t = 2 * math.pi * (k + 0.5) / posts
        items.append(post(0.02 if turned else 0.016, turned, ring * math.cos(t), ring * math.sin(t), base, frame))
    shell = kit.lathe(outline, 'glass', clear_glass(), steps=72, auto_smooth_degrees=180)
    kit.modifier(shell, 'SOLIDIFY', thickness=0.006, offset=-1)
    shell = kit.to_mesh(shell)
    share = rng.uniform(0.25, 0.75)
    filled = [
        sand_lump(outline, 0.008, GAP * 0.5 * (0.25 + 0.45 * share), 0.01, 0.05, sand),
        sand_lump(outline, GAP * 0.51, GAP * 0.5 * (1 + 0.3 + 0.45 * (1 - share)), 0.01, -0.03, sand),
        kit.cylinder(0.0035, GAP * 0.45, (0, 0, GAP * 0.3), 'stream', sand, steps=12),
    ]
    kit.place(filled + [shell], (0, 0, base))
    items += [shell] + filled
    bpy.context.view_layer.update()
    return items
