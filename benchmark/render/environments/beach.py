"""A beach: rippled, trodden sand down to a wet edge, foam, a sea with waves, sometimes a headland or sails on the horizon."""
import math

import bmesh
from mathutils import Vector, noise

import kit
import plants
import skies
from setting import Setting

NAME = 'beach'


def build(rng):
    sands = rng.choice((('#d9c29a', '#c2a678', '#9c835c'), ('#e3d3b4', '#cdb892', '#a8946f'), ('#c9b08a', '#ad9066', '#83694a')))
    sun_azimuth = math.radians(-90 + rng.uniform(-110, 110))
    look, azimuth, _ = skies.outdoors(rng, azimuth=sun_azimuth, below=kit.rgb('#9a9078'))
    shore = rng.uniform(4.5, 13)
    prints = footprints(rng, shore)
    shift = Vector((rng.uniform(0, 99), rng.uniform(0, 99), 0))
    drop = rng.uniform(0.03, 0.06)

    def height(x, y):
        p = Vector((x, y, 0)) + shift
        ripple = 0.018 * math.sin(9 * y + 2.2 * noise.noise(p * 0.9) + 1.5 * noise.noise(p * 0.3) * 3) * max(0, noise.noise(p * 0.25) + 0.25)
        lump = 0.09 * noise.noise(p * 0.45) + 0.045 * noise.noise(p * 1.5) + 0.014 * noise.noise(p * 5)
        dry = max(0.08, min(1, (shore - 1.2 - y) / 3))
        dune = 0.02 * max(0, -y - 4) ** 1.4
        return -drop * y + (ripple + lump) * dry + dune + sum(dent(x - px, y - py, turn) for px, py, turn in prints)

    sea_level = -drop * shore
    sand(rng, sands, height, shore)
    sea(rng, look, shore, sea_level)
    litter(rng, height, shore)
    if rng.random() < 0.45:
        headland(rng)
    if rng.random() < 0.35:
        sails(rng, sea_level)
    return Setting(spot=(0, 0, height(0, 0)), azimuths=(-65, 65), elevations=(4, 26), lens_mm=(38, 65), focus_fstop=(4, 9))


def footprints(rng, shore):
    """Tracks of somebody who walked past."""
    prints = []
    for _ in range(rng.randint(1, 4)):
        x, y, way = rng.uniform(-4, 4), rng.uniform(-2, shore - 1), rng.uniform(0, 2 * math.pi)
        x, y = x - 6 * math.cos(way), y - 6 * math.sin(way)
        for k in range(18):
            side = 0.22 * (1 if k % 2 else -1)
            px, py = x + k * 0.75 * math.cos(way) - side * math.sin(way), y + k * 0.75 * math.sin(way) + side * math.cos(way)
            if math.hypot(px, py) > 0.8 and py < shore - 0.5:
                prints.append((px, py, way + rng.uniform(-0.15, 0.15)))
    return prints


def dent(dx, dy, turn):
    """A foot's hollow with a rim pushed up around it."""
    if abs(dx) > 0.7 or abs(dy) > 0.7:
        return 0.0
    along = (dx * math.cos(turn) + dy * math.sin(turn)) / 0.27
    across = (dy * math.cos(turn) - dx * math.sin(turn)) / 0.12
    r = math.hypot(along, across)
    return -0.07 * math.exp(-(r**4)) + 0.03 * math.exp(-(((r - 1.35) / 0.3) ** 2))


def sand(rng, sands, height, shore):
    bm = bmesh.new()
    bmesh.ops.create_grid(bm, x_segments=240, y_segments=240, size=1)
    for vertex in bm.verts:
        u, v = vertex.co.xy
        x, y = u * 5.5 + 70 * u**5, v * 5.5 + 24 * v**5 + 1
        y = min(y, shore + 3)
        vertex.co = (x, y, height(x, y))
    light, middle, dark = (kit.vary(rng, kit.rgb(c), 0.04) for c in sands)
    made = kit.material('sand', roughness=0.9, Specular=0.25)
    kit.noise_colour(made, [(0.3, dark), (0.5, middle), (0.68, light)], scale=3, detail=12, seed=rng.uniform(0, 50))
    tree = made.node_tree
    new, wire = tree.nodes.new, tree.links.new
    shader = kit.shader_of(made)
    where, grains = new('ShaderNodeTexCoord'), new('ShaderNodeTexNoise')
    grains.inputs['Scale'].default_value, grains.inputs['Detail'].default_value = 90, 4
    wire(where.outputs['Object'], grains.inputs['Vector'])
    kit.raise_bump(made, grains.outputs['Fac'], 0.45, 0.02)
    # Wet near the water: darker and shining.
    axes, wobble, add, wet = new('ShaderNodeSeparateXYZ'), new('ShaderNodeTexNoise'), new('ShaderNodeMath'), new('ShaderNodeMapRange')
    wobble.inputs['Scale'].default_value = 0.35
    add.operation, add.inputs[1].default_value = 'MULTIPLY_ADD', 2.4
    wire(where.outputs['Object'], axes.inputs[0])
    wire(where.outputs['Object'], wobble.inputs['Vector'])
    wire(wobble.outputs['Fac'], add.inputs[0])
    wire(axes.outputs['Y'], add.inputs[2])
    edge = shore + 1.2 - rng.uniform(1.2, 2.6)
    wet.inputs['From Min'].default_value, wet.inputs['From Max'].default_value = edge - 0.5, edge + 0.4
    wire(add.outputs[0], wet.inputs['Value'])
    darken = new('ShaderNodeMixRGB')
    darken.blend_type = 'MULTIPLY'
    darken.inputs['Color2'].default_value = (0.42, 0.4, 0.38, 1)
    source = shader.inputs['Base Color'].links[0].from_socket
    grain_mix = new('ShaderNodeMixRGB')
    grain_mix.blend_type, grain_mix.inputs['Fac'].default_value = 'OVERLAY', 0.5
    wire(source, grain_mix.inputs['Color1'])
    wire(grains.outputs['Fac'], grain_mix.inputs['Color2'])
    wire(wet.outputs[0], darken.inputs['Fac'])
    wire(grain_mix.outputs[0], darken.inputs['Color1'])
    wire(darken.outputs[0], shader.inputs['Base Color'])
    rough = new('ShaderNodeMapRange')
    rough.inputs['To Min'].default_value, rough.inputs['To Max'].default_value = 0.9, 0.28
    wire(wet.outputs[0], rough.inputs['Value'])
    wire(rough.outputs[0], shader.inputs['Roughness'])
    kit.from_bmesh(bm, 'ground', made, auto_smooth_degrees=180)


def sea(rng, look, shore, level):
    """Swell as real geometry near the shore, chop as bump, foam where the water ends and on the crests."""
    bm = bmesh.new()
    bmesh.ops.create_grid(bm, x_segments=160, y_segments=160, size=1)
    shift = Vector((rng.uniform(0, 99), rng.uniform(0, 99), 0))
    tall = rng.uniform(0.08, 0.3)
    for vertex in bm.verts:
        u, v = vertex.co.xy
        t = (v + 1) / 2
        x, y = u * 25 + 1500 * u**5, shore - 0.6 + 20 * t + 2500 * t**6
        p = Vector((x * 0.08, y * 0.35, 0)) + shift
        deep = min(1, (y - shore) / 6)
        wave = tall * max(0, deep) * (noise.noise(p) + 0.5 * noise.noise(p * 2.3)) if y < 60 else 0
        rim = 0.5 * noise.noise(Vector((x * 0.35, 0, 0)) + shift) + 0.2 * noise.noise(Vector((x * 1.1, 3, 0)) + shift)
        vertex.co = (x, y + rim * max(0, 1 - t * 8), level + 0.012 + wave)
    near, far = {'overcast': ('#5f7a78', '#4a6068'), 'evening': ('#5c7580', '#44586e')}.get(look, rng.choice((('#3f9a98', '#1d4f78'), ('#4a8f93', '#25567a'), ('#5a8a80', '#2c5468'))))
    made = kit.material('sea', roughness=0.12, Specular=0.5)
    tree = made.node_tree
    new, wire = tree.nodes.new, tree.links.new
    shader = kit.shader_of(made)
    where, axes, depth, ramp = new('ShaderNodeTexCoord'), new('ShaderNodeSeparateXYZ'), new('ShaderNodeMapRange'), new('ShaderNodeValToRGB')
    wire(where.outputs['Object'], axes.inputs[0])
    wire(axes.outputs['Y'], depth.inputs['Value'])
    depth.inputs['From Min'].default_value, depth.inputs['From Max'].default_value = shore - 0.5, shore + 60
    stops = ramp.color_ramp.elements
    stops.new(0.12)
    for stop, (position, colour) in zip(stops, ((0, kit.rgb('#8f9a84')), (0.1, kit.vary(rng, kit.rgb(near), 0.05)), (1, kit.vary(rng, kit.rgb(far), 0.05)))):
        stop.position, stop.color = position, colour
    wire(depth.outputs[0], ramp.inputs[0])
    chop, mapping = new('ShaderNodeTexNoise'), new('ShaderNodeMapping')
    mapping.inputs['Scale'].default_value = (0.7, 1.8, 1)
    mapping.inputs['Location'].default_value = (shift.x, shift.y, 0)
    chop.inputs['Scale'].default_value, chop.inputs['Detail'].default_value = 1.6, 6
    wire(where.outputs['Object'], mapping.inputs['Vector'])
    wire(mapping.outputs['Vector'], chop.inputs['Vector'])
    kit.raise_bump(made, chop.outputs['Fac'], 0.5, 0.35)
    # Foam: lines of stretched noise, dense at the rim and on breakers, thin farther out.
    lines, along, reach, sum_, cut, foam = new('ShaderNodeTexNoise'), new('ShaderNodeMapping'), new('ShaderNodeMapRange'), new('ShaderNodeMath'), new('ShaderNodeMapRange'), new('ShaderNodeMixRGB')
    along.inputs['Scale'].default_value = (0.5, 2.2, 1)
    along.inputs['Location'].default_value = (shift.y, shift.x, 0)
    lines.inputs['Scale'].default_value, lines.inputs['Detail'].default_value, lines.inputs['Distortion'].default_value = 0.9, 9, 0.6
    wire(where.outputs['Object'], along.inputs['Vector'])
    wire(along.outputs['Vector'], lines.inputs['Vector'])
    reach.inputs['From Min'].default_value, reach.inputs['From Max'].default_value = shore - 0.6, shore + rng.uniform(3, 9)
    reach.inputs['To Min'].default_value, reach.inputs['To Max'].default_value = 0.22, -0.1
    wire(axes.outputs['Y'], reach.inputs['Value'])
    wire(lines.outputs['Fac'], sum_.inputs[0])
    wire(reach.outputs[0], sum_.inputs[1])
    cut.inputs['From Min'].default_value, cut.inputs['From Max'].default_value = 0.57, 0.66
    wire(sum_.outputs[0], cut.inputs['Value'])
    wire(cut.outputs[0], foam.inputs['Fac'])
    wire(ramp.outputs[0], foam.inputs['Color1'])
    foam.inputs['Color2'].default_value = (0.86, 0.88, 0.88, 1)
    wire(foam.outputs[0], shader.inputs['Base Color'])
    matt = new('ShaderNodeMapRange')
    matt.inputs['To Min'].default_value, matt.inputs['To Max'].default_value = 0.12, 0.8
    wire(cut.outputs[0], matt.inputs['Value'])
    wire(matt.outputs[0], shader.inputs['Roughness'])
    kit.from_bmesh(bm, 'sea', made, auto_smooth_degrees=180)


def litter(rng, height, shore):
    """Shells, pebbles and bits of weed, most of them along the last tide's line."""
    colours = ('#e9ddcc', '#d9b99a', '#8d8378', '#6d655e', '#b9a48c')
    meshes = []
    for colour in colours:
        made = kit.material('pebble', kit.vary(rng, kit.rgb(colour), 0.08), 0.6)
        bm = bmesh.new()
        bmesh.ops.create_icosphere(bm, subdivisions=2, radius=1)
        squash = (rng.uniform(0.7, 1.2), rng.uniform(0.6, 1), rng.uniform(0.35, 0.6))
        for vertex in bm.verts:
            vertex.co = Vector(c * s for c, s in zip(vertex.co, squash)) * (1 + 0.2 * noise.noise(vertex.co * 1.5 + Vector((rng.random(), 0, 0))))
        meshes.append(plants.mesh_of(bm, 'soft-pebble', made))
        for polygon in meshes[-1].polygons:
            polygon.use_smooth = True
    line = rng.uniform(1.5, shore - 1.5)
    for _ in range(rng.randint(30, 110)):
        x = rng.gauss(0, 5)
        y = rng.gauss(line, 0.5) if rng.random() < 0.6 else rng.uniform(-4, shore - 0.5)
        if math.hypot(x, y) > 0.75:
            size = rng.uniform(0.012, 0.05)
            plants.put(rng.choice(meshes), (x, y, height(x, y) + size * 0.2), rng.uniform(0, 6), size, (rng.uniform(-0.3, 0.3), rng.uniform(-0.3, 0.3)))


def headland(rng):
    """A wooded cape, blue with distance."""
    bm = bmesh.new()
    bmesh.ops.create_grid(bm, x_segments=80, y_segments=20, size=1)
    shift = Vector((rng.uniform(0, 99), 0, 0))
    side = rng.choice((-1, 1))
    for vertex in bm.verts:
        u, v = vertex.co.xy
        rise = max(0, 1 - v * v) * max(0, (u * side + 1) / 2) ** 0.7
        p = Vector((u * 3, v, 0)) + shift
        vertex.co = (side * 150 + u * 330, 600 + v * 60, -2 + rise * (26 + 30 * noise.fractal(p, 1, 2, 5)))
    made = kit.material('headland', kit.vary(rng, kit.rgb('#5d7480'), 0.08), 1.0, Specular=0.0)
    kit.from_bmesh(bm, 'headland', made, auto_smooth_degrees=180)


def sails(rng, level):
    white = kit.material('sail', kit.rgb('#f3f1ea'), 0.8)
    hull = kit.material('hull', kit.rgb(rng.choice(('#7a2f2a', '#24415f', '#e8e6e0'))), 0.5)
    for _ in range(rng.randint(1, 3)):
        x, y, s = rng.uniform(-60, 60), rng.uniform(90, 220), rng.uniform(5, 9)
        bm = bmesh.new()
        for corners in (((0, 0.15), (0, 1), (0.42, 0.15)), ((-0.05, 0.15), (-0.05, 0.85), (-0.3, 0.15))):
            bm.faces.new([bm.verts.new((x + a * s, y, level + b * s)) for a, b in corners])
        kit.from_bmesh(bm, 'sail', white, smooth=False)
        kit.box((s * 0.75, s * 0.2, s * 0.12), (x, y, level + s * 0.06), 'hull', hull, bevel=s * 0.03)
