import numpy as np

import jitframe as jf


class Model:
    last = None


model = Model()
model.last = 1.0


@jf.jit
def f(x):
    del model.last  # here
    return x


f(np.ones(3))
#: TraceError
#: the traced function deletes an attribute of model, an object made outside it; set it to None, or delete it
#: outside
