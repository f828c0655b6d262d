import numpy as np

import jitframe as jf


class Model:
    pass


model = Model()


@jf.jit
def f(x):
    model.last = x * 2  # here
    return x


f(np.ones(3))
#: TraceError
#: the traced function stores to model.last, of an object made outside it; that would happen once, not at each
#: call. Return the value and store it outside.
