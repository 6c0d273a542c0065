"""An airship: streamlined hull with gores and a coloured band, four fins, gondola and engines. Hovers; seen from the side."""
import math

import bmesh
from kit import box, bounds, cylinder, from_bmesh, link, material, place, rgb, sphere, vary
from outdoors import mesh_of

LABEL = 'airship'
TARGET = 405
YAWS = (-35, 35)
ELEVATIONS = (-25, 5)
HULLS = ('#d9dadc', '#c5c8cc', '#e8e8e6', '#b4b9bf', '#dcd6c8')
BANDS = ('#1b3f8b', '#b3151d', '#e0a112', '#156b3d', '#20242b', '#e2601a')


def hull_radius(t, fineness, fullest):
    """Radius along the hull (0 nose, 1 tail): an ellipse up to the fullest part and a slower taper behind it."""
    if t < fullest:
        u = (fullest - t) / fullest
        return fineness * math.sqrt(max(0.0, 1 - u * u))
    u = (t - fullest) / (1 - fullest)
    return fineness * max(0.0, 1 - u**2.1) ** 0.8


def hull(rng, fineness, fullest):
    """The envelope, nose at -x: gores sag a little between their seams; faces carry the livery."""
    gores, per, rings = rng.choice((16, 20, 24)), 6, 90
    sag = rng.uniform(0.006, 0.016)
    around = gores * per
    bm = bmesh.new()
    grid = []
    for i in range(1, rings):
        t = 0.5 - 0.5 * math.cos(math.pi * i / rings)
        r = hull_radius(t, fineness, fullest)
        grid.append([bm.verts.new((t - 0.5, r * (1 - sag * math.sin(math.pi * (k % per) / per)) * math.sin(2 * math.pi * k / around), r * (1 - sag * math.sin(math.pi * (k % per) / per)) * math.cos(2 * math.pi * k / around))) for k in range(around)])
    nose, tail = bm.verts.new((-0.5, 0, 0)), bm.verts.new((0.5, 0, 0))
    scheme = rng.choice(('plain', 'belly', 'band', 'nose', 'band', 'stripes'))
    low = rng.uniform(-0.75, -0.35)
    def livery(face):
        c = face.calc_center_median()
        radius = max(1e-6, math.hypot(c.y, c.z))
        height, t = c.z / radius, c.x + 0.5
        if scheme == 'belly' and height < low + 0.25 * math.sin(3 * t):
            return 1
        if scheme == 'band' and abs(height - 0.05) < 0.16:
            return 1
        if scheme == 'stripes' and (abs(height + 0.25) < 0.1 or abs(height - 0.05) < 0.05):
            return 1
        if scheme == 'nose' and (t < 0.12 or t > 0.84):
            return 1
        return 0
    for k in range(around):
        j = (k + 1) % around
        bm.faces.new((nose, grid[0][j], grid[0][k]))
        bm.faces.new((tail, grid[-1][k], grid[-1][j]))
        for a, b in zip(grid, grid[1:]):
            bm.faces.new((a[k], a[j], b[j], b[k]))
    for face in bm.faces:
        face.material_index = livery(face)
    skin = vary(rng, rgb(rng.choice(HULLS)), 0.04)
    paint = vary(rng, rgb(rng.choice(BANDS)), 0.08)
    gloss = rng.uniform(0.3, 0.5)
    item = from_bmesh(bm, 'hull', material('skin', skin, roughness=gloss, metallic=rng.choice((0.0, 0.0, 0.35))), auto_smooth_degrees=30)
    livery_paint = material('livery', paint, roughness=gloss)
    item.data.materials.append(livery_paint)
    return item, skin, livery_paint


def fin(angle, size, start, radius, made, rudder):
    """A swept fin on the tail at an angle about the hull, with its rudder behind it."""
    chord, span, thick = size * 0.95, size, 0.008
    outline = [(start, radius * 0.55), (start + chord * 0.45, radius * 0.55 + span), (start + chord * 0.78, radius * 0.55 + span), (start + chord * 0.72, radius * 0.1)]
    flap = [(start + chord * 0.735, radius * 0.12), (start + chord * 0.795, radius * 0.55 + span), (start + chord * 1.08, radius * 0.55 + span * 0.97), (start + chord * 1.02, radius * 0.35)]
    made_items = []
    for corners, paint in ((outline, made), (flap, rudder)):
        vertices = [(x, s * thick, z) for s in (-1, 1) for x, z in corners]
        faces = [(0, 1, 2, 3), (7, 6, 5, 4)] + [(k, k + 4, (k + 1) % 4 + 4, (k + 1) % 4) for k in range(4)]
        item = link(mesh_of(vertices, faces, [paint], name='fin'), 'fin')
        edge = item.modifiers.new('edge', 'BEVEL')
        edge.width = 0.004
        item.rotation_euler = (angle, 0, 0)
        made_items.append(item)
    return made_items


def gondola(rng, z, x, made, glass):
    """The cabin below the hull: rounded body, a row of windows, struts, a wheel."""
    length, height, width = rng.uniform(0.15, 0.2), rng.uniform(0.042, 0.055), rng.uniform(0.05, 0.065)
    items = [box((length, width, height), (x, 0, z), 'cabin', made, bevel=height * 0.42)]
    panes = rng.randint(5, 7)
    for k in range(panes):
        at = x - length * 0.42 + length * 0.8 * k / (panes - 1)
        items.append(box((length / panes * 0.62, width * 1.02, height * 0.36), (at, 0, z + height * 0.14), 'window', glass, bevel=0.002))
    items.append(box((height * 0.4, width * 0.7, height * 0.4), (x - length * 0.49, 0, z + height * 0.1), 'windscreen', glass, bevel=0.006))
    for side in (-1, 1):
        out = side * width * 1.25
        items.append(sphere(0.024, (x + length * 0.35, out, z), 'engine', made, (1.9, 0.75, 0.75), 3))
        items.append(box((0.014, width * 1.2, 0.008), (x + length * 0.35, out * 0.6, z), 'strut', made))
        items.append(cylinder(0.036, 0.004, (x + length * 0.35 + 0.047, out, z), 'propeller', glass, (0, math.pi / 2, 0), 24))
    items.append(cylinder(0.012, 0.01, (x, 0, z - height * 0.72), 'wheel', glass, (math.pi / 2, 0, 0), 20))
    items.append(box((0.006, 0.006, height * 0.4), (x, 0, z - height * 0.55), 'leg', made))
    return items


def build(rng):
    fineness, fullest = rng.uniform(0.115, 0.15), rng.uniform(0.34, 0.42)
    body, skin, paint = hull(rng, fineness, fullest)
    plain = material('fin skin', skin, roughness=0.4)
    dark = material('dark glass', (0.012, 0.014, 0.018, 1), roughness=0.08, Specular=0.8)
    cabin = rng.choice((plain, paint, material('cabin', rgb('#e6e6e4'), roughness=0.35)))
    fin_paint, rudder = rng.choice(((plain, paint), (paint, plain), (plain, plain)))
    items = [body]
    size = rng.uniform(0.12, 0.15)
    start = 0.5 - size * 1.35
    radius = hull_radius(start + 0.5 + size * 0.3, fineness, fullest)
    tilt = rng.choice((0.0, math.pi / 4))
    for quarter in range(4):
        items += fin(tilt + quarter * math.pi / 2, size, start, radius, fin_paint, rudder)
    x = rng.uniform(-0.17, -0.08)
    items += gondola(rng, -hull_radius(x + 0.5, fineness, fullest) - 0.018, x, cabin, dark)
    items.append(sphere(0.012, (-0.5, 0, 0), 'nose cone', paint, subdivisions=3))
    place(items, (0, 0, 0), (rng.uniform(-0.05, 0.05), rng.uniform(-0.12, 0.12), rng.choice((0.0, math.pi))))
    low, _ = bounds(items)
    place(items, (0, 0, -low.z))
    return items
