import numpy as np

import jitframe as jf


@jf.jit
def f(x):
    return np.i0(x)  # here


f(np.ones(3))
#: UnsupportedError
#: np.i0 is not supported on jitframe arrays; call it on np.asarray(x), outside of jitted functions
