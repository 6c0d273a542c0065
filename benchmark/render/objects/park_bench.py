"""A bench of wooden slats between two ends of cast iron, concrete or timber."""
import math

import bpy

import kit

LABEL = 'park bench'
TARGET = 703
YAWS = (-55, 55)
ELEVATIONS = (4, 25)
LYING = 0.0

SEAT_HEIGHT = 0.27
SEAT_DEPTH = 0.27
BACK_HEIGHT = 0.3


def slat_wood(rng):
    light, dark = rng.choice((('#a9763f', '#6b4220'), ('#8a5a34', '#4f2f18'), ('#9b8f80', '#5f564c'), ('#b98d58', '#7d5a34'), ('#3f5a3a', '#25381f'), ('#7d3f28', '#4c2415')))
    return kit.wood('slat', rng, light, dark, scale=4, roughness=rng.uniform(0.4, 0.7))


def seat_line(depth_share):
    """Height and depth of the seat's surface: slightly hollow, front edge low."""
    y = -SEAT_DEPTH / 2 + SEAT_DEPTH * depth_share
    return y, SEAT_HEIGHT - 0.03 * depth_share + 0.01 * (2 * depth_share - 1) ** 2


def back_line(share, lean):
    y = SEAT_DEPTH / 2 + 0.015 + math.tan(lean) * BACK_HEIGHT * share
    return y, SEAT_HEIGHT + 0.02 + BACK_HEIGHT * share


def slats(rng, width, lean, material):
    """Seat and back slats with small gaps."""
    made = []
    seats, backs = rng.choice((4, 5, 6)), rng.choice((3, 4, 5))
    for k in range(seats):
        y, z = seat_line((k + 0.5) / seats)
        _, ahead = seat_line((k + 0.6) / seats)
        slope = math.atan2(ahead - z, 0.1 / seats * SEAT_DEPTH)
        made.append(kit.box((width, SEAT_DEPTH / seats * 0.82, 0.022), (0, y, z), 'seat slat', material, bevel=0.004, rotation=(slope, 0, 0)))
    for k in range(backs):
        y, z = back_line((k + 0.5) / backs, lean)
        made.append(kit.box((width, 0.02, BACK_HEIGHT / backs * 0.78), (0, y - 0.012, z), 'back slat', material, bevel=0.004, rotation=(-lean, 0, 0)))
    return made


def iron_end(x, lean, material, arm):
    """Bent legs, seat rail and back post in one casting, with a scrolled arm rest."""
    foot = -SEAT_DEPTH / 2 - 0.02
    rail = [(x, *seat_line(k / 6)) for k in range(7)]
    rail = [(px, py, pz - 0.022) for px, py, pz in rail]
    post = [(x, y + 0.012, z) for y, z in (back_line(k / 6, lean) for k in range(7))]
    front_leg = kit.bezier([(x, foot - 0.01, 0), (x, foot + 0.015, 0.08), (x, foot + 0.045, 0.16), (x, foot + 0.02, SEAT_HEIGHT - 0.02)], 8)
    back_leg = kit.bezier([(x, SEAT_DEPTH / 2 + 0.07, 0), (x, SEAT_DEPTH / 2 + 0.02, 0.09), (x, SEAT_DEPTH / 2 - 0.01, 0.18), (x, SEAT_DEPTH / 2 + 0.02, SEAT_HEIGHT)], 8)
    parts = [kit.tube(kit.bezier(rail + post, 4), 0.016, 'frame', material), kit.tube(front_leg, 0.016, 'leg', material), kit.tube(back_leg, 0.016, 'leg', material)]
    brace = kit.bezier([front_leg[12], (x, 0, 0.12), back_leg[12]], 10)
    parts.append(kit.tube(brace, 0.01, 'brace', material))
    if arm:
        y, z = back_line(0.42, lean)
        curl = [(x, foot + 0.01 - 0.035 * math.sin(t), SEAT_HEIGHT + 0.105 + 0.035 * math.cos(t)) for t in (math.pi * k / 10 for k in range(1, 15))]
        parts.append(kit.tube(kit.bezier([(x, y, z), (x, 0.04, SEAT_HEIGHT + 0.15), (x, foot + 0.01, SEAT_HEIGHT + 0.14)], 8) + curl, 0.014, 'arm', material))
        parts.append(kit.tube(kit.bezier([(x, foot + 0.02, SEAT_HEIGHT - 0.02), (x, foot + 0.04, SEAT_HEIGHT + 0.06), (x, foot + 0.02, SEAT_HEIGHT + 0.14)], 8), 0.013, 'arm post', material))
    return parts


def timber_end(x, lean, material, arm):
    """Square posts front and back, rail and arm rest."""
    front, back = -SEAT_DEPTH / 2 + 0.01, SEAT_DEPTH / 2 + 0.035
    arm_height = SEAT_HEIGHT + 0.15
    parts = [kit.box((0.045, 0.045, arm_height if arm else SEAT_HEIGHT), (x, front, (arm_height if arm else SEAT_HEIGHT) / 2), 'post', material, bevel=0.005)]
    parts.append(kit.box((0.045, 0.045, SEAT_HEIGHT + 0.04), (x, back, (SEAT_HEIGHT + 0.04) / 2), 'post', material, bevel=0.005))
    y, z = back_line(0.5, lean)
    parts.append(kit.box((0.045, 0.04, BACK_HEIGHT + 0.05), (x, y + 0.018, z), 'back post', material, bevel=0.005, rotation=(-lean, 0, 0)))
    parts.append(kit.box((0.04, SEAT_DEPTH + 0.04, 0.05), (x, 0.01, SEAT_HEIGHT - 0.045), 'rail', material, bevel=0.005))
    parts.append(kit.box((0.03, SEAT_DEPTH, 0.035), (x, 0.01, 0.09), 'stretcher', material, bevel=0.005))
    if arm:
        parts.append(kit.box((0.055, SEAT_DEPTH + 0.08, 0.025), (x, 0.005, arm_height + 0.012), 'arm', material, bevel=0.006))
    return parts


def concrete_end(x, lean, material, _arm):
    """A block under the seat and a slanted one behind the back."""
    y, z = back_line(0.45, lean)
    return [
        kit.box((0.075, SEAT_DEPTH * 0.92, SEAT_HEIGHT - 0.035), (x, 0.01, (SEAT_HEIGHT - 0.035) / 2), 'block', material, bevel=0.012),
        kit.box((0.075, 0.05, BACK_HEIGHT * 1.05), (x, y + 0.03, z - 0.01), 'upright', material, bevel=0.01, rotation=(-lean, 0, 0)),
        kit.box((0.075, 0.07, 0.09), (x, SEAT_DEPTH / 2 + 0.02, SEAT_HEIGHT - 0.05), 'joint', material, bevel=0.01),
    ]


def build(rng):
    width = rng.uniform(0.95, 1.1)
    lean = math.radians(rng.uniform(10, 18))
    planks = slat_wood(rng)
    kind = rng.choices(('iron', 'timber', 'concrete'), weights=(5, 4, 2))[0]
    items = slats(rng, width, lean, planks)
    if kind == 'iron':
        iron = kit.material('iron', kit.rgb(rng.choice(('#141414', '#1d3325', '#26292b'))), roughness=0.45, metallic=0.3)
        ends, inset, finish = iron_end, rng.uniform(0.03, 0.1), iron
    elif kind == 'timber':
        ends, inset, finish = timber_end, 0.02, planks
    else:
        concrete = kit.noise_colour(kit.material('concrete', roughness=0.9), [(0.3, kit.rgb('#8d8a83')), (0.7, kit.rgb('#b9b5ac'))], scale=40, bump=0.3, bump_distance=0.005, seed=rng.uniform(0, 50))
        ends, inset, finish = concrete_end, rng.uniform(0.1, 0.18), concrete
    arm = rng.random() < 0.75
    for side in (-1, 1):
        items += ends(side * (width / 2 - inset), lean, finish, arm)
    if kind == 'iron' and rng.random() < 0.4:
        items += ends(0, lean, finish, False)
    bpy.context.view_layer.update()
    low, high = kit.bounds(items)
    kit.place(items, location=(0, -(low.y + high.y) / 2, -low.z))
    return items
