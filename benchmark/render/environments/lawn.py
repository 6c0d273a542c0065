"""A lawn of real blades near the spot, thinning into textured ground, with trees, a hedge or a fence behind."""
import math

import bmesh
from mathutils import Vector, noise

import kit
import plants
import skies
from setting import Setting

NAME = 'lawn'


def build(rng):
    _look, azimuth, _elevation = skies.outdoors(rng, below=kit.rgb('#4c6136'))
    greens = rng.choice((
        ('#3f5c22', '#5a7f30', '#759b40', '#a3b562'),
        ('#3f6430', '#548340', '#74a34e', '#a9c06a'),
        ('#5f6e30', '#80893f', '#a0a352', '#c2b877'),
    ))
    shift = Vector((rng.uniform(0, 99), rng.uniform(0, 99), 0))
    ground(rng, greens, shift)
    grass(rng, greens, shift)
    if rng.random() < 0.5:
        flowers(rng, shift)
    behind(rng, shift)
    return Setting(spot=(0, 0, height(0, 0, shift)), azimuths=skies.lit(azimuth), elevations=(6, 32), lens_mm=(45, 75), focus_fstop=(2.5, 6))


def height(x, y, shift):
    """A lawn is never quite flat."""
    p = Vector((x, y, 0)) + shift
    return 0.05 * noise.noise(p * 0.35) + 0.5 * noise.noise(p * 0.03) * min(1, math.hypot(x, y) / 12)


def ground(rng, greens, shift):
    bm = bmesh.new()
    bmesh.ops.create_grid(bm, x_segments=120, y_segments=120, size=1)
    for vertex in bm.verts:
        # Fine near the spot, coarse far away.
        x, y = (math.copysign(abs(c) * 4 + 76 * abs(c) ** 3, c) for c in vertex.co.xy)
        vertex.co = (x, y, height(x, y, shift))
    made = kit.material('soil', roughness=0.95)
    dark, mid, light, dry = (kit.rgb(c) for c in greens)
    soil = kit.rgb('#3a3320')
    kit.noise_colour(made, [(0.3, soil), (0.45, dark), (0.6, mid), (0.75, light)], scale=14, detail=10, bump=0.6, bump_distance=0.05, seed=rng.uniform(0, 50))
    kit.from_bmesh(bm, 'ground', made, auto_smooth_degrees=180)


def grass(rng, greens, shift):
    tall = rng.uniform(0.08, 0.2)
    made = plants.leafy('blades', rng, greens)
    lean = rng.uniform(0.5, 1.0)
    near = [plants.grass_patch(rng, 1.1, 1500, tall, 0.012, lean, made) for _ in range(3)]
    middle = [plants.grass_patch(rng, 2.2, 1700, tall, 0.022, lean, made) for _ in range(2)]
    far = [plants.grass_patch(rng, 6.6, 1800, tall * 1.1, 0.07, lean, made) for _ in range(2)]
    lay(rng, near, 1.0, 0, 5.5, shift)
    lay(rng, middle, 2.0, 5.5, 14, shift)
    lay(rng, far, 6.0, 14, 60, shift)


def lay(rng, patches, size, start, end, shift):
    steps = int(end / size) + 1
    for i in range(-steps, steps + 1):
        for j in range(-steps, steps + 1):
            x, y = i * size, j * size
            if start - size * 0.5 <= max(abs(x), abs(y)) < end + size * 0.4:
                slope = [(height(x + dx, y + dy, shift) - height(x - dx, y - dy, shift)) / size for dx, dy in ((size / 2, 0), (0, size / 2))]
                plants.put(rng.choice(patches), (x, y, height(x, y, shift)), rng.choice((0, 1, 2, 3)) * math.pi / 2, (1, 1, rng.uniform(0.85, 1.15)), (math.atan(slope[1]), -math.atan(slope[0])))


def flowers(rng, shift):
    """Daisies or dandelions."""
    white = rng.random() < 0.6
    petals = kit.material('petals', kit.rgb('#f4f2ea' if white else '#f2c417'), 0.6)
    heart = kit.material('heart', kit.rgb('#e7b51c'), 0.7)
    bm = bmesh.new()
    for k in range(14):
        a = 2 * math.pi * k / 14
        u, v = Vector((math.cos(a), math.sin(a), 0.15)), Vector((-math.sin(a), math.cos(a), 0))
        bm.faces.new([bm.verts.new(u * r + v * w) for r, w in ((0.01, -0.004), (0.045, -0.009), (0.052, 0), (0.045, 0.009), (0.01, 0.004))])
    flower = plants.mesh_of(bm, 'soft-petals', petals)
    bm = bmesh.new()
    bmesh.ops.create_uvsphere(bm, u_segments=10, v_segments=6, radius=0.018)
    middle = plants.mesh_of(bm, 'soft-heart', heart)
    for _ in range(rng.randint(15, 60)):
        a, r = rng.uniform(0, 2 * math.pi), rng.uniform(0.9, 7)
        x, y = r * math.cos(a), r * math.sin(a)
        at = (x, y, height(x, y, shift) + rng.uniform(0.1, 0.18))
        tilt = (rng.uniform(-0.4, 0.4), rng.uniform(-0.4, 0.4))
        plants.put(flower, at, rng.uniform(0, 6), rng.uniform(0.8, 1.3), tilt)
        plants.put(middle, at, 0, (1, 1, 0.6), tilt)


def behind(rng, shift):
    """What closes the view, all round, since the camera may look anywhere."""
    bark = kit.material('bark', kit.vary(rng, kit.rgb('#4b3d2f'), 0.1), 0.9)
    leaves = plants.leafy('leaves', rng, rng.choice((('#26401a', '#3d6127', '#567a35'), ('#2c4a2a', '#47703a', '#7c9148'), ('#3c4f1e', '#66782f', '#96963f'))), through=0.25)
    clusters = [plants.leaf_cluster(rng, 1.0, 420, 0.13, leaves) for _ in range(3)]
    turn = 0.0
    while turn < 2 * math.pi:
        r = rng.uniform(16, 46)
        x, y = r * math.cos(turn), r * math.sin(turn)
        plants.tree(rng, (x, y, height(x, y, shift)), rng.uniform(7, 15), clusters, bark)
        turn += rng.uniform(0.15, 0.5)
    edge = rng.choice(('hedge', 'fence', 'hedge', 'open'))
    r = rng.uniform(13, 22)
    if edge == 'hedge':
        tall = rng.uniform(1.2, 2.4)
        count = int(2 * math.pi * r / (tall * 0.7))
        for k in range(count):
            a = 2 * math.pi * k / count
            x, y = r * math.cos(a), r * math.sin(a)
            plants.put(rng.choice(clusters), (x, y, height(x, y, shift) + tall * 0.45), rng.uniform(0, 6), tall * rng.uniform(0.6, 0.75))
            plants.put(rng.choice(clusters), (x, y, height(x, y, shift) + tall * 1.0), rng.uniform(0, 6), tall * rng.uniform(0.45, 0.6))
    elif edge == 'fence':
        wood = kit.wood('fence', rng, *rng.choice((('#a98d68', '#6d5439'), ('#d8d5cc', '#b8b4a8'), ('#7d6a55', '#4c3d2f'))))
        tall = rng.uniform(1.3, 2.2)
        plank = kit.box((0.5, 0.06, tall), (0, 0, -50), 'plank', wood, bevel=0.02)
        count = int(2 * math.pi * r / 0.58)
        for k in range(count):
            a = 2 * math.pi * k / count
            x, y = r * math.cos(a), r * math.sin(a)
            plants.put(plank.data, (x, y, height(x, y, shift) + tall / 2 + rng.uniform(-0.03, 0.03)), a + math.pi / 2)
