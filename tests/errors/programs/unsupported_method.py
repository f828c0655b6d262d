import numpy as np

import jitframe as jf


@jf.jit
def f(x):
    x.sort()  # here
    return x


f(np.ones(3))
#: MissingAttributeError
#: ndarray.sort is not supported on jitframe arrays; nothing is sorted yet: call it on np.asarray(x),
#: outside of jitted functions
