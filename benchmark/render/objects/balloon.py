"""A hot-air balloon: an envelope of bulging gores in bright colours, a skirt, ropes and a wicker basket. Hovers."""
import math

import bmesh
from kit import bezier, box, from_bmesh, material, noise_colour, place, rgb, tube, vary

LABEL = 'balloon'
TARGET = 417
YAWS = (-180, 180)
ELEVATIONS = (-25, 5)
COLOURS = ('#d3202a', '#f2b211', '#1f57b8', '#23894a', '#f2ece0', '#e2651b', '#6a2c8c', '#12a0b5', '#1c2030')


def envelope(rng, low, high, radius):
    """Gores from the mouth to the crown; each face takes the colour of a seeded pattern."""
    profile = bezier([(radius * 0.2, 0, low), (radius * 0.46, 0, low + (high - low) * 0.17), (radius * 0.84, 0, low + (high - low) * 0.42), (radius, 0, low + (high - low) * 0.64), (radius * 0.87, 0, low + (high - low) * 0.85), (radius * 0.48, 0, low + (high - low) * 0.97), (0.004, 0, high)], 8)
    gores, per = rng.choice((16, 20, 24)), 6
    around = gores * per
    bulge = rng.uniform(0.02, 0.045)
    bm = bmesh.new()
    loops = [[bm.verts.new((p.x * (1 + bulge * math.sin(math.pi * (k % per) / per)) * math.cos(2 * math.pi * k / around), p.x * (1 + bulge * math.sin(math.pi * (k % per) / per)) * math.sin(2 * math.pi * k / around), p.z)) for k in range(around)] for p in profile]
    pattern = rng.choice(('stripes', 'stripes', 'spiral', 'bands', 'zigzag', 'blocks'))
    count = rng.choice((2, 3, 4)) if pattern != 'bands' else 4
    for i, (a, b) in enumerate(zip(loops, loops[1:])):
        for k in range(around):
            face = bm.faces.new((a[k], a[(k + 1) % around], b[(k + 1) % around], b[k]))
            gore, row = k // per, i // 4
            face.material_index = {'stripes': gore, 'spiral': gore + row, 'bands': row // 2, 'zigzag': row + gore % 2, 'blocks': gore // 2 + (row // 2) % 2}[pattern] % count
    item = from_bmesh(bm, 'envelope', None, auto_smooth_degrees=25)
    for colour in rng.sample(COLOURS, count):
        cloth = vary(rng, rgb(colour), 0.05)
        # A little light of its own stands for the daylight that passes through the cloth.
        item.data.materials.append(material('cloth', cloth, roughness=0.5, Specular=0.3, Sheen=0.2, Emission=cloth, Emission_Strength=0.12))
    return item, profile[0].x


def build(rng):
    high, low = 1.0, rng.uniform(0.24, 0.28)
    radius = rng.uniform(0.34, 0.39)
    skin, mouth = envelope(rng, low, high, radius)
    items = [skin]
    wicker = material('wicker', roughness=0.85)
    noise_colour(wicker, [(0.35, rgb('#5a3a1c')), (0.65, rgb('#a5773f'))], scale=40, detail=2, stretch=(1, 1, 2.5), bump=0.6, seed=rng.uniform(0, 50))
    size, tall = rng.uniform(0.075, 0.095), rng.uniform(0.06, 0.075)
    items.append(box((size, size * 0.8, tall), (0, 0, tall / 2), 'basket', wicker, bevel=0.008))
    leather = material('leather', rgb('#3a2313'), roughness=0.6)
    items.append(box((size * 1.08, size * 0.88, tall * 0.16), (0, 0, tall), 'rim', leather, bevel=0.005))
    rope = material('rope', rgb('#4a4238'), roughness=0.9)
    for x in (-1, 1):
        for y in (-1, 1):
            a = math.atan2(y * 0.8, x)
            items.append(tube([(x * size * 0.48, y * size * 0.38, tall), (x * size * 0.42, y * size * 0.34, tall + 0.06)], 0.0035, 'upright', leather))
            for spread in (-0.45, 0, 0.45):
                items.append(tube([(x * size * 0.42, y * size * 0.34, tall + 0.06), (mouth * math.cos(a + spread), mouth * math.sin(a + spread), low + 0.004)], 0.0016, 'rope', rope, resolution=1))
    steel = material('burner', rgb('#9a9a9a'), roughness=0.3, metallic=1.0)
    items.append(box((size * 0.9, size * 0.74, 0.008), (0, 0, tall + 0.06), 'frame', steel))
    items.append(box((0.02, 0.02, 0.03), (0, 0, tall + 0.075), 'burner', steel, bevel=0.004))
    cloth = material('clothes', vary(rng, rgb(rng.choice(COLOURS)), 0.1), roughness=0.8)
    face = material('face', rgb('#c99877'), roughness=0.6)
    for x in rng.sample((-0.25, 0.05, 0.3), rng.randint(1, 3)):
        items.append(box((0.016, 0.012, 0.03), (x * size, 0, tall + 0.012), 'person', cloth, bevel=0.004))
        items.append(box((0.01, 0.01, 0.013), (x * size, 0, tall + 0.034), 'head', face, bevel=0.004))
    place(items, (0, 0, 0), (rng.uniform(-0.04, 0.04), rng.uniform(-0.04, 0.04), rng.uniform(0, 6.28)))
    return items
