import numpy as np

import jitframe as jf


@jf.jit
def f(x):
    return np.asarray([x[0], x[1]], dtype=object)  # here


f(np.ones(3))
#: UnsupportedError
#: arrays of object are not supported; convert to one of bool, int8, int16, int32, int64,
#: uint8, uint16, uint32, uint64, float16, bfloat16, float32, float64, complex64, complex128
