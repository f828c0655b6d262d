import numpy as np

import jitframe as jf


@jf.jit
def f(x):
    x.byteswap()  # here
    return x


f(np.ones(3))
#: MissingAttributeError
#: ndarray.byteswap is not supported on jitframe arrays; call it on np.asarray(x) outside of jitted
#: functions, or inside by jf.callback
