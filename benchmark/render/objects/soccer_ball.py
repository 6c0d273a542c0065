"""A football of 12 pentagons and 20 hexagons (truncated icosahedron) with sewn-in seams."""
import math

import bmesh
import bpy
from mathutils import Euler, Vector

import kit

LABEL = 'soccer ball'
TARGET = 805
YAWS = (-180, 180)
ELEVATIONS = (3, 35)
LYING = 0.0

RADIUS = 0.5
TRUNCATION = 1 / 3
"""Panels are cut a third of an edge from each corner of the icosahedron, which makes all their edges equal."""

SCHEMES = (
    ('#161616', '#f2f2ee', 6),
    ('#1b2a6b', '#f2f2f0', 1),
    ('#a51c1c', '#f2f2f0', 1),
)
"""Pentagons, hexagons, weight."""


def corners_of_icosahedron():
    bm = bmesh.new()
    bmesh.ops.create_icosphere(bm, subdivisions=1, radius=1)
    corners = [v.co.normalized() for v in bm.verts]
    triangles = [[v.index for v in f.verts] for f in bm.faces]
    bm.free()
    return corners, triangles


def around(points):
    """The points in order about their middle, seen from outside."""
    middle = sum(points, Vector()).normalized()
    u = (points[0] - middle * points[0].dot(middle)).normalized()
    v = middle.cross(u)
    return sorted(points, key=lambda p: math.atan2(p.dot(v), p.dot(u)))


def panels():
    """Outlines on the unit sphere: first the 12 pentagons, then the 20 hexagons."""
    corners, triangles = corners_of_icosahedron()
    cut = lambda a, b: corners[a].lerp(corners[b], TRUNCATION)
    neighbours = [{j for t in triangles if i in t for j in t} - {i} for i in range(len(corners))]
    pentagons = [around([cut(i, j) for j in near]) for i, near in enumerate(neighbours)]
    hexagons = [around([cut(a, b) for a in t for b in t if a != b]) for t in triangles]
    return pentagons, hexagons


def add_panel(bm, outline, colour_index, seam_width, seam_depth, fine=10):
    """One panel as a fan of rings, bulged to the sphere and pressed in at its edge."""
    centre = sum(outline, Vector()) / len(outline)
    edge = [outline[i].lerp(outline[(i + 1) % len(outline)], k / fine) for i in range(len(outline)) for k in range(fine)]
    stops = [0.25, 0.5, 0.75, 0.88, 1 - seam_width * 1.6, 1 - seam_width, 1 - seam_width * 0.4, 1.0]
    top = bm.verts.new(centre.normalized() * RADIUS)
    rings = []
    for s in stops:
        into = max(0.0, 1 - (1 - s) / (seam_width * 1.6))
        depth = seam_depth * into**2
        rings.append([bm.verts.new(centre.lerp(p, s).normalized() * (RADIUS - depth)) for p in edge])
    n = len(edge)
    faces = [bm.faces.new((top, rings[0][i], rings[0][(i + 1) % n])) for i in range(n)]
    for a, b in zip(rings, rings[1:]):
        faces += [bm.faces.new((a[i], b[i], b[(i + 1) % n], a[(i + 1) % n])) for i in range(n)]
    for face in faces:
        face.material_index = colour_index


def leather(name, rng, colour, dirt):
    """Coated leather: fine grain, a little dirt."""
    made = kit.material(name, colour, roughness=rng.uniform(0.3, 0.5), Specular=0.4)
    soil = tuple(c * (1 - dirt) + d * dirt for c, d in zip(colour[:3], kit.rgb('#6b5a40'))) + (1,)
    kit.noise_colour(made, [(0.45, colour), (0.75, soil)], scale=rng.uniform(3, 6), detail=8, seed=rng.uniform(0, 50))
    grain = made.node_tree.nodes.new('ShaderNodeTexNoise')
    grain.inputs['Scale'].default_value = 160
    return kit.raise_bump(made, grain.outputs['Fac'], 0.12, 0.004)


def build(rng):
    dark, light, _ = rng.choices(SCHEMES, weights=[s[2] for s in SCHEMES])[0]
    dirt = rng.choice((0.0, 0.08, 0.25))
    seam_width, seam_depth = rng.uniform(0.045, 0.07), rng.uniform(0.010, 0.016)
    bm = bmesh.new()
    pentagons, hexagons = panels()
    for outline in pentagons:
        add_panel(bm, outline, 0, seam_width, seam_depth)
    for outline in hexagons:
        add_panel(bm, outline, 1, seam_width, seam_depth)
    bmesh.ops.remove_doubles(bm, verts=bm.verts, dist=1e-5)
    ball = kit.from_bmesh(bm, 'soccer ball', leather('pentagon', rng, kit.rgb(dark), dirt * 0.5), auto_smooth_degrees=180)
    ball.data.materials.append(leather('hexagon', rng, kit.vary(rng, kit.rgb(light), 0.02), dirt))
    turn = Euler([rng.uniform(0, 2 * math.pi) for _ in range(3)]).to_matrix().to_4x4()
    ball.data.transform(turn)
    ball.location = (0, 0, RADIUS)
    bpy.context.view_layer.update()
    return [ball]
