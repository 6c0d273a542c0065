"""Light for cut-outs: a sky or lamps, and a ground that is seen by bounced light alone."""
import math

import bpy
from mathutils import Vector

import kit


def sky(rng):
    world = bpy.context.scene.world
    nodes = world.node_tree.nodes
    nodes.clear()
    texture, background, out = (nodes.new(kind) for kind in ('ShaderNodeTexSky', 'ShaderNodeBackground', 'ShaderNodeOutputWorld'))
    texture.sky_type = 'NISHITA'
    texture.sun_elevation = math.radians(rng.uniform(8, 70))
    texture.sun_rotation = rng.uniform(0, 2 * math.pi)
    texture.sun_size = math.radians(rng.choice((0.545, 3, 12, 40)))
    texture.sun_intensity = rng.uniform(0.3, 1)
    texture.dust_density = rng.uniform(0.3, 4)
    background.inputs['Strength'].default_value = rng.uniform(0.12, 0.25)
    world.node_tree.links.new(texture.outputs[0], background.inputs[0])
    world.node_tree.links.new(background.outputs[0], out.inputs[0])


def lamps(rng):
    background = bpy.context.scene.world.node_tree.nodes['Background']
    tint = rng.uniform(-0.12, 0.12)
    background.inputs['Color'].default_value = (0.8 + tint, 0.8, 0.8 - tint, 1)
    background.inputs['Strength'].default_value = rng.uniform(0.15, 0.8)
    for _ in range(rng.randint(1, 3)):
        data = bpy.data.lights.new('lamp', 'AREA')
        data.size = rng.uniform(0.4, 3)
        warmth = rng.uniform(-0.15, 0.3)
        data.color = (1, 1 - 0.4 * max(0, warmth), 1 - warmth if warmth > 0 else 1)
        a, e, d = rng.uniform(0, 2 * math.pi), math.radians(rng.uniform(15, 85)), rng.uniform(2, 4)
        data.energy = rng.uniform(20, 90) * d * d / 4
        lamp = bpy.data.objects.new('lamp', data)
        lamp.location = (d * math.cos(a) * math.cos(e), d * math.sin(a) * math.cos(e), d * math.sin(e))
        lamp.rotation_euler = (Vector((0, 0, 0.4)) - lamp.location).to_track_quat('-Z', 'Y').to_euler()
        bpy.context.scene.collection.objects.link(lamp)


def bounce_ground(rng, hover=False):
    colour = (*(rng.uniform(0.05, 0.7) for _ in range(3)), 1)
    grey = sum(colour[:3]) / 3
    colour = (*(0.5 * c + 0.5 * grey for c in colour[:3]), 1)
    ground = kit.box((40, 40, 0.1), (0, 0, -0.054 - (3 if hover else 0)), 'ground', kit.material('ground', colour, 0.9))
    ground.visible_camera = False


def describe():
    """The scene's light in a word or two: a sun and its height, lamps, or the sky alone."""
    scene = bpy.context.scene
    lamps_there = [item for item in scene.objects if item.type == 'LIGHT' and not item.name.startswith('subject-') and not item.hide_render]
    heights = [math.asin((item.matrix_world.to_3x3() @ Vector((0, 0, 1))).normalized().z) for item in lamps_there if item.data.type == 'SUN' and item.data.energy >= 1]
    heights += [node.sun_elevation for node in scene.world.node_tree.nodes if node.type == 'TEX_SKY' and node.sky_type == 'NISHITA' and node.sun_disc]
    if heights:
        return f'sun {math.degrees(max(heights)):.0f} degrees high'
    return 'lamps' if any(item.data.type != 'SUN' for item in lamps_there) else 'sky'
