"""A round teapot: turned body and lid with a knob, curved spout, looped handle; porcelain, enamel, clay or metal."""
import math

import bpy
from mathutils import Vector

import kit

LABEL = 'teapot'
TARGET = 849
YAWS = (-40, 40)
ELEVATIONS = (5, 30)
LYING = 0.0


def glaze(rng):
    """Body material and whether it may carry painted bands."""
    kind = rng.choices(('porcelain', 'enamel', 'clay', 'steel'), weights=(5, 3, 2, 1.5))[0]
    if kind == 'porcelain':
        colour = rng.choice(('#f1efe8', '#f4f1e4', '#e7ecef', '#9db9c9', '#c9d6b5'))
        return kit.material('porcelain', kit.vary(rng, kit.rgb(colour), 0.02), roughness=0.08, Clearcoat=0.6), True
    if kind == 'enamel':
        colour = rng.choice(('#a11d1d', '#1d4f8f', '#2f6b3c', '#d8a21b', '#e9e2cf', '#23272c'))
        return kit.material('enamel', kit.vary(rng, kit.rgb(colour), 0.05), roughness=0.15, Clearcoat=0.8), True
    if kind == 'clay':
        made = kit.material('clay', roughness=0.5)
        base = kit.vary(rng, kit.rgb(rng.choice(('#7a3f27', '#54301f', '#8a4a2f'))), 0.06)
        return kit.noise_colour(made, [(0.3, tuple(c * 0.8 for c in base[:3]) + (1,)), (0.7, base)], scale=30, bump=0.08, bump_distance=0.004, seed=rng.uniform(0, 50)), False
    return kit.material('steel', (0.75, 0.75, 0.77, 1), roughness=rng.uniform(0.1, 0.22), metallic=1.0), False


def body_profile(rng, height, radius, mouth):
    """Half outline from the foot to the mouth; `belly` says at which share of the height it is widest."""
    belly = rng.uniform(0.4, 0.52)
    foot = rng.uniform(0.55, 0.68) * radius
    lower = [(foot, 0), (foot, 0.02), (foot * 0.96, 0.03)]
    controls = [(foot * 0.96, 0, 0.03), (radius * 0.88, 0, height * belly * 0.45), (radius, 0, height * belly), (radius * 0.86, 0, height * (belly + 0.28)), (mouth * 1.1, 0, height * 0.96), (mouth, 0, height)]
    return [(0, 0.008), (foot * 0.8, 0.008), (foot * 0.86, 0)] + lower + [(p.x, p.z) for p in kit.bezier(controls, 12)]


def radius_at(profile, z):
    for (r0, z0), (r1, z1) in zip(profile[6:], profile[7:]):
        if z0 <= z <= z1 and z1 > z0:
            return r0 + (r1 - r0) * (z - z0) / (z1 - z0)
    return profile[-1][0]


def spout(rng, profile, height, material):
    """Leaves the belly low, rises and bends outward at its tip; wide at the root."""
    root, tip = height * rng.uniform(0.28, 0.36), height * rng.uniform(0.92, 1.06)
    start = radius_at(profile, root) - 0.03
    reach = start + rng.uniform(0.24, 0.29)
    controls = [(start, 0, root), (start + 0.1, 0, root + 0.03), (start + 0.16, 0, (root + tip) / 2), (reach - 0.03, 0, tip - 0.03), (reach, 0, tip)]
    points = kit.bezier(controls, 10)
    n = len(points) - 1
    radii = [1 - 0.66 * (k / n) ** 0.7 + (0.06 if k > n - 2 else 0) for k in range(n + 1)]
    pipe = kit.tube(points, 0.088, 'spout', material, radii=radii, resolution=8)
    direction = (points[-1] - points[-2]).normalized()
    hole = kit.cylinder(0.088 * radii[-1] * 0.78, 0.004, points[-1] + direction * 0.001, 'spout hole', kit.material('hole', (0.02, 0.02, 0.02, 1), roughness=0.9))
    hole.rotation_euler = direction.to_track_quat('Z', 'Y').to_euler()
    return [pipe, hole]


def side_handle(rng, profile, height, material):
    """An ear-shaped loop opposite to the spout."""
    high, low = height * rng.uniform(0.78, 0.86), height * rng.uniform(0.22, 0.3)
    out = radius_at(profile, height * 0.45) + rng.uniform(0.17, 0.22)
    a, b = radius_at(profile, high) - 0.015, radius_at(profile, low) - 0.015
    middle = (high + low) / 2
    controls = [(-a, 0, high), (-a - 0.08, 0, high + 0.035), (-out + 0.03, 0, high - 0.01), (-out, 0, middle + 0.05), (-out + 0.035, 0, middle - 0.06), (-b - 0.08, 0, low + 0.01), (-b, 0, low)]
    points = kit.bezier(controls, 12)
    n = len(points) - 1
    return kit.tube(points, 0.028, 'handle', material, radii=[1.15 - 0.3 * math.sin(math.pi * k / n) for k in range(n + 1)], resolution=6)


def bands(rng, profile, height, _skin):
    """Thin painted or gilded rings just proud of the body."""
    paint = rng.choice((kit.material('gilt', kit.rgb('#c99a3d'), roughness=0.25, metallic=1.0), kit.material('blue', kit.rgb('#1f3f8a'), roughness=0.15), kit.material('line', kit.rgb('#7a1f1f'), roughness=0.15)))
    made = []
    for z, width in rng.choice((((0.88, 0.012),), ((0.86, 0.01), (0.8, 0.006)), ((0.88, 0.012), (0.08, 0.012)))):
        low = height * z
        made.append(kit.lathe([(radius_at(profile, low + width * k / 3) + 0.0015, low + width * k / 3) for k in range(4)], 'band', paint, steps=96))
    return made


def dots(rng, profile, height, skin):
    """Painted spots scattered over the belly, as on enamelled pots: light on dark, dark on light."""
    dark = sum(kit.shader_of(skin).inputs['Base Color'].default_value[:3]) < 1
    paint = kit.material('spot', kit.rgb('#f4f1e8' if dark else rng.choice(('#b3261e', '#22407d'))), roughness=0.15)
    made = []
    for row, z in enumerate((0.3, 0.48, 0.66)):
        for k in range(12):
            t = 2 * math.pi * (k + 0.5 * (row % 2)) / 12
            r, up = radius_at(profile, height * z), radius_at(profile, height * z + 0.01)
            normal = Vector((math.cos(t), math.sin(t), (r - up) / 0.01)).normalized()
            spot = kit.sphere(0.03, Vector((r * math.cos(t), r * math.sin(t), height * z)), 'spot', paint, scale=(1, 1, 0.1), subdivisions=3)
            spot.rotation_euler = normal.to_track_quat('Z', 'Y').to_euler()
            made.append(spot)
    return made


def build(rng):
    skin, painted = glaze(rng)
    radius, height = rng.uniform(0.29, 0.33), rng.uniform(0.4, 0.5)
    mouth = radius * rng.uniform(0.42, 0.52)
    profile = body_profile(rng, height, radius, mouth)
    items = [kit.lathe(profile, 'body', skin, steps=96)]
    items += spout(rng, profile, height, skin)
    items.append(side_handle(rng, profile, height, skin))
    dome = rng.uniform(0.05, 0.09)
    lid = [(mouth * 1.12, height - 0.006), (mouth * 1.14, height + 0.006)] + [(mouth * 1.1 * math.cos(t), height + 0.01 + dome * math.sin(t)) for t in (math.pi / 2 * k / 10 for k in range(10))]
    items.append(kit.lathe(lid + [(0, height + 0.01 + dome)], 'lid', skin, steps=96))
    knob = kit.material('knob', kit.rgb('#1b1512'), roughness=0.35) if not painted and rng.random() < 0.5 else skin
    top, size = height + dome, rng.uniform(0.038, 0.05)
    items.append(kit.lathe([(size * 0.5, top), (size * 0.42, top + 0.015)] + [(size * math.sin(t), top + 0.015 + size * (1 - math.cos(t)) * 0.9) for t in (math.pi * k / 12 for k in range(2, 12))] + [(0, top + 0.015 + size * 1.8)], 'knob', knob, auto_smooth_degrees=60))
    if painted:
        items += rng.choice((lambda *_: [], bands, bands, dots))(rng, profile, height, skin)
    if rng.random() < 0.5:
        kit.place(items, rotation=(0, 0, math.pi))
    bpy.context.view_layer.update()
    low, high = kit.bounds(items)
    kit.place(items, location=(-(low.x + high.x) / 2, 0, -low.z))
    return items
