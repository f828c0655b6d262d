import numpy as np

import jitframe as jf


@jf.jit
def f(x):
    return x


f(np.array([1, "two", None], object))  # here
#: UnsupportedError
#: the argument 'x': arrays of object are not supported; convert to one of bool, float32, float64, int32,
#: int64, uint8
