"""Snow: drifts and footprints, a fence, snowy firs in the distance, low sun or an overcast sky."""
import math

from kit import box, material, raise_bump, rgb, vary
from mathutils import Vector, noise
from outdoors import fir, hills, mesh_of, scatter, sky, stand, terrain, topped
from setting import Setting

NAME = 'snow'


def snow_material(rng):
    made = material('snow', vary(rng, (0.86, 0.89, 0.94, 1), 0.02), roughness=0.55, Specular=0.35)
    tree = made.node_tree
    new, wire = tree.nodes.new, tree.links.new
    where, fine, coarse, add = new('ShaderNodeTexCoord'), new('ShaderNodeTexNoise'), new('ShaderNodeTexNoise'), new('ShaderNodeMath')
    fine.inputs['Scale'].default_value = 38
    fine.inputs['Detail'].default_value = 3
    coarse.inputs['Scale'].default_value = rng.uniform(4, 8)
    coarse.inputs['Detail'].default_value = 5
    for pattern in (fine, coarse):
        wire(where.outputs['Object'], pattern.inputs['Vector'])
    add.operation, add.inputs[1].default_value = 'MULTIPLY_ADD', 0.3
    wire(fine.outputs['Fac'], add.inputs[0])
    wire(coarse.outputs['Fac'], add.inputs[2])
    return raise_bump(made, add.outputs[0], 0.5, 0.06)


def trail(rng):
    """Footprints: (x, y, cos, sin) of soles along a walk that passes the spot."""
    heading = rng.uniform(0, 2 * math.pi)
    offset = rng.choice((-1, 1)) * rng.uniform(0.9, 1.6)
    c, s = math.cos(heading), math.sin(heading)
    prints = []
    for k in range(-9, 10):
        along, across = k * 1.05 + rng.uniform(-0.12, 0.12), offset + (0.3 if k % 2 else -0.3) + 0.25 * math.sin(k * 0.4)
        turn = heading + rng.uniform(-0.15, 0.15)
        prints.append((along * c - across * s, along * s + across * c, math.cos(turn), math.sin(turn)))
    return prints


def pressed(x, y, prints):
    """Depth of the footprint at a point, with a small rim pushed up around it."""
    for px, py, c, s in prints:
        dx, dy = x - px, y - py
        if dx * dx + dy * dy > 0.6:
            continue
        u, v = (dx * c + dy * s) / 0.4, (-dx * s + dy * c) / (0.165 if dx * c + dy * s > -0.05 else 0.14)
        r = math.sqrt(u * u + v * v)
        if r < 1.0:
            return -0.15 * min(1.0, (1.0 - r) * 4) + 0.02
        if r < 1.5:
            return 0.035 * (1.5 - r) * 2
    return 0.0


def fence(rng, timber, ground, distance, heading):
    c, s = math.cos(heading), math.sin(heading)
    rails = rng.choice((2, 3))
    for k in range(-9, 10):
        x, y = distance * -s + k * 4.2 * c, distance * c + k * 4.2 * s
        z = ground(x, y)
        box((0.22, 0.22, 3.0), (x, y, z + 1.2), 'post', timber, bevel=0.03, rotation=(rng.uniform(-0.04, 0.04), rng.uniform(-0.04, 0.04), heading))
        x2, y2 = x + 4.2 * c, y + 4.2 * s
        rise = math.atan2(ground(x2, y2) - z, 4.2)
        for rail in range(rails):
            box((4.3, 0.08, 0.22), ((x + x2) / 2, (y + y2) / 2, (z + ground(x2, y2)) / 2 + 0.7 + rail * 1.7 / rails), 'rail', timber, bevel=0.02, rotation=(0, -rise + rng.uniform(-0.02, 0.02), heading))


def tuft(rng, straw):
    """Dry grass that sticks out of the snow."""
    vertices, faces = [], []
    for _ in range(rng.randint(14, 30)):
        a, r, bend, h = rng.uniform(0, 6.28), rng.uniform(0, 0.12), rng.uniform(0.05, 0.4), rng.uniform(0.2, 0.6)
        x, y, w = r * math.cos(a), r * math.sin(a), 0.008
        c, s = math.cos(a), math.sin(a)
        o = len(vertices)
        vertices += [(x - w * s, y + w * c, -0.1), (x + w * s, y - w * c, -0.1), (x + bend * 0.4 * c - w * s, y + bend * 0.4 * s + w * c, h * 0.7), (x + bend * 0.4 * c + w * s, y + bend * 0.4 * s - w * c, h * 0.7), (x + bend * c, y + bend * s, h)]
        faces += [(o, o + 1, o + 3, o + 2), (o + 2, o + 3, o + 4)]
    return mesh_of(vertices, faces, [straw], name='tuft')


def build(rng):
    drifts, swells, country = hills(rng, rng.uniform(2.5, 5), rng.uniform(0.12, 0.3), 3), hills(rng, 14, 0.3, 2), hills(rng, 60, 10, 3)
    prints = trail(rng) if rng.random() < 0.8 else []

    def smooth(x, y):
        far = min(1.0, math.hypot(x, y) / 60)
        return drifts(x, y) * min(1, 0.35 + math.hypot(x, y) / 4) + swells(x, y) + country(x, y) * far - (drifts(0, 0) * 0.35 + swells(0, 0))

    def ground(x, y):
        return smooth(x, y) + pressed(x, y, prints)

    snow = snow_material(rng)
    terrain(ground, snow, near=7.5, far=260, cells=270)
    white = (0.82, 0.85, 0.9, 1)
    load = rng.uniform(0, 0.2)
    foliage = topped('snowy needles', vary(rng, rgb('#1f3324'), 0.1), white, 0.48 - load, 0.72 - load)
    timber = topped('snowy timber', vary(rng, rgb('#4a3a2e'), 0.15), white, 0.78, 0.86)
    bark = material('bark', rgb('#3a2c22'), roughness=0.9)
    firs = [fir(rng, foliage, bark, rng.uniform(14, 24)) for _ in range(4)]
    spots = []
    for _ in range(rng.randint(220, 380)):
        a = rng.uniform(0, 2 * math.pi)
        d = rng.uniform(22, 55) if rng.random() < 0.2 else rng.uniform(55, 150)
        # Trees stand in groups with clearings between them.
        if noise.noise(Vector((math.cos(a) * 2.2 + load * 90, math.sin(a) * 2.2, d / 60))) < -0.08 and d < 120:
            continue
        x, y = d * math.cos(a), d * math.sin(a)
        spots.append(stand(x, y, smooth(x, y) - 0.3, rng.uniform(0, 6.28), rng.uniform(0.6, 1.25)))
    scatter(firs, spots, rng, 'fir')
    if rng.random() < 0.65:
        fence(rng, timber, smooth, rng.uniform(9, 20), rng.uniform(0, 2 * math.pi))
    straw = material('straw', vary(rng, rgb('#8a7347'), 0.15), roughness=0.8)
    tufts = [tuft(rng, straw) for _ in range(4)]
    spots = []
    for _ in range(rng.randint(0, 60)):
        a, d = rng.uniform(0, 2 * math.pi), rng.uniform(1.6, 14)
        x, y = d * math.cos(a), d * math.sin(a)
        spots.append(stand(x, y, ground(x, y), rng.uniform(0, 6.28), rng.uniform(0.6, 1.5)))
    scatter(tufts, spots, rng, 'tuft')
    saplings = []
    for _ in range(rng.randint(2, 9)):
        a, d = rng.uniform(0, 2 * math.pi), rng.uniform(6, 22)
        x, y = d * math.cos(a), d * math.sin(a)
        saplings.append(stand(x, y, smooth(x, y) - 0.05, rng.uniform(0, 6.28), rng.uniform(0.1, 0.3)))
    scatter(firs, saplings, rng, 'sapling')
    overcast = rng.choice((0.0, 0.0, 0.15, rng.uniform(0.7, 1.0)))
    elevation = rng.uniform(12, 32)
    sky(rng, elevation, rng.uniform(0, 360), clouds=rng.uniform(0.1, 0.9), overcast=overcast, strength=rng.uniform(0.09, 0.13), sun_energy=4.2)
    return Setting(spot=(0, 0, ground(0, 0) - 0.02), elevations=(2, 22), lens_mm=(38, 65), focus_fstop=(1.2, 4), exposure=rng.uniform(-0.2, 0.2) + 0.45 * overcast)
