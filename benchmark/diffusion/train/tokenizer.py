"""CLIP's tokenizer: byte-level BPE with word ends, its merges learned from a list of words, and the folder that Hugging Face's tokenizers read."""
import json
import re
from collections import Counter
from pathlib import Path

START, END = '<|startoftext|>', '<|endoftext|>'
PIECES = re.compile(r"'s|'t|'re|'ve|'m|'ll|'d|[^\W\d_]+|\d|[^\s\w]+|_+", re.IGNORECASE)


def byte_letters():
    """A printable letter for every byte (Radford et al. 2019): its own where it has one, else one from U+0100 on."""
    own = [*range(33, 127), *range(161, 173), *range(174, 256)]
    others = [b for b in range(256) if b not in own]
    return {b: chr(b) for b in own} | {b: chr(256 + i) for i, b in enumerate(others)}


LETTERS = byte_letters()


def spell(word):
    letters = [LETTERS[b] for b in word.encode()]
    return (*letters[:-1], letters[-1] + '</w>')


def join(symbols, pair):
    out, i = [], 0
    while i < len(symbols):
        if tuple(symbols[i : i + 2]) == pair:
            out.append(symbols[i] + symbols[i + 1])
            i += 2
        else:
            out.append(symbols[i])
            i += 1
    return tuple(out)


def learn_merges(words, limit):
    """The most frequent pair first; ties by the alphabet, so that the same words always give the same merges."""
    counts = Counter()
    for word, times in Counter(words).items():
        counts[spell(word)] += times
    merges = []
    while len(merges) < limit:
        pairs = Counter()
        for symbols, times in counts.items():
            for pair in zip(symbols, symbols[1:]):
                pairs[pair] += times
        if not pairs:
            break
        best = min(pairs, key=lambda pair: (-pairs[pair], pair))
        merges.append(best)
        joined = Counter()
        for symbols, times in counts.items():
            joined[join(symbols, best)] += times
        counts = joined
    return merges


class Tokenizer:
    def __init__(self, merges, length=77):
        # CLIP lists the printable bytes first.
        letters = list(LETTERS.values())
        names = [*letters, *(letter + '</w>' for letter in letters), *(''.join(pair) for pair in merges), START, END]
        self.merges, self.length = merges, length
        self.vocabulary = {name: i for i, name in enumerate(names)}
        self.rank = {pair: i for i, pair in enumerate(merges)}
        self.start, self.end = self.vocabulary[START], self.vocabulary[END]

    def word(self, text):
        symbols = spell(text)
        while len(symbols) > 1:
            pair = min(zip(symbols, symbols[1:]), key=lambda p: self.rank.get(p, 1 << 30))
            if pair not in self.rank:
                break
            symbols = join(symbols, pair)
        return [self.vocabulary[symbol] for symbol in symbols]

    def encode(self, text, pad=None):
        """Ids of a whole row: start, words, end, padding (with the end token unless told otherwise); too long a text is cut."""
        ids = [i for piece in PIECES.findall(' '.join(text.lower().split())) for i in self.word(piece)][: self.length - 2]
        return [self.start, *ids, self.end, *[self.end if pad is None else pad] * (self.length - 2 - len(ids))]

    def write(self, folder, pad=END):
        folder = Path(folder)
        folder.mkdir(parents=True, exist_ok=True)
        (folder / 'vocab.json').write_text(json.dumps(self.vocabulary, ensure_ascii=False, separators=(',', ':')) + '\n')
        (folder / 'merges.txt').write_text('#version: 0.2\n' + ''.join(f'{a} {b}\n' for a, b in self.merges))
        token = {'lstrip': False, 'normalized': True, 'rstrip': False, 'single_word': False}
        special = {'bos_token': token | {'content': START}, 'eos_token': token | {'content': END}, 'pad_token': pad, 'unk_token': token | {'content': END}}
        (folder / 'special_tokens_map.json').write_text(json.dumps(special, indent=2) + '\n')
        config = {'add_prefix_space': False, 'bos_token': START, 'do_lower_case': True, 'eos_token': END, 'errors': 'replace', 'model_max_length': self.length, 'pad_token': pad, 'tokenizer_class': 'CLIPTokenizer', 'unk_token': END}
        (folder / 'tokenizer_config.json').write_text(json.dumps(config, indent=2) + '\n')
