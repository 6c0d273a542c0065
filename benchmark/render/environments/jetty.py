"""A wooden jetty over water: weathered planks with gaps and nails, mooring posts, waves, a far shore with trees and hills."""
import math

from kit import bezier, box, cylinder, link, material, noise_colour, raise_bump, rgb, tube, vary
from mathutils import Vector, noise
from outdoors import fir, hills, leafy_tree, mesh_of, scatter, sky, stand
from setting import Setting

NAME = 'jetty'
TIMBERS = (('#8d8478', '#5d554b'), ('#a58f72', '#6d5740'), ('#9a9a96', '#6a6a68'), ('#b08a5c', '#77562f'))


def timber(rng, tones):
    light, dark = (vary(rng, rgb(c), 0.1) for c in tones)
    made = material('plank', roughness=0.8, Specular=0.25)
    return noise_colour(made, [(0.3, dark), (0.66, light)], scale=2.4, detail=6, distortion=0.8, stretch=(0.7, 9, 9), bump=0.5, bump_distance=0.03, seed=rng.uniform(0, 90))


def deck(rng, width, length, tones):
    """Planks across the jetty, each a little off in place, height and tone, with nails at both beams."""
    paints = [timber(rng, tones) for _ in range(5)]
    nail = material('nail', rgb('#3c3a38'), roughness=0.5, metallic=0.7)
    board, gap = rng.uniform(0.32, 0.5), rng.uniform(0.025, 0.06)
    shapes = [box((width, board, 0.1), (0, 0, 0), 'plank', paint, bevel=0.012) for paint in paints]
    meshes = [shape.data for shape in shapes]
    for shape in shapes:
        shape.hide_render = shape.hide_viewport = True
    heads = cylinder(0.014, 0.012, (0, 0, -9), 'nail', nail, steps=10)
    y = -length
    near = []
    while y < length:
        at = (rng.uniform(-0.06, 0.06), y, -0.05 + rng.uniform(-0.006, 0.006))
        item = link(rng.choice(meshes), 'plank')
        item.matrix_world = stand(*at, rng.gauss(0, 0.004) + rng.choice((0, math.pi)))
        if abs(y) < 5:
            near += [stand(side * width * 0.38 + rng.uniform(-0.02, 0.02), y + dy, 0.001) for side in (-1, 1) for dy in (-board * 0.25, board * 0.25)]
        y += board + gap
    scatter([heads.data], near, rng, 'nail')
    for side in (-1, 1):
        box((0.25, length * 2, 0.4), (side * width * 0.38, 0, -0.32), 'beam', paints[0])


def water(rng, level):
    made = material('water', vary(rng, rgb(rng.choice(('#16333a', '#1c3b46', '#23403a', '#14303f'))), 0.15), roughness=0.05, Specular=0.6, IOR=1.33)
    tree = made.node_tree
    new, wire = tree.nodes.new, tree.links.new
    where, mapping, swell, ripple, add = new('ShaderNodeTexCoord'), new('ShaderNodeMapping'), new('ShaderNodeTexNoise'), new('ShaderNodeTexNoise'), new('ShaderNodeMath')
    mapping.inputs['Rotation'].default_value = (0, 0, rng.uniform(0, 3.14))
    mapping.inputs['Location'].default_value = (rng.uniform(0, 90), rng.uniform(0, 90), 0)
    mapping.inputs['Scale'].default_value = (1, rng.uniform(0.35, 0.7), 1)
    swell.inputs['Scale'].default_value = rng.uniform(0.25, 0.5)
    swell.inputs['Detail'].default_value = 4
    ripple.inputs['Scale'].default_value = rng.uniform(1.2, 2.4)
    ripple.inputs['Detail'].default_value = 3
    wire(where.outputs['Object'], mapping.inputs['Vector'])
    for pattern in (swell, ripple):
        wire(mapping.outputs['Vector'], pattern.inputs['Vector'])
    add.operation, add.inputs[1].default_value = 'MULTIPLY_ADD', 0.22
    wire(ripple.outputs['Fac'], add.inputs[0])
    wire(swell.outputs['Fac'], add.inputs[2])
    raise_bump(made, add.outputs[0], rng.uniform(0.3, 0.9), 0.7)
    reach = 900
    link(mesh_of([(-reach, -reach, level), (reach, -reach, level), (reach, reach, level), (-reach, reach, level)], [(0, 1, 2, 3)], [made], name='water'), 'water')


def shore(rng, level, distance):
    """A ring of land around the lake: a strip of hills that rises from the water, with trees on it."""
    shape, ridge = hills(rng, 50, 1, 3), hills(rng, 90, 1, 3)
    steep = rng.uniform(8, 45)

    def edge(a):
        return distance * (1 + 0.35 * shape(160 * math.cos(a), 160 * math.sin(a)))

    def height(a, t):
        return level - 0.5 + steep * (0.12 * min(1, t * 8) + 0.88 * t) * (0.55 + 0.9 * max(0, 0.5 + ridge(220 * math.cos(a), 220 * math.sin(a)))) * (1.0 if t > 0 else 0)

    steps, rows = 180, 10
    vertices, faces = [], []
    for k in range(steps):
        a = 2 * math.pi * k / steps
        for r in range(rows):
            t = r / (rows - 1)
            d = edge(a) + 190 * t
            vertices.append((d * math.cos(a), d * math.sin(a), height(a, t)))
    for k in range(steps):
        for r in range(rows - 1):
            o, p = k * rows + r, (k + 1) % steps * rows + r
            faces.append((o, p, p + 1, o + 1))
    land = material('land', roughness=0.9)
    noise_colour(land, [(0.35, vary(rng, rgb('#37472a'), 0.15)), (0.65, vary(rng, rgb('#6f7d4a'), 0.15))], scale=0.08, detail=8, seed=rng.uniform(0, 50))
    link(mesh_of(vertices, faces, [land], smooth=True, name='shore'), 'shore')
    bark = material('bark', rgb('#3a2c22'), 0.9)
    green = material('leaves', vary(rng, rgb(rng.choice(('#4c6a2a', '#5f7d36', '#8a7a30', '#a3662a'))), 0.12), roughness=0.7)
    needles = material('needles', vary(rng, rgb('#22392a'), 0.12), roughness=0.8)
    trees = [leafy_tree(rng, green, bark, rng.uniform(14, 22), 500) for _ in range(3)] + [fir(rng, needles, bark, rng.uniform(18, 28)) for _ in range(2)]
    spots = []
    for _ in range(rng.randint(400, 650)):
        a, t = rng.uniform(0, 2 * math.pi), rng.random() ** 1.8 * 0.7 + 0.015
        if noise.noise(Vector((4 * math.cos(a) + steep, 4 * math.sin(a), t * 2))) < -0.2:
            continue
        d = edge(a) + 190 * t
        spots.append(stand(d * math.cos(a), d * math.sin(a), height(a, t) - 0.4, rng.uniform(0, 6.28), rng.uniform(0.6, 1.3)))
    scatter(trees, spots, rng, 'tree')


def build(rng):
    width, tones = rng.uniform(4, 6.5), rng.choice(TIMBERS)
    end = rng.uniform(4, 9)
    deck(rng, width, 40, tones)
    level = -rng.uniform(1.0, 2.2)
    water(rng, level)
    shore(rng, level, rng.uniform(90, 260))
    pile = timber(rng, tones)
    cap = rng.random() < 0.5
    rope_paint = material('rope', vary(rng, rgb('#b8a682'), 0.1), roughness=0.9)
    spacing, tall = rng.uniform(6, 10), rng.uniform(1.0, 2.6)
    roped = rng.random() < 0.55
    for side in (-1, 1):
        previous = None
        for k in range(-4, 5):
            x, y = side * (width / 2 + 0.18), k * spacing + end
            top = tall + rng.uniform(-0.08, 0.08)
            cylinder(0.2, top + 5, (x, y, (top - 5) / 2), 'pile', pile, (rng.gauss(0, 0.012), rng.gauss(0, 0.012), 0), 20, 0.03)
            if cap:
                cylinder(0.22, 0.06, (x, y, top + 0.03), 'cap', rope_paint, steps=20)
            if roped and previous:
                middle = Vector(((previous[0] + x) / 2, (previous[1] + y) / 2, top - 0.9))
                tube(bezier([previous, middle, (x, y, top - 0.2)], 10), 0.045, 'rope', rope_paint, resolution=2)
            previous = (x, y, top - 0.2)
    overcast = rng.choice((0, 0, 0.1, 0.8))
    sky(rng, rng.uniform(10, 50), rng.uniform(0, 360), clouds=rng.uniform(0.15, 0.85), overcast=overcast, strength=rng.uniform(0.13, 0.19), sun_energy=4)
    return Setting(spot=(rng.uniform(-0.15, 0.15) * width, 0, 0.0), elevations=(2, 15), lens_mm=(34, 60), focus_fstop=(1.2, 4), exposure=rng.uniform(-0.1, 0.3))
