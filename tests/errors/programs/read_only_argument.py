import numpy as np

import jitframe as jf


@jf.jit
def f(x):
    x[0] = 1  # here


frozen = np.ones(3)
frozen.flags.writeable = False
f(frozen)
#: AliasError
#: assignment destination is read-only
