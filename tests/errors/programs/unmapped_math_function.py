import math

import numpy as np

import jitframe as jf


@jf.jit
def f(x):
    return math.nextafter(x[0], 1.0)  # here


f(np.ones(3))
#: UnsupportedError
#: math.nextafter is not supported on jitframe arrays; call it on np.asarray(x) outside of jitted
#: functions, or inside by jf.callback
