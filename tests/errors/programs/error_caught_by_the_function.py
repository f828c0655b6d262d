import numpy as np

import jitframe as jf


@jf.jit
def f(x):
    try:
        return f"{x[0]:.3f}"  # here
    except Exception:
        return x * 0


f(np.ones(3))
#: TraceError
#: a traced float64 value is needed now for a formatted string (:.3f), but inside a jitted function it has no
#: value yet. Use NumPy or math functions on it, or return it and convert the result outside
