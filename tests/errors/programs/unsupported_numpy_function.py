import numpy as np

import jitframe as jf


@jf.jit
def f(x):
    return np.median(x)  # here


f(np.ones(3))
#: UnsupportedError
#: np.median is not supported on jitframe arrays; nothing is sorted yet: call it on np.asarray(x),
#: outside of jitted functions
