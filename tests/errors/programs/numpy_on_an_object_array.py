import numpy as np

import jitframe as jf


@jf.jit
def f(x):
    return np.asarray([x[0], x[1]], dtype=object)  # here


f(np.ones(3))
#: UnsupportedError
#: arrays of object are not supported; convert to one of bool, float32, float64, int32, int64, uint8
