import numpy as np

import jitframe as jf


@jf.jit
def f(x):
    return sum(v for v in x)  # here


f(np.ones(5000))
#: TraceError
#: iterating over an axis of 5000 elements makes a program of as many parts (the limit is 1024); write it
#: with whole arrays, or with jf.fori_loop
