"""The public array functions: NumPy's signatures and the array API's, on lazy arrays and what becomes one.

A module is loaded when something in it is first asked for (`api.reductions.sum`): a program uses a few.

- What functions are called, and where: `registry.py`, in which each says so at its definition, `index.py`,
  which is made of that, and `namespace.py`, which finds a function by any of its names.
- How arguments become nodes and nodes arrays: `frame.py`, `signature.py`, `ufunc.py`, `selection.py`.
- The array itself: `lazy_array.py` (operators, protocols), `array_methods.py`, `operators.py`, `flat.py`,
  `ufunc_methods.py`.
- All other modules are families of functions; one more function is written there and nowhere else.
"""

from typing import Any

from ..base.importing import load


def __getattr__(name: str) -> Any:
    try:
        return load(f"{__name__}.{name}")
    except ModuleNotFoundError:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}") from None
