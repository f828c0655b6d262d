import random

import numpy as np

import jitframe as jf


@jf.jit
def f(x):
    return x + random.random()  # here


f(np.ones(3))
#: TraceError
#: random: Python's own random numbers inside a jitted function would be the same at each call; draw them from
#: np.random.default_rng(seed), or make them outside and pass them as an argument
