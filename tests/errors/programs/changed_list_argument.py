import numpy as np

import jitframe as jf


@jf.jit
def f(values):
    values.append(values[0] + 1)
    return values[1]


f([np.ones(3)])  # here
#: TraceError
#: the function changes the list 'values' that it was given; the caller's would not change. Return the new
#: list instead
