"""A desk in an office or study: a wall with notes, a screen, books and papers behind the spot. 1 unit is about 25 cm."""
import math

import blocks
import indoor_light as light
import kit
import props
from setting import Setting

NAME = 'desk'

PAINTS = ['#e9e6df', '#cfd8dc', '#b7c4b1', '#d9cbb5', '#8fa3ad', '#e3d2c3', '#6d7f86', '#f2efe8']
TOPS = ['#ebe8e2', '#c9c4ba', '#3a3b3d', '#8d8f91', '#dcd3c2', '#f4f3f0']
NOTES = ['#f3e27a', '#f2a7b5', '#a8d8a0', '#9ecbe8', '#f5c07a']


def build(rng):
    back = rng.uniform(1.9, 2.8)
    desktop(rng, back)
    wall(rng, back)
    has_screen = rng.random() < 0.55
    taken = []
    if has_screen:
        x = rng.choice((-1, 1)) * rng.uniform(0.5, 1.9)
        kit.place(screen(rng), (x, back - 0.55, 0), (0, 0, -x * rng.uniform(0.05, 0.2)))
        taken.append((x, 0.9))
        if rng.random() < 0.6:
            kit.place(keyboard(rng), (x * 1.3 + rng.uniform(-0.2, 0.2), max(1.05, back - 1.25), 0), (0, 0, rng.uniform(-0.15, 0.15)))
    things(rng, back, taken)
    papers(rng)
    light.world(rng, rng.uniform(0.25, 0.5))
    if rng.random() < 0.4:
        light.ceiling_light(rng, colour=rng.choice((light.NEUTRAL, light.COOL, light.WARM)))
    else:
        side = light.window_light(rng)
        if rng.random() < 0.35:
            light.sun_through_panes(rng, side=side)
    return Setting(azimuths=(-36, 36), elevations=(6, 38), distance=(1.0, 1.3), lens_mm=(35, 60), focus_fstop=(0.4, 1.2), exposure=rng.uniform(-0.1, 0.3))


def desktop(rng, back):
    if rng.random() < 0.6:
        made = blocks.timber('desktop', rng, roughness=(0.25, 0.45))
        size, gap = ((30, 30), 0) if rng.random() < 0.5 else ((30, rng.uniform(0.6, 1.2)), 0.004)
    else:
        colour = kit.vary(rng, kit.rgb(rng.choice(TOPS)), 0.04)
        made = blocks.surface('desktop', rng, [(0.3, tuple(c * 0.94 for c in colour[:3]) + (1,)), (0.7, colour)], scale=9, tinted=True, roughness=(0.25, 0.45), bump=0.03)
        size, gap = (40, 40), 0
    blocks.floor(rng, (-6, 6), (-5, back), size, gap, made, depth=0.14, shift=0, tint=blocks.tints(rng, 0.08, 0.02), bevel=0.008, name='desktop')
    if rng.random() < 0.3:
        felt = kit.vary(rng, kit.rgb(rng.choice(('#3b4a45', '#2f3338', '#6b4a36', '#4d5a6e'))))
        pad = blocks.surface('pad', rng, [(0.3, tuple(c * 0.85 for c in felt[:3]) + (1,)), (0.7, felt)], scale=30, roughness=(0.8, 0.95), bump=0.3, grain=1)
        kit.box((4.6, 2.4, 0.012), (rng.uniform(-0.6, 0.6), rng.uniform(-0.4, -0.2), 0.006), 'pad', pad, 0.005)


def wall(rng, y):
    kind = rng.choice(('shelf', 'shelf', 'board', 'pictures', 'bookcase'))
    if kind == 'bookcase':
        # It stands behind the desk, not on it.
        y += 0.72
    colour = kit.vary(rng, kit.rgb(rng.choice(PAINTS)), 0.05)
    made = blocks.surface('paint', rng, [(0.3, tuple(c * 0.94 for c in colour[:3]) + (1,)), (0.7, colour)], scale=0.8, roughness=(0.8, 0.95), bump=0.06, grain=0.6)
    kit.box((24, 0.1, 12), (0, y + 0.1, 2), 'wall', made)
    if kind == 'shelf':
        z = rng.uniform(1.75, 2.2)
        kit.box((9, 0.75, 0.09), (0, y - 0.3, z), 'shelf', blocks.timber('shelf', rng, tinted=False), 0.01)
        x = -4.2
        while x < 4.2:
            if rng.random() < 0.75:
                long = rng.uniform(0.7, 2)
                kit.place(props.books(rng, long), (x + long / 2, y - 0.35, z + 0.05))
                x += long + 0.3
            else:
                kit.place(props.plant(rng, 0.7), (x + 0.4, y - 0.35, z + 0.05))
                x += 1.1
    elif kind == 'bookcase':
        made = blocks.timber('bookcase', rng, tinted=False)
        high = rng.uniform(1.15, 1.35)
        for i in range(4):
            kit.box((11, 0.7, 0.08), (0, y - 0.3, 0.04 + i * high), 'shelf', made, 0.01)
            for x in (-4.1, -2.05, 0, 2.05, 4.1):
                if i < 3:
                    kit.place(props.books(rng, rng.uniform(1.1, 1.85), (0.65, high - 0.2)), (x, y - 0.3, 0.08 + i * high))
        for x in (-5.15, -3.1, -1.03, 1.03, 3.1, 5.15):
            kit.box((0.08, 0.7, high * 4), (x, y - 0.3, high * 2), 'upright', made, 0.01)
    elif kind == 'board':
        pin_board(rng, y)
    else:
        x = -3
        while x < 3:
            wide = rng.uniform(0.8, 1.5)
            kit.place(props.picture(rng, wide, wide * rng.uniform(0.7, 1.3)), (x + wide / 2, y + 0.03, rng.uniform(1.6, 2.1)))
            x += wide + rng.uniform(0.3, 0.8)


def pin_board(rng, y):
    """Cork or a white board with notes and sheets pinned to it."""
    cork = rng.random() < 0.6
    made = blocks.surface('cork', rng, [(0.35, kit.rgb('#8a5f38')), (0.65, kit.rgb('#bf935f'))], scale=25, roughness=(0.9, 1), bump=0.4) if cork else kit.material('whiteboard', (0.86, 0.87, 0.88, 1), 0.15)
    wide, low, high = rng.uniform(4.4, 6), rng.uniform(0.35, 0.8), rng.uniform(2.6, 3.2)
    kit.box((wide, 0.05, high - low), (0, y + 0.03, (low + high) / 2), 'board', made)
    frame = blocks.timber('frame', rng, tinted=False) if cork else kit.material('frame', (0.6, 0.6, 0.62, 1), 0.35, 1.0)
    for z in (low, high):
        kit.box((wide + 0.1, 0.1, 0.09), (0, y, z), 'frame', frame, 0.01)
    for x in (-wide / 2, wide / 2):
        kit.box((0.09, 0.1, high - low), (x, y, (low + high) / 2), 'frame', frame, 0.01)
    sheets, lines = [], []
    for _ in range(rng.randint(12, 22)):
        note = rng.random() < 0.5
        w, h = (0.3, 0.3) if note else (rng.uniform(0.5, 0.85), rng.uniform(0.5, 1.0))
        x, z, turn = rng.uniform(-wide / 2 + w, wide / 2 - w), rng.uniform(low + h / 2, high - h / 2), rng.uniform(-0.12, 0.12)
        front = y - 0.004 - len(sheets) * 0.0015
        sheets.append(((x, front, z), (w, 0.004, h), kit.rgb(rng.choice(NOTES))[:3] if note else (0.86, 0.85, 0.82), (0, turn, 0)))
        rows = int(h / 0.09)
        for i in range(1, rows):
            long = w * rng.uniform(0.35, 0.8)
            off = h / 2 - i * 0.09
            lines.append(((x - (w * 0.8 - long) / 2 + off * math.sin(turn), front - 0.003, z + off), (long, 0.003, 0.025), (0.06, 0.06, 0.09), (0, turn, 0)))
    paper = blocks.surface('sheets', rng, [(0.3, (0.95, 0.95, 0.95, 1)), (0.7, (1, 1, 1, 1))], tinted=True, roughness=(0.7, 0.9), bump=0)
    blocks.blocks(sheets + lines, paper, 0, 'sheets')


def screen(rng):
    """A monitor whose picture glows a little: windows, or a photograph-like gradient."""
    wide = rng.uniform(1.7, 2.3)
    high, case = wide * 0.58, kit.material('case', rng.choice(((0.02, 0.02, 0.02, 1), (0.6, 0.6, 0.61, 1), (0.75, 0.74, 0.72, 1))), 0.35)
    z = rng.uniform(0.3, 0.5) + high / 2
    parts = [kit.box((wide, 0.1, high), (0, 0, z), 'monitor', case, 0.02), kit.box((0.2, 0.08, z), (0, 0.08, z / 2), 'stem', case, 0.02), kit.box((0.8, 0.5, 0.03), (0, 0.05, 0.015), 'foot', case, 0.01)]
    glow = blocks.surface('glow', rng, [(0.35, kit.rgb(rng.choice(('#16324f', '#1d1f24', '#3b5d3a', '#53305e')))), (0.65, kit.rgb(rng.choice(('#5d9bc7', '#37404a', '#c98a5b', '#e3dfd6'))))], scale=0.6, roughness=(0.15, 0.2), bump=0)
    shine(glow, 0.6)
    parts.append(kit.box((wide - 0.1, 0.01, high - 0.1), (0, -0.051, z), 'picture', glow))
    if rng.random() < 0.8:
        pages = blocks.surface('pages', rng, [(0.3, (1, 1, 1, 1)), (0.7, (1, 1, 1, 1))], tinted=True, roughness=(0.2, 0.25), bump=0)
        shine(pages, 0.7)
        dark = rng.random() < 0.4
        page, ink = ((0.03, 0.035, 0.045), (0.5, 0.6, 0.55)) if dark else ((0.85, 0.86, 0.88), (0.15, 0.17, 0.2))
        tiles = []
        for x0, x1 in ((-0.44, -0.1), (-0.06, 0.44)):
            tiles.append((((x0 + x1) / 2 * wide, -0.058, z), ((x1 - x0) * wide, 0.004, high * 0.8), page, (0, 0, 0)))
            for i in range(14):
                long = (x1 - x0) * wide * rng.uniform(0.25, 0.85)
                tiles.append(((x0 * wide + 0.05 + long / 2, -0.062, z + high * (0.34 - i * 0.051)), (long, 0.004, 0.022), kit.vary(rng, ink, 0.3)[:3], (0, 0, 0)))
        parts.append(blocks.blocks(tiles, pages, 0, 'pages'))
    return parts


def shine(made, strength):
    """Lets a material give off its own colour."""
    shader = kit.shader_of(made)
    made.node_tree.links.new(shader.inputs['Base Color'].links[0].from_socket, shader.inputs['Emission'])
    shader.inputs['Emission Strength'].default_value = strength


def keyboard(rng):
    dark = rng.random() < 0.6
    case = kit.material('keyboard', (0.03, 0.03, 0.03, 1) if dark else (0.7, 0.7, 0.7, 1), 0.4)
    keys = kit.material('keys', (0.06, 0.06, 0.065, 1) if dark else (0.82, 0.82, 0.8, 1), 0.5)
    placements = [((-0.75 + 0.107 * i, -0.2 + 0.1 * j, 0.06), (0.09, 0.085, 0.03), (1, 1, 1), (0, 0, 0)) for i in range(15) for j in range(5) if j or not 3 < i < 10]
    placements.append(((-0.05, -0.2, 0.06), (0.6, 0.085, 0.03), (1, 1, 1), (0, 0, 0)))
    return [kit.box((1.72, 0.56, 0.05), (0, 0, 0.025), 'keyboard', case, 0.015), blocks.blocks(placements, keys, 0.012, 'keys')]


def things(rng, back, taken):
    kinds = {
        'books': (0.6, lambda: props.books(rng, 1.0, (0.7, 1.0))),
        'pile': (0.55, lambda: props.book_pile(rng)),
        'pens': (0.2, lambda: props.holder(rng, rng.uniform(0.35, 0.45), rng.randint(4, 9))),
        'plant': (0.5, lambda: props.plant(rng, rng.uniform(0.6, 0.9))),
        'frame': (0.45, lambda: standing_picture(rng)),
        'second pile': (0.5, lambda: props.book_pile(rng, size=(0.75, 0.55))),
        'box': (0.45, lambda: props.carton(rng, (0.7, 0.5, rng.uniform(0.25, 0.5)))),
    }
    for kind in rng.sample(sorted(kinds), rng.randint(4, 6)):
        radius, make = kinds[kind]
        for _ in range(12):
            x = rng.uniform(-3, 3)
            if all(abs(x - other) > radius + r for other, r in taken):
                taken.append((x, radius))
                y = max(1.0 + radius * 0.7, back - radius * 0.8 - rng.uniform(0.05, 0.6)) - (0.35 if back < 2.2 else 0.6) * rng.random()
                kit.place(make(), (x, max(0.95 + radius * 0.6, y), 0), (0, 0, rng.uniform(-0.35, 0.35)))
                break


def standing_picture(rng):
    parts = props.picture(rng, 0.6, rng.uniform(0.5, 0.8))
    low = kit.bounds(parts)[0].z
    kit.place(parts, (0, 0, -low), (-0.15, 0, 0))
    return parts


def papers(rng):
    """Sheets with lines of writing and a pen or two beside the spot."""
    side = rng.choice((-1, 1))
    paper = blocks.surface('paper', rng, [(0.3, (0.95, 0.95, 0.95, 1)), (0.7, (1, 1, 1, 1))], tinted=True, roughness=(0.7, 0.9), bump=0)
    sheets = []
    for i in range(rng.randint(0, 4)):
        x, y, turn, z = side * rng.uniform(1.35, 1.75), rng.uniform(-0.2, 0.9), rng.uniform(-0.5, 0.5), 0.003 + i * 0.005
        sheets.append(((x, y, z), (0.84, 1.18, 0.004), kit.vary(rng, (0.87, 0.86, 0.82, 1), 0.03)[:3], (0, 0, turn)))
        for k in range(15):
            off, long = 0.5 - k * 0.07, rng.uniform(0.3, 0.66)
            dx = -(0.66 - long) / 2
            sheets.append(((x + dx * math.cos(turn) - off * math.sin(turn), y + dx * math.sin(turn) + off * math.cos(turn), z + 0.0025), (long, 0.018, 0.001), (0.1, 0.1, 0.14), (0, 0, turn)))
    if sheets:
        blocks.blocks(sheets, paper, 0, 'papers')
    for _ in range(rng.randint(0, 3)):
        turn, colour = rng.uniform(0, math.pi), kit.rgb(rng.choice(props.BINDINGS))
        kit.cylinder(0.025, 0.55, (-side * rng.uniform(1.0, 1.7), rng.uniform(0.2, 1.0), 0.03), 'pen', kit.material('pen', colour, 0.3), (math.pi / 2, 0, turn), 16, 0.01)
