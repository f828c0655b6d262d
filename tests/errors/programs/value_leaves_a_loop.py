import numpy as np

import jitframe as jf


@jf.jit
def f(x):
    seen = []

    def body(i, c):
        seen.append(c)
        return c + 1

    jf.fori_loop(0, 3, body, x)
    return seen[0] * 2  # here


f(np.ones(3))
#: TraceError
#: a value of the trace of the body of jf.fori_loop is used outside of it: it has no value there. Return it
#: from the body of jf.fori_loop, and use what the call returns
