"""Captions of a plate from what its scene was built with: the place, its surfaces and colours, what stands in it, the weather and the light."""
import colorsys

PLACES = {
    'beach': ('beach', 'sandy beach', 'beach by the sea', 'sea shore'),
    'brick-wall': ('brick wall', 'wall of bricks', 'yard with a brick wall'),
    'desk': ('desk', 'desk in an office', 'office desk', 'table in a study'),
    'forest': ('forest', 'forest floor', 'woods', 'floor of a wood with trees'),
    'jetty': ('jetty', 'wooden jetty on a lake', 'pier over the water', 'wooden pier'),
    'kitchen': ('kitchen', 'kitchen worktop', 'kitchen counter', 'table in a kitchen'),
    'lawn': ('lawn', 'garden lawn', 'garden with grass', 'meadow', 'park with green grass'),
    'living-room': ('living room', 'living room floor', 'room in a house', 'lounge'),
    'sky': ('sky', 'sky with clouds', 'open sky', 'air above the land'),
    'snow': ('snow', 'snowy field', 'winter landscape', 'field in winter'),
    'street': ('street', 'city street', 'road in a town', 'street with houses'),
    'workshop': ('workshop', 'garage', 'workshop with tools', 'tool shop'),
}
WEATHER = {
    'fair': ('clear sky', 'sunny', 'on a sunny day', 'blue sky', 'fine weather'),
    'scattered': ('clouds', 'cloudy', 'sun and clouds', 'scattered clouds', 'on a cloudy day'),
    'overcast': ('overcast', 'grey sky', 'dull weather', 'on an overcast day', 'soft light'),
    'evening': ('evening', 'sunset', 'evening light', 'at sunset', 'golden light', 'low sun'),
    'window': ('daylight', 'window light', 'soft daylight', 'light from a window'),
    'sunny window': ('sunlight', 'sunlight through a window', 'sunny', 'bright sun'),
    'warm lamps': ('warm lamp light', 'lamp light', 'warm light', 'in the evening'),
    'ceiling lights': ('ceiling light', 'bright lamps', 'electric light', 'neutral light'),
}
# As plates/weather.py draws them.
LIGHTS = {
    'places': ('beach', 'brick-wall', 'forest', 'jetty', 'lawn', 'sky', 'snow', 'street'),
    'outdoors': ('fair', 'scattered', 'overcast', 'evening'),
    'indoors': ('window', 'window', 'sunny window', 'warm lamps', 'ceiling lights'),
}
MOODS = {'fog': ('fog', 'foggy', 'mist', 'in thick fog', 'misty morning'), 'night': ('night', 'at night', 'dark', 'moonlight'), 'dusk': ('dusk', 'at dusk', 'blue light', 'twilight')}
TINTS = {'warm': ('warm light', 'warm colours', 'orange light'), 'cold': ('cold light', 'cool colours', 'blue light')}
THINGS = {
    'sail': 'sailing boats', 'headland': 'hills', 'car': 'parked cars', 'fir': 'fir trees', 'tuft': 'dry grass', 'rope': 'ropes', 'soft fern': 'ferns', 'trunk': 'trees', 'tree': 'trees', 'soft-petals': 'flowers',
    'pile': 'posts', 'rail': 'a fence', 'plank fence': 'a fence', 'rug': 'a rug', 'screen': 'a screen', 'books': 'books', 'jar': 'jars', 'soft leaf': 'fallen leaves', 'zebra': 'a zebra crossing', 'land': 'hills', 'pot': 'plants',
}
OPENINGS = ('{}', '{}', 'a {}', 'a photo of a {}', 'photo of a {}', 'an empty {}', 'the {}', 'a background of a {}')
COLOURS = ('white', 'grey', 'black', 'red', 'orange', 'brown', 'yellow', 'green', 'blue', 'purple', 'pink', 'beige', 'light', 'dark')
SURFACES = {
    ('kitchen', 'worktop'): {'boards': 'wooden worktop', 'butcher': 'wooden worktop', 'granite': 'granite worktop', 'marble': 'marble worktop', 'plain': 'smooth worktop', 'tiles': 'tiled worktop'},
    ('living_room', 'ground'): {'boards': 'wooden floor', 'parquet': 'parquet floor', 'carpet': 'carpet'},
    ('living_room', 'furniture'): {'sofa': 'sofa', 'armchair': 'armchair', 'sideboard': 'sideboard'},
    ('brick_wall', 'ground'): {'asphalt': 'asphalt', 'slabs': 'stone slabs', 'setts': 'cobblestones', 'pavers': 'paving stones'},
    ('workshop', 'backdrop'): {'blocks': 'block wall', 'boards': 'wooden wall', 'plaster': 'plaster wall'},
    ('desk', 'wall'): {'shelf': 'shelf', 'board': 'pin board', 'pictures': 'pictures', 'bookcase': 'bookcase'},
    ('lawn', 'behind'): {'hedge': 'hedge', 'fence': 'wooden fence'},
}
COLOURED = {('kitchen', 'tiled_wall'): '{} tiles', ('kitchen', 'paint'): '{} wall', ('kitchen', 'room'): '{} cupboards', ('living_room', 'wall'): '{} wall', ('living_room', 'sofa'): '{} sofa', ('desk', 'wall'): '{} wall', ('desk', 'desktop'): '{} desk top', ('brick_wall', 'wall'): '{} bricks', ('jetty', 'build'): '{} planks', ('workshop', 'backdrop'): '{} wall', ('beach', 'build'): '{} sand'}


def colour_word(hex_code):
    r, g, b = (int(hex_code[i : i + 2], 16) / 255 for i in (1, 3, 5))
    hue, light, _ = colorsys.rgb_to_hls(r, g, b)
    chroma = max(r, g, b) - min(r, g, b)
    if light > 0.82 and chroma < 0.13:
        return 'white'
    if light < 0.17:
        return 'black'
    if chroma < 0.09:
        return 'grey'
    hue *= 360
    if hue < 18 or hue >= 345:
        return 'red' if light < 0.6 else 'pink'
    if hue < 48:
        return 'beige' if light > 0.62 else 'orange' if chroma > 0.55 and light > 0.4 else 'brown'
    if hue < 68:
        return 'yellow' if chroma > 0.3 else 'beige' if light > 0.55 else 'brown'
    if hue < 170:
        return 'green'
    return 'blue' if hue < 265 else 'purple'


def details(record):
    """What could be said about the place's surfaces and things; every entry is true of the scene."""
    found = []
    for file, function, value in record['chosen']:
        known = SURFACES.get((file, function), {})
        if isinstance(value, str) and value in known:
            found.append(known[value])
        first = value if isinstance(value, str) else value[0]
        if (file, function) in COLOURED and first.startswith('#'):
            text = COLOURED[file, function].format(colour_word(first))
            if text.split(' ', 1)[1] not in [each.split(' ', 1)[-1] for each in found]:
                found.append(text)
    found += [THINGS[name] for name in record['in_frame'] if name in THINGS]
    return list(dict.fromkeys(found))


def caption(rng, record, moods=(), tint=None):
    """One of many ways to say it; the place is always named."""
    place = rng.choice(PLACES[record['environment']])
    text = rng.choice(OPENINGS).format(place)
    extras = details(record)
    if extras and rng.random() < 0.55:
        text += ' with ' + ' and '.join(rng.sample(extras, min(len(extras), rng.choice((1, 1, 2)))))
    said = [rng.choice(MOODS[mood]) for mood in moods]
    if not said or rng.random() < 0.3:
        said += [rng.choice(WEATHER[record['light']])] if rng.random() < (0.75 if not moods else 1) else []
    if tint and rng.random() < 0.8:
        said.append(rng.choice(TINTS[tint]))
    return ', '.join([text, *said]).replace('a air', 'the air').replace('a floor', 'the floor')


def caption_words():
    """Every word a caption can hold."""
    texts = [each for group in (PLACES, WEATHER, MOODS, TINTS) for values in group.values() for each in values]
    texts += [*THINGS.values(), *OPENINGS, *COLOURS[:-2], *(v for known in SURFACES.values() for v in known.values()), *COLOURED.values(), 'and with the']
    return words_of(texts)


def all_words():
    """Words of the tokenizer: those of captions and a few more that people will write, which nothing was learned for."""
    more = 'and with of a an the in on at by over under near , . photo picture background scene place view image wide close morning noon day night summer winter autumn spring rain wet dry bright dark soft hard light shadow wood stone metal glass water sand earth grass tree house wall floor table'
    return sorted({*caption_words(), *words_of([more, *COLOURS, *PLACES])})


def words_of(texts):
    return sorted(set(' '.join(texts).replace('{}', ' ').replace('-', ' - ').replace(',', ' , ').lower().split()))
