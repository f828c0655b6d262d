import numpy as np

import jitframe as jf

is_no_time = np.isnat


@jf.jit
def f(x):
    return is_no_time(x)  # here


f(np.ones(3))
#: UnsupportedError
#: np.isnat is not supported on jitframe arrays; call it on np.asarray(x) outside of jitted
#: functions, or inside by jf.callback
