import numpy as np

import jitframe as jf


@jf.jit
def f(x):
    return len({x[0], x[1]})  # here


f(np.ones(3))
#: TraceError
#: a traced float64 value is needed now for a key of a dict or set, but inside a jitted function it has no
#: value yet. Use NumPy or math functions on it, or return it and convert the result outside
