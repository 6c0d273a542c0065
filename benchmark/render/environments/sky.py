"""High in the air: sky and clouds all round, sometimes hills or a town far below."""
import bmesh
from mathutils import Vector, noise

import kit
import skies
from setting import Setting

NAME = 'sky'


def build(rng):
    look, azimuth, _elevation = skies.outdoors(rng)
    land = rng.random() < 0.55
    if land:
        hills(rng, look)
    low = (-28, 2) if not land else (-22, 8)
    return Setting(spot=(0, 0, 60), azimuths=skies.lit(azimuth), elevations=low, lens_mm=(45, 80), hover=True, exposure=0.45)


def hills(rng, look):
    """Land far below: a displaced sheet of fields and woods that fades into haze with distance."""
    bm = bmesh.new()
    bmesh.ops.create_grid(bm, x_segments=140, y_segments=140, size=900)
    shift = Vector((rng.uniform(0, 99), rng.uniform(0, 99), 0))
    tall = rng.choice((20, 45, 80))
    for vertex in bm.verts:
        far = min(1.0, vertex.co.xy.length / 700)
        p = vertex.co * 0.006 + shift
        vertex.co.z = tall * (0.35 + far) * (noise.fractal(p, 1.0, 2.0, 5) * 0.5 + noise.noise(p * 0.4)) - 25
    made = kit.material('land', roughness=0.95)
    fields = [(0.3, kit.rgb('#2f4a26')), (0.45, kit.rgb('#54713a')), (0.55, kit.rgb('#8a8f4f')), (0.66, kit.rgb('#6a7d45')), (0.75, kit.rgb('#3d5730'))]
    kit.noise_colour(made, [(p, kit.vary(rng, c, 0.08)) for p, c in fields], scale=0.02, detail=9, seed=rng.uniform(0, 90))
    tree = made.node_tree
    distance, haze, mixer = (tree.nodes.new(k) for k in ('ShaderNodeCameraData', 'ShaderNodeEmission', 'ShaderNodeMixShader'))
    haze.inputs['Color'].default_value = {'evening': kit.rgb('#d8b49a'), 'overcast': kit.rgb('#b9c1ca')}.get(look, kit.rgb('#b3cadd'))
    haze.inputs['Strength'].default_value = 0.7
    scale = tree.nodes.new('ShaderNodeMapRange')
    scale.inputs['From Min'].default_value, scale.inputs['From Max'].default_value = 60, rng.uniform(700, 1300)
    scale.inputs['To Min'].default_value, scale.inputs['To Max'].default_value = 0.04, 0.92
    tree.links.new(distance.outputs['View Distance'], scale.inputs['Value'])
    tree.links.new(scale.outputs[0], mixer.inputs[0])
    tree.links.new(kit.shader_of(made).outputs[0], mixer.inputs[1])
    tree.links.new(haze.outputs[0], mixer.inputs[2])
    tree.links.new(mixer.outputs[0], tree.nodes['Material Output'].inputs['Surface'])
    kit.from_bmesh(bm, 'land', made, auto_smooth_degrees=180)
