import pickle

import numpy as np

import jitframe as jf


@jf.jit
def f(x):
    pickle.dumps(x)  # here
    return x


f(np.ones(3))
#: TraceError
#: a value of a trace cannot be pickled; return it from the function
