import numpy as np

import jitframe as jf


@jf.jit
def f(x):
    return f(x * 2)


f(np.ones(3))  # here
#: TraceError
#: f calls itself without end while it is traced: a jitted function's branches must not depend on array
#: values. Use jf.fori_loop or jf.cond
