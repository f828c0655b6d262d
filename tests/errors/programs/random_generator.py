import numpy as np

import jitframe as jf

generator = np.random.default_rng(1)


@jf.jit
def f(x):
    return x + generator.normal()  # here


f(np.ones(3))
#: TraceError
#: Generator: random numbers cannot be made inside a jitted function, they would be the same at each call;
#: make them outside and pass them as an argument
