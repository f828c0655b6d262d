import numpy as np

import jitframe as jf


@jf.jit
def f(x, y):
    return jf.scan(lambda c, row: (c + row[0] * row[1], None), 0.0, (x, y))  # here


f(np.ones(3), np.ones(4))
#: ShapeError
#: scan: the first axes of xs, and length, must agree; there are 3 and 4
