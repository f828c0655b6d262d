import numpy as np

import jitframe as jf


@jf.jit
def f(x):
    if x.sum() > 0:  # here
        return x
    return -x


f(np.ones(3))
#: TraceError
#: a traced bool value is needed now for a condition (if, while, and, or, not, bool()), but inside a jitted
#: function it has no value yet. Write np.where(condition, x, y) or jf.cond(condition, then, otherwise,
#: *operands)
