"""Street: asphalt with markings and cracks, kerb and pavement, house fronts, parked cars, lamp posts and trees in a row."""
import math

import bpy
from kit import box, cylinder, link, material, noise_colour, place, raise_bump, rgb, shader_of, tube, vary
from outdoors import leafy_tree, mesh_of, scatter, sky, stand
from setting import Setting

NAME = 'street'
KERB = 0.3
WALLS = ('#b9a58c', '#a4523f', '#d8d0c0', '#8c8f91', '#c9b27c', '#7b4a3a', '#e4ddd2', '#9aa79c', '#b87d5b')
PAINTS = ('#15181c', '#8f9499', '#d9dadb', '#7a1216', '#1c3763', '#3c4a3d', '#b8ab95', '#2c2f33')


def asphalt(rng):
    """Dark stone chips in tar, paler where wheels run, with cracks along the edges of large cells."""
    made = material('asphalt', roughness=rng.uniform(0.75, 0.92), Specular=0.3)
    tone = rng.uniform(0.05, 0.11)
    noise_colour(made, [(0.3, (tone * 0.75,) * 3 + (1,)), (0.7, (tone * 1.35, tone * 1.33, tone * 1.28, 1))], scale=0.7, detail=14, seed=rng.uniform(0, 90))
    tree = made.node_tree
    new, wire = tree.nodes.new, tree.links.new
    where, warp, mixed, cells, ramp, darken, chips, sum_ = (new(n) for n in ('ShaderNodeTexCoord', 'ShaderNodeTexNoise', 'ShaderNodeMixRGB', 'ShaderNodeTexVoronoi', 'ShaderNodeValToRGB', 'ShaderNodeMixRGB', 'ShaderNodeTexNoise', 'ShaderNodeMath'))
    warp.inputs['Scale'].default_value = 1.3
    warp.inputs['Detail'].default_value = 5
    mixed.inputs['Fac'].default_value = 0.22
    wire(where.outputs['Object'], warp.inputs['Vector'])
    wire(where.outputs['Object'], mixed.inputs['Color1'])
    wire(warp.outputs['Color'], mixed.inputs['Color2'])
    cells.feature = 'DISTANCE_TO_EDGE'
    cells.inputs['Scale'].default_value = rng.uniform(0.12, 0.4)
    wire(mixed.outputs['Color'], cells.inputs['Vector'])
    ramp.color_ramp.elements[0].position, ramp.color_ramp.elements[0].color = 0.0, (0.15, 0.15, 0.15, 1)
    ramp.color_ramp.elements[1].position = rng.uniform(0.004, 0.012)
    wire(cells.outputs['Distance'], ramp.inputs['Fac'])
    base = shader_of(made).inputs['Base Color']
    darken.blend_type, darken.inputs['Fac'].default_value = 'MULTIPLY', 1
    wire(base.links[0].from_socket, darken.inputs['Color1'])
    wire(ramp.outputs['Color'], darken.inputs['Color2'])
    wire(darken.outputs['Color'], base)
    chips.inputs['Scale'].default_value = 34
    chips.inputs['Detail'].default_value = 3
    wire(where.outputs['Object'], chips.inputs['Vector'])
    sum_.operation, sum_.inputs[1].default_value = 'MULTIPLY_ADD', 1.2
    wire(ramp.outputs['Color'], sum_.inputs[0])
    wire(chips.outputs['Fac'], sum_.inputs[2])
    return raise_bump(made, sum_.outputs[0], 0.8, 0.035)


def sheet(x0, x1, y0, y1, z, made, name='sheet'):
    return link(mesh_of([(x0, y0, z), (x1, y0, z), (x1, y1, z), (x0, y1, z)], [(0, 1, 2, 3)], [made], name=name), name)


def pavement(rng, x0, x1):
    """Rows of slabs (brick texture with raised joints) between kerb and houses."""
    made = material('slabs', roughness=0.85)
    tree = made.node_tree
    new, wire = tree.nodes.new, tree.links.new
    where, bricks, stains, dirty = new('ShaderNodeTexCoord'), new('ShaderNodeTexBrick'), new('ShaderNodeTexNoise'), new('ShaderNodeMixRGB')
    tone = vary(rng, rgb(rng.choice(('#8f8b85', '#a39a8c', '#77777a', '#93776a'))), 0.06)
    bricks.inputs['Color1'].default_value = tone
    bricks.inputs['Color2'].default_value = tuple(c * 0.8 for c in tone[:3]) + (1,)
    bricks.inputs['Mortar'].default_value = (0.05, 0.05, 0.045, 1)
    bricks.inputs['Scale'].default_value = 1.0
    bricks.inputs['Mortar Size'].default_value = 0.02
    size = rng.choice(((0.75, 0.75), (1.2, 0.8), (0.5, 0.25)))
    bricks.inputs['Brick Width'].default_value, bricks.inputs['Row Height'].default_value = size
    stains.inputs['Scale'].default_value = 1.1
    stains.inputs['Detail'].default_value = 8
    dirty.blend_type, dirty.inputs['Fac'].default_value = 'OVERLAY', 0.6
    for texture in (bricks, stains):
        wire(where.outputs['Object'], texture.inputs['Vector'])
    wire(bricks.outputs['Color'], dirty.inputs['Color1'])
    wire(stains.outputs['Fac'], dirty.inputs['Color2'])
    wire(dirty.outputs['Color'], shader_of(made).inputs['Base Color'])
    invert = new('ShaderNodeMath')
    invert.operation, invert.inputs[0].default_value = 'SUBTRACT', 1
    wire(bricks.outputs['Fac'], invert.inputs[1])
    raise_bump(made, invert.outputs[0], 0.7, 0.03)
    sheet(x0, x1, -150, 150, KERB, made, 'pavement')


def kerb(rng, x):
    stone = material('kerb', roughness=0.8)
    noise_colour(stone, [(0.3, rgb('#77746f')), (0.7, rgb('#a5a29b'))], scale=9, detail=8, bump=0.4, seed=rng.uniform(0, 50))
    mesh = box((0.36, 2.36, 0.7), (0, 0, 0), 'kerb', stone, bevel=0.04)
    data = mesh.data
    bpy.data.objects.remove(mesh)
    scatter([data], [stand(x, k * 2.4, KERB - 0.34 + rng.uniform(-0.01, 0.01)) for k in range(-40, 41)], rng, 'kerb')


def bay(wall, frame, glass, trim, width, height, opening, sill, top):
    """One bay of a house front in the x-z plane, facing -y: wall around a recessed window with a frame and a cross bar."""
    vertices, faces, indices = [], [], []
    def block(x0, x1, y0, y1, z0, z1, index):
        o = len(vertices)
        vertices.extend([(x, y, z) for z in (z0, z1) for y in (y0, y1) for x in (x0, x1)])
        faces.extend([(o, o + 1, o + 5, o + 4), (o + 1, o + 3, o + 7, o + 5), (o + 3, o + 2, o + 6, o + 7), (o + 2, o, o + 4, o + 6), (o + 4, o + 5, o + 7, o + 6), (o, o + 2, o + 3, o + 1)])
        indices.extend([index] * 6)
    half, open_ = width / 2, opening / 2
    block(-half, -open_, 0, 0.5, 0, height, 0)
    block(open_, half, 0, 0.5, 0, height, 0)
    block(-open_, open_, 0, 0.5, top, height, 0)
    if sill > 0:
        block(-open_, open_, 0, 0.5, 0, sill, 0)
        block(-open_ - 0.2, open_ + 0.2, -0.18, 0.3, sill - 0.15, sill, 3)
    block(-open_ - 0.25, open_ + 0.25, -0.08, 0.1, top, top + 0.35, 3)
    block(-open_, open_, 0.38, 0.42, max(sill, 0), top, 2)
    for x in (-open_ + 0.08, 0, open_ - 0.08):
        block(x - 0.08, x + 0.08, 0.28, 0.4, max(sill, 0), top, 1)
    for z in (max(sill, 0) + 0.08, (sill * 0.35 + top * 0.65), top - 0.08):
        block(-open_, open_, 0.28, 0.4, z - 0.08, z + 0.08, 1)
    return mesh_of(vertices, faces, [wall, frame, glass, trim], indices, name='bay')


def house(rng, y, width, x, facing):
    """A front of several floors; `facing` is the turn about z that points it at the road."""
    colour = vary(rng, rgb(rng.choice(WALLS)), 0.1)
    wall = material('wall', colour, roughness=0.9)
    noise_colour(wall, [(0.3, tuple(c * 0.78 for c in colour[:3]) + (1,)), (0.7, colour)], scale=0.8, detail=9, bump=0.3, seed=rng.uniform(0, 50))
    frame = material('frame', rgb(rng.choice(('#e8e6e0', '#e8e6e0', '#3a3a3a', '#5b3d28'))), roughness=0.5)
    glass = material('window', (0.02, 0.025, 0.03, 1), roughness=0.04, Specular=0.9)
    trim = material('trim', vary(rng, rgb('#cfc8ba'), 0.15), roughness=0.8)
    columns, floors = max(2, round(width / rng.uniform(4.2, 5.4))), rng.randint(2, 5)
    step = width / columns
    storey = rng.uniform(6.2, 7.4)
    upper = bay(wall, frame, glass, trim, step, storey, step * rng.uniform(0.38, 0.55), rng.uniform(1.4, 2.0), storey * rng.uniform(0.74, 0.82))
    door = bay(wall, frame, material('door', vary(rng, rgb(rng.choice(('#3b2416', '#1d3b2e', '#6d1b1b', '#23324d'))), 0.1), roughness=0.35), trim, step, storey, step * 0.42, 0, storey * 0.72)
    shop = bay(wall, frame, glass, trim, step, storey, step * 0.82, 0.8, storey * 0.7)
    street = [shop if rng.random() < 0.35 else upper for _ in range(columns)]
    street[rng.randrange(columns)] = door
    for column in range(columns):
        along = -width / 2 + (column + 0.5) * step
        at = (x, y + (along if facing > 0 else -along))
        for floor in range(floors):
            item = link(street[column] if floor == 0 else upper, 'bay')
            item.matrix_world = stand(*at, KERB + floor * storey, facing)
    top = KERB + floors * storey
    inward = 1 if facing < 0 else -1
    box((4, width, 0.5), (x - inward * -1.6, y, top + 0.25), 'cornice', trim)
    box((6, width, 2.4), (x + inward * 3.2, y, top + 1.2), 'roof', material('roof', vary(rng, rgb('#4a3631'), 0.2), roughness=0.8))


def car(rng, x, y, facing):
    """A parked car: body and cabin swept from a side profile, wheels, lights."""
    paint = material('paint', vary(rng, rgb(rng.choice(PAINTS)), 0.1), roughness=0.25, Clearcoat=1.0, Specular=0.6)
    glass = material('car glass', (0.01, 0.012, 0.014, 1), roughness=0.03, Specular=0.9)
    rubber = material('rubber', (0.012, 0.012, 0.012, 1), roughness=0.8)
    tall = rng.uniform(0.9, 1.2)
    body = [(-5.0, 0.6), (-5.1, 1.5), (-4.8, 2.1), (-2.9, 2.3), (3.0, 2.35), (4.8, 2.25), (5.1, 1.6), (5.0, 0.6)]
    cabin = [(-2.9, 2.25), (-1.4, 2.25 + 1.3 * tall), (0.2, 2.25 + 1.5 * tall), (2.4, 2.25 + 1.4 * tall), (4.1, 2.3)]
    def sweep(profile, half, inset, made, bevel):
        vertices = [(s * (half - (inset if z > 2.4 else 0)), a, z) for s in (-1, 1) for a, z in profile]
        n = len(profile)
        faces = [tuple(range(n)), tuple(range(2 * n - 1, n - 1, -1))] + [(k, k + n, (k + 1) % n + n, (k + 1) % n) for k in range(n)]
        item = link(mesh_of(vertices, faces, [made], smooth=True, name='car'), 'car')
        item.data.use_auto_smooth = True
        added = item.modifiers.new('bevel', 'BEVEL')
        added.width, added.segments = bevel, 3
        return item
    parts = [sweep(body, 2.05, 0, paint, 0.22), sweep(cabin, 1.8, 0.4, glass, 0.1)]
    parts.append(box((2.7, 3.4, 0.14), (0, 0.5, 2.25 + 1.48 * tall), 'roof', paint, bevel=0.06))
    for side in (-1, 1):
        for along in (-3.1, 3.1):
            parts.append(cylinder(0.78, 0.5, (side * 1.85, along, 0.78), 'wheel', rubber, (0, math.pi / 2, 0), 24, 0.08))
            parts.append(cylinder(0.48, 0.54, (side * 1.85, along, 0.78), 'rim', material('rim', (0.5, 0.5, 0.52, 1), 0.3, 1.0), (0, math.pi / 2, 0), 16))
        parts.append(box((0.7, 0.12, 0.35), (side * 1.5, -5.08, 1.55), 'light', material('lamp', rgb('#d8d8d0'), 0.1), 0.05))
        parts.append(box((0.5, 0.12, 0.45), (side * 1.6, 5.08, 1.7), 'light', material('rear', rgb('#7c0d0d'), 0.2), 0.05))
    place(parts, (x, y, 0.0), (0, 0, facing))


def lamp_post(made, x, y, side):
    tube([(x, y, 0), (x, y, 11), (x + side * 0.3, y, 12.2), (x + side * 2.0, y, 12.6)], 0.13, 'post', made)
    box((1.1, 0.4, 0.2), (x + side * 2.4, y, 12.6), 'head', made, bevel=0.06)


def build(rng):
    half = rng.uniform(6.5, 9)
    # The object stands on the road, nearer to one side, or on the pavement; the road runs along y.
    on_pavement = rng.random() < 0.3
    middle = rng.uniform(-0.45, 0.3) * half if not on_pavement else -half - 1.9
    left, right = middle - half, middle + half
    wide = rng.uniform(4.5, 7)
    sheet(left, right, -150, 150, 0, asphalt(rng), 'road')
    for edge, side in ((left, -1), (right, 1)):
        kerb(rng, edge)
        pavement(rng, *sorted((edge + side * 0.16, edge + side * wide)))
        y = -70.0
        while y < 120:
            width = rng.uniform(12, 24)
            if rng.random() < 0.93:
                house(rng, y + width / 2, width - 0.05, edge + side * wide, math.pi / 2 * -side)
            y += width
        y = rng.uniform(-50, -35)
        while y < 90:
            if rng.random() < 0.62 and (abs(y) > 11 or abs(edge - side * 2.6) > 5.5):
                car(rng, edge - side * 2.5 + rng.uniform(-0.15, 0.15), y, rng.choice((0, math.pi)))
            y += rng.uniform(11.5, 16)
    paint = material('marking', roughness=0.7)
    white = vary(rng, rgb(rng.choice(('#d8d6cc', '#d8d6cc', '#c9a23b'))), 0.05)
    noise_colour(paint, [(0.36, (0.1, 0.1, 0.1, 1)), (0.46, white)], scale=3.2, detail=12, seed=rng.uniform(0, 90))
    style, w = rng.choice(('dashed', 'dashed', 'double')), 0.16
    if style == 'dashed':
        shift = rng.uniform(0, 7)
        for k in range(-12, 18):
            sheet(middle - w, middle + w, k * 7 + shift, k * 7 + shift + 3.6, 0.006, paint, 'dash')
    else:
        for s in (-0.3, 0.3):
            sheet(middle + s - 0.11, middle + s + 0.11, -100, 140, 0.006, paint, 'line')
    if rng.random() < 0.35:
        at = rng.choice((-1, 1)) * rng.uniform(4, 10)
        for k in range(int(2 * half / 1.8)):
            sheet(left + 0.6 + k * 1.8, left + 1.5 + k * 1.8, at, at + 5, 0.008, paint, 'zebra')
    metal = material('post', vary(rng, rgb('#3f4a48'), 0.2), roughness=0.5, metallic=0.4)
    start = rng.uniform(-30, -12)
    for k in range(6):
        lamp_post(metal, left - 0.9, start + k * 26, 1)
        lamp_post(metal, right + 0.9, start + 13 + k * 26, -1)
    if rng.random() < 0.6:
        foliage = material('leaves', vary(rng, rgb(rng.choice(('#4f6b2a', '#5d7a34', '#a5832e'))), 0.1), roughness=0.6)
        trees = [leafy_tree(rng, foliage, material('bark', rgb('#4a3d31'), 0.9), rng.uniform(13, 18)) for _ in range(2)]
        spots = [stand(x, y, KERB, rng.uniform(0, 6.28), rng.uniform(0.8, 1.15)) for x in (left - 1.4, right + 1.4) for y in range(-44, 100, 15) if abs(y) > 7]
        scatter(trees, spots, rng, 'tree')
    overcast = rng.choice((0.0, 0.0, rng.uniform(0.6, 1)))
    sky(rng, rng.uniform(40, 65), rng.uniform(-40, 40) + rng.choice((0, 180)), clouds=rng.uniform(0.1, 0.8), overcast=overcast, strength=rng.uniform(0.16, 0.24), sun_energy=4.5)
    looks = rng.choice(((-40, 40), (140, 220)))
    return Setting(spot=(0, 0, KERB if on_pavement else 0.0), azimuths=looks, elevations=(2, 18), lens_mm=(32, 55), focus_fstop=(1.2, 4), exposure=rng.uniform(0.45, 0.85) - 0.7 * overcast)
