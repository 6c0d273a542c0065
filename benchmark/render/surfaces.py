"""Surfaces that are not an object's own: ImageNet-D's words for textures and materials, of which these can be made from shaders."""
import bpy

import kit


def cover(items, material):
    """Every part of the object wears the same surface."""
    for item in items:
        if item.type != 'MESH':
            continue
        item.data.materials.clear()
        item.data.materials.append(material)


def wood(rng):
    return kit.wood('wood', rng, scale=4.0)


def glass(rng):
    return kit.glass('glass', (*kit.vary(rng, kit.rgb('#cfe6e0'), 0.05)[:3], 1), roughness=0.02)


def metal(rng):
    return kit.material('metal', kit.rgb(rng.choice(('#c8c9cc', '#c9a24a', '#b5653a'))), roughness=rng.uniform(0.12, 0.3), metallic=1.0)


def brick(rng):
    made = kit.material('brick', roughness=0.9)
    tree = made.node_tree
    pattern = tree.nodes.new('ShaderNodeTexBrick')
    pattern.inputs['Scale'].default_value = rng.uniform(9, 13)
    pattern.inputs['Color1'].default_value = kit.vary(rng, kit.rgb('#8f3f2c'), 0.06)
    pattern.inputs['Color2'].default_value = kit.vary(rng, kit.rgb('#6f2f22'), 0.06)
    pattern.inputs['Mortar'].default_value = kit.rgb('#b9b2a4')
    return wire(made, pattern)


def striped(rng):
    return two_colours(rng, 'ShaderNodeTexWave', Scale=rng.uniform(4, 7), Distortion=0.0)


def marbled(rng):
    return two_colours(rng, 'ShaderNodeTexWave', Scale=rng.uniform(1.5, 2.5), Distortion=rng.uniform(7, 11), Detail=5.0)


def chequered(rng):
    made = kit.material('chequered', roughness=0.4)
    pattern = made.node_tree.nodes.new('ShaderNodeTexChecker')
    pattern.inputs['Scale'].default_value = rng.uniform(9, 14)
    pattern.inputs['Color1'].default_value, pattern.inputs['Color2'].default_value = pair(rng)
    return wire(made, pattern)


def polka_dotted(rng):
    return two_colours(rng, 'ShaderNodeTexVoronoi', sharp=(0.32, 0.36), output='Distance', Scale=rng.uniform(9, 13), Randomness=0.0)


def pair(rng):
    return rng.choice(((kit.rgb('#f0ead8'), kit.rgb('#b3261e')), (kit.rgb('#f4f4f0'), kit.rgb('#1f3f8a')), (kit.rgb('#e8d44d'), kit.rgb('#23272c')), (kit.rgb('#e9f0e4'), kit.rgb('#2f6b3c'))))


def two_colours(rng, kind, sharp=(0.45, 0.55), output='Fac', **settings):
    made = kit.material('pattern', roughness=0.4)
    tree = made.node_tree
    pattern, ramp = tree.nodes.new(kind), tree.nodes.new('ShaderNodeValToRGB')
    for name, value in settings.items():
        pattern.inputs[name].default_value = value
    (ramp.color_ramp.elements[0].color, ramp.color_ramp.elements[1].color) = pair(rng)
    (ramp.color_ramp.elements[0].position, ramp.color_ramp.elements[1].position) = sharp
    tree.links.new(pattern.outputs[output], ramp.inputs['Fac'])
    place(tree, pattern)
    tree.links.new(ramp.outputs['Color'], kit.shader_of(made).inputs['Base Color'])
    return made


def wire(made, pattern):
    place(made.node_tree, pattern)
    made.node_tree.links.new(pattern.outputs['Color'], kit.shader_of(made).inputs['Base Color'])
    return made


def place(tree, pattern):
    """Measured on the object, so that the pattern has the same size on every part."""
    coordinates = tree.nodes.new('ShaderNodeTexCoord')
    tree.links.new(coordinates.outputs['Object'], pattern.inputs['Vector'])


MATERIALS = {'wood': wood, 'glass': glass, 'metal': metal, 'brick': brick}
TEXTURES = {'striped': striped, 'polka dotted': polka_dotted, 'chequered': chequered, 'marbled': marbled}
