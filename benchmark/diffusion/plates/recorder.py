"""A random stream that remembers what was chosen, so that a caption can say it without a change to the environments' scripts."""
import random
import sys
from pathlib import Path


class Recorder(random.Random):
    """Gives the same numbers as `random.Random` of the same seed; `choices` lists (file, function, what was chosen) of every choice among words."""

    def __init__(self, seed):
        super().__init__(seed)
        self.chosen = []

    def choice(self, options):
        value = super().choice(options)
        if isinstance(value, str) or (isinstance(value, tuple) and value and all(isinstance(each, str) for each in value)):
            caller = sys._getframe(1).f_code
            self.chosen.append([Path(caller.co_filename).stem, caller.co_name, value])
        return value
