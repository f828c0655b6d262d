import numpy as np

import jitframe as jf


@jf.jit
def f(x):
    found = []
    while x[0] < 100:  # here
        found.append(x[0])
        x = x * 2
    return np.array(found)


f(np.ones(3))
#: TraceError
#: a list gets more or fewer entries in a loop or condition that depends on traced values; its length must be
#: known while tracing: write to an array of the largest size
