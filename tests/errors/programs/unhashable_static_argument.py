import numpy as np

import jitframe as jf


@jf.jit(static_argnames="sizes")
def f(x, sizes):
    return x * len(sizes)


f(np.ones(3), [1, 2])  # here
#: ArgumentError
#: the static argument 'sizes' is a list, which cannot be hashed; make it a tuple
