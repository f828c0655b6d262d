import numpy as np

import jitframe as jf


@jf.jit
def f(x):
    return jf.fori_loop(0, 3, lambda i, y: y + np.zeros(int(y.sum())).sum(), x)  # here


f(np.ones(3))
#: TraceError
#: a traced int64 value is needed now for an index or a size, but inside the body of jf.fori_loop it has no
#: value yet. Sizes, positions and ranges of what is compiled as one loop must be known before it: use
#: x.shape or values from outside of the loop, x[i + np.arange(n)] for x[i : i + n]; or write a Python loop,
#: which is cut where a value is needed
