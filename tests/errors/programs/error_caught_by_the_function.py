import numpy as np

import jitframe as jf


@jf.jit
def f(x):
    try:
        return jf.fori_loop(0, 3, lambda i, y: y + np.arange(int(y[0])).sum(), x)  # here
    except Exception:
        return x * 0


f(np.ones(3))
#: TraceError
#: a traced int64 value is needed now for the bounds of arange, but inside the body of jf.fori_loop it has no
#: value yet. Sizes, positions and ranges of what is compiled as one loop must be known before it: use
#: x.shape or values from outside of the loop, x[i + np.arange(n)] for x[i : i + n]; or write a Python loop,
#: which is cut where a value is needed
