"""A car wheel: tyre with tread blocks and side wall, alloy or steel rim with spokes, hub, lug nuts and a brake disc. Stands upright, face to the camera."""
import math

import bmesh
from kit import box, bounds, cylinder, from_bmesh, lathe, link, material, noise_colour, place, rgb, vary
from outdoors import mesh_of

LABEL = 'car wheel'
TARGET = 479
YAWS = (-48, 48)
ELEVATIONS = (2, 22)


def tyre(rng, rim, half):
    """Side wall with a bulge and raised rings, then tread: blocks cut by grooves around and across."""
    rubber = material('rubber', vary(rng, (0.018, 0.018, 0.019, 1), 0.2), roughness=rng.uniform(0.55, 0.75), Specular=0.35)
    noise_colour(rubber, [(0.3, (0.012, 0.012, 0.012, 1)), (0.75, vary(rng, (0.035, 0.033, 0.031, 1), 0.3))], scale=7, detail=8, seed=rng.uniform(0, 50))
    depth = 0.468 - rim
    wall = [(rim - 0.005, half * 0.78)] + [(rim + depth * share, half * bulge) for share, bulge in ((0.1, 0.86), (0.16, 0.9), (0.3, 0.96), (0.34, 0.965), (0.48, 1.0), (0.5, 1.012), (0.56, 1.012), (0.58, 1.0), (0.78, 0.975), (0.9, 0.93), (1.0, 0.88))]
    floor = 0.478
    profile = wall + [(floor, half * 0.82)] + [(floor, -half * 0.82)] + [(r, -z) for r, z in reversed(wall)]
    items = [lathe(profile, 'tyre', rubber, 96, auto_smooth_degrees=30)]
    blocks, ribs = rng.choice((48, 56, 64)), rng.choice((4, 5))
    slant = rng.choice((-1, 1)) * rng.uniform(0.15, 0.5) / blocks * 2 * math.pi
    arrow = rng.random() < 0.5
    vertices, faces = [], []
    lanes = [(-0.86 + 1.72 * k / ribs + 0.03, -0.86 + 1.72 * (k + 1) / ribs - 0.03) for k in range(ribs)]
    for lane, (z0, z1) in enumerate(lanes):
        outer = lane in (0, ribs - 1)
        for b in range(blocks):
            a0 = 2 * math.pi * (b + (0.5 if lane % 2 else 0.0)) / blocks
            a1 = a0 + 2 * math.pi / blocks * (0.76 if outer else 0.84)
            o = len(vertices)
            for r in (floor - 0.006, 0.5):
                for z, s in ((z0, 0), (z1, 1)):
                    skew = slant * (1 - s if arrow and lane >= ribs / 2 else s) * (2 if outer else 1)
                    edge = 0.012 if r == 0.5 and outer and abs(z) > 0.7 else 0.0
                    for a in (a0, a1):
                        vertices.append(((r - edge) * math.cos(a + skew), (r - edge) * math.sin(a + skew), z * half))
            faces += [(o, o + 1, o + 3, o + 2), (o + 4, o + 6, o + 7, o + 5), (o, o + 4, o + 5, o + 1), (o + 2, o + 3, o + 7, o + 6), (o, o + 2, o + 6, o + 4), (o + 1, o + 5, o + 7, o + 3)]
    items.append(link(mesh_of(vertices, faces, [rubber], name='tread'), 'tread'))
    return items, rubber


def prism(outline, z0, z1, made, bevel=0.006):
    """A flat shape (points in x-y) with thickness and soft edges; z0 and z1 may be functions of the radius."""
    n = len(outline)
    at = lambda z, p: z(math.hypot(*p)) if callable(z) else z
    vertices = [(x, y, at(z0, (x, y))) for x, y in outline] + [(x, y, at(z1, (x, y))) for x, y in outline]
    faces = [tuple(range(n - 1, -1, -1)), tuple(range(n, 2 * n))] + [(k, (k + 1) % n, (k + 1) % n + n, k + n) for k in range(n)]
    bm = bmesh.new()
    made_vertices = [bm.verts.new(v) for v in vertices]
    for face in faces:
        bm.faces.new([made_vertices[i] for i in face])
    bmesh.ops.bevel(bm, geom=list(bm.edges), offset=bevel, segments=2, affect='EDGES', profile=0.6)
    return from_bmesh(bm, 'prism', made, auto_smooth_degrees=45)


def spokes(rng, rim, face, made):
    """Spokes of one of four kinds: wide, double, thin pairs (Y) or many."""
    kind = rng.choice(('wide', 'wide', 'double', 'split', 'many'))
    count = {'wide': rng.choice((5, 5, 6)), 'double': rng.choice((5, 6)), 'split': rng.choice((5, 7)), 'many': rng.choice((9, 10))}[kind]
    front = lambda r: face - 0.05 + 0.05 * (r / rim) ** 1.5
    back = lambda r: front(r) - 0.032
    items = []
    def bar(angle, w0, w1, twist=0.0, r0=0.06, r1=None):
        r1 = r1 or rim - 0.008
        points = []
        for r, w, t in ((r0, w0, 0), ((r0 + r1) / 2, (w0 * 0.45 + w1 * 0.5), twist * 0.4), (r1, w1, twist)):
            points.append((r, w, angle + t))
        left = [(r * math.cos(a) - w * math.sin(a), r * math.sin(a) + w * math.cos(a)) for r, w, a in points]
        right = [(r * math.cos(a) + w * math.sin(a), r * math.sin(a) - w * math.cos(a)) for r, w, a in points]
        items.append(prism(right + left[::-1], back, front, made))
    twist = rng.choice((0.0, 0.0, rng.uniform(-0.2, 0.2)))
    for k in range(count):
        a = 2 * math.pi * k / count + math.pi / 2
        if kind == 'wide':
            bar(a, 0.05, rim * math.pi / count * 0.34, twist)
        elif kind == 'double':
            for s in (-1, 1):
                bar(a + s * 0.16, 0.024, 0.02, s * 0.04 + twist)
        elif kind == 'split':
            bar(a, 0.028, 0.022, -0.24, r0=0.06)
            bar(a, 0.028, 0.022, 0.24, r0=0.06)
        else:
            bar(a, 0.02, 0.021, twist)
    return items, count


def build(rng):
    rim, half = rng.uniform(0.355, 0.4), rng.uniform(0.14, 0.18)
    items, rubber = tyre(rng, rim, half)
    finish = rng.random()
    if finish < 0.75:
        metal = material('alloy', vary(rng, rgb('#cfd1d4'), 0.06), roughness=rng.uniform(0.25, 0.42), metallic=rng.uniform(0.6, 0.9), Clearcoat=0.4)
    elif finish < 0.9:
        metal = material('black alloy', vary(rng, (0.03, 0.03, 0.032, 1), 0.2), roughness=0.22, metallic=0.3, Clearcoat=0.8)
    else:
        metal = material('painted', vary(rng, rgb('#d9dadb'), 0.05), roughness=0.3, Clearcoat=0.6)
    lip = material('lip', vary(rng, rgb('#c6c8cb'), 0.06), roughness=0.2, metallic=1.0) if finish < 0.9 else metal
    face = half * 0.8
    barrel = [(rim + 0.004, face + 0.012), (rim + 0.008, face + 0.022), (rim - 0.004, face + 0.024), (rim - 0.012, face + 0.012), (rim - 0.016, face - 0.02), (rim - 0.03, face - 0.07), (rim - 0.036, -half * 0.6), (rim - 0.01, -half * 0.95)]
    items.append(lathe(barrel, 'barrel', lip, 96, auto_smooth_degrees=35))
    arms, count = spokes(rng, rim, face, metal)
    items += arms
    dark = material('dark', (0.015, 0.015, 0.016, 1), roughness=0.6)
    steel = material('disc', rgb('#8a8884'), roughness=0.35, metallic=1.0)
    items.append(cylinder(rim - 0.05, 0.012, (0, 0, -0.04), 'disc', steel, steps=64))
    items.append(cylinder(0.13, 0.06, (0, 0, -0.03), 'disc hat', dark))
    items.append(cylinder(rim - 0.03, 0.01, (0, 0, -half * 0.7), 'shield', dark))
    caliper = material('caliper', vary(rng, rgb(rng.choice(('#55575a', '#55575a', '#9c1414', '#c8a21a'))), 0.1), roughness=0.4)
    items.append(box((0.09, 0.2, 0.07), (rim * 0.68, 0, -0.03), 'caliper', caliper, bevel=0.02))
    centre = face - 0.05
    items.append(lathe([(0, centre + 0.004), (0.075, centre), (0.098, centre - 0.014), (0.102, centre - 0.045)], 'hub', metal, 64))
    items.append(lathe([(0, centre + 0.018), (0.03, centre + 0.017), (0.04, centre + 0.01), (0.042, centre)], 'cap', rng.choice((dark, metal, lip)), 48))
    nut = material('nut', rgb('#9a9b9d'), roughness=0.25, metallic=1.0)
    nuts = rng.choice((5, 5, 4, 6))
    for k in range(nuts):
        a = 2 * math.pi * (k + 0.5) / nuts + math.pi / 2
        at = (0.068 * math.cos(a), 0.068 * math.sin(a))
        items.append(cylinder(0.0135, 0.006, (*at, centre + 0.001), 'seat', dark, steps=24))
        items.append(cylinder(0.0105, 0.02, (*at, centre + 0.006), 'nut', nut, steps=6))
    valve = 2 * math.pi * rng.random()
    items.append(cylinder(0.005, 0.04, ((rim - 0.03) * math.cos(valve), (rim - 0.03) * math.sin(valve), face), 'valve', rubber, steps=12))
    place(items, (0, 0, 0), (0, 0, rng.uniform(0, 2 * math.pi)))
    place(items, (0, 0, 0.5), (math.pi / 2, 0, 0))
    place(items, (0, 0, 0), (rng.uniform(-0.06, 0.02), 0, 0))
    low, _ = bounds(items)
    place(items, (0, 0, -low.z - 0.004))
    return items
