"""What is known in nested blocks, against a dict for each block."""

import random

from jitframe.codegen.kernel.scopes import Scopes


def test_what_blocks_know_is_what_a_dict_for_each_of_them_would_say():
    chance = random.Random(0)
    known, dicts = Scopes[int](), [{}]
    for number in range(20000):
        what = chance.random()
        if what < 0.1 and len(dicts) < 6:
            known.enter()
            dicts.append({})
        elif what < 0.2 and len(dicts) > 1:
            known.leave()
            dicts.pop()
        elif what < 0.23:
            known.clear()
            dicts[-1].clear()
        else:
            key, level = chance.randrange(12), chance.randrange(len(dicts))
            known.put(key, number, level)
            dicts[level][key] = number
        for key in range(12):
            assert known.get(key) == next((each[key] for each in reversed(dicts) if key in each), None)
