"""Shapes and materials that objects and environments are made of. Lengths are in object units: every object is about 1 unit large."""
import math
import random

import bmesh
import bpy
from mathutils import Matrix, Vector


def link(mesh, name):
    item = bpy.data.objects.new(name, mesh)
    bpy.context.scene.collection.objects.link(item)
    return item


def from_bmesh(bm, name, material=None, smooth=True, auto_smooth_degrees=40):
    bmesh.ops.recalc_face_normals(bm, faces=bm.faces)
    mesh = bpy.data.meshes.new(name)
    bm.to_mesh(mesh)
    bm.free()
    for polygon in mesh.polygons:
        polygon.use_smooth = smooth
    mesh.use_auto_smooth = True
    mesh.auto_smooth_angle = math.radians(auto_smooth_degrees)
    if material:
        mesh.materials.append(material)
    return link(mesh, name)


def lathe(profile, name='lathe', material=None, steps=64, closed=False, auto_smooth_degrees=40):
    """Turns a profile of (radius, height) points about the z axis; `closed` joins the last point to the first (a wall)."""
    bm = bmesh.new()
    rings = []
    for radius, z in profile:
        if radius < 1e-6:
            rings.append([bm.verts.new((0, 0, z))])
        else:
            rings.append([bm.verts.new((radius * math.cos(t), radius * math.sin(t), z)) for t in (2 * math.pi * i / steps for i in range(steps))])
    pairs = list(zip(rings, rings[1:])) + ([(rings[-1], rings[0])] if closed else [])
    for a, b in pairs:
        for i in range(steps):
            j = (i + 1) % steps
            corners = [a[i % len(a)], a[j % len(a)], b[j % len(b)], b[i % len(b)]]
            unique = list(dict.fromkeys(corners))
            if len(unique) > 2:
                bm.faces.new(unique)
    return from_bmesh(bm, name, material, auto_smooth_degrees=auto_smooth_degrees)


def tube(points, radius, name='tube', material=None, closed=False, resolution=4, radii=None):
    """A round tube along points; `radii` scales the radius point by point. Real mesh, capped ends."""
    curve = bpy.data.curves.new(name, 'CURVE')
    curve.dimensions = '3D'
    curve.bevel_depth = radius
    curve.bevel_resolution = resolution
    curve.use_fill_caps = True
    spline = curve.splines.new('POLY')
    spline.points.add(len(points) - 1)
    for i, p in enumerate(points):
        spline.points[i].co = (*p, 1)
        spline.points[i].radius = radii[i] if radii else 1
    spline.use_cyclic_u = closed
    item = link(curve, name)
    return to_mesh(item, material)


def to_mesh(item, material=None):
    """The item with its modifiers applied, as a plain mesh."""
    graph = bpy.context.evaluated_depsgraph_get()
    mesh = bpy.data.meshes.new_from_object(item.evaluated_get(graph))
    for polygon in mesh.polygons:
        polygon.use_smooth = True
    if material:
        mesh.materials.clear()
        mesh.materials.append(material)
    made = bpy.data.objects.new(item.name, mesh)
    made.matrix_world = item.matrix_world.copy()
    bpy.context.scene.collection.objects.link(made)
    bpy.data.objects.remove(item)
    return made


def bezier(controls, steps=24):
    """Points of a smooth (Catmull-Rom) curve through the controls."""
    points = []
    p = [Vector(controls[0])] + [Vector(c) for c in controls] + [Vector(controls[-1])]
    for i in range(1, len(p) - 2):
        for k in range(steps):
            t = k / steps
            points.append(0.5 * (2 * p[i] + (p[i + 1] - p[i - 1]) * t + (2 * p[i - 1] - 5 * p[i] + 4 * p[i + 1] - p[i + 2]) * t**2 + (3 * p[i] - p[i - 1] - 3 * p[i + 1] + p[i + 2]) * t**3))
    points.append(p[-2])
    return points


def box(size, at=(0, 0, 0), name='box', material=None, bevel=0.0, rotation=(0, 0, 0)):
    """A box of the given size with its middle at `at`; bevelled edges catch the light."""
    bm = bmesh.new()
    bmesh.ops.create_cube(bm, size=1)
    bmesh.ops.scale(bm, vec=size, verts=bm.verts)
    if bevel:
        bmesh.ops.bevel(bm, geom=list(bm.edges), offset=bevel, segments=3, affect='EDGES', profile=0.5)
    item = from_bmesh(bm, name, material)
    item.location = at
    item.rotation_euler = rotation
    return item


def sphere(radius=0.5, at=(0, 0, 0), name='sphere', material=None, scale=(1, 1, 1), subdivisions=5):
    bm = bmesh.new()
    bmesh.ops.create_icosphere(bm, subdivisions=subdivisions, radius=radius)
    item = from_bmesh(bm, name, material, auto_smooth_degrees=180)
    item.location = at
    item.scale = scale
    return item


def cylinder(radius, depth, at=(0, 0, 0), name='cylinder', material=None, rotation=(0, 0, 0), steps=48, bevel=0.0):
    edge = min(bevel, radius * 0.5, depth * 0.5)
    h = depth / 2
    profile = [(0, -h), (radius - edge, -h), (radius, -h + edge), (radius, h - edge), (radius - edge, h), (0, h)] if edge else [(0, -h), (radius, -h), (radius, h), (0, h)]
    item = lathe(profile, name, material, steps)
    item.location = at
    item.rotation_euler = rotation
    return item


def modifier(item, kind, **settings):
    """Adds a modifier and sets its fields; chainable."""
    added = item.modifiers.new(kind, kind)
    for key, value in settings.items():
        setattr(added, key, value)
    return item


def place(items, location=(0, 0, 0), rotation=(0, 0, 0), scale=1.0):
    """Moves a group of items as one (rotation about the origin, then location)."""
    bpy.context.view_layer.update()
    matrix = Matrix.Translation(location) @ Matrix.LocRotScale(None, __import__('mathutils').Euler(rotation), None) @ Matrix.Scale(scale, 4)
    for item in items:
        if item.parent is None:
            item.matrix_world = matrix @ item.matrix_world
    bpy.context.view_layer.update()


def bounds(items):
    """Lowest and highest corner over all items, in world coordinates, modifiers included."""
    bpy.context.view_layer.update()
    graph = bpy.context.evaluated_depsgraph_get()
    low, high = Vector((1e9,) * 3), Vector((-1e9,) * 3)
    for item in items:
        evaluated = item.evaluated_get(graph)
        mesh = evaluated.to_mesh()
        for vertex in mesh.vertices:
            world = evaluated.matrix_world @ vertex.co
            low = Vector(map(min, low, world))
            high = Vector(map(max, high, world))
        evaluated.to_mesh_clear()
    return low, high


def rgb(hex_code):
    """Linear colour of an sRGB hex code, as Blender's sockets want it."""
    channels = [int(hex_code.lstrip('#')[i : i + 2], 16) / 255 for i in (0, 2, 4)]
    return tuple(c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels) + (1,)


def vary(rng: random.Random, colour, amount=0.08):
    """The colour, a little lighter or darker and shifted per channel."""
    gain = 1 + rng.uniform(-amount, amount) * 2
    return tuple(min(1, max(0, c * gain * (1 + rng.uniform(-amount, amount)))) for c in colour[:3]) + (1,)


def material(name, colour=(0.8, 0.8, 0.8, 1), roughness=0.5, metallic=0.0, **inputs):
    """A Principled material; further inputs by their socket name with _ for blanks (Transmission=1, Clearcoat=0.5 …)."""
    made = bpy.data.materials.new(name)
    made.use_nodes = True
    shader = made.node_tree.nodes['Principled BSDF']
    shader.inputs['Base Color'].default_value = colour
    shader.inputs['Roughness'].default_value = roughness
    shader.inputs['Metallic'].default_value = metallic
    for key, value in inputs.items():
        shader.inputs[key.replace('_', ' ')].default_value = value
    return made


def shader_of(made):
    return made.node_tree.nodes['Principled BSDF']


def noise_colour(made, colours, scale=5.0, detail=6.0, distortion=0.0, coordinates='Object', stretch=(1, 1, 1), bump=0.0, bump_distance=0.02, seed=0.0):
    """Colours the material by noise through a ramp of (position, colour), and raises a bump by the same noise."""
    tree = made.node_tree
    new, wire = tree.nodes.new, tree.links.new
    where, mapping, noise, ramp = new('ShaderNodeTexCoord'), new('ShaderNodeMapping'), new('ShaderNodeTexNoise'), new('ShaderNodeValToRGB')
    mapping.inputs['Scale'].default_value = stretch
    mapping.inputs['Location'].default_value = (seed, seed * 0.7, seed * 1.3)
    noise.inputs['Scale'].default_value = scale
    noise.inputs['Detail'].default_value = detail
    noise.inputs['Distortion'].default_value = distortion
    stops = ramp.color_ramp.elements
    while len(stops) < len(colours):
        stops.new(0.5)
    for stop, (position, colour) in zip(stops, colours):
        stop.position, stop.color = position, colour
    wire(where.outputs[coordinates], mapping.inputs['Vector'])
    wire(mapping.outputs['Vector'], noise.inputs['Vector'])
    wire(noise.outputs['Fac'], ramp.inputs['Fac'])
    wire(ramp.outputs['Color'], shader_of(made).inputs['Base Color'])
    if bump:
        raise_bump(made, noise.outputs['Fac'], bump, bump_distance)
    return made


def raise_bump(made, height, strength, distance=0.02):
    bump = made.node_tree.nodes.new('ShaderNodeBump')
    bump.inputs['Strength'].default_value = strength
    bump.inputs['Distance'].default_value = distance
    made.node_tree.links.new(height, bump.inputs['Height'])
    made.node_tree.links.new(bump.outputs['Normal'], shader_of(made).inputs['Normal'])
    return made


def wood(name, rng, light='#b98a56', dark='#6e4522', scale=3.0, roughness=0.45):
    made = material(name, roughness=roughness)
    return noise_colour(made, [(0.35, rgb(dark)), (0.65, rgb(light))], scale=scale, detail=8, distortion=1.2, stretch=(1, 8, 8), bump=0.15, bump_distance=0.01, seed=rng.uniform(0, 50))


def glass(name, colour=(1, 1, 1, 1), roughness=0.02, ior=1.45):
    return material(name, colour, roughness=roughness, Transmission=1.0, IOR=ior)
