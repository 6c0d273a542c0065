"""Light for rooms: a soft world, lamps as large as windows, and now and then the sun through panes."""
import math

import bpy
from mathutils import Vector

import kit

WARM, NEUTRAL, COOL = (1.0, 0.84, 0.66), (1.0, 0.96, 0.91), (0.86, 0.93, 1.0)


def world(rng, strength=0.35, above=None, below=(0.35, 0.32, 0.29)):
    """A room's scattered light: brighter and cooler from above than from the floor."""
    above = above or rng.choice((WARM, NEUTRAL, NEUTRAL, COOL))
    made = bpy.data.worlds.new('room')
    bpy.context.scene.world = made
    made.use_nodes = True
    tree = made.node_tree
    new, wire = tree.nodes.new, tree.links.new
    where, split, ramp = new('ShaderNodeTexCoord'), new('ShaderNodeSeparateXYZ'), new('ShaderNodeValToRGB')
    ramp.color_ramp.elements[0].position, ramp.color_ramp.elements[0].color = 0.0, (*below, 1)
    ramp.color_ramp.elements[1].position, ramp.color_ramp.elements[1].color = 0.7, (*above, 1)
    wire(where.outputs['Generated'], split.inputs[0])
    wire(split.outputs['Z'], ramp.inputs['Fac'])
    background = tree.nodes['Background']
    background.inputs['Strength'].default_value = strength
    wire(ramp.outputs['Color'], background.inputs['Color'])
    return made


def lamp(at, towards=(0, 0, 0.4), size=(3, 3), watts=300, colour=NEUTRAL, name='lamp'):
    """A rectangle that shines from `at` to `towards`; seen in reflections, not by the camera."""
    light = bpy.data.lights.new(name, 'AREA')
    light.shape, light.size, light.size_y = 'RECTANGLE', *size
    light.energy, light.color = watts, colour
    item = kit.link(light, name)
    item.location = at
    item.rotation_euler = (Vector(towards) - Vector(at)).to_track_quat('-Z', 'Y').to_euler()
    item.visible_camera = False
    return item


def around(azimuth_degrees, elevation_degrees, distance):
    """A point seen from the spot; azimuth 0 is where the camera stands (-y), 90 to its right (+x)."""
    a, e = math.radians(azimuth_degrees), math.radians(elevation_degrees)
    return Vector((math.sin(a) * math.cos(e), -math.cos(a) * math.cos(e), math.sin(e))) * distance


def window_light(rng, watts=(260, 480), side=None):
    """Daylight from one side; the world fills the shadows. Returns the side (-1 left, 1 right)."""
    side = side or rng.choice((-1, 1))
    day = rng.choice((NEUTRAL, COOL, COOL, WARM))
    size = rng.uniform(1.6, 3.4)
    lamp(around(side * rng.uniform(35, 115), rng.uniform(28, 55), 5.5), size=(size, size * 1.2), watts=rng.uniform(*watts), colour=day, name='window')
    return side


def ceiling_light(rng, watts=(250, 420), colour=None):
    """One or two lamps overhead, as in an evening room or an office."""
    colour = colour or rng.choice((WARM, WARM, NEUTRAL))
    for _ in range(rng.choice((1, 2))):
        size = rng.uniform(0.8, 2.2)
        lamp((rng.uniform(-2, 2), rng.uniform(-2, 1.2), rng.uniform(4, 5.5)), size=(size, size * rng.uniform(0.4, 1)), watts=rng.uniform(*watts), colour=colour, name='ceiling')


def sun_through_panes(rng, strength=(4, 7), side=None):
    """Low sun cut by a window frame: bright panes of light on the floor and the object. Only shadows see the frame."""
    side = side or rng.choice((-1, 1))
    direction = around(side * rng.uniform(55, 110), rng.uniform(28, 48), 1)
    light = bpy.data.lights.new('sun', 'SUN')
    light.energy, light.angle = rng.uniform(*strength), math.radians(rng.uniform(0.6, 2))
    light.color = (1.0, rng.uniform(0.78, 0.92), rng.uniform(0.55, 0.78))
    sun = kit.link(light, 'sun')
    sun.rotation_euler = (-direction).to_track_quat('-Z', 'Y').to_euler()
    dark = kit.material('window frame', (0.5, 0.5, 0.5, 1), roughness=1)
    across, high, bar, far = rng.uniform(1.0, 1.6), rng.uniform(1.1, 1.8), 0.07, 14
    columns, rows = rng.choice((1, 2, 2)), rng.choice((1, 2, 3))
    parts = [kit.box((far, 0.1, 2 * far), (s * (across + far / 2), 0, 0), material=dark) for s in (-1, 1)]
    parts += [kit.box((2 * across, 0.1, far), (0, 0, s * (high + far / 2)), material=dark) for s in (-1, 1)]
    parts += [kit.box((bar, 0.1, 2 * high), (-across + 2 * across * (i + 1) / (columns + 1), 0, 0), material=dark) for i in range(columns)]
    parts += [kit.box((2 * across, 0.1, bar), (0, 0, -high + 2 * high * (i + 1) / (rows + 1)), material=dark) for i in range(rows)]
    aim = Vector((rng.uniform(-0.7, 0.7), rng.uniform(-0.5, 0.9), rng.uniform(0, 0.5)))
    turn = math.atan2(direction.x, -direction.y)
    kit.place(parts, aim + direction * 9, (0, 0, turn))
    for part in parts:
        part.visible_camera = part.visible_diffuse = part.visible_glossy = part.visible_transmission = False
    return side
