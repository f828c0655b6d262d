import numpy as np

import jitframe as jf


@jf.jit
def f(x):
    x += 0.5  # here


f(np.arange(3))
#: DTypeError
#: cannot cast the result from float64 to the int64 of the array it is written to; use .astype() on the
#: result
