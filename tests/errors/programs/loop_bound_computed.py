import numpy as np

import jitframe as jf


@jf.jit
def f(x):
    return jf.fori_loop(0, x.sum(), lambda i, c: c + 1, x)  # here


f(np.ones(3))
#: DTypeError
#: jf.fori_loop: a bound is float64; it must be one integer. Write int(x) around it
