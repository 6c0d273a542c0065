"""A kitchen: a worktop against a tiled wall, or a table with the cupboards of the room behind it. 1 unit is about 25 cm."""
import math

import blocks
import indoor_light as light
import kit
import props
from setting import Setting

NAME = 'kitchen'

TILES = ['#f1efe9', '#e6e1d3', '#9fb8b5', '#5d7f8c', '#f3f3f3', '#cdd6c8', '#3f5e5a', '#d8c3a5', '#b9c9d6']
FRONTS = ['#f0eee8', '#c9d0cc', '#8aa39b', '#3f5566', '#d9cdb8', '#586b5a', '#2f3437']


def build(rng):
    top, edge = worktop(rng)
    if rng.random() < 0.6:
        wall_y = rng.uniform(1.9, 2.7)
        top((-7, 7), (-4.5, wall_y))
        tiled_wall(rng, wall_y, splash=rng.choice((None, 1.6, 2.1)))
        back = wall_y - 0.15
        against_wall = True
    else:
        against_wall = False
        back = rng.uniform(1.5, 2.2)
        top((-5.5, 5.5), (-4.5, back))
        edge(back)
        room(rng, back + rng.uniform(2.2, 3.5))
        back -= 0.1
    props_along(rng, back, against_wall)
    evening = rng.random() < 0.25
    light.world(rng, rng.uniform(0.25, 0.5))
    if evening:
        light.ceiling_light(rng)
    else:
        side = light.window_light(rng)
        if rng.random() < 0.35:
            light.sun_through_panes(rng, side=side)
    return Setting(azimuths=(-38, 38), elevations=(6, 38), distance=(1.0, 1.3), lens_mm=(35, 60), focus_fstop=(0.4, 1.2), exposure=rng.uniform(-0.1, 0.3))


def worktop(rng):
    """How the top is laid, and how its far edge is finished."""
    kind = rng.choice(('boards', 'boards', 'butcher', 'granite', 'marble', 'plain', 'tiles'))
    if kind in ('boards', 'butcher'):
        made = blocks.timber('top', rng, roughness=(0.22, 0.45))
        size, gap, shift, tint = ((30, rng.uniform(0.5, 1.1)), 0.006, 0, blocks.tints(rng, 0.12)) if kind == 'boards' else ((rng.uniform(1.2, 2.4), 0.18), 0.0, 'random', blocks.tints(rng, 0.16, 0.03))
    elif kind == 'tiles':
        made = blocks.surface('top', rng, [(0.35, kit.vary(rng, kit.rgb(rng.choice(TILES + ['#a5583c', '#c98a5b'])))), (0.7, kit.vary(rng, kit.rgb(rng.choice(TILES))))], scale=2, tinted=True, roughness=(0.15, 0.35), bump=0.06)
        side = rng.uniform(0.45, 0.8)
        size, gap, shift, tint = (side, side), 0.03, 0, blocks.tints(rng, 0.08, 0.02)
    else:
        made = stone(rng, kind)
        size, gap, shift, tint = (40, 40), 0, 0, lambda: (1, 1, 1)

    def lay(across, along):
        blocks.floor(rng, across, along, size, gap, made, depth=0.16, shift=shift, tint=tint, bevel=0.008, name='top')
        if kind == 'tiles':
            grout = blocks.surface('grout', rng, [(0.3, kit.rgb('#8d877c')), (0.7, kit.rgb('#b9b3a6'))], scale=20, roughness=(0.9, 1))
            kit.box((across[1] - across[0], along[1] - along[0], 0.14), (sum(across) / 2, sum(along) / 2, -0.085), 'grout', grout)

    def edge(back):
        kit.box((11.1, 0.06, 0.2), (0, back + 0.03, -0.1), 'edge', made if kind != 'tiles' else blocks.timber('edge', rng, tinted=False), 0.015)

    return lay, edge


def stone(rng, kind):
    dark = rng.random() < 0.4
    if kind == 'granite':
        shades = ('#1c1d1f', '#3b3d40', '#8f8b86') if dark else ('#5a5148', '#a89c8c', '#d9d2c6')
        return blocks.surface('granite', rng, [(0.38, kit.rgb(shades[0])), (0.5, kit.rgb(shades[1])), (0.62, kit.rgb(shades[2]))], scale=rng.uniform(16, 30), detail=5, roughness=(0.1, 0.22), bump=0)
    if kind == 'marble':
        base, vein = ('#2b2e30', '#a7a39c') if dark else ('#ece9e4', '#8d8c8c')
        return blocks.surface('marble', rng, [(0.44, kit.rgb(base)), (0.5, kit.rgb(vein)), (0.53, kit.rgb(base))], scale=rng.uniform(0.7, 1.3), detail=6, distortion=rng.uniform(1, 2.2), roughness=(0.1, 0.2), bump=0)
    colour = kit.vary(rng, kit.rgb(rng.choice(('#dcd8d0', '#6f7377', '#b7a890', '#35393d', '#f0eee9'))))
    return blocks.surface('laminate', rng, [(0.3, tuple(c * 0.93 for c in colour[:3]) + (1,)), (0.7, colour)], scale=14, roughness=(0.25, 0.4), bump=0.03)


def tiled_wall(rng, y, splash):
    colour = kit.vary(rng, kit.rgb(rng.choice(TILES)))
    made = blocks.surface('tile', rng, [(0.35, tuple(c * 0.88 for c in colour[:3]) + (1,)), (0.65, colour)], scale=1.5, tinted=True, roughness=(0.08, 0.25), bump=0.12, bump_distance=0.02)
    metro = rng.random() < 0.5
    size = (rng.uniform(0.55, 0.75), rng.uniform(0.26, 0.34)) if metro else (rng.uniform(0.38, 0.62),) * 2
    up = splash or 5.5
    blocks.wall(rng, (-7, 7), (0.005, up), size, 0.025, y, 0.06, made, shift=rng.choice((0.5, 0.5, 0)) if metro else 0, loose=0.003, tint=blocks.tints(rng, rng.choice((0.03, 0.12)), 0.02), bevel=0.014)
    grout = kit.material('grout', kit.rgb(rng.choice(('#c9c4b8', '#8f8b84', '#5c5a57'))), 0.95)
    kit.box((14, 0.1, up), (0, y + 0.07, up / 2), 'grout', grout)
    if splash:
        paint(rng, y + 0.05, splash)
    if not splash or rng.random() < 0.7:
        shelf(rng, y, rng.uniform(1.75, 2.1) if not splash else splash + rng.uniform(0.05, 0.4))


def paint(rng, y, bottom=-4):
    colour = kit.vary(rng, kit.rgb(rng.choice(('#e8e2d5', '#d5dcd6', '#c7d0d8', '#e9d9bd', '#b9c4b0', '#d8b9a4'))), 0.05)
    made = blocks.surface('paint', rng, [(0.3, tuple(c * 0.94 for c in colour[:3]) + (1,)), (0.7, colour)], scale=0.8, roughness=(0.8, 0.95), bump=0.05, grain=0.5)
    kit.box((24, 0.1, 8), (0, y + 0.05, bottom + 4), 'paint', made)


def shelf(rng, y, z):
    made = rng.choice((blocks.timber('shelf', rng, tinted=False), kit.material('shelf', (0.8, 0.79, 0.76, 1), 0.5)))
    kit.box((10, 0.8, 0.1), (0, y - 0.4, z), 'shelf', made, 0.012)
    x = -4.5
    while x < 4.5:
        kind = rng.random()
        if kind < 0.55:
            radius = rng.uniform(0.13, 0.22)
            kit.place(props.jar(rng, radius, rng.uniform(0.4, 0.7)), (x + radius, y - rng.uniform(0.3, 0.5), z + 0.05))
            x += 2 * radius + rng.uniform(0.05, 0.25)
        elif kind < 0.8:
            kit.place(props.bowl(rng, 0.3, filled=False), (x + 0.3, y - 0.4, z + 0.05))
            x += 0.6 + rng.uniform(0.1, 0.5)
        else:
            x += rng.uniform(0.3, 0.9)


def room(rng, y):
    """Cupboards and a wall across the room, below the table's far edge and above it."""
    colour = kit.vary(rng, kit.rgb(rng.choice(FRONTS)))
    front = blocks.surface('front', rng, [(0.3, tuple(c * 0.93 for c in colour[:3]) + (1,)), (0.7, colour)], scale=1, tinted=True, roughness=(0.3, 0.5), bump=0.03) if rng.random() < 0.7 else blocks.timber('front', rng, 'z')
    wide, top = rng.uniform(1.3, 1.9), rng.uniform(0.0, 0.5)
    blocks.wall(rng, (-9, 9), (top - 3.2, top - 0.05), (wide, 3.1), 0.03, y, 0.1, front, shift=0, tint=blocks.tints(rng, 0.03, 0.01), bevel=0.02, name='cupboards')
    kit.box((18, 2, 0.14), (0, y + 0.85, top + 0.02), 'counter', stone(rng, rng.choice(('granite', 'plain', 'marble'))), 0.02)
    metal = kit.material('handle', (0.6, 0.6, 0.58, 1), 0.3, 1.0)
    for i in range(-6, 7):
        kit.box((wide * 0.4, 0.06, 0.05), (-9 + (i + 6.5) * (wide + 0.03), y - 0.08, top - 0.4), 'handle', metal, 0.015)
    paint(rng, y + 1.85)
    for _ in range(rng.randint(3, 6)):
        thing = rng.choice((lambda: props.jar(rng, 0.2, rng.uniform(0.5, 0.8)), lambda: props.plates(rng, 0.5), lambda: props.plant(rng, 0.9), lambda: props.bowl(rng, 0.5)))()
        kit.place(thing, (rng.uniform(-4.5, 4.5), y + rng.uniform(0.5, 1.2), top + 0.09))
    if rng.random() < 0.5:
        kit.place(props.picture(rng, rng.uniform(0.8, 1.4), rng.uniform(0.8, 1.2)), (rng.uniform(-2.5, 2.5), y + 1.8, top + rng.uniform(1.2, 1.5)))
    if rng.random() < 0.7:
        bottom = top + rng.uniform(2.0, 2.6)
        blocks.wall(rng, (-9, 9) if rng.random() < 0.4 else rng.choice(((-9, -0.5), (1, 9))), (bottom, bottom + 2.6), (wide, 2.6), 0.03, y + 0.7, 1.1, front, shift=0, tint=blocks.tints(rng, 0.03, 0.01), bevel=0.02, name='wall cupboards')
    kit.box((24, 24, 0.1), (0, 0, top - 3.6), 'floor', blocks.timber('floor', rng, tinted=False))


def props_along(rng, back, against_wall):
    """Three to six things between the spot and the wall, none on top of another."""
    things = {
        'plates': (0.5, lambda: props.plates(rng, rng.uniform(0.4, 0.52))),
        'fruit': (0.45, lambda: props.bowl(rng, rng.uniform(0.36, 0.46))),
        'jar': (0.22, lambda: props.jar(rng, rng.uniform(0.15, 0.22), rng.uniform(0.45, 0.8))),
        'tall jar': (0.2, lambda: props.jar(rng, rng.uniform(0.12, 0.18), rng.uniform(0.7, 1.0))),
        'spoons': (0.25, lambda: props.holder(rng, rng.uniform(0.5, 0.65), 6, 'spoons')),
        'herb': (0.45, lambda: props.plant(rng, rng.uniform(0.55, 0.8), 60)),
        'board': (0.6, lambda: board(rng)),
        'books': (0.4, lambda: props.books(rng, 0.7, (0.7, 0.95), 0.5)),
    }
    if not against_wall:
        del things['board']
    taken = []
    for kind in rng.sample(sorted(things), rng.randint(4, 7)):
        radius, make = things[kind]
        for _ in range(12):
            x = rng.uniform(-2.9, 2.9)
            if all(abs(x - other) > radius + r for other, r in taken):
                taken.append((x, radius))
                deep = max(0.95 + radius, back - radius - rng.uniform(0.02, 0.35))
                if kind == 'board':
                    deep = back - 0.12
                kit.place(make(), (x, deep, 0), (0, 0, rng.uniform(-0.3, 0.3) if kind not in ('books', 'board') else 0))
                break
    if rng.random() < 0.5:
        side = rng.choice((-1, 1))
        kit.place(props.cloth(rng), (side * rng.uniform(1.5, 1.9), rng.uniform(0.2, 0.9), 0), (0, 0, rng.uniform(-1, 1)))


def board(rng):
    """A chopping board that leans against the wall."""
    high = rng.uniform(1.0, 1.4)
    item = kit.box((rng.uniform(0.7, 1.0), 0.06, high), (0, 0, high / 2), 'board', blocks.timber('board', rng, 'z', tinted=False), 0.02)
    kit.place([item], rotation=(-math.radians(9), 0, 0), location=(0, -high * 0.15, 0.01))
    return [item]
