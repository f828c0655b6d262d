import queue

import numpy as np

import jitframe as jf

kept = queue.SimpleQueue()


@jf.jit
def f(x):
    kept.put(x * 2)
    return x


f(np.ones(3))
kept.get() + 1  # here
#: TraceError
#: a value of the trace of f is used outside of it: it has no value there. Return it from f, and use what
#: the call returns
