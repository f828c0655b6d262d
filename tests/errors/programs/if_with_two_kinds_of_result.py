import numpy as np

import jitframe as jf


@jf.jit
def f(x):
    if x.sum() > 0:  # here
        return x
    return x[:2]


f(np.ones(3))
#: TraceError
#: what the function returns cannot be settled after an if on a traced value: its shape is [3] on one way and
#: [2] on another
