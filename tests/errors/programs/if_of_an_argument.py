import numpy as np

import jitframe as jf


@jf.jit
def f(x, flag):
    return x if flag else -x  # here


f(np.ones(3), True)
#: TraceError
#: the argument 'flag' is needed now for a condition (if, while, and, or, not, bool()), but inside a jitted
#: function it has no value yet. Write np.where(condition, x, y) or jf.cond(condition, then, otherwise,
#: *operands), or list 'flag' in static_argnames
