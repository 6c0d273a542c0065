"""A wine bottle: green, brown or dark glass with wine in it, paper label, capsule over the cork or a bare cork."""
import math

import bmesh
import bpy
from kit import bezier, from_bmesh, lathe, link, material, noise_colour, place, rgb, to_mesh, vary

LABEL = 'wine bottle'
TARGET = 907
YAWS = (-35, 35)
ELEVATIONS = (2, 20)
# A dark, glossy body with a little transmission looks like filled glass and costs one layer.
GLASSES = ('#0b1a0d', '#12240f', '#1d2a10', '#1c0f08', '#2c1a0c', '#0d0f12', '#3a0a14', '#2f3a14')
FOILS = ('#5a0f18', '#1a1a1c', '#b08a3a', '#22314f', '#e6e2d8', '#1f3b2a', '#8a1c1c')
NAMES = ('Merlot', 'Rioja', 'Barolo', 'Pinot Noir', 'Malbec', 'Chianti', 'Riesling', 'Syrah', 'Cabernet')
ESTATES = ('CHATEAU', 'DOMAINE', 'BODEGA', 'ESTATE', 'TENUTA', 'RESERVA', 'WEINGUT')


def wrapped(radius, half_angle, low, high, made, name):
    """A sheet laid around the front of the body."""
    bm = bmesh.new()
    columns = [[bm.verts.new((radius * math.sin(a), -radius * math.cos(a), z)) for z in (low, high)] for a in (half_angle * (k / 20 - 1) for k in range(41))]
    for a, b in zip(columns, columns[1:]):
        bm.faces.new((a[0], b[0], b[1], a[1]))
    return from_bmesh(bm, name, made, auto_smooth_degrees=180)


def lettering(text, size, radius, z, ink, widest):
    curve = bpy.data.curves.new('print', 'FONT')
    curve.body, curve.align_x, curve.size = text, 'CENTER', 1.0
    item = to_mesh(link(curve, 'print'), ink)
    xs = [v.co.x for v in item.data.vertices]
    scale = min(size, widest / (max(xs) - min(xs)))
    for v in item.data.vertices:
        a = v.co.x * scale / radius
        v.co = (radius * math.sin(a), -radius * math.cos(a), z + v.co.y * scale)
    return item


def build(rng):
    r = rng.uniform(0.118, 0.135)
    neck = rng.uniform(0.042, 0.048)
    if rng.random() < 0.6:
        shoulder = [(r, 0, 0.58), (r * 0.96, 0, 0.635), (r * 0.68, 0, 0.69), (neck * 1.12, 0, 0.745), (neck, 0, 0.8), (neck * 0.95, 0, 0.93)]
    else:
        shoulder = [(r, 0, 0.46), (r * 0.94, 0, 0.54), (r * 0.72, 0, 0.66), (neck * 1.2, 0, 0.77), (neck, 0, 0.84), (neck * 0.95, 0, 0.93)]
    body = [(0, 0.03), (r * 0.6, 0.012), (r * 0.86, 0.0), (r * 0.96, 0.008), (r, 0.03)] + [(p.x, p.z) for p in bezier(shoulder, 8)]
    lip = [(neck * 0.95, 0.955), (neck * 1.12, 0.958), (neck * 1.14, 0.985), (neck * 0.98, 0.995), (neck * 0.75, 0.995), (neck * 0.72, 0.96), (0, 0.96)]
    glass = material('bottle glass', vary(rng, rgb(rng.choice(GLASSES)), 0.15), roughness=rng.uniform(0.03, 0.08), Specular=0.75, Clearcoat=0.5, Transmission=0.12, IOR=1.5)
    items = [lathe(body + lip, 'bottle', glass, 80, auto_smooth_degrees=50)]
    if rng.random() < 0.8:
        foil_paint = material('foil', vary(rng, rgb(rng.choice(FOILS)), 0.1), roughness=rng.uniform(0.25, 0.45), metallic=rng.choice((0.2, 0.6)))
        bottom = rng.uniform(0.79, 0.83)
        items.append(lathe([(neck * 1.06, bottom), (neck * 1.02, 0.93), (neck * 1.04, 0.952), (neck * 1.2, 0.956), (neck * 1.21, 0.99), (neck * 1.1, 1.0), (0, 1.0)], 'capsule', foil_paint, 48))
    else:
        cork = material('cork', roughness=0.9)
        noise_colour(cork, [(0.35, rgb('#8a6238')), (0.6, rgb('#c9a070'))], scale=30, bump=0.3, seed=rng.uniform(0, 50))
        items.append(lathe([(neck * 0.71, 0.95), (neck * 0.72, 1.01), (neck * 0.62, 1.015), (0, 1.015)], 'cork', cork, 32))
    paper_tone = vary(rng, rgb(rng.choice(('#f0e9d8', '#f0e9d8', '#f4f2ec', '#e2d5b4', '#1c1b1d'))), 0.03)
    dark_paper = sum(paper_tone[:3]) < 0.5
    paper = material('paper', paper_tone, roughness=0.7)
    low, high = rng.uniform(0.1, 0.16), rng.uniform(0.38, 0.44)
    angle = rng.uniform(1.0, 1.5)
    items.append(wrapped(r * 1.006, angle, low, high, paper, 'label'))
    ink = material('ink', rgb('#c9a24a') if dark_paper else vary(rng, rgb(rng.choice(('#2a2320', '#5a0f18', '#1c2c4a'))), 0.1), roughness=0.5)
    widest = r * angle * 1.5
    items.append(lettering(rng.choice(NAMES), 0.06, r * 1.012, high - 0.09, ink, widest))
    items.append(lettering(rng.choice(ESTATES), 0.034, r * 1.012, high - 0.14, ink, widest))
    items.append(lettering(str(rng.randint(1996, 2021)), 0.03, r * 1.012, low + 0.03, ink, widest))
    accent = material('accent', vary(rng, rgb(rng.choice(FOILS)), 0.1), roughness=0.5)
    middle = (low + 0.06 + high - 0.15) / 2
    items.append(wrapped(r * 1.011, angle * rng.uniform(0.25, 0.9), middle - rng.uniform(0.01, 0.04), middle + rng.uniform(0.01, 0.03), accent, 'accent'))
    if rng.random() < 0.5:
        items.append(wrapped(r * 1.0065, angle, low - 0.05, low - 0.02, accent, 'strip'))
    place(items, (0, 0, 0))
    return items
