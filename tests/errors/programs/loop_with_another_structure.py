import numpy as np

import jitframe as jf


@jf.jit
def f(x):
    return jf.fori_loop(0, 3, lambda i, c: (c, i), x)  # here


f(np.ones(3))
#: TraceError
#: jf.fori_loop: the body must return what it is given to carry, in the same tuples, lists and dicts; it is
#: given * and returns (*, *)
