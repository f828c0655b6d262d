"""Neural networks: activations, norms, attention, losses and sampling, lazily, on ndarrays and under `jit`.

>>> import jitframe as jf
>>> jf.nn.softmax(jf.zeros((2, 4))).numpy()[0]
array([0.25, 0.25, 0.25, 0.25])
"""

from __future__ import annotations

from .api.namespace import fill

fill(globals(), "nn")
