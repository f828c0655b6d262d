import math

import numpy as np

import jitframe as jf


@jf.jit
def f(x):
    return math.gamma(x[0])  # here


f(np.ones(3))
#: UnsupportedError
#: math.gamma is not supported on jitframe arrays; call it on np.asarray(x), outside of jitted functions
