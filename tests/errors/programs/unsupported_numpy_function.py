import numpy as np

import jitframe as jf


@jf.jit
def f(x):
    return np.busday_count(x, x)  # here


f(np.ones(3))
#: UnsupportedError
#: np.busday_count is not supported on jitframe arrays; call it on np.asarray(x) outside of jitted
#: functions, or inside by jf.callback
