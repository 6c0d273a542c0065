"""Sky, sun, terrain and plants shared by the places outdoors. 1 unit is about 40 cm."""
import math

import bpy
from kit import link, material, shader_of
from mathutils import Euler, Matrix, Vector, noise


def sky(rng, sun_elevation=30.0, sun_azimuth=0.0, clouds=0.4, overcast=0.0, strength=0.16, sun_energy=3.5, cloud_scale=1.6):
    """A Nishita sky with a cloud layer, and a sun lamp that agrees with it. `overcast` greys the sky and softens the sun (0 to 1)."""
    world = bpy.data.worlds.new('sky')
    bpy.context.scene.world = world
    world.use_nodes = True
    tree = world.node_tree
    new, wire = tree.nodes.new, tree.links.new
    background = tree.nodes['Background']
    nishita = new('ShaderNodeTexSky')
    nishita.sky_type = 'NISHITA'
    nishita.sun_disc = False
    nishita.sun_elevation = math.radians(sun_elevation)
    nishita.sun_rotation = math.radians(sun_azimuth)
    nishita.dust_density = rng.uniform(0.4, 2.5)
    nishita.ozone_density = rng.uniform(1, 3)
    where, flat, split, lift, above = new('ShaderNodeTexCoord'), new('ShaderNodeVectorMath'), new('ShaderNodeSeparateXYZ'), new('ShaderNodeMath'), new('ShaderNodeMath')
    wire(where.outputs['Generated'], split.inputs[0])
    above.operation, above.inputs[1].default_value = 'MAXIMUM', 0.0
    wire(split.outputs['Z'], above.inputs[0])
    lift.operation, lift.inputs[1].default_value = 'ADD', 0.12
    wire(above.outputs[0], lift.inputs[0])
    # Directions over height: the pattern lies on a flat layer and shrinks towards the horizon as real clouds do.
    flat.operation = 'DIVIDE'
    wire(where.outputs['Generated'], flat.inputs[0])
    wire(lift.outputs[0], flat.inputs[1])
    mapping, pattern, ramp = new('ShaderNodeMapping'), new('ShaderNodeTexNoise'), new('ShaderNodeValToRGB')
    mapping.inputs['Location'].default_value = (rng.uniform(0, 90), rng.uniform(0, 90), 0)
    mapping.inputs['Scale'].default_value = (1, rng.uniform(0.5, 1.5), 0)
    pattern.inputs['Scale'].default_value = cloud_scale
    pattern.inputs['Detail'].default_value = 8
    pattern.inputs['Roughness'].default_value = 0.56
    edge = 0.75 - 0.42 * clouds
    ramp.color_ramp.elements[0].position = edge
    ramp.color_ramp.elements[1].position = edge + rng.uniform(0.1, 0.25)
    wire(flat.outputs[0], mapping.inputs['Vector'])
    wire(mapping.outputs['Vector'], pattern.inputs['Vector'])
    wire(pattern.outputs['Fac'], ramp.inputs['Fac'])
    shade = new('ShaderNodeValToRGB')
    bright = 6.5 * min(1.0, 0.25 + sun_elevation / 35)
    warm = max(0.0, 1 - sun_elevation / 22)
    white = (bright, bright * (1 - 0.18 * warm), bright * (1 - 0.35 * warm), 1)
    shade.color_ramp.elements[0].position, shade.color_ramp.elements[0].color = edge, (1, 1, 1, 1)
    shade.color_ramp.elements[1].position, shade.color_ramp.elements[1].color = edge + 0.35, (0.62, 0.66, 0.72, 1)
    wire(pattern.outputs['Fac'], shade.inputs['Fac'])
    tint, mix, grey = new('ShaderNodeMixRGB'), new('ShaderNodeMixRGB'), new('ShaderNodeMixRGB')
    tint.blend_type, tint.inputs['Fac'].default_value, tint.inputs['Color2'].default_value = 'MULTIPLY', 1, white
    wire(shade.outputs['Color'], tint.inputs['Color1'])
    wire(ramp.outputs['Color'], mix.inputs['Fac'])
    wire(nishita.outputs['Color'], mix.inputs['Color1'])
    wire(tint.outputs['Color'], mix.inputs['Color2'])
    grey.inputs['Fac'].default_value = overcast * 0.88
    grey.inputs['Color2'].default_value = (bright * 0.72, bright * 0.75, bright * 0.8, 1)
    wire(mix.outputs['Color'], grey.inputs['Color1'])
    wire(grey.outputs['Color'], background.inputs['Color'])
    background.inputs['Strength'].default_value = strength
    world.cycles.sampling_method = 'MANUAL'
    world.cycles.sample_map_resolution = 256
    lamp = bpy.data.lights.new('sun', 'SUN')
    lamp.energy = sun_energy * (1 - 0.9 * overcast) * min(1.0, 0.35 + sun_elevation / 30)
    lamp.angle = math.radians(0.6 + 25 * overcast)
    lamp.color = (1, 1 - 0.3 * warm, 1 - 0.55 * warm)
    sun = link(lamp, 'sun')
    # The sky node's rotation runs clockwise from +y; the lamp shines along its own -z.
    a, e = math.radians(sun_azimuth), math.radians(sun_elevation)
    towards = Vector((math.sin(a) * math.cos(e), math.cos(a) * math.cos(e), math.sin(e)))
    sun.rotation_euler = towards.to_track_quat('Z', 'Y').to_euler()
    return sun


def terrain(height, made, near=7.0, far=180.0, cells=240, name='ground'):
    """Ground of height(x, y), fine near the origin (2·near/cells a step) and coarser towards `far`."""
    def warp(i):
        u = 2 * i / cells - 1
        return near * u + (far - near) * u**7
    ticks = [warp(i) for i in range(cells + 1)]
    vertices = [(x, y, height(x, y)) for y in ticks for x in ticks]
    row = cells + 1
    faces = [(j * row + i, j * row + i + 1, (j + 1) * row + i + 1, (j + 1) * row + i) for j in range(cells) for i in range(cells)]
    mesh = bpy.data.meshes.new(name)
    mesh.from_pydata(vertices, [], faces)
    mesh.polygons.foreach_set('use_smooth', [True] * len(faces))
    mesh.materials.append(made)
    return link(mesh, name)


def hills(rng, scale=8.0, amount=0.3, octaves=3):
    """A height function of smooth seeded noise, zero on average."""
    shift = Vector((rng.uniform(0, 500), rng.uniform(0, 500), rng.uniform(0, 500)))
    def height(x, y):
        return amount * noise.fractal(Vector((x, y, 0)) / scale + shift, 1.0, 2.1, octaves, noise_basis='PERLIN_ORIGINAL')
    return height


def mesh_of(vertices, faces, materials, indices=None, smooth=False, name='mesh'):
    mesh = bpy.data.meshes.new(name)
    mesh.from_pydata(vertices, [], faces)
    for made in materials:
        mesh.materials.append(made)
    if indices:
        mesh.polygons.foreach_set('material_index', indices)
    mesh.polygons.foreach_set('use_smooth', [smooth] * len(faces))
    return mesh


def scatter(meshes, matrices, rng, name='scatter'):
    """One object per matrix, sharing the meshes by chance."""
    made = []
    for matrix in matrices:
        item = link(rng.choice(meshes), name)
        item.matrix_world = matrix
        made.append(item)
    return made


def stand(x, y, z, turn=0.0, scale=1.0, lean=(0.0, 0.0)):
    size = scale if isinstance(scale, tuple) else (scale, scale, scale)
    return Matrix.LocRotScale(Vector((x, y, z)), Euler((lean[0], lean[1], turn)), Vector(size))


def topped(name, below, above, start=0.25, end=0.55, roughness=0.8):
    """A material that changes where the surface faces up: snow or moss on things."""
    made = material(name, below, roughness=roughness, Specular=0.2)
    tree = made.node_tree
    new, wire = tree.nodes.new, tree.links.new
    facing, split, pattern, add, ramp = new('ShaderNodeNewGeometry'), new('ShaderNodeSeparateXYZ'), new('ShaderNodeTexNoise'), new('ShaderNodeMath'), new('ShaderNodeValToRGB')
    pattern.inputs['Scale'].default_value = 3.0
    add.operation = 'MULTIPLY_ADD'
    add.inputs[1].default_value = 0.8
    wire(facing.outputs['Normal'], split.inputs[0])
    wire(pattern.outputs['Fac'], add.inputs[0])
    wire(split.outputs['Z'], add.inputs[2])
    ramp.color_ramp.elements[0].position, ramp.color_ramp.elements[0].color = start, below
    ramp.color_ramp.elements[1].position, ramp.color_ramp.elements[1].color = end, above
    half = new('ShaderNodeMath')
    half.operation, half.inputs[1].default_value = 'MULTIPLY', 0.6
    wire(add.outputs[0], half.inputs[0])
    wire(half.outputs[0], ramp.inputs['Fac'])
    wire(ramp.outputs['Color'], shader_of(made).inputs['Base Color'])
    return made


def fir(rng, foliage, bark, height=20.0, width=None):
    """A fir: tiers of drooping boughs, each a ragged fan of needles, around a trunk."""
    width = width or height * rng.uniform(0.2, 0.28)
    vertices, faces, indices = [], [], []
    sides = 7
    for k in range(sides):
        a = 2 * math.pi * k / sides
        vertices += [(0.02 * height * math.cos(a), 0.02 * height * math.sin(a), 0), (0, 0, height * 0.95)]
    for k in range(sides):
        faces.append((2 * k, 2 * ((k + 1) % sides), 2 * k + 1))
        indices.append(1)
    tiers = rng.randint(13, 18)
    for tier in range(tiers):
        t = tier / tiers
        z = height * (0.08 + 0.92 * t)
        reach = width * (1 - t) ** 0.85 * rng.uniform(0.85, 1.1) + 0.01 * height
        boughs = max(6, int(15 * (1 - t) + 5))
        for b in range(boughs):
            a = 2 * math.pi * (b + rng.uniform(-0.35, 0.35)) / boughs
            r = reach * rng.uniform(0.65, 1.1)
            half = r * 0.24 + 0.012 * height
            rise, droop = 0.05 * height * (1 - t), r * rng.uniform(0.3, 0.55)
            c, s = math.cos(a), math.sin(a)
            start = len(vertices)
            spine = [(0.02 * r, rise), (0.4 * r, rise - 0.15 * droop), (0.75 * r, rise - 0.6 * droop), (r, rise - droop)]
            for d, h in spine:
                vertices.append((d * c, d * s, z + h))
            for d, h, w in ((0.35 * r, rise - 0.32 * droop, half), (0.75 * r, rise - 0.85 * droop, half * 0.75)):
                vertices += [(d * c - w * s, d * s + w * c, z + h), (d * c + w * s, d * s - w * c, z + h)]
            o = start
            faces += [(o, o + 4, o + 1), (o + 1, o + 4, o + 6, o + 2), (o + 2, o + 6, o + 3), (o, o + 1, o + 5), (o + 1, o + 2, o + 7, o + 5), (o + 2, o + 3, o + 7)]
            indices += [0] * 6
    return mesh_of(vertices, faces, [foliage, bark], indices, name='fir')


def leafy_tree(rng, foliage, bark, height=18.0, leaves=900):
    """A broad-leaved tree: a trunk and clumps of loose leaves around a few boughs."""
    vertices, faces, indices = [], [], []
    def limb(a, b, ra, rb):
        axis = (b - a).normalized()
        side = axis.orthogonal().normalized()
        other = axis.cross(side)
        start = len(vertices)
        for centre, radius in ((a, ra), (b, rb)):
            for k in range(6):
                t = math.pi * k / 3
                vertices.append(centre + radius * (math.cos(t) * side + math.sin(t) * other))
        for k in range(6):
            faces.append((start + k, start + (k + 1) % 6, start + 6 + (k + 1) % 6, start + 6 + k))
            indices.append(1)
    fork = Vector((rng.uniform(-0.03, 0.03) * height, 0, height * rng.uniform(0.25, 0.4)))
    limb(Vector((0, 0, -0.5)), fork, height * 0.03, height * 0.02)
    clumps = []
    for k in range(rng.randint(7, 11)):
        a, r = rng.uniform(0, 2 * math.pi), height * rng.uniform(0.03, 0.27)
        tip = Vector((r * math.cos(a), r * math.sin(a), height * rng.uniform(0.5, 0.9)))
        limb(fork, tip, height * 0.012, height * 0.003)
        clumps.append((tip, height * rng.uniform(0.1, 0.17)))
    size = height * 0.024
    for k in range(leaves):
        tip, radius = rng.choice(clumps)
        d = Vector((rng.gauss(0, 1), rng.gauss(0, 1), rng.gauss(0, 0.8)))
        centre = tip + d.normalized() * radius * rng.uniform(0.45, 1.0)
        u = Vector((rng.gauss(0, 1), rng.gauss(0, 1), rng.gauss(0, 1))).normalized()
        v = u.orthogonal().normalized()
        s = size * rng.uniform(0.6, 1.3)
        o = len(vertices)
        vertices += [centre - s * u, centre + 0.6 * s * v, centre + s * u, centre - 0.6 * s * v]
        faces.append((o, o + 1, o + 2, o + 3))
        indices.append(0)
    return mesh_of([tuple(v) for v in vertices], faces, [foliage, bark], indices, name='tree')
