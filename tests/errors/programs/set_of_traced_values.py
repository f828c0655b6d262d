import numpy as np

import jitframe as jf


@jf.jit
def f(x):
    return len({x[0], x[1]})  # here


f(np.ones(3))
#: TraceError
#: unhashable type: 'value of the trace'; a dict or set inside a jitted function can be keyed by values
#: known while tracing only, such as arguments listed in static_argnames
