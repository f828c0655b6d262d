import numpy as np

import jitframe as jf


@jf.jit
def f(x):
    return jf.scan(lambda c, row: c + row, 0.0, x)  # here


f(np.ones(3))
#: TraceError
#: jf.scan: the function must return two values, what it carries on and what it collects (None for nothing);
#: it returns a TracedArray
