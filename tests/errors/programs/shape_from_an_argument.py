import numpy as np

import jitframe as jf


@jf.jit
def f(n):
    return np.zeros(n)  # here


f(4)
#: TraceError
#: the argument 'n' is needed now for an index or a size, but inside a jitted function it has no value
#: yet. Sizes, positions and ranges must be known while tracing: use x.shape or Python numbers,
#: jf.fori_loop for a loop, x[i + np.arange(n)] for x[i : i + n], or list 'n' in static_argnames
