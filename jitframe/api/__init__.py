"""The public array functions: NumPy's signatures and the array API's, on lazy arrays and what becomes one.

A module is loaded when something in it is first asked for (`api.reductions.sum`): a program uses a few.
"""

from typing import Any

from ..base.importing import load


def __getattr__(name: str) -> Any:
    try:
        return load(f"{__name__}.{name}")
    except ModuleNotFoundError:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}") from None
