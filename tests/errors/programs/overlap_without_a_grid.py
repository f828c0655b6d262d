import numpy as np

import jitframe as jf


@jf.jit
def f(x, y):
    x += y.sum()


memory = np.arange(12.0)
f(memory.reshape(3, 4), memory)  # here
#: AliasError
#: 'x' and 'y' overlap in memory in a way that cannot be traced, and the function writes to one of them:
#: float64[3, 4] with strides (32, 8) and float64[12] with strides (8,); pass a copy of one
