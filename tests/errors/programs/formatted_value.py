import numpy as np

import jitframe as jf


@jf.jit
def f(x):
    def body(i, y):
        print(f"{y[0]:.3f}")  # here
        return y + 1

    return jf.fori_loop(0, 3, body, x)


f(np.ones(3))
#: TraceError
#: a traced float64 value is needed now for a formatted string (:.3f), but inside the body of jf.fori_loop it
#: has no value yet. Use NumPy or math functions on it, carry it through the loop and convert it outside; or
#: write a Python loop, which is cut where a value is needed
