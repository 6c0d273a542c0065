"""What an environment tells the camera: where the object stands and from where it may be looked at."""
from dataclasses import dataclass


@dataclass
class Setting:
    spot: tuple = (0.0, 0.0, 0.0)
    azimuths: tuple = (-180.0, 180.0)
    """Degrees; 0: the camera stands at -y and looks along +y."""
    elevations: tuple = (5.0, 40.0)
    distance: tuple = (0.9, 1.15)
    """Times the distance at which the object would fill the usual share of the frame."""
    lens_mm: tuple = (40.0, 70.0)
    focus_fstop: tuple | None = None
    exposure: float = 0.0
    hover: bool = False
