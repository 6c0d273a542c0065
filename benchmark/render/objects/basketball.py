"""A basketball: pebbled orange or brown leather with the eight panels' black channels."""
import math

from kit import bounds, material, place, rgb, shader_of, sphere, vary

LABEL = 'basketball'
TARGET = 430
YAWS = (-180, 180)
ELEVATIONS = (4, 35)
LEATHERS = ('#c1591f', '#b04e1c', '#a5441a', '#cf6a24', '#8f3f1c')


def leather(rng):
    """Channels where the unit direction meets two great circles and two curved seams; pebbles from a cell texture."""
    made = material('leather', roughness=rng.uniform(0.42, 0.6), Specular=0.4)
    tree = made.node_tree
    new, wire = tree.nodes.new, tree.links.new

    def maths(operation, a, b=None):
        node = new('ShaderNodeMath')
        node.operation = operation
        for socket, value in zip(node.inputs, (a, b)):
            if isinstance(value, (int, float)):
                socket.default_value = value
            elif value is not None:
                wire(value, socket)
        return node.outputs[0]

    where, unit, split = new('ShaderNodeTexCoord'), new('ShaderNodeVectorMath'), new('ShaderNodeSeparateXYZ')
    unit.operation = 'NORMALIZE'
    wire(where.outputs['Object'], unit.inputs[0])
    wire(unit.outputs[0], split.inputs[0])
    x, y, z = split.outputs
    # The curved seams: two closed curves |x| = c + k·z² that bow away from the poles of x, as on a real ball.
    bow = maths('ADD', maths('MULTIPLY', maths('MULTIPLY', z, z), -0.28), 0.72)
    curved = maths('ABSOLUTE', maths('SUBTRACT', maths('ABSOLUTE', x), bow))
    nearest = maths('MINIMUM', maths('MINIMUM', maths('ABSOLUTE', y), maths('ABSOLUTE', z)), curved)
    groove = new('ShaderNodeMapRange')
    width = rng.uniform(0.016, 0.022)
    groove.inputs['From Min'].default_value, groove.inputs['From Max'].default_value = width, width * 1.35
    wire(nearest, groove.inputs['Value'])
    pebbles, wear = new('ShaderNodeTexVoronoi'), new('ShaderNodeTexNoise')
    pebbles.inputs['Scale'].default_value = rng.uniform(46, 60)
    wire(where.outputs['Object'], pebbles.inputs['Vector'])
    wear.inputs['Scale'].default_value, wear.inputs['Detail'].default_value = rng.uniform(3, 7), 6
    wire(where.outputs['Object'], wear.inputs['Vector'])
    base = vary(rng, rgb(rng.choice(LEATHERS)), 0.06)
    tone, paint = new('ShaderNodeMixRGB'), new('ShaderNodeMixRGB')
    tone.inputs['Color1'].default_value, tone.inputs['Color2'].default_value = tuple(c * 0.62 for c in base[:3]) + (1,), base
    wire(maths('ADD', maths('MULTIPLY', wear.outputs['Fac'], 1.1), 0.1), tone.inputs['Fac'])
    paint.inputs['Color1'].default_value = (0.012, 0.011, 0.01, 1)
    wire(groove.outputs['Result'], paint.inputs['Fac'])
    wire(tone.outputs['Color'], paint.inputs['Color2'])
    wire(paint.outputs['Color'], shader_of(made).inputs['Base Color'])
    bump = new('ShaderNodeBump')
    bump.inputs['Strength'].default_value, bump.inputs['Distance'].default_value = 0.7, 0.012
    wire(maths('SUBTRACT', maths('MULTIPLY', groove.outputs['Result'], 1.6), maths('MULTIPLY', pebbles.outputs['Distance'], 0.55)), bump.inputs['Height'])
    wire(bump.outputs['Normal'], shader_of(made).inputs['Normal'])
    return made


def build(rng):
    ball = sphere(0.5, (0, 0, 0.5), 'ball', leather(rng), subdivisions=6)
    ball.rotation_euler = (rng.uniform(0, 2 * math.pi), rng.uniform(-0.6, 0.6), rng.uniform(0, 2 * math.pi))
    low, _ = bounds([ball])
    place([ball], (0, 0, -low.z - 0.004))
    return [ball]
