"""Array functions on nodes: promotion and broadcasting happen here, and below are plain ops.

Each takes the graph to build in and nodes; operands may also be Python numbers (weak, see `promotion`) as
long as one is a node. Nothing here knows arrays, traces or devices.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..base.importing import load


def late(module: str, name: str) -> Callable[..., Any]:
    """A function of one of these modules, which its first call imports."""
    found: Callable[..., Any] | None = None

    def call(*arguments: Any, **options: Any) -> Any:
        nonlocal found
        if found is None:
            found = getattr(load(f"{__name__}.{module}"), name)
        return found(*arguments, **options)

    call.__name__ = call.__qualname__ = name
    return call
