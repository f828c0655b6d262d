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
#: print inside the body of jf.fori_loop, whose body calls nothing of the host; write a Python loop or
#: condition, which is compiled as well
