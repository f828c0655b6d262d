"""Views with other shapes: functions of `numpy.lib.stride_tricks`.

>>> import jitframe as jf
>>> jf.lib.stride_tricks.sliding_window_view(jf.arange(4), 3).numpy()
array([[0, 1, 2],
       [1, 2, 3]])
"""

from __future__ import annotations

from ..api.namespace import fill

fill(globals(), "lib.stride_tricks")
