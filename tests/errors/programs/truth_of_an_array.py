import numpy as np

import jitframe as jf


@jf.jit
def f(x):
    assert x > 0  # here
    return x


f(np.ones(3))
#: ArgumentError
#: The truth value of an array with more than one element is ambiguous. Use a.any() or a.all()
