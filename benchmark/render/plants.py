"""Grass, leaves and trees out of shared meshes: each mesh is built once and stands many times."""
import math

import bmesh
import bpy
from mathutils import Vector

import kit


def leafy(name, rng, colours, roughness=0.55, through=0.3):
    """A leaf's material: every blade its own shade, some light coming through."""
    made = kit.material(name, roughness=roughness, Specular=0.25)
    tree = made.node_tree
    new, wire = tree.nodes.new, tree.links.new
    island, ramp, translucent, mix = new('ShaderNodeNewGeometry'), new('ShaderNodeValToRGB'), new('ShaderNodeBsdfTranslucent'), new('ShaderNodeMixShader')
    stops = ramp.color_ramp.elements
    while len(stops) < len(colours):
        stops.new(0.5)
    for k, (stop, colour) in enumerate(zip(stops, colours)):
        stop.position, stop.color = k / max(1, len(colours) - 1), kit.vary(rng, kit.rgb(colour), 0.05)
    wire(island.outputs['Random Per Island'], ramp.inputs['Fac'])
    shader = kit.shader_of(made)
    wire(ramp.outputs['Color'], shader.inputs['Base Color'])
    wire(ramp.outputs['Color'], translucent.inputs['Color'])
    mix.inputs['Fac'].default_value = through
    wire(shader.outputs[0], mix.inputs[1])
    wire(translucent.outputs[0], mix.inputs[2])
    wire(mix.outputs[0], tree.nodes['Material Output'].inputs['Surface'])
    return made


def blade(bm, rng, x, y, height, width, lean):
    """One blade of three faces that bends over and narrows to a point."""
    turn, bend = rng.uniform(0, 2 * math.pi), rng.uniform(0.3, 1) * lean
    side = Vector((math.cos(turn), math.sin(turn), 0))
    over = Vector((-side.y, side.x, 0)) if rng.random() < 0.5 else Vector((side.y, -side.x, 0))
    rows = []
    for t, w in ((-0.1, 0.8), (0.4, 1.0), (0.75, 0.65)):
        middle = Vector((x, y, height * t)) + over * (bend * height * max(0, t) ** 2)
        rows.append([bm.verts.new(middle - side * width * w / 2), bm.verts.new(middle + side * width * w / 2)])
    tip = bm.verts.new(Vector((x, y, height * (1 - 0.3 * bend))) + over * bend * height)
    for a, b in zip(rows, rows[1:]):
        bm.faces.new((a[0], a[1], b[1], b[0]))
    bm.faces.new((rows[-1][0], rows[-1][1], tip))


def grass_patch(rng, size, count, height, width, lean, material, name='soft-grass'):
    bm = bmesh.new()
    for _ in range(count):
        h = height * rng.uniform(0.55, 1.15)
        blade(bm, rng, rng.uniform(-size / 2, size / 2), rng.uniform(-size / 2, size / 2), h, width * rng.uniform(0.7, 1.3), lean * rng.uniform(0.3, 1.2))
    return mesh_of(bm, name, material)


def leaf_cluster(rng, radius, count, leaf, material, name='soft-leaves', flat=0.8):
    """Leaves on the outer part of a ball, facing outwards more or less."""
    bm = bmesh.new()
    for _ in range(count):
        direction = Vector((rng.gauss(0, 1), rng.gauss(0, 1), rng.gauss(0, 1))).normalized()
        at = direction * radius * rng.uniform(0.35, 1) ** 0.5
        at.z *= flat
        normal = (direction + Vector((rng.gauss(0, 0.5), rng.gauss(0, 0.5), rng.gauss(0.3, 0.5)))).normalized()
        u = normal.orthogonal().normalized()
        v = normal.cross(u)
        turn = rng.uniform(0, math.pi)
        a, b = u * math.cos(turn) + v * math.sin(turn), v * math.cos(turn) - u * math.sin(turn)
        s = leaf * rng.uniform(0.6, 1.3)
        bm.faces.new([bm.verts.new(at + offset) for offset in (-a * s, b * s * 0.5, a * s, -b * s * 0.5)])
    return mesh_of(bm, name, material)


def mesh_of(bm, name, material):
    mesh = bpy.data.meshes.new(name)
    bm.to_mesh(mesh)
    bm.free()
    mesh.materials.append(material)
    return mesh


def put(mesh, location, turn=0.0, scale=1.0, tilt=(0.0, 0.0)):
    item = kit.link(mesh, mesh.name)
    item.location = location
    item.rotation_euler = (*tilt, turn)
    item.scale = scale if isinstance(scale, tuple) else (scale,) * 3
    return item


def tree(rng, at, height, clusters, bark, spread=0.32):
    """A trunk and a crown of leaf clusters (meshes of about unit radius)."""
    x, y, z = at
    lean = rng.uniform(-0.05, 0.05)
    top = height * 0.75
    kit.tube([(x, y, z - 0.3), (x + lean * top * 0.5, y, z + top * 0.5), (x + lean * top, y, z + top)], height * 0.03, 'trunk', bark, radii=[1.3, 0.9, 0.4])
    for _ in range(rng.randint(9, 14)):
        r = height * spread * rng.uniform(0.4, 0.75)
        a, out = rng.uniform(0, 2 * math.pi), height * spread * rng.uniform(0, 0.8)
        up = height * rng.uniform(0.42, 0.95)
        narrow = 1 - 0.6 * max(0, up / height - 0.6) / 0.4
        put(rng.choice(clusters), (x + out * narrow * math.cos(a), y + out * narrow * math.sin(a), z + up), rng.uniform(0, 6.28), r)
