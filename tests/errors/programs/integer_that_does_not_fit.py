import numpy as np

import jitframe as jf


@jf.jit
def f(x, n):
    return x + n


f(np.zeros(3, np.uint8), 3)
f(np.zeros(3, np.uint8), 300)  # here
#: NumberError
#: Python integer 300 out of bounds for uint8
