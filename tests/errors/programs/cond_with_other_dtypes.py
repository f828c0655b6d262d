import numpy as np

import jitframe as jf


@jf.jit
def f(x):
    return jf.cond(x[0] > 0, lambda v: v, lambda v: v.astype(np.float32), x)  # here


f(np.ones(3))
#: DTypeError
#: cond: result 0 is f64[3] of the first function and f32[3] of the second
