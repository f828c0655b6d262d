import numpy as np

import jitframe as jf


@jf.jit
def f(x):
    return x * x


f(np.matrix([[1.0, 2.0], [3.0, 4.0]]))  # here
#: UnsupportedError
#: the argument 'x' is a numpy.matrix, whose operators may mean something else; pass np.asarray(x)
