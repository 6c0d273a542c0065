"""A six-string guitar: waisted body with a real sound hole, rosette, bridge, neck with frets, head with pegs."""
import math

import bmesh
import bpy
from mathutils import Vector

import kit

LABEL = 'acoustic guitar'
TARGET = 402
YAWS = (-35, 35)
ELEVATIONS = (0, 22)
LYING = 0.0

SHAPE = ((0, 0), (0.09, 0.004), (0.164, 0.045), (0.194, 0.12), (0.18, 0.195), (0.135, 0.26), (0.115, 0.305), (0.128, 0.36), (0.14, 0.405), (0.128, 0.455), (0.08, 0.483), (0.03, 0.488))
"""Right half of the outline: (half width, height), with the whole guitar 1 long."""
DEPTH = 0.1
HOLE = Vector((0, 0, 0.325))
HOLE_RADIUS = 0.05
BRIDGE_HEIGHT = 0.145
NUT_HEIGHT = 0.84
TOP_Y = -DEPTH / 2


def outline(waist, bout):
    """Closed outline in x and z, anticlockwise from the bottom; `waist` and `bout` widen or narrow it."""
    half = []
    for x, z in SHAPE:
        gain = bout if z < 0.25 else 1.0
        half.append((x * gain * (waist if 0.25 < z < 0.33 else 1), 0, z))
    right = kit.bezier(half, 10)
    left = [Vector((-p.x, 0, p.z)) for p in reversed(right)]
    return right + left[:-1]


def top_plate(edge, material):
    """The top with its hole: rings from the hole to the outline; each point knows how far it is from the edge."""
    bm = bmesh.new()
    layer = bm.verts.layers.float.new('edge')
    rings, steps = [], 14
    for k in range(steps + 1):
        s = k / steps
        ring = []
        for p in edge:
            start = HOLE + (p - HOLE).normalized() * HOLE_RADIUS
            at = start.lerp(p, s)
            vertex = bm.verts.new((at.x, TOP_Y, at.z))
            vertex[layer] = min(1.0, min((at - q).length for q in edge) / 0.14)
            ring.append(vertex)
        rings.append(ring)
    n = len(edge)
    for a, b in zip(rings, rings[1:]):
        for i in range(n):
            bm.faces.new((a[i], a[(i + 1) % n], b[(i + 1) % n], b[i]))
    return kit.from_bmesh(bm, 'top', material)


def sides_and_back(edge, material):
    bm = bmesh.new()
    n = len(edge)
    front = [bm.verts.new((p.x, TOP_Y, p.z)) for p in edge]
    rear = [bm.verts.new((p.x, -TOP_Y, p.z)) for p in edge]
    for i in range(n):
        bm.faces.new((front[i], front[(i + 1) % n], rear[(i + 1) % n], rear[i]))
    bm.faces.new(rear)
    return kit.from_bmesh(bm, 'body', material)


def top_wood(rng, sunburst):
    """Spruce or cedar, grain along the strings; a sunburst darkens it towards the edge."""
    light, dark = rng.choice((('#e0b775', '#cf9f5a'), ('#d69a52', '#bd7f3c'), ('#c67a3a', '#a65f28')))
    made = kit.material('top', roughness=0.25, Clearcoat=0.5)
    kit.noise_colour(made, [(0.3, kit.rgb(dark)), (0.7, kit.rgb(light))], scale=5, detail=6, stretch=(14, 1, 0.8), seed=rng.uniform(0, 50))
    if sunburst:
        tree = made.node_tree
        edge, ramp, mix = tree.nodes.new('ShaderNodeAttribute'), tree.nodes.new('ShaderNodeValToRGB'), tree.nodes.new('ShaderNodeMixRGB')
        edge.attribute_name = 'edge'
        mix.blend_type = 'MULTIPLY'
        mix.inputs['Fac'].default_value = 1
        stops = ramp.color_ramp.elements
        stops[0].position, stops[0].color = 0.05, kit.rgb('#1a0a06')
        stops[1].position, stops[1].color = 0.75, (1, 1, 1, 1)
        middle = stops.new(0.35)
        middle.color = kit.rgb(rng.choice(('#8f3a14', '#a0521c', '#7a1f12')))
        shader = kit.shader_of(made)
        grain = shader.inputs['Base Color'].links[0].from_socket
        tree.links.new(edge.outputs['Fac'], ramp.inputs['Fac'])
        tree.links.new(grain, mix.inputs[1])
        tree.links.new(ramp.outputs['Color'], mix.inputs[2])
        tree.links.new(mix.outputs[0], shader.inputs['Base Color'])
    return made


def rosette(dark, pale):
    """Rings round the sound hole."""
    made = []
    for inner, outer, material in ((0.001, 0.004, dark), (0.006, 0.012, pale), (0.0125, 0.015, dark)):
        ring = kit.lathe([(HOLE_RADIUS + inner, 0), (HOLE_RADIUS + outer, 0)], 'rosette', material, steps=96)
        ring.rotation_euler = (math.pi / 2, 0, 0)
        ring.location = (0, TOP_Y - 0.0006, HOLE.z)
        made.append(ring)
    return made


def neck(rng, ebony, metal, ivory, mahogany):
    """Neck, fretboard from the sound hole to the nut, frets at twelfth roots of two, inlays."""
    foot = HOLE.z + HOLE_RADIUS
    board = kit.box((0.056, 0.012, NUT_HEIGHT - foot), (0, TOP_Y - 0.006, (NUT_HEIGHT + foot) / 2), 'fretboard', ebony, bevel=0.002)
    shaft = kit.box((0.05, 0.028, NUT_HEIGHT - 0.47), (0, TOP_Y + 0.012, (NUT_HEIGHT + 0.47) / 2), 'neck', mahogany, bevel=0.008)
    heel = kit.box((0.05, 0.08, 0.05), (0, TOP_Y + 0.04, 0.5), 'heel', mahogany, bevel=0.01)
    nut = kit.box((0.054, 0.014, 0.008), (0, TOP_Y - 0.007, NUT_HEIGHT), 'nut', ivory)
    scale = NUT_HEIGHT - BRIDGE_HEIGHT
    heights = [NUT_HEIGHT - scale * (1 - 2 ** (-n / 12)) for n in range(20)]
    frets = [kit.box((0.056, 0.003, 0.0028), (0, TOP_Y - 0.013, z), 'fret', metal) for z in heights[1:] if z > foot]
    inlays = []
    for n in (3, 5, 7, 9, 12, 15):
        for x in (-0.012, 0.012) if n == 12 else (0,):
            inlays.append(kit.cylinder(0.0045, 0.001, (x, TOP_Y - 0.0125, (heights[n] + heights[n - 1]) / 2), 'inlay', ivory, rotation=(math.pi / 2, 0, 0), steps=16))
    return [board, shaft, heel, nut] + frets + inlays


def head(face, metal, ivory):
    """A head tilted back a little, three pegs on each side."""
    made = []
    bm = bmesh.new()
    shape = ((-0.027, 0), (0.027, 0), (0.043, 0.03), (0.05, 0.145), (0.03, 0.158), (0, 0.152), (-0.03, 0.158), (-0.05, 0.145), (-0.043, 0.03))
    bottom = bm.faces.new([bm.verts.new((x, 0.009, z)) for x, z in shape])
    extruded = bmesh.ops.extrude_face_region(bm, geom=[bottom])
    bmesh.ops.translate(bm, vec=(0, -0.018, 0), verts=[v for v in extruded['geom'] if isinstance(v, bmesh.types.BMVert)])
    made.append(kit.from_bmesh(bm, 'head', face, smooth=False))
    for side in (-1, 1):
        for z in (0.045, 0.085, 0.125):
            made.append(kit.cylinder(0.005, 0.03, (side * 0.03, -0.012, z), 'post', metal, rotation=(math.pi / 2, 0, 0), steps=16))
            made.append(kit.cylinder(0.003, 0.03, (side * 0.055, 0.002, z), 'stem', metal, rotation=(0, math.pi / 2, 0), steps=12))
            made.append(kit.sphere(0.011, (side * 0.073, 0.002, z), 'button', ivory, scale=(0.8, 0.5, 1), subdivisions=3))
    kit.place(made, (0, TOP_Y + 0.004, NUT_HEIGHT), (math.radians(-10), 0, 0))
    return made


def bridge_and_strings(ebony, ivory, metal):
    made = [kit.box((0.13, 0.012, 0.028), (0, TOP_Y - 0.006, BRIDGE_HEIGHT), 'bridge', ebony, bevel=0.003), kit.box((0.07, 0.006, 0.004), (0, TOP_Y - 0.014, BRIDGE_HEIGHT + 0.006), 'saddle', ivory)]
    for k in range(6):
        low, high = (k - 2.5) * 0.0105, (k - 2.5) * 0.0082
        made.append(kit.cylinder(0.0028, 0.006, (low, TOP_Y - 0.013, BRIDGE_HEIGHT - 0.007), 'pin', ivory, rotation=(math.pi / 2, 0, 0), steps=10))
        peg = (math.copysign(0.03, low), TOP_Y - 0.004, NUT_HEIGHT + (0.045, 0.085, 0.125)[min(k, 5 - k)])
        made.append(kit.tube([(low, TOP_Y - 0.016, BRIDGE_HEIGHT), (high, TOP_Y - 0.016, NUT_HEIGHT), peg], 0.0010 + 0.00012 * (5 - k), 'string', metal, resolution=1))
    return made


def pickguard(material):
    """A drop of dark plastic to the right of the hole."""
    bm = bmesh.new()
    loop = [HOLE + Vector((math.sin(t), 0, math.cos(t))) * (HOLE_RADIUS + 0.004) for t in (math.radians(a) for a in range(60, 200, 10))]
    outer = kit.bezier([loop[-1], HOLE + Vector((0.035, 0, -0.13)), HOLE + Vector((0.085, 0, -0.12)), HOLE + Vector((0.1, 0, -0.05)), HOLE + Vector((0.075, 0, 0.02)), loop[0]], 6)
    bm.faces.new([bm.verts.new((p.x, TOP_Y - 0.0008, p.z)) for p in loop + outer[1:-1]])
    return kit.from_bmesh(bm, 'pickguard', material)


def stand(material):
    """A tubular stand: two front cradles and a rear leg."""
    made = []
    hub = Vector((0, 0.09, 0.36))
    for side in (-1, 1):
        foot = Vector((side * 0.17, -0.04, 0.0))
        made.append(kit.tube([hub, Vector((side * 0.1, 0.06, 0.06)), foot], 0.008, 'leg', material))
        made.append(kit.tube(kit.bezier([(side * 0.1, 0.06, 0.05), (side * 0.1, -0.06, 0.045), (side * 0.1, -0.085, 0.055), (side * 0.1, -0.088, 0.085)], 6), 0.009, 'cradle', material))
    made.append(kit.tube([hub, Vector((0, 0.34, 0.0))], 0.008, 'rear leg', material))
    return made


def build(rng):
    sunburst = rng.random() < 0.35
    edge = outline(rng.uniform(0.95, 1.06), rng.uniform(0.97, 1.05))
    ebony = kit.material('ebony', kit.rgb(rng.choice(('#1c130e', '#2c1a10'))), roughness=0.4)
    ivory = kit.material('ivory', kit.rgb('#eee6cf'), roughness=0.3)
    metal = kit.material('metal', (0.75, 0.73, 0.68, 1), roughness=0.25, metallic=1.0)
    mahogany = kit.wood('mahogany', rng, '#7a4526', '#4a2614', scale=5, roughness=0.3)
    items = [top_plate(edge, top_wood(rng, sunburst)), sides_and_back(edge, mahogany)]
    if rng.random() < 0.7:
        binding = ivory if rng.random() < 0.6 else ebony
        items.append(kit.tube([(p.x, TOP_Y + 0.001, p.z) for p in edge], 0.0035, 'binding', binding, closed=True))
    items += rosette(ebony, ivory)
    items += neck(rng, ebony, metal, ivory, mahogany)
    items += head(rng.choice((mahogany, ebony)), metal, rng.choice((ivory, metal)))
    items += bridge_and_strings(ebony, ivory, metal)
    if rng.random() < 0.5:
        items.append(pickguard(kit.material('guard', kit.rgb(rng.choice(('#120d0b', '#3a140c'))), roughness=0.2)))
    lean = math.radians(rng.uniform(8, 16))
    sway = math.radians(rng.uniform(-8, 8))
    if rng.random() < 0.55:
        kit.place(items, (0, 0, 0.06), (-lean, 0, 0))
        items += stand(kit.material('stand', (0.02, 0.02, 0.02, 1), roughness=0.4))
    else:
        kit.place(items, rotation=(-lean, sway, 0))
    bpy.context.view_layer.update()
    low, high = kit.bounds(items)
    kit.place(items, location=(-(low.x + high.x) / 2, -(low.y + high.y) / 2, -low.z))
    return items
