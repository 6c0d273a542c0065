"""Walls, floors and worktops laid block by block (bricks, tiles, boards, books), and the weathered materials they are made of."""
import bmesh
import bpy
import numpy as np
from mathutils import Euler

import kit


def template():
    bm = bmesh.new()
    bmesh.ops.create_cube(bm, size=1)
    bmesh.ops.bevel(bm, geom=list(bm.edges), offset=0.1, segments=1, affect='EDGES')
    bmesh.ops.recalc_face_normals(bm, faces=bm.faces)
    corners = np.array([v.co[:] for v in bm.verts])
    faces = [[v.index for v in f.verts] for f in bm.faces]
    bm.free()
    return np.sign(corners), (np.abs(corners) < 0.45).astype(float), faces


def blocks(placements, material, bevel=0.01, name='blocks'):
    """Many chamfered boxes in one mesh. A placement is (middle, size, tint, turn): the tint (r, g, b) multiplies the colour of a `surface(tinted=True)`, the turn is a rotation in radians about the block's own middle."""
    signs, inner, faces = template()
    vertices, polygons, tints = [], [], []
    for middle, size, tint, turn in placements:
        half = np.array(size) / 2
        points = signs * (half - inner * min(bevel, half.min() * 0.8))
        if any(turn):
            points = points @ np.array(Euler(turn).to_matrix()).T
        base = len(vertices) * len(signs)
        vertices.append(points + np.array(middle))
        polygons += [[base + i for i in face] for face in faces]
        tints.append(np.tile([*tint, 1.0], (len(signs), 1)))
    mesh = bpy.data.meshes.new(name)
    mesh.from_pydata(np.concatenate(vertices).tolist(), [], polygons)
    mesh.color_attributes.new('tint', 'FLOAT_COLOR', 'POINT').data.foreach_set('color', np.concatenate(tints).ravel())
    mesh.materials.append(material)
    mesh.update()
    return kit.link(mesh, name)


def tints(rng, spread=0.15, hue=0.04):
    """A maker of multipliers about 1: lighter and darker, a little warmer or colder."""

    def tint():
        gain = 1 + rng.uniform(-spread, spread)
        return tuple(gain * (1 + rng.uniform(-hue, hue)) for _ in range(3))

    return tint


def courses(rng, across, up, size, gap, shift=0.5, loose=0.0):
    """Rows of blocks that fill the range `across` × `up`, each row shifted by a share of a block ('random': anywhere): yields (u, v, width, height, jitter)."""
    wide, high = size
    v, row = up[0], 0
    while v < up[1] - 1e-6:
        h = min(high, up[1] - v)
        start = rng.random() if shift == 'random' else (row * shift) % 1
        u = across[0] - start * (wide + gap)
        while u < across[1]:
            left, right = max(u, across[0]), min(u + wide, across[1])
            if right - left > gap:
                yield (left + right) / 2, v + h / 2, right - left, h, rng.uniform(-loose, loose)
            u += wide + gap
        v += high + gap
        row += 1


def wall(rng, across, up, size, gap, at_y, depth, material, shift=0.5, loose=0.0, tint=None, bevel=0.01, hole=None, name='wall'):
    """Blocks that face -y, their fronts at `at_y` give or take `loose`. `hole` (x0, x1, z0, z1) stays open."""
    tint = tint or tints(rng)
    placements = []
    for u, v, w, h, jitter in courses(rng, across, up, size, gap, shift, loose):
        if hole and hole[0] < u + w / 2 and u - w / 2 < hole[1] and hole[2] < v + h / 2 and v - h / 2 < hole[3]:
            continue
        placements.append(((u, at_y + depth / 2 + jitter, v), (w, depth, h), tint(), (rng.uniform(-loose, loose) * 0.6, 0, rng.uniform(-loose, loose) * 0.6)))
    return blocks(placements, material, bevel, name)


def floor(rng, across, along, size, gap, material, depth=0.1, shift=0.5, loose=0.0, tint=None, bevel=0.01, turn=False, top=0.0, name='floor'):
    """Blocks whose tops lie at `top` or up to `loose` below it; `turn` lays the rows along y instead of x."""
    tint = tint or tints(rng)
    placements = []
    for u, v, w, h, jitter in courses(rng, *((along, across) if turn else (across, along)), size, gap, shift, loose):
        x, y, sx, sy = (v, u, h, w) if turn else (u, v, w, h)
        placements.append(((x, y, top - depth / 2 - abs(jitter)), (sx, sy, depth), tint(), (0, 0, 0)))
    return blocks(placements, material, bevel, name)


def surface(name, rng, colours, scale=4.0, detail=5.0, stretch=(1, 1, 1), distortion=0.0, tinted=False, roughness=(0.4, 0.6), bump=0.1, bump_distance=0.01, grain=0.0, **inputs):
    """A material coloured by noise through a ramp of (position, colour); the same noise roughens it and raises it, `grain` adds a fine bump. Tinted: times the block's tint, which also moves the noise so that no two blocks are alike."""
    made = kit.material(name, **inputs)
    tree = made.node_tree
    new, wire = tree.nodes.new, tree.links.new
    where, mapping, noise, ramp, rough = new('ShaderNodeTexCoord'), new('ShaderNodeMapping'), new('ShaderNodeTexNoise'), new('ShaderNodeValToRGB'), new('ShaderNodeMapRange')
    mapping.inputs['Scale'].default_value = stretch
    mapping.inputs['Location'].default_value = [rng.uniform(-50, 50) for _ in range(3)]
    noise.inputs['Scale'].default_value, noise.inputs['Detail'].default_value, noise.inputs['Distortion'].default_value = scale, detail, distortion
    while len(ramp.color_ramp.elements) < len(colours):
        ramp.color_ramp.elements.new(0.5)
    for stop, (position, colour) in zip(ramp.color_ramp.elements, colours):
        stop.position, stop.color = position, colour
    rough.inputs['From Min'].default_value, rough.inputs['From Max'].default_value = 0.3, 0.7
    rough.inputs['To Min'].default_value, rough.inputs['To Max'].default_value = roughness
    wire(where.outputs['Object'], mapping.inputs['Vector'])
    vector, colour = mapping.outputs['Vector'], ramp.outputs['Color']
    if tinted:
        tint, far, add, multiply = new('ShaderNodeVertexColor'), new('ShaderNodeVectorMath'), new('ShaderNodeVectorMath'), new('ShaderNodeMixRGB')
        tint.layer_name = 'tint'
        far.operation, far.inputs[1].default_value = 'MULTIPLY', (97, 61, 83)
        multiply.blend_type, multiply.inputs['Fac'].default_value = 'MULTIPLY', 1
        wire(tint.outputs['Color'], far.inputs[0])
        wire(vector, add.inputs[0])
        wire(far.outputs[0], add.inputs[1])
        wire(colour, multiply.inputs[1])
        wire(tint.outputs['Color'], multiply.inputs[2])
        vector, colour = add.outputs[0], multiply.outputs[0]
    wire(vector, noise.inputs['Vector'])
    wire(noise.outputs['Fac'], ramp.inputs['Fac'])
    wire(noise.outputs['Fac'], rough.inputs['Value'])
    shader = kit.shader_of(made)
    wire(colour, shader.inputs['Base Color'])
    wire(rough.outputs['Result'], shader.inputs['Roughness'])
    height = noise.outputs['Fac']
    if grain:
        fine, both = new('ShaderNodeTexNoise'), new('ShaderNodeMath')
        fine.inputs['Scale'].default_value, fine.inputs['Detail'].default_value = scale * 9, 1
        both.operation, both.inputs[1].default_value = 'MULTIPLY_ADD', grain
        wire(vector, fine.inputs['Vector'])
        wire(fine.outputs['Fac'], both.inputs[0])
        wire(height, both.inputs[2])
        height = both.outputs[0]
    if bump:
        kit.raise_bump(made, height, bump, bump_distance)
    return made


def stain(made, rng, colour, scale=1.0, low=0.55, high=0.7, strength=1.0, roughness=None, fade_z=None):
    """Patches of another colour (oil, moss, wear) where slow noise is high; `fade_z` (full, none) keeps them near the ground; `roughness` makes them shine."""
    tree = made.node_tree
    new, wire = tree.nodes.new, tree.links.new
    shader = kit.shader_of(made)
    where, mapping, noise, mask, mix = new('ShaderNodeTexCoord'), new('ShaderNodeMapping'), new('ShaderNodeTexNoise'), new('ShaderNodeMapRange'), new('ShaderNodeMixRGB')
    mapping.inputs['Location'].default_value = [rng.uniform(-50, 50) for _ in range(3)]
    noise.inputs['Scale'].default_value, noise.inputs['Detail'].default_value = scale, 4
    mask.inputs['From Min'].default_value, mask.inputs['From Max'].default_value, mask.inputs['To Max'].default_value = low, high, strength
    mix.inputs[2].default_value = colour
    wire(where.outputs['Object'], mapping.inputs['Vector'])
    wire(mapping.outputs['Vector'], noise.inputs['Vector'])
    wire(noise.outputs['Fac'], mask.inputs['Value'])
    factor = mask.outputs['Result']
    if fade_z:
        split, fade, times = new('ShaderNodeSeparateXYZ'), new('ShaderNodeMapRange'), new('ShaderNodeMath')
        fade.inputs['From Min'].default_value, fade.inputs['From Max'].default_value = fade_z
        fade.inputs['To Min'].default_value, fade.inputs['To Max'].default_value = 1, 0
        times.operation = 'MULTIPLY'
        wire(where.outputs['Object'], split.inputs[0])
        wire(split.outputs['Z'], fade.inputs['Value'])
        wire(fade.outputs['Result'], times.inputs[0])
        wire(factor, times.inputs[1])
        factor = times.outputs[0]
    wire(shader.inputs['Base Color'].links[0].from_socket, mix.inputs[1])
    wire(factor, mix.inputs['Fac'])
    wire(mix.outputs[0], shader.inputs['Base Color'])
    if roughness is not None:
        shine = new('ShaderNodeMixRGB')
        wire(shader.inputs['Roughness'].links[0].from_socket, shine.inputs[1])
        shine.inputs[2].default_value = (roughness,) * 3 + (1,)
        wire(factor, shine.inputs['Fac'])
        wire(shine.outputs[0], shader.inputs['Roughness'])
    return made


WOODS = [('#c79a63', '#8f6136'), ('#a8743f', '#6b4120'), ('#7d5433', '#4a2d18'), ('#d6b98c', '#a98656'), ('#b7a58c', '#83725c'), ('#8a4a2a', '#4e2413'), ('#5b4636', '#33251b')]


def timber(name, rng, along='x', tinted=True, roughness=(0.3, 0.5), woods=WOODS, grain=0.3):
    """Wood with its grain along one axis, of a kind drawn from `woods`."""
    light, dark = (kit.vary(rng, kit.rgb(c), 0.06) for c in rng.choice(woods))
    stretch = {'x': (0.6, 7, 7), 'y': (7, 0.6, 7), 'z': (7, 7, 0.6)}[along]
    return surface(name, rng, [(0.32, dark), (0.5, tuple((a + b) / 2 for a, b in zip(light, dark))), (0.66, light)], scale=rng.uniform(1.6, 2.6), detail=5, stretch=stretch, distortion=rng.uniform(0.4, 1.4), tinted=tinted, roughness=roughness, bump=0.12, bump_distance=0.01, grain=grain)
