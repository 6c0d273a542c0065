"""A table lamp: turned, ball, column or tripod base, fabric shade (cone, drum or bell), lit or unlit, with its cable."""
import math

import bpy
from kit import bezier, cylinder, lathe, link, material, place, raise_bump, rgb, shader_of, sphere, tube, vary, wood

LABEL = 'table lamp'
TARGET = 846
YAWS = (-180, 180)
ELEVATIONS = (2, 18)
FABRICS = ('#efe6d2', '#f3efe6', '#e6d3ac', '#d8c7a8', '#f3efe6', '#c9b18a', '#b5482f', '#48606e')
GLAZES = ('#f0ece2', '#27456b', '#3f6b58', '#7d2a22', '#c6a23c', '#1d1f22', '#87a5ad', '#b7774a')


def base_material(rng):
    kind = rng.choice(('ceramic', 'ceramic', 'brass', 'wood', 'metal'))
    if kind == 'ceramic':
        return material('ceramic', vary(rng, rgb(rng.choice(GLAZES)), 0.08), roughness=rng.uniform(0.08, 0.25), Clearcoat=0.5)
    if kind == 'brass':
        return material('brass', vary(rng, rgb('#b98d3f'), 0.06), roughness=rng.uniform(0.2, 0.35), metallic=1.0)
    if kind == 'wood':
        return wood('turned wood', rng, '#8a5a30', '#4a2b14')
    return material('metal', vary(rng, rgb(rng.choice(('#2a2725', '#9a9a98'))), 0.1), roughness=0.35, metallic=0.8)


def foot(rng, made, height):
    """The base up to `height`, turned about z."""
    kind = rng.choice(('vase', 'ball', 'column', 'baluster', 'gourd'))
    w = rng.uniform(0.12, 0.16)
    shapes = {
        'vase': [(0.7, 0.04), (0.62, 0.07), (0.85, 0.25), (1.05, 0.5), (1.0, 0.65), (0.6, 0.82), (0.26, 0.92), (0.3, 0.96)],
        'ball': [(0.75, 0.04), (0.4, 0.09), (0.28, 0.12), (0.8, 0.22), (1.1, 0.4), (1.12, 0.5), (0.85, 0.68), (0.3, 0.8), (0.16, 0.84), (0.14, 0.96)],
        'column': [(1.0, 0.035), (0.95, 0.06), (0.3, 0.085), (0.2, 0.12), (0.18, 0.5), (0.18, 0.9), (0.24, 0.92)],
        'baluster': [(1.0, 0.04), (0.9, 0.08), (0.5, 0.1), (0.62, 0.14), (0.3, 0.2), (0.22, 0.26), (0.5, 0.45), (0.58, 0.56), (0.4, 0.7), (0.2, 0.8), (0.36, 0.83), (0.2, 0.87), (0.16, 0.95)],
        'gourd': [(0.72, 0.04), (0.8, 0.1), (1.08, 0.3), (0.98, 0.45), (0.5, 0.56), (0.5, 0.6), (0.68, 0.7), (0.62, 0.8), (0.28, 0.88), (0.2, 0.95)],
    }
    controls = [(r * w, 0, z * height) for r, z in shapes[kind]]
    smooth = [(max(p.x, 0.008), p.z) for p in bezier(controls, 8)]
    items = [lathe([(0, smooth[0][1])] + smooth + [(0.012, height * 0.96), (0.012, height)], 'foot', made, 64, auto_smooth_degrees=50)]
    plate = made if rng.random() < 0.5 else material('plinth', vary(rng, rgb('#3b2a1c'), 0.2), roughness=0.35)
    plinth = max(0.1, shapes[kind][0][0] * w * rng.uniform(1.05, 1.2))
    items.append(lathe([(0, 0), (plinth, 0), (plinth, height * 0.03), (plinth * 0.95, height * 0.045), (0, height * 0.05)], 'plinth', plate, 64))
    return items


def fabric(rng, lit, colour):
    """Woven cloth that glows when lit: light passes through it, more of it at the height of the bulb."""
    made = material('shade', colour, roughness=0.9, Specular=0.1)
    tree = made.node_tree
    new, wire = tree.nodes.new, tree.links.new
    where, weave = new('ShaderNodeTexCoord'), new('ShaderNodeTexNoise')
    weave.inputs['Scale'].default_value = 60
    wire(where.outputs['Object'], weave.inputs['Vector'])
    raise_bump(made, weave.outputs['Fac'], 0.25, 0.01)
    if lit:
        split, ramp, strength = new('ShaderNodeSeparateXYZ'), new('ShaderNodeValToRGB'), new('ShaderNodeMath')
        middle = rng.uniform(0.72, 0.8)
        stops = ramp.color_ramp.elements
        stops[0].position, stops[0].color = middle - 0.3, (0.45, 0.45, 0.45, 1)
        stops[1].position, stops[1].color = middle, (1, 1, 1, 1)
        stops.new(min(1.0, middle + 0.25)).color = (0.5, 0.5, 0.5, 1)
        wire(where.outputs['Object'], split.inputs[0])
        wire(split.outputs['Z'], ramp.inputs['Fac'])
        strength.operation, strength.inputs[1].default_value = 'MULTIPLY', rng.uniform(0.7, 1.3)
        wire(ramp.outputs['Color'], strength.inputs[0])
        shader = shader_of(made)
        shader.inputs['Emission'].default_value = (min(1, colour[0] * 1.1), colour[1] * 0.78, colour[2] * 0.5, 1)
        wire(strength.outputs[0], shader.inputs['Emission Strength'])
    return made


def build(rng):
    shade_height = rng.uniform(0.3, 0.4)
    height = 1.0 - shade_height * rng.uniform(0.82, 0.92)
    items = foot(rng, base_material(rng), height)
    top, low = 1.0, 1.0 - shade_height
    kind = rng.choice(('cone', 'cone', 'drum', 'bell'))
    wide = rng.uniform(0.27, 0.34)
    narrow = wide * {'cone': rng.uniform(0.45, 0.65), 'drum': rng.uniform(0.85, 0.97), 'bell': rng.uniform(0.42, 0.52)}[kind]
    lit = rng.random() < 0.5
    colour = vary(rng, rgb(rng.choice(FABRICS)), 0.05)
    cloth = fabric(rng, lit, colour)
    profile = []
    for k in range(25):
        t = k / 24
        bend = 1.7 if kind == 'bell' else 1.0
        profile.append((narrow + (wide - narrow) * (1 - t) ** bend, low + shade_height * t))
    items.append(lathe(profile, 'shade', cloth, 72, auto_smooth_degrees=180))
    darker = rng.choice((0.45, 0.8))
    trim = material('trim', tuple(c * darker for c in colour[:3]) + (1,), roughness=0.8)
    for r, z in ((wide, low), (narrow, top)):
        items.append(lathe([(r - 0.004, z - 0.008), (r + 0.004, z - 0.008), (r + 0.004, z + 0.008), (r - 0.004, z + 0.008)], 'rim', trim, 72, closed=True))
    metal = material('fitting', rgb('#8d7a4a'), roughness=0.3, metallic=1.0)
    for k in range(3):
        a = 2 * math.pi * k / 3
        items.append(tube([(0, 0, top - 0.03), (narrow * math.cos(a), narrow * math.sin(a), top - 0.005)], 0.004, 'spider', metal))
    items.append(cylinder(0.022, 0.07, (0, 0, height + 0.02), 'socket', metal))
    bulb = material('bulb', (1, 0.9, 0.75, 1), roughness=0.3)
    if lit:
        shader_of(bulb).inputs['Emission'].default_value = (1, 0.75, 0.45, 1)
        shader_of(bulb).inputs['Emission Strength'].default_value = 6
    items.append(sphere(0.045, (0, 0, height + 0.1), 'bulb', bulb, subdivisions=3))
    items.append(sphere(0.014, (0, 0, top + 0.012), 'finial', metal, subdivisions=3))
    items.append(tube([(0, 0, height + 0.14), (0, 0, top)], 0.004, 'rod', metal))
    if lit:
        lamp = bpy.data.lights.new('bulb', 'POINT')
        lamp.energy, lamp.color, lamp.shadow_soft_size = rng.uniform(4, 8), (1, 0.72, 0.42), 0.05
        glow = link(lamp, 'glow')
        glow.parent = items[0]
        glow.location = (0, 0, height + 0.17)
    place(items, (0, 0, 0), (0, 0, rng.uniform(0, 6.28)))
    return items
