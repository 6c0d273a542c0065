"""A ceramic mug with a handle and coffee in it: straight, flared or rounded wall; plain, banded, two-toned or speckled."""
import math

import bmesh
import bpy
from kit import bezier, bounds, from_bmesh, lathe, link, material, noise_colour, place, rgb, shader_of, to_mesh, vary
from mathutils import Vector

LABEL = 'coffee mug'
TARGET = 504
YAWS = (-35, 35)
ELEVATIONS = (14, 40)
GLAZES = ('#f2f0ea', '#f2f0ea', '#f2f0ea', '#e9e2d0', '#b01f24', '#1f4e8c', '#2f6b4f', '#d98e1f', '#20242a', '#6a8fa8', '#8a3b5a', '#3e3a36')
WORDS = ('COFFEE', 'HOME', 'BOSS', 'Good\nMorning', 'I ♥\nTEA', 'No. 1\nDAD', 'Coffee\nfirst', 'HELLO', 'CAFE', 'MONDAY')
DECORS = ('#b01f24', '#1f4e8c', '#2f6b4f', '#d98e1f', '#20242a', '#2b7a86', '#6d3b1f')


def wall(kind, height, radius):
    """Outer profile from the foot up to the rim."""
    if kind == 'straight':
        return [(radius * 0.93, 0), (radius * 0.97, 0.012), (radius, 0.04), (radius, height)]
    if kind == 'flared':
        return [(radius * 0.76, 0), (radius * 0.79, 0.012), (radius * 0.82, 0.05), (radius * 0.9, height * 0.5), (radius * 1.04, height)]
    if kind == 'round':
        return [(radius * 0.66, 0), (radius * 0.72, 0.012), (radius * 0.9, height * 0.14), (radius * 1.03, height * 0.38), (radius * 1.04, height * 0.55), (radius * 0.98, height * 0.85), (radius * 0.99, height)]
    return [(radius * 0.8, 0), (radius * 0.84, 0.012), (radius * 0.97, height * 0.12), (radius, height * 0.25), (radius, height)]


def radius_at(profile, z):
    for (r0, z0), (r1, z1) in zip(profile, profile[1:]):
        if z0 <= z <= z1 and z1 > z0:
            return r0 + (r1 - r0) * (z - z0) / (z1 - z0)
    return profile[-1][0]


def band_paint(made, rng, low, high, base, paint):
    """Colours the mug by height: a band or a dipped lower part, with a hard edge."""
    tree = made.node_tree
    new, wire = tree.nodes.new, tree.links.new
    where, split, ramp = new('ShaderNodeTexCoord'), new('ShaderNodeSeparateXYZ'), new('ShaderNodeValToRGB')
    ramp.color_ramp.interpolation = 'CONSTANT'
    stops = ramp.color_ramp.elements
    stops[0].position, stops[0].color = 0, base if low > 0 else paint
    stops[1].position, stops[1].color = max(low, 0.0001), paint
    third = stops.new(high)
    third.color = base
    wire(where.outputs['Object'], split.inputs[0])
    wire(split.outputs['Z'], ramp.inputs['Fac'])
    wire(ramp.outputs['Color'], shader_of(made).inputs['Base Color'])


def handle(rng, profile, height, made):
    """A flat-oval strap swept along a C or D shaped line on the +x side."""
    top, low = height * rng.uniform(0.8, 0.88), height * rng.uniform(0.16, 0.26)
    reach = rng.uniform(0.24, 0.31)
    r1, r0 = radius_at(profile, top) - 0.02, radius_at(profile, low) - 0.02
    out = max(r0, r1) + reach
    square = rng.uniform(0.25, 0.6)
    controls = [(r1, 0, top), (r1 + reach * 0.5, 0, top + 0.02), (out, 0, top - (top - low) * (0.12 + 0.16 * square)), (out, 0, (top + low) / 2 - 0.03), (out - reach * 0.25, 0, low + (top - low) * 0.16), (r0, 0, low)]
    points = bezier(controls, 10)
    thick, broad = rng.uniform(0.03, 0.04), rng.uniform(0.05, 0.065)
    bm = bmesh.new()
    rings = []
    for i, p in enumerate(points):
        tangent = (points[min(i + 1, len(points) - 1)] - points[max(i - 1, 0)]).normalized()
        normal = Vector((-tangent.z, 0, tangent.x))
        t = i / (len(points) - 1)
        swell = 1 + 0.35 * abs(2 * t - 1) ** 6
        rings.append([bm.verts.new(p + normal * thick * swell * math.cos(a) + Vector((0, broad * swell * math.sin(a), 0))) for a in (2 * math.pi * k / 20 for k in range(20))])
    for a, b in zip(rings, rings[1:]):
        for k in range(20):
            bm.faces.new((a[k], a[(k + 1) % 20], b[(k + 1) % 20], b[k]))
    return from_bmesh(bm, 'handle', made, auto_smooth_degrees=180)


def lettering(rng, profile, height, ink, side):
    """A word in one or two lines printed on the front (side -1) or the back, laid around the wall."""
    curve = bpy.data.curves.new('print', 'FONT')
    curve.body = rng.choice(WORDS)
    curve.align_x = 'CENTER'
    curve.size = 1.0
    curve.offset = 0.015
    item = to_mesh(link(curve, 'print'), ink)
    bm = bmesh.new()
    bm.from_mesh(item.data)
    bmesh.ops.triangulate(bm, faces=bm.faces)
    bmesh.ops.subdivide_edges(bm, edges=bm.edges, cuts=2)
    bm.to_mesh(item.data)
    bm.free()
    xs, ys = [v.co.x for v in item.data.vertices], [v.co.y for v in item.data.vertices]
    scale = min(radius_at(profile, height / 2) * 1.5 / (max(xs) - min(xs)), height * 0.42 / (max(ys) - min(ys)))
    middle = height * rng.uniform(0.47, 0.55)
    for v in item.data.vertices:
        z = middle + (v.co.y - (max(ys) + min(ys)) / 2) * scale
        r = radius_at(profile, z) + 0.0025
        a = v.co.x * scale / r
        v.co = (-side * r * math.sin(a), side * r * math.cos(a), z)
    return item


def build(rng):
    height = rng.uniform(0.76, 0.88)
    radius = height * rng.uniform(0.43, 0.5)
    profile = wall(rng.choice(('straight', 'straight', 'flared', 'round', 'footed')), height, radius)
    thick = rng.uniform(0.032, 0.045)
    base = vary(rng, rgb(rng.choice(GLAZES)), 0.05)
    gloss = rng.uniform(0.04, 0.16)
    glaze = material('glaze', base, roughness=gloss, Specular=0.6, Clearcoat=0.6)
    decor = rng.choice(('plain', 'band', 'dipped', 'print', 'print', 'print'))
    paint = vary(rng, rgb(rng.choice(DECORS)), 0.08)
    if decor == 'band':
        low = height * rng.uniform(0.25, 0.6)
        band_paint(glaze, rng, low, low + height * rng.uniform(0.06, 0.25), base, paint)
    elif decor == 'dipped':
        band_paint(glaze, rng, 0, height * rng.uniform(0.3, 0.55), base, paint)
    plain = material('plain glaze', base, roughness=gloss)
    inside_paint = rng.choice((plain, material('white glaze', rgb('#f0eee8'), roughness=gloss)))
    rim = profile[-1][0]
    shell = profile + [(rim - thick * 0.1, height + thick * 0.35), (rim - thick * 0.5, height + thick * 0.5), (rim - thick * 0.9, height + thick * 0.35), (rim - thick, height)]
    items = [lathe([(0, 0.01), (profile[0][0] * 0.9, 0.01)] + shell, 'mug', glaze, 96, auto_smooth_degrees=50)]
    inner = [(r - thick, z) for r, z in reversed(profile) if z > 0.1]
    items.append(lathe([(rim - thick, height)] + inner[1:] + [(profile[0][0] - thick, 0.1), (0, 0.08)], 'inside', inside_paint, 96, auto_smooth_degrees=60))
    items.append(handle(rng, profile, height, plain if decor in ('plain', 'print') else glaze))
    if decor == 'print':
        ink = material('ink', paint if sum(base[:3]) > 1.2 else rgb('#f0eee8'), roughness=gloss)
        items += [lettering(rng, profile, height, ink, side) for side in (-1, 1)]
    if rng.random() < 0.9:
        level = height * rng.uniform(0.78, 0.92)
        r = radius_at(profile, level) - thick
        coffee = material('coffee', vary(rng, rgb(rng.choice(('#1c0d05', '#2a1408', '#7a5232', '#96704a'))), 0.1), roughness=0.06)
        if rng.random() < 0.4:
            noise_colour(coffee, [(0.35, rgb('#5a3418')), (0.6, rgb('#b98d5e'))], scale=6, detail=4, distortion=1.5, seed=rng.uniform(0, 50))
        items.append(lathe([(0, level), (r - 0.02, level), (r + 0.004, level + 0.012)], 'coffee', coffee, 64))
    place(items, (0, 0, 0), (0, 0, rng.choice((0.0, math.pi)) + rng.uniform(-0.15, 0.15)))
    low, high = bounds(items)
    place(items, (-(low.x + high.x) / 2, -(low.y + high.y) / 2, -low.z))
    return items
