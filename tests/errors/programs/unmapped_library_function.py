import numpy as np
import scipy.special

import jitframe as jf


@jf.jit
def f(x):
    return scipy.special.jv(1.0, x)  # here


f(np.ones(3))
#: UnsupportedError
#: scipy.special.jv is not supported on jitframe arrays; call it on np.asarray(x) outside of jitted
#: functions, or inside by jf.callback
