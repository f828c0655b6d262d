"""Special functions by their names in `scipy.special`, on arrays of every device and inside `jit`.

>>> import jitframe as jf
>>> jf.special.xlogy([0.0, 1.0], [0.0, 1.0]).numpy()
array([0., 0.])
"""

from __future__ import annotations

from .api.namespace import FUNCTIONS, SCIPY_SPECIAL, fill

fill(globals(), "special")
globals().update({name: FUNCTIONS[ours].call for name, ours in SCIPY_SPECIAL.items()})
__all__ += [name for name in SCIPY_SPECIAL if name not in __all__]  # type: ignore[name-defined]  # noqa: F821
