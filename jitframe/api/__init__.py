"""The public array functions: NumPy's signatures and the array API's, on lazy arrays and what becomes one.

A module is loaded at the first access to one of its functions (`api.sorting.sets.unique`): a program uses a
few.

- What functions are called, and where: `registry.py`, in which each says so at its definition, `index.py`,
  which is made of that, and `namespace.py`, which finds a function by any of its names.
- How arguments become nodes and nodes arrays: `frame.py`, `signature.py`, `elementwise/ufunc.py`,
  `indexing/selection.py`.
- The array itself: `array/`.
- `movement.py`, `reductions.py` and all other rooms are families of functions; one more function is written
  there and nowhere else.
"""

from ..base.importing import submodules

__getattr__ = submodules(__name__)
