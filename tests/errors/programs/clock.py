import time

import numpy as np

import jitframe as jf


@jf.jit
def f(x):
    start = time.perf_counter()  # here
    return x * start


f(np.ones(3))
#: TraceError
#: time: a clock inside a jitted function would be read once, not at each call; read it outside
