import numpy as np

import jitframe as jf


@jf.jit
def f(x):
    return x + np.random.rand(3)  # here


f(np.ones(3))
#: TraceError
#: np.random: random numbers cannot be made inside a jitted function, they would be the same at each call;
#: make them outside and pass them as an argument
