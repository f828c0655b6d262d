import numpy as np

import jitframe as jf


@jf.jit
def f(x):
    return jf.while_loop(lambda c: c.sum() < 10, lambda c: c * 1.5, x)  # here


f(np.ones(3, np.int64))
#: DTypeError
#: while_loop: carried value 0 is i64[3] given and f64[3] returned
