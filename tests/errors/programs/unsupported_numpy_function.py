import numpy as np

import jitframe as jf


@jf.jit
def f(x):
    return np.cumsum(x)  # here


f(np.ones(3))
#: UnsupportedError
#: np.cumsum is not supported on jitframe arrays; call it on np.asarray(x), outside of jitted functions
