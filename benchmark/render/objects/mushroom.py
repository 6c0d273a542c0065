"""Mushrooms, one to three: cap with gills, stem with or without a ring, brown or pale; none red with dots (that is another class)."""
import math

import bmesh
from kit import bezier, bounds, from_bmesh, material, noise_colour, place, rgb, vary
from mathutils import Vector, noise

LABEL = 'mushroom'
TARGET = 947
YAWS = (-180, 180)
ELEVATIONS = (0, 22)
CAPS = (('#8a5a30', '#5a3418'), ('#b98a56', '#8a5f35'), ('#6b4226', '#3d2413'), ('#d9c3a0', '#b39468'), ('#e6dccb', '#c4b394'), ('#a3703f', '#70451f'))


def around(rings, name, made, steps, wobble):
    """A turned skin from rings of (radius, z, shift) that is not quite round."""
    bm = bmesh.new()
    loops = []
    for radius, z, shift in rings:
        loops.append([bm.verts.new((radius * w * math.cos(t) + shift.x, radius * w * math.sin(t) + shift.y, z + dz)) for t, w, dz in wobble(steps, radius, z)])
    for a, b in zip(loops, loops[1:]):
        for k in range(steps):
            bm.faces.new((a[k], a[(k + 1) % steps], b[(k + 1) % steps], b[k]))
    bm.faces.new(loops[-1])
    return from_bmesh(bm, name, made, auto_smooth_degrees=80)


def one(rng, colours, flesh, gill_tint, openness, ringed):
    """A mushroom of height about 1. `openness`: 0 a button, 1 a flat cap."""
    stem_height = rng.uniform(0.6, 0.78)
    cap_radius = rng.uniform(0.34, 0.46) * (0.72 + 0.35 * openness)
    cap_height = rng.uniform(0.24, 0.32) * (1.15 - 0.5 * openness)
    thick = rng.uniform(0.07, 0.11)
    lean = Vector((rng.uniform(-0.12, 0.12), rng.uniform(-0.12, 0.12), 0))
    seed = Vector((rng.uniform(0, 99), rng.uniform(0, 99), rng.uniform(0, 99)))
    def wobble(amount, wave):
        def ring(steps, radius, z):
            for k in range(steps):
                t = 2 * math.pi * k / steps
                n = noise.noise(seed + Vector((math.cos(t) * 1.3, math.sin(t) * 1.3, z * 2)))
                yield t, 1 + amount * n, wave * n * (radius / cap_radius) ** 2
        return ring
    stem_controls = [(thick * rng.uniform(1.25, 1.7), 0, -0.05), (thick * 1.35, 0, 0.04), (thick * 1.02, 0, 0.25), (thick * 0.9, 0, stem_height * 0.7), (thick * 1.0, 0, stem_height + 0.02)]
    stem = [(p.x, p.z, lean * (max(0, p.z) / stem_height) ** 1.6) for p in bezier(stem_controls, 6)]
    stem_paint = material('stem', roughness=0.75, Specular=0.25)
    noise_colour(stem_paint, [(0.3, tuple(c * 0.6 for c in flesh[:3]) + (1,)), (0.62, flesh)], scale=9, detail=6, stretch=(2.5, 2.5, 0.5), bump=0.35, bump_distance=0.02, seed=rng.uniform(0, 50))
    items = [around(stem, 'stem', stem_paint, 32, wobble(0.08, 0))]
    brim = stem_height - cap_height * 0.12
    droop = (1 - openness) * 0.1
    dome = [(cap_radius * math.cos(a) ** (0.8 if a < 1.5 else 1), brim - droop + (cap_height + droop) * math.sin(a), lean) for a in (math.pi / 2 * k / 18 for k in range(19))][:-1] + [(0.004, brim + cap_height, lean)]
    lip = [(cap_radius * 0.93, brim - droop + 0.012, lean), (cap_radius * 0.97, brim - droop - 0.012, lean), (cap_radius * 0.995, brim - droop - 0.01, lean)]
    light, dark = (vary(rng, rgb(c), 0.06) for c in colours)
    cap_paint = material('cap', roughness=rng.uniform(0.25, 0.6), Specular=0.45)
    noise_colour(cap_paint, [(0.32, dark), (0.68, light)], scale=rng.uniform(3, 7), detail=8, distortion=0.4, bump=0.25, bump_distance=0.02, seed=rng.uniform(0, 50))
    items.append(around(lip + dome, 'cap', cap_paint, 64, wobble(0.06, 0.05)))
    # Gills: one fan folded between an upper and a lower edge.
    count = rng.choice((56, 68, 80))
    fold = material('gills', gill_tint, roughness=0.8)
    bm = bmesh.new()
    edges = []
    shape = wobble(0.06, 0.05)
    for k, (t, w, dz) in enumerate(shape(count * 2, cap_radius, brim - droop)):
        deep = k % 2
        line = []
        for s in (0.0, 0.35, 0.7, 1.0):
            r = thick * 0.9 + (cap_radius * 0.965 * w - thick * 0.9) * s
            top = brim - droop * s**2 + cap_height * 0.45 * (1 - s**2) ** 0.5
            hang = (0.07 * (1 - s) + 0.05 * math.sin(math.pi * s)) if deep else 0.0
            line.append(bm.verts.new((r * math.cos(t) + lean.x, r * math.sin(t) + lean.y, top - hang + dz * s**2 - 0.012)))
        edges.append(line)
    for k in range(len(edges)):
        a, b = edges[k], edges[(k + 1) % len(edges)]
        for i in range(3):
            bm.faces.new((a[i], a[i + 1], b[i + 1], b[i]))
    items.append(from_bmesh(bm, 'gills', fold, smooth=False))
    if ringed:
        z = stem_height * rng.uniform(0.6, 0.72)
        shift = lean * (z / stem_height) ** 1.6
        skirt = [(thick * 0.9, z + 0.015, shift), (thick * 1.25, z, shift), (thick * 1.7, z - 0.05, shift), (thick * 1.75, z - 0.075, shift), (thick * 1.6, z - 0.06, shift), (thick * 0.9, z - 0.02, shift)]
        items.append(around(skirt, 'ring', stem_paint, 48, wobble(0.14, 0.0)))
    return items


def build(rng):
    colours = rng.choice(CAPS)
    flesh = vary(rng, rgb(rng.choice(('#e8dcc4', '#efe8d8', '#d9c7a6'))), 0.05)
    gill_tint = vary(rng, rgb(rng.choice(('#e0d0b0', '#c9b08a', '#9a7a5c', '#efe6d4'))), 0.06)
    ringed, openness = rng.random() < 0.45, rng.uniform(0.35, 1.0)
    group = rng.choice((1, 1, 2, 3))
    items = []
    start = rng.uniform(0, 6.28)
    for k in range(group):
        made = one(rng, colours, flesh, gill_tint, min(1, max(0.05, openness + (rng.uniform(-0.5, 0.1) if k else 0))), ringed)
        size = 1.0 if k == 0 else rng.uniform(0.45, 0.8)
        a = start + 2 * math.pi * k / group + rng.uniform(-0.4, 0.4)
        away = 0.0 if group == 1 else rng.uniform(0.2, 0.32)
        place(made, (away * math.cos(a), away * math.sin(a), 0), (rng.uniform(-0.1, 0.1) - (0.18 * math.sin(a) if group > 1 else 0), rng.uniform(-0.1, 0.1) + (0.18 * math.cos(a) if group > 1 else 0), 0), size)
        items += made
    low, high = bounds(items)
    scale = 1 / max(high - low)
    place(items, (-(low.x + high.x) / 2 * scale, -(low.y + high.y) / 2 * scale, 0), (0, 0, 0), scale)
    return items
