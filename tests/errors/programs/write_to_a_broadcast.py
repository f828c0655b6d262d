import numpy as np

import jitframe as jf


@jf.jit
def f(x):
    np.broadcast_to(x, (2, 3))[0] = 1  # here


f(np.ones(3))
#: AliasError
#: assignment destination is read-only
