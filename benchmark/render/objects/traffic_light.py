"""Three lamps one above the other in a housing with visors, on a pole; one of them lit."""
import math

import bmesh
import bpy

import kit

LABEL = 'traffic light'
TARGET = 920
YAWS = (-45, 45)
ELEVATIONS = (-8, 12)
LYING = 0.0

COLOURS = ('#e0170f', '#ffa400', '#00c060')
"""Red, amber, green: from the top."""
LAMP_SPACING = 0.27
LENS_RADIUS = 0.105
HOUSING_DEPTH = 0.17
VISOR_REACH = 125
"""Degrees to each side of the top that the visor reaches round the lamp."""


def lens(rng, colour, lit):
    """Coloured glass with ribs; glows when lit."""
    glow = kit.rgb(colour)
    dim = tuple(c * 0.2 + 0.012 for c in glow[:3]) + (1,)
    made = kit.material('lens', glow if lit else dim, roughness=0.25, Emission_Strength=rng.uniform(4, 9) if lit else 0)
    kit.shader_of(made).inputs['Emission'].default_value = glow
    ribs = made.node_tree.nodes.new('ShaderNodeTexVoronoi')
    ribs.inputs['Scale'].default_value = 90
    return kit.raise_bump(made, ribs.outputs['Distance'], 0.3, 0.01)


def visor(at, length, material):
    """A hood round the upper part of the lamp, longest at the top."""
    bm = bmesh.new()
    rows = []
    steps, reach = 40, math.radians(VISOR_REACH)
    for k in range(steps + 1):
        t = -reach + 2 * reach * k / steps
        out = length * (0.45 + 0.55 * math.cos(t * math.pi / 2 / reach))
        row = []
        for radius, y in ((LENS_RADIUS * 1.13, 0), (LENS_RADIUS * 1.16, -out), (LENS_RADIUS * 1.09, -out), (LENS_RADIUS * 1.06, 0)):
            row.append(bm.verts.new((radius * math.sin(t), y, radius * math.cos(t))))
        rows.append(row)
    for a, b in zip(rows, rows[1:]):
        for i in range(4):
            bm.faces.new((a[i], a[(i + 1) % 4], b[(i + 1) % 4], b[i]))
    bm.faces.new(rows[0])
    bm.faces.new(rows[-1])
    item = kit.from_bmesh(bm, 'visor', material)
    item.location = at
    return item


def lamp(rng, z, colour, lit, front, dark):
    """One section: box, ring, lens and visor."""
    made = lens(rng, colour, lit)
    glass = kit.lathe([(0, 0.03)] + [(LENS_RADIUS * math.sin(t), 0.03 * math.cos(t)) for t in (math.pi / 2 * k / 8 for k in range(1, 9))], 'lens', made)
    glass.rotation_euler = (math.pi / 2, 0, 0)
    glass.location = (0, front, z)
    ring = kit.lathe([(LENS_RADIUS * 1.2, 0), (LENS_RADIUS * 1.18, 0.025), (LENS_RADIUS * 0.98, 0.025), (LENS_RADIUS * 0.98, 0)], 'ring', dark)
    ring.rotation_euler = (math.pi / 2, 0, 0)
    ring.location = (0, front, z)
    return [glass, ring]


def build(rng):
    paint = kit.rgb(rng.choice(('#141513', '#1b211c', '#d9a514', '#c9930f', '#d9a514', '#16301f')))
    housing = kit.material('housing', kit.vary(rng, paint, 0.05), roughness=rng.uniform(0.35, 0.6))
    dark = kit.material('visor', kit.rgb('#0c0c0c') if rng.random() < 0.85 else paint, roughness=0.55)
    items = []
    front = -HOUSING_DEPTH / 2
    lit = rng.choice((0, 0, 1, 2, 2))
    middle = 0.62
    visor_length = rng.uniform(0.12, 0.2)
    for k, colour in enumerate(COLOURS):
        z = middle + (1 - k) * LAMP_SPACING
        items.append(kit.box((0.29, HOUSING_DEPTH, LAMP_SPACING - 0.008), (0, 0, z), 'section', housing, bevel=0.02))
        items += lamp(rng, z, colour, k == lit, front, dark)
        items.append(visor((0, front, z), visor_length, dark))
    top, bottom = middle + 1.5 * LAMP_SPACING, middle - 1.5 * LAMP_SPACING
    items.append(kit.box((0.2, HOUSING_DEPTH * 0.9, LAMP_SPACING * 3), (0, 0.02, middle), 'core', housing))
    if rng.random() < 0.4:
        items.append(kit.box((0.44, 0.012, LAMP_SPACING * 3 + 0.14), (0, 0.02, middle), 'back plate', dark, bevel=0.005))
        if rng.random() < 0.4:
            white = kit.material('edge', (0.8, 0.8, 0.8, 1), roughness=0.5)
            items.append(kit.box((0.46, 0.008, LAMP_SPACING * 3 + 0.16), (0, 0.03, middle), 'edge', white, bevel=0.003))
    metal = kit.material('pole', kit.vary(rng, kit.rgb(rng.choice(('#8b8f92', '#2a2d2c', '#3e4a42'))), 0.05), roughness=0.45, metallic=0.6)
    pole_y = rng.choice((0.0, HOUSING_DEPTH / 2 + 0.07))
    radius = rng.uniform(0.035, 0.05)
    pole_top = bottom + 0.01 if pole_y == 0 else top + rng.uniform(0.02, 0.12)
    items.append(kit.cylinder(radius, pole_top, (0, pole_y, pole_top / 2), 'pole', metal, bevel=0.01))
    if pole_y:
        for z in (top - 0.08, bottom + 0.08):
            items.append(kit.box((0.07, 0.12, 0.05), (0, HOUSING_DEPTH / 2 + 0.03, z), 'bracket', metal, bevel=0.008))
    items.append(kit.cylinder(radius * 1.8, 0.03, (0, pole_y, 0.015), 'foot', metal, bevel=0.008))
    items.append(kit.cylinder(0.06, 0.03, (0, 0, top + 0.01), 'cap', housing, bevel=0.01))
    bpy.context.view_layer.update()
    return items
