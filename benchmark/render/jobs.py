"""What each job renders: which object in which environment, under which number."""
import json
from dataclasses import dataclass

from stage import HERE, stream

PER_CLASS = 20
CUTOUTS_PER_CLASS = 48
PLATES = 30
TRAINING_PLATES_PER_ENVIRONMENT = 7


@dataclass
class Item:
    name: str
    """File name below the job's folder, without ending."""
    number: int
    subject: str | None
    environment: str | None
    usual: bool = False


def load_classes():
    return json.loads((HERE / 'classes.json').read_text())


def away(seed, name, usual, environments):
    """Ten of the eleven other environments in a seeded order. Each class leaves out the one that lies the same number of places after its usual one,
    so over twelve classes with twelve usual environments every environment is left out once."""
    skip = 1 + stream(seed, 'away').randrange(len(environments) - 1)
    start = environments.index(usual)
    others = [environments[(start + k) % len(environments)] for k in range(1, len(environments)) if k != skip]
    stream(seed, 'away', name).shuffle(others)
    return others


def test(seed):
    known = load_classes()
    environments = known['environments']
    elsewhere = {name: away(seed, name, usual, environments) for name, usual in known['classes'].items()}
    for number in range(PER_CLASS):
        for name, usual in known['classes'].items():
            at_home = number % 2 == 0
            environment = usual if at_home else elsewhere[name][number // 2 % len(elsewhere[name])]
            yield Item(f'{name}/{number:03d}', number, name, environment, at_home)


def plates(seed):
    environments = load_classes()['environments']
    order = environments[:]
    stream(seed, 'plates').shuffle(order)
    for k in range(PLATES):
        environment = order[k % len(order)]
        number = k // len(order)
        yield Item(f'{environment}-{number:02d}', number, None, environment)


def training_plates(seed):
    for number in range(TRAINING_PLATES_PER_ENVIRONMENT):
        for environment in load_classes()['environments']:
            yield Item(f'{environment}/{number:02d}', number, None, environment)


def cutouts(seed):
    for number in range(CUTOUTS_PER_CLASS):
        for name in load_classes()['classes']:
            yield Item(f'{name}/{number:04d}', number, name, None)


JOBS = {
    'test': (test, 320, 32),
    'plates': (plates, 320, 32),
    'training-plates': (training_plates, 208, 20),
    'cutouts': (cutouts, 160, 16),
}
"""Job: its list, the side of its pictures in pixels, samples per pixel."""
