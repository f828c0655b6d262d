"""Signal processing: functions of `scipy.signal` by their names, on arrays of every device and inside `jit`.

>>> import jitframe as jf
>>> jf.signal.fftconvolve(jf.ones(1000), jf.ones(30), "same").shape
(1000,)
"""

from __future__ import annotations

from .api.namespace import fill

fill(globals(), "signal")
