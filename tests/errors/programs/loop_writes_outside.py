import numpy as np

import jitframe as jf


@jf.jit
def f(x):
    total = np.zeros(3)

    def body(i, c):
        total[0] = c[0]  # here
        return c + 1

    return jf.fori_loop(0, 3, body, x)


f(np.ones(3))
#: TraceError
#: the body of jf.fori_loop writes to a traced array float64[3], which was made outside it; that would
#: happen once. Return the new value from the body, and carry the array through it
