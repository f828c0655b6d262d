import numpy as np

import jitframe as jf


@jf.jit
def f(x, n):
    for _ in range(n[0]):  # here
        x = np.append(x, x[0])
    return x


f(np.ones(3), np.array([4]))
#: TraceError
#: the variable 'x' cannot be settled in a for loop: its shape is [3] on one way and [4] on another
