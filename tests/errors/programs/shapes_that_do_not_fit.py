import numpy as np

import jitframe as jf


@jf.jit
def f(x, y):
    return x + y  # here


f(np.ones(3), np.ones(4))
#: ShapeError
#: operands could not be broadcast together with shapes (3,) (4,)
