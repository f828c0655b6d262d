import random

import numpy as np

import jitframe as jf

system = random.SystemRandom()


@jf.jit
def f(x):
    return x + system.random()  # here


f(np.ones(3))
#: TraceError
#: SystemRandom: the system's random numbers inside a jitted function would be the same at each call; draw
#: them from np.random.default_rng(seed), or make them outside and pass them as an argument
