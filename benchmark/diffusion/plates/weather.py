"""Light for a scene that is built already: takes away the sun and lamps it came with and sets others, so that one scene gives several plates."""
import math

import bpy
import indoor_light
import skies

OUTDOORS = ('beach', 'brick-wall', 'forest', 'jetty', 'lawn', 'sky', 'snow', 'street')
LOOKS = ('fair', 'scattered', 'overcast', 'evening')
LAMPS = ('window', 'window', 'sunny window', 'warm lamps', 'ceiling lights')


def relight(rng, environment, camera_azimuth):
    """Sets new light and returns its name. The sun mostly stands behind the camera or beside it."""
    for item in list(bpy.context.scene.objects):
        if item.type == 'LIGHT' or item.name.startswith('house') and environment == 'brick-wall' or is_window_frame(item):
            bpy.data.objects.remove(item)
    if environment in OUTDOORS:
        # Under trees a low sun leaves everything in the dark.
        look = rng.choice(LOOKS[:3] if environment == 'forest' else LOOKS)
        # A wall is lit from the front; elsewhere a little light from behind is welcome.
        spread = 65 if environment == 'brick-wall' else 120
        azimuth = math.radians(camera_azimuth - 90 + rng.uniform(-spread, spread))
        below = None if environment == 'sky' else (0.2, 0.2, 0.18, 1)
        skies.outdoors(rng, look=look, azimuth=azimuth, below=below)
        return look
    kind = rng.choice(LAMPS)
    indoor_light.world(rng, rng.uniform(0.25, 0.5))
    if kind == 'warm lamps':
        indoor_light.ceiling_light(rng, colour=indoor_light.WARM)
    elif kind == 'ceiling lights':
        indoor_light.ceiling_light(rng, colour=rng.choice((indoor_light.NEUTRAL, indoor_light.COOL)))
    else:
        side = indoor_light.window_light(rng)
        if kind == 'sunny window':
            indoor_light.sun_through_panes(rng, side=side)
    return kind


def is_window_frame(item):
    return item.type == 'MESH' and any(made and made.name.startswith('window frame') for made in item.data.materials)
