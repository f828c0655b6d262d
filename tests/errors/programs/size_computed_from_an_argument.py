import numpy as np

import jitframe as jf


@jf.jit
def ramp(x, count):
    return x[0] * np.arange(2 * count + 1)  # here


ramp(np.ones(3), 4)

#: TraceError
#: a traced int64 value is needed now for the bounds of arange, but inside a jitted function it has no
#: value yet. Sizes, positions and ranges must be known while tracing: use x.shape or Python numbers,
#: jf.fori_loop for a loop, x[i + np.arange(n)] for x[i : i + n], or list 'count' in static_argnames
