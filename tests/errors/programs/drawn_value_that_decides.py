import numpy as np

import jitframe as jf


@jf.jit
def f(x, rng):
    label = f"{rng.random():.3f}"  # here
    return x, label


f(np.ones(3), jf.random.default_rng(0))
#: TraceError
#: f needs a value that follows from random numbers which it has drawn of a jf.random.Generator; draw them
#: outside and pass them, or draw after that value is needed
