"""Skies by shader: a gradient, decks of cloud drawn by noise, and a sun lamp that agrees with them."""
import math

import bpy

import kit

LOOKS = ('fair', 'fair', 'scattered', 'scattered', 'overcast', 'evening')


def outdoors(rng, look=None, azimuth=None, below=None):
    """Sets the world and the sun. Returns the look and the sun's azimuth (radians from +x) and elevation."""
    look = look or rng.choice(LOOKS)
    elevation = math.radians({'evening': rng.uniform(7, 16), 'overcast': rng.uniform(25, 60)}.get(look, rng.uniform(22, 62)))
    azimuth = rng.uniform(0, 2 * math.pi) if azimuth is None else azimuth
    world(rng, look, azimuth, below)
    sun(rng, look, elevation, azimuth)
    return look, azimuth, elevation


def lit(azimuth, half=105):
    """Camera azimuths (degrees, as Setting wants them) that see the side the sun shines on, or at most a little past it."""
    behind = math.degrees(azimuth) + 90
    return (behind - half, behind + half)


def world(rng, look, azimuth, below=None):
    """A gradient sky with two decks of noise clouds: the direction is projected on a flat layer above, so clouds shrink towards the horizon."""
    tree = bpy.context.scene.world.node_tree
    tree.nodes.clear()
    new, wire = tree.nodes.new, tree.links.new

    def maths(operation, a, b=None):
        node = new('ShaderNodeMath')
        node.operation = operation
        for socket, value in zip(node.inputs, (a, b)):
            if value is None:
                continue
            if isinstance(value, (int, float)):
                socket.default_value = value
            else:
                wire(value, socket)
        return node.outputs[0]

    def ramp(value, stops):
        node = new('ShaderNodeValToRGB')
        elements = node.color_ramp.elements
        while len(elements) < len(stops):
            elements.new(0.5)
        for element, (position, colour) in zip(elements, stops):
            element.position, element.color = position, colour
        wire(value, node.inputs[0])
        return node.outputs[0]

    def mix(factor, a, b):
        node = new('ShaderNodeMixRGB')
        for socket, value in zip(node.inputs, (factor, a, b)):
            if isinstance(value, tuple):
                socket.default_value = value
            else:
                wire(value, socket)
        return node.outputs[0]

    direction = new('ShaderNodeTexCoord').outputs['Generated']
    parts = new('ShaderNodeSeparateXYZ')
    wire(direction, parts.inputs[0])
    up = parts.outputs['Z']
    blues = {
        'fair': ('#c9dcec', '#7fb0dd', '#2f6db5'),
        'scattered': ('#d3e0ea', '#8db4d8', '#3f78b8'),
        'overcast': ('#c9ced4', '#b3bac3', '#98a2ae'),
        'evening': ('#f6c793', '#c9a5a6', '#5878a8'),
    }[look]
    haze, middle, zenith = (kit.vary(rng, kit.rgb(c), 0.06) for c in blues)
    height = maths('MAXIMUM', up, 0.0)
    gradient = ramp(maths('POWER', height, 0.6), [(0.0, haze), (0.35, middle), (1.0, zenith)])
    # The lower half is a far, hazy land or a sea of cloud unless the place says otherwise.
    decks = [(rng.uniform(0.9, 1.8), 1.0)]
    if below is None:
        below = kit.vary(rng, kit.rgb(rng.choice(('#8fa6ba', '#a4b6c4', '#7f99b3'))), 0.08)
        decks.append((rng.uniform(1.0, 1.6), -1.0))
    gradient = mix(ramp(maths('ADD', maths('MULTIPLY', up, 3.0), 0.5), [(0.15, (1, 1, 1, 1)), (0.5, (0, 0, 0, 1))]), gradient, below)
    seed = rng.uniform(0, 100)
    colour = gradient
    light = {'evening': kit.rgb('#ffd9b0'), 'overcast': kit.rgb('#e3e6ea')}.get(look, kit.rgb('#ffffff'))
    dark = {'evening': kit.rgb('#9a8a9c'), 'overcast': kit.rgb('#8a929c')}.get(look, kit.rgb('#a3b2c4'))
    amount = {'fair': rng.uniform(0.5, 0.56), 'scattered': rng.uniform(0.42, 0.5), 'overcast': 0.3, 'evening': rng.uniform(0.45, 0.54)}[look]
    for scale, sign in decks:
        facing = maths('MAXIMUM', maths('MULTIPLY', up, sign), 0.0)
        flat = new('ShaderNodeCombineXYZ')
        reach = maths('ADD', facing, 0.16)
        for axis, socket in (('X', 0), ('Y', 1)):
            wire(maths('DIVIDE', parts.outputs[axis], reach), flat.inputs[socket])
        flat.inputs[2].default_value = seed + sign
        density = cloud(new, wire, maths, flat.outputs[0], scale)
        # The same noise looked up a step towards the sun: denser there means the near side lies in shade.
        step = new('ShaderNodeVectorMath')
        step.operation = 'ADD'
        wire(flat.outputs[0], step.inputs[0])
        step.inputs[1].default_value = (0.12 * math.cos(azimuth), 0.12 * math.sin(azimuth), 0.04)
        toward = cloud(new, wire, maths, step.outputs[0], scale)
        lit = maths('ADD', maths('MULTIPLY', maths('SUBTRACT', density, toward), 3.2), 0.62)
        shade = ramp(lit, [(0.15, dark), (0.7, light)])
        cover = ramp(density, [(amount, (0, 0, 0, 1)), (min(1, amount + rng.uniform(0.1, 0.18)), (1, 1, 1, 1))])
        fade = ramp(facing, [(0.0, (0, 0, 0, 1)), (0.1, (1, 1, 1, 1))])
        colour = mix(maths('MULTIPLY', maths('MULTIPLY', cover, fade), 0.96), colour, shade)
    strength = {'overcast': 1.1, 'evening': 0.85}.get(look, 0.9)
    # Only the camera and mirrors see the clouds; as light, the mean of them will do and costs next to nothing.
    share = {'fair': 0.15, 'scattered': 0.35, 'overcast': 0.7, 'evening': 0.25}[look]
    average = ramp(maths('POWER', height, 0.6), [(p, tuple((1 - share) * a + share * (0.6 * b + 0.4 * c) for a, b, c in zip(tint, light, dark))) for p, tint in ((0.0, haze), (0.35, middle), (1.0, zenith))])
    average = mix(ramp(maths('ADD', maths('MULTIPLY', up, 3.0), 0.5), [(0.15, (1, 1, 1, 1)), (0.5, (0, 0, 0, 1))]), average, below)
    seen, cast, choose, path, out = (new(kind) for kind in ('ShaderNodeBackground', 'ShaderNodeBackground', 'ShaderNodeMixShader', 'ShaderNodeLightPath', 'ShaderNodeOutputWorld'))
    for background, source in ((seen, colour), (cast, average)):
        background.inputs['Strength'].default_value = strength
        wire(source, background.inputs['Color'])
    wire(maths('MAXIMUM', path.outputs['Is Camera Ray'], path.outputs['Is Singular Ray']), choose.inputs[0])
    wire(cast.outputs[0], choose.inputs[1])
    wire(seen.outputs[0], choose.inputs[2])
    wire(choose.outputs[0], out.inputs[0])


def cloud(new, wire, maths, where, scale):
    big, small = new('ShaderNodeTexNoise'), new('ShaderNodeTexNoise')
    for node, size, detail in ((big, scale, 3), (small, scale * 3.1, 9)):
        node.inputs['Scale'].default_value = size
        node.inputs['Detail'].default_value = detail
        node.inputs['Roughness'].default_value = 0.55
        node.inputs['Distortion'].default_value = 0.15
        wire(where, node.inputs['Vector'])
    return maths('ADD', maths('MULTIPLY', big.outputs['Fac'], 0.68), maths('MULTIPLY', small.outputs['Fac'], 0.32))


def sun(rng, look, elevation, azimuth):
    data = bpy.data.lights.new('sun', 'SUN')
    data.energy = {'overcast': 0.6, 'evening': 3.6}.get(look, rng.uniform(3.6, 5.2))
    data.angle = math.radians(25 if look == 'overcast' else rng.uniform(0.5, 3))
    data.color = {'evening': (1, 0.72, 0.45)}.get(look, (1, 0.96, 0.9))
    item = bpy.data.objects.new('sun', data)
    item.rotation_euler = (0, math.pi / 2 - elevation, azimuth)
    bpy.context.scene.collection.objects.link(item)
