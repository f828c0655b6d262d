import numpy as np

import jitframe as jf


@jf.jit
def f(x, n):
    return jf.fori_loop(0, n + 1, lambda i, c: c + 1, x)  # here


f(np.ones(3), 4)
#: TraceError
#: jf.fori_loop: a bound is computed from traced values; it must be a Python int, or an int argument of the
#: jitted function just as it was given. Compute it outside, and pass it as an argument
