"""A round clock: rim, face, numerals and marks, hands; upright or leaning back a little."""
import math

import bmesh
import bpy
from mathutils import Matrix

import kit

LABEL = 'wall clock'
TARGET = 892
YAWS = (-25, 25)
ELEVATIONS = (0, 18)
LYING = 0.0

ROMAN = ('XII', 'I', 'II', 'III', 'IIII', 'V', 'VI', 'VII', 'VIII', 'IX', 'X', 'XI')
FACE = 0.42
"""Radius of the face; the rim lies round it."""
FACE_Y = -0.012


def numeral(text, size, turn, material):
    """One numeral as flat letters standing on the face, its middle at the origin."""
    curve = bpy.data.curves.new('numeral', 'FONT')
    curve.body = text
    curve.size = size
    curve.align_x, curve.align_y = 'CENTER', 'CENTER'
    curve.extrude = 0.0006
    curve.offset = size * 0.012
    item = kit.to_mesh(kit.link(curve, 'numeral'), material)
    low, high = kit.bounds([item])
    item.data.transform(Matrix.Translation(-(low + high) / 2))
    item.rotation_euler = (math.pi / 2, turn, 0)
    return item


def numerals(rng, material):
    roman = rng.random() < 0.3
    every = rng.choice((1, 1, 1, 3))
    size = rng.uniform(0.1, 0.13) * (0.75 if roman else 1)
    made = []
    for hour in range(0, 12, every):
        t = 2 * math.pi * hour / 12
        item = numeral(ROMAN[hour] if roman else str(hour or 12), size * (1.25 if every == 3 else 1), t if roman else 0, material)
        reach = FACE * (0.74 if roman else 0.76)
        item.location = (reach * math.sin(t), FACE_Y - 0.001, reach * math.cos(t))
        made.append(item)
    return made


def marks(rng, material):
    """Minute marks near the rim, longer at the hours."""
    made = []
    dots = rng.random() < 0.25
    for minute in range(60):
        t = 2 * math.pi * minute / 60
        hour = minute % 5 == 0
        length, width = (0.03, 0.01) if hour else (0.018, 0.004)
        reach = FACE * 0.93
        at = (reach * math.sin(t), FACE_Y - 0.001, reach * math.cos(t))
        if dots:
            made.append(kit.cylinder(0.008 if hour else 0.004, 0.001, at, 'mark', material, rotation=(math.pi / 2, 0, 0), steps=16))
        else:
            made.append(kit.box((width, 0.001, length), at, 'mark', material, rotation=(0, t, 0)))
    return made


def hand(length, tail, width, turn, y, material, tip):
    """A tapering hand about the middle; `tip` is its width at the end, as a share."""
    bm = bmesh.new()
    outline = ((-width, -tail), (width, -tail), (width, length * 0.1), (width * tip, length * 0.97), (0, length), (-width * tip, length * 0.97), (-width, length * 0.1))
    bm.faces.new([bm.verts.new((x, 0, z)) for x, z in outline])
    item = kit.from_bmesh(bm, 'hand', material, smooth=False)
    item.location = (0, y, 0)
    item.rotation_euler = (0, turn, 0)
    return item


def hands(rng, material):
    hour = rng.uniform(0, 12)
    minute = (hour % 1) * 60
    tip = rng.choice((0.35, 0.8))
    made = [
        hand(FACE * 0.52, 0.05, 0.014, 2 * math.pi * hour / 12, FACE_Y - 0.008, material, tip),
        hand(FACE * 0.82, 0.06, 0.01, 2 * math.pi * minute / 60, FACE_Y - 0.013, material, tip),
        kit.cylinder(0.022, 0.016, (0, FACE_Y - 0.012, 0), 'boss', material, rotation=(math.pi / 2, 0, 0), bevel=0.004),
    ]
    if rng.random() < 0.6:
        red = kit.material('seconds', kit.rgb(rng.choice(('#b3151a', '#151515'))), roughness=0.4)
        made.append(hand(FACE * 0.86, 0.1, 0.004, rng.uniform(0, 2 * math.pi), FACE_Y - 0.018, red, 0.6))
    return made


def rim(rng):
    """A ring of metal, plastic or wood, rounded or stepped."""
    finish = rng.choice((
        kit.material('black', (0.012, 0.012, 0.012, 1), roughness=0.3),
        kit.material('steel', (0.7, 0.7, 0.71, 1), roughness=0.2, metallic=1.0),
        kit.wood('wood', rng, '#7a4523', '#4a2813', scale=4, roughness=0.3),
        kit.wood('wood', rng, '#a8743f', '#73481f', scale=4, roughness=0.35),
        kit.material('brass', kit.rgb('#b98d3e'), roughness=0.25, metallic=1.0),
        kit.material('colour', kit.vary(rng, kit.rgb(rng.choice(('#a01c1c', '#1f4f7a', '#e8e6e0', '#3a5a40'))), 0.05), roughness=0.3),
    ))
    width, depth = rng.uniform(0.045, 0.08), rng.uniform(0.05, 0.08)
    outer = FACE + width
    arc = [(FACE + width / 2 + width / 2 * math.cos(t), depth * 0.55 + depth * 0.45 * math.sin(t)) for t in (math.pi * k / 12 for k in range(13))]
    profile = [(FACE * 0.5, -0.03), (outer, -0.03)] + arc + [(FACE - 0.002, 0.0)]
    item = kit.lathe(profile, 'rim', finish, steps=128, auto_smooth_degrees=50)
    item.rotation_euler = (math.pi / 2, 0, 0)
    return item, outer


def build(rng):
    dark_face = rng.random() < 0.06
    paper = kit.material('face', kit.rgb('#16181b' if dark_face else rng.choice(('#f5f4ef', '#f3ecd8', '#fafafa', '#ece4cf'))), roughness=0.45)
    ink = kit.material('ink', kit.rgb('#f0eee8' if dark_face else '#0e0e0e'), roughness=0.5)
    ring, outer = rim(rng)
    items = [ring, kit.cylinder(FACE + 0.004, 0.01, (0, FACE_Y + 0.005, 0), 'face', paper, rotation=(math.pi / 2, 0, 0), steps=96)]
    items += numerals(rng, ink) + marks(rng, ink) + hands(rng, ink)
    kit.place(items, rotation=(0, math.radians(rng.gauss(0, 2)), 0))
    kit.place(items, rotation=(-math.radians(rng.choice((0, rng.uniform(3, 14)))), 0, 0))
    bpy.context.view_layer.update()
    low, high = kit.bounds(items)
    kit.place(items, location=(0, -(low.y + high.y) / 2, -low.z))
    return items
