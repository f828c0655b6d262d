"""Numbers of few bits: quantization of arrays, products with them, and floats of 8 bits.

>>> import numpy as np, jitframe as jf
>>> scale, _ = jf.quant.calibrate(np.array([-2.54, 1.27]))
>>> jf.quant.quantize(np.array([-2.54, 1.27]), scale).numpy()
array([-127,   64], dtype=int8)
"""

from __future__ import annotations

from .api.namespace import fill

fill(globals(), "quant")
