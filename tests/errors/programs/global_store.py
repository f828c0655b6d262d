import numpy as np

import jitframe as jf

count = 0


@jf.jit
def f(x):
    global count
    count = count + 1  # here
    return x


f(np.ones(3))
#: TraceError
#: the traced function stores to the global 'count'; that would happen once, not at each call. Return the
#: value and store it outside.
