import numpy as np

import jitframe as jf


@jf.jit
def f(values):
    last = values.pop()
    return last + 1


f([np.ones(3)])  # here
#: TraceError
#: the function takes items from the list 'values', which was made outside it; return a new list instead
