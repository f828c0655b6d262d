import numpy as np

import jitframe as jf


@jf.jit(donate="state")
def step(state, force):
    return state * 0.5 + force


before = jf.asarray(np.ones(3))
after = step(before, 1.0)
before + after  # here
#: ArgumentError
#: a Tensor is used that was given away as the argument 'state' of step, which lists it in donate; use what
#: that call returned, or pass a copy
