"""Forest floor: moss and leaf litter, twigs, roots, ferns, trunks with bark on all sides, light through a canopy."""
import math

import bmesh
import bpy
from kit import bezier, from_bmesh, link, material, noise_colour, rgb, shader_of, tube, vary
from mathutils import Vector, noise
from outdoors import hills, leafy_tree, mesh_of, scatter, sky, stand, terrain
from setting import Setting

NAME = 'forest'
LITTER = (('#7a4a22', '#a5672e', '#5b3a1e', '#8f6b3a'), ('#6b4a2c', '#4d3520', '#8a6a48', '#5d4428'), ('#a8742c', '#b98b3c', '#7a5a2a', '#914a22'))


def soil(rng, moss):
    made = material('soil', roughness=0.95, Specular=0.15)
    green = vary(rng, rgb('#4c5a1e'), 0.15) if moss else vary(rng, rgb('#5a4428'), 0.1)
    return noise_colour(made, [(0.36, rgb('#2a1c10')), (0.5, vary(rng, rgb('#4a3520'), 0.1)), (0.6, green)], scale=rng.uniform(0.7, 1.6), detail=7, bump=1.0, bump_distance=0.12, seed=rng.uniform(0, 90))


def leaf(rng, made):
    """One fallen leaf of two halves, folded and curled, about 0.2 long."""
    length, width, fold, curl = rng.uniform(0.14, 0.24), rng.uniform(0.05, 0.085), rng.uniform(0.1, 0.5), rng.uniform(-0.5, 1.2)
    vertices, faces = [], []
    for k in range(6):
        t = k / 5
        w = width * math.sin(math.pi * min(1, t * 0.92 + 0.06)) ** 0.8
        z = curl * 0.12 * (t - 0.4) ** 2 * 2
        x = length * (t - 0.5)
        vertices += [(x, -w, z + fold * w), (x, 0, z), (x, w, z + fold * w)]
    for k in range(5):
        o = 3 * k
        faces += [(o, o + 3, o + 4, o + 1), (o + 1, o + 4, o + 5, o + 2)]
    return mesh_of(vertices, faces, [made], smooth=True, name='leaf')


def bark_material(rng):
    made = material('bark', roughness=0.95, Specular=0.15)
    tones = rng.choice((('#2c2118', '#6b5642'), ('#3a3430', '#857b70'), ('#33231a', '#7a5137')))
    noise_colour(made, [(0.35, rgb(tones[0])), (0.65, vary(rng, rgb(tones[1]), 0.12))], scale=2.2, detail=6, distortion=0.6, stretch=(3.2, 3.2, 0.45), bump=1.0, bump_distance=0.35, seed=rng.uniform(0, 90))
    return made


def trunk(rng, made, radius, height=26.0):
    """A trunk with a flared foot and root ridges."""
    bm = bmesh.new()
    seed = Vector((rng.uniform(0, 99), rng.uniform(0, 99), 0))
    lobes = rng.randint(4, 6)
    phase = rng.uniform(0, 6.28)
    loops = []
    levels = [-0.8, -0.2, 0.1, 0.4, 0.8, 1.3, 2.0, 3.0, 4.5, 7, 11, 17, height]
    bend = Vector((rng.uniform(-0.6, 0.6), rng.uniform(-0.6, 0.6), 0))
    for z in levels:
        up = max(0, z)
        flare = 0.9 * math.exp(-max(z, -0.3) * 1.5 / (radius + 0.5))
        ring = []
        for k in range(40):
            t = 2 * math.pi * k / 40
            ridge = 0.5 + 0.5 * math.cos(lobes * t + phase)
            r = radius * (1 - 0.5 * up / height) * (1 + flare * (0.25 + 0.9 * ridge**2) + 0.14 * noise.noise(seed + Vector((math.cos(t) * 1.6, math.sin(t) * 1.6, z * 0.5))))
            ring.append(bm.verts.new((r * math.cos(t) + bend.x * (up / height) ** 2, r * math.sin(t) + bend.y * (up / height) ** 2, z)))
        loops.append(ring)
    for a, b in zip(loops, loops[1:]):
        for k in range(40):
            bm.faces.new((a[k], a[(k + 1) % 40], b[(k + 1) % 40], b[k]))
    item = from_bmesh(bm, 'trunk', made, auto_smooth_degrees=90)
    mesh = item.data
    bpy.data.objects.remove(item)
    return mesh


def fern(rng, made):
    """A tuft of arching fronds with leaflets on both sides."""
    vertices, faces = [], []
    for f in range(rng.randint(6, 9)):
        a = 6.28 * f / 8 + rng.uniform(-0.3, 0.3)
        length, c, s = rng.uniform(0.9, 1.5), math.cos(a), math.sin(a)
        for k in range(1, 15):
            t = k / 15
            d, z = length * t * 0.85, length * (0.85 * t - 0.75 * t * t)
            w = 0.26 * length * math.sin(math.pi * (0.12 + 0.88 * t)) ** 0.9
            for side in (-1, 1):
                o = len(vertices)
                vertices += [(d * c, d * s, z), ((d + 0.03) * c - side * w * 0.5 * s, (d + 0.03) * s + side * w * 0.5 * c, z + 0.02), ((d + 0.1) * c - side * w * s, (d + 0.1) * s + side * w * c, z - 0.06), ((d + 0.055) * c, (d + 0.055) * s, z + 0.005)]
                faces.append((o, o + 1, o + 2, o + 3))
    return mesh_of(vertices, faces, [made], name='fern')


def canopy(rng, cover):
    """Leaf-sized plates high above, seen by the sun alone: they cast the dappled light."""
    vertices, faces = [], []
    for _ in range(int(2600 * cover)):
        x, y, z, r = rng.uniform(-34, 34), rng.uniform(-34, 34), rng.uniform(16, 26), rng.uniform(0.35, 1.3)
        o, turn = len(vertices), rng.uniform(0, 6.28)
        vertices += [(x + r * math.cos(turn + k * 1.2566) * rng.uniform(0.6, 1), y + r * math.sin(turn + k * 1.2566), z) for k in range(5)]
        faces.append(tuple(range(o, o + 5)))
    item = link(mesh_of(vertices, faces, [material('canopy', rgb('#3f5a1c'), 0.8)], name='canopy'), 'canopy')
    item.visible_camera = item.visible_diffuse = item.visible_glossy = False
    return item


def ring_spots(rng, count, near, far, ground, scale, sink=0.0, lean=0.0):
    """Random places between two distances, more of them near."""
    spots = []
    for _ in range(count):
        a, d = rng.uniform(0, 2 * math.pi), near + (far - near) * rng.random() ** 1.4
        x, y = d * math.cos(a), d * math.sin(a)
        spots.append(stand(x, y, ground(x, y) - sink, rng.uniform(0, 6.28), rng.uniform(*scale), (rng.gauss(0, lean), rng.gauss(0, lean))))
    return spots


def build(rng):
    bumps, swells = hills(rng, rng.uniform(1.5, 3), 0.12, 3), hills(rng, 18, 1.1, 2)
    flat = bumps(0, 0) * 0.3 + swells(0, 0)

    def ground(x, y):
        return bumps(x, y) * min(1, 0.3 + math.hypot(x, y) / 3) + swells(x, y) - flat

    mossy = rng.random() < 0.5
    terrain(ground, soil(rng, mossy), near=8, far=120, cells=150)
    litter = [leaf(rng, material('leaf', vary(rng, rgb(colour), 0.12), roughness=0.7)) for colour in rng.choice(LITTER) for _ in range(3)]
    scatter(litter, ring_spots(rng, rng.randint(500, 1400), 0.0, 9, ground, (0.55, 1.1), -0.02, 0.3), rng, 'soft leaf')
    barks = [bark_material(rng) for _ in range(2)]
    trunks = [trunk(rng, rng.choice(barks), rng.uniform(0.5, 1.1)) for _ in range(5)]
    scatter(trunks, ring_spots(rng, rng.randint(6, 10), 5, 16, ground, (0.7, 1.2), 0.1, 0.03) + ring_spots(rng, rng.randint(110, 160), 12, 60, ground, (0.6, 1.2), 0.2, 0.04), rng, 'trunk')
    twig_paint = material('twig', vary(rng, rgb('#4b3a2a'), 0.2), roughness=0.9)
    for _ in range(rng.randint(8, 20)):
        a, d, turn, length = rng.uniform(0, 6.28), rng.uniform(0.7, 6), rng.uniform(0, 6.28), rng.uniform(0.4, 1.8)
        line = []
        for k in range(5):
            s = (k / 4 - 0.5) * length
            x, y = d * math.cos(a) + s * math.cos(turn) + rng.uniform(-0.04, 0.04), d * math.sin(a) + s * math.sin(turn) + rng.uniform(-0.04, 0.04)
            line.append((x, y, ground(x, y) + 0.03))
        tube(bezier(line, 4), rng.uniform(0.012, 0.035), 'twig', twig_paint, resolution=1)
    green = material('fern', vary(rng, rgb(rng.choice(('#3f6a22', '#5a7a2c', '#6f7a34'))), 0.12), roughness=0.6)
    ferns = [fern(rng, green) for _ in range(3)]
    scatter(ferns, ring_spots(rng, rng.randint(4, 36), 2.6, 20, ground, (0.7, 1.5), 0.02, 0.1), rng, 'soft fern')
    leaves = material('foliage', vary(rng, rgb(rng.choice(('#55752a', '#6a8a35', '#7f8a34', '#4a6628'))), 0.12), roughness=0.6)
    shader_of(leaves).inputs['Emission'].default_value = rgb('#7f9a3c')
    shader_of(leaves).inputs['Emission Strength'].default_value = rng.uniform(0.02, 0.12)
    bushes = [leafy_tree(rng, leaves, barks[0], rng.uniform(6, 14), 1100) for _ in range(3)]
    scatter(bushes, ring_spots(rng, rng.randint(50, 90), 18, 70, ground, (0.6, 1.6), 0.3, 0.05), rng, 'bush')
    canopy(rng, rng.uniform(0.35, 0.8))
    sky(rng, rng.uniform(38, 62), rng.uniform(0, 360), clouds=rng.uniform(0.3, 0.9), overcast=rng.choice((0, 0, 0.2, 0.8)), strength=rng.uniform(0.13, 0.2), sun_energy=6)
    return Setting(spot=(0, 0, ground(0, 0)), elevations=(2, 15), lens_mm=(38, 65), focus_fstop=(1.2, 3), exposure=rng.uniform(0.1, 0.5))
