"""Finds a camera that shows the object at a wanted size, whole, and not hidden by its surroundings."""
import math
from dataclasses import dataclass

import bpy
import numpy as np
from mathutils import Matrix, Vector

from stage import SUBJECT, surface_trees

SENSOR_MM = 36.0


@dataclass
class View:
    azimuth: float
    elevation: float
    roll: float
    lens: float
    fill: float
    offset: tuple
    fstop: float | None = None
    distance: float = 0.0


def meet(a, b):
    """What two ranges have in common, or the gap between them where they have nothing in common."""
    low, high = max(a[0], b[0]), min(a[1], b[1])
    return (low, high) if low <= high else (high, low)


def draw_view(rng, setting, elevations, azimuth=None):
    return View(
        azimuth=rng.uniform(*setting.azimuths) if azimuth is None else azimuth,
        elevation=rng.uniform(*meet(setting.elevations, elevations)),
        roll=rng.gauss(0, 1.2),
        lens=rng.uniform(*setting.lens_mm),
        fill=max(0.58, rng.uniform(0.62, 0.82) / rng.uniform(*setting.distance)),
        offset=(rng.uniform(-0.07, 0.07), rng.uniform(-0.06, 0.05)),
        fstop=rng.uniform(*setting.focus_fstop) if setting.focus_fstop else None,
    )


def aim(view, points):
    """The camera's matrix for a view of these points: distance and aim are moved until size and place in the frame fit."""
    a, e = math.radians(view.azimuth), math.radians(view.elevation)
    back = Vector((math.sin(a) * math.cos(e), -math.cos(a) * math.cos(e), math.sin(e)))
    turned = back.to_track_quat('Z', 'Y').to_matrix() @ Matrix.Rotation(math.radians(view.roll), 3, 'Z')
    axes = np.array(turned)
    half = SENSOR_MM / 2 / view.lens
    target = (points.min(0) + points.max(0)) / 2
    distance = float(np.ptp(points, axis=0).max()) / (2 * half * view.fill)
    fill = view.fill
    for _ in range(12):
        local = (points - (target + np.array(back) * distance)) @ axes
        depth = np.maximum(-local[:, 2], 1e-3)
        across, up = local[:, 0] / depth / half / 2, local[:, 1] / depth / half / 2
        width, height = float(np.ptp(across)), float(np.ptp(up))
        # A thin thing may be longer in the frame, or it would cover next to nothing.
        wanted = min(0.88, fill * (1 + 0.35 * (1 - min(width, height) / max(width, height))))
        room = (1 - wanted) / 2 - 0.03
        dx, dy = (max(-room, min(room, o)) for o in view.offset)
        shift_x = (across.max() + across.min()) / 2 - dx
        shift_y = (up.max() + up.min()) / 2 - dy
        target = target + (axes[:, 0] * shift_x + axes[:, 1] * shift_y) * distance * half * 2
        distance *= max(width, height) / wanted
    view.distance = distance
    matrix = turned.to_4x4()
    matrix.translation = Vector(target) + back * distance
    box = (across.min(), up.min(), across.max(), up.max())
    return matrix, [float(v) for v in box]


def put_camera(matrix, view, centre):
    data = bpy.data.cameras.new('camera')
    data.sensor_width = SENSOR_MM
    data.lens = view.lens
    data.clip_start, data.clip_end = 0.01, 5000
    if view.fstop:
        data.dof.use_dof = True
        data.dof.focus_distance = (matrix.translation - centre).length
        # f-numbers are for a camera of metres; the object's unit is taken as half a metre.
        data.dof.aperture_fstop = view.fstop * 2
    item = bpy.data.objects.new('camera', data)
    bpy.context.scene.collection.objects.link(item)
    item.matrix_world = matrix
    bpy.context.scene.camera = item
    return item


def look_through(items, matrix, lens, box, steps=36):
    """Share of the object's outline that nothing covers, and what covers it; by rays through the object's box in the frame."""
    scene, graph = bpy.context.scene, bpy.context.evaluated_depsgraph_get()
    trees = surface_trees(items)
    half = SENSOR_MM / 2 / lens
    origin, turn = matrix.translation, matrix.to_3x3()
    seen, total, blockers = 0, 0, {}
    for i in range(steps):
        for j in range(steps):
            across = box[0] + (box[2] - box[0]) * (i + 0.5) / steps
            up = box[1] + (box[3] - box[1]) * (j + 0.5) / steps
            ray = turn @ Vector((across * half * 2, up * half * 2, -1)).normalized()
            reach = min((d for *_, d in (tree.ray_cast(origin, ray) for tree in trees) if d is not None), default=None)
            if reach is None:
                continue
            total += 1
            hit, _at, _normal, _index, item, _m = scene.ray_cast(graph, origin, ray, distance=reach + 1e-3)
            if not hit or item.name.startswith(SUBJECT):
                seen += 1
            else:
                blockers[item.name] = blockers.get(item.name, 0) + 1
    return (seen / total if total else 0.0), {name: count / total for name, count in blockers.items()}


def find_view(rng, setting, elevations, subject, yaw, tries=10):
    """Draws views until nothing hides the object; the best is kept, and what still stands in front of it is hidden."""
    best = None
    for attempt in range(tries):
        view = draw_view(rng, setting, elevations)
        points = subject.stand(setting, math.radians(view.azimuth + yaw))
        matrix, box = aim(view, points)
        share, blockers = look_through(subject.items, matrix, view.lens, box)
        if best is None or share > best[0]:
            best = (share, view, matrix, box, blockers, attempt)
        if share >= 0.92:
            break
    share, view, matrix, box, blockers, attempt = best
    points = subject.stand(setting, math.radians(view.azimuth + yaw))
    removed = []
    if share < 0.92:
        # Ground that covers the object's foot stays, and so does grass.
        removed = [name for name, part in blockers.items() if name not in subject.ground and not name.startswith('soft')]
        for name in removed:
            hide(name)
        share, _ = look_through(subject.items, matrix, view.lens, box)
    centre = Vector(((points.min(0) + points.max(0)) / 2).tolist())
    put_camera(matrix, view, centre)
    return view, box, {'tries': attempt + 1, 'visible': round(share, 3), 'removed': removed}


def hide(name):
    item = bpy.data.objects.get(name)
    if item:
        item.hide_render = item.hide_viewport = True
        bpy.context.view_layer.update()
