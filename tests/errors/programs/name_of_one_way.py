import numpy as np

import jitframe as jf


@jf.jit
def f(x):
    if x.sum() > 0:
        y = x * 2
    return y + 1  # here


f(np.ones(3))
#: TraceError
#: the variable 'y' has a value on one way of a condition on a traced value and none on the other; give it one
#: before the condition
