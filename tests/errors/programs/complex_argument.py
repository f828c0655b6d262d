import numpy as np

import jitframe as jf


@jf.jit
def f(z):
    return z * 2


f(np.ones(3, complex))  # here
#: UnsupportedError
#: the argument 'z': arrays of complex128 are not supported; convert to one of bool, int8, int16, int32,
#: int64, uint8, uint16, uint32, uint64, float16, bfloat16, float32, float64
