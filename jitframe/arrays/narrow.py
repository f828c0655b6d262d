"""Default dtypes of devices that lack 64 bits: float32 and int32 where no dtype was asked for.

Graph functions promote as on every device; the graph itself makes its nodes of the narrow dtypes. What the
user asked for by name (an ndarray's dtype, `dtype=`, `astype`) is checked before it gets there.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from ..ir.node import Attributes
from ..ir.types import Bits, DType
from .promotion import check_fits


def fit_to(narrows: Mapping[DType, DType]) -> Callable[[Attributes], Attributes] | None:
    """The `Graph.fit` of a device where `narrows` stand for dtypes that it lacks; None where it has all."""
    if not narrows:
        return None

    def fit(attributes: Attributes) -> Attributes:
        if not any(attribute.__class__ is DType and attribute in narrows for attribute in attributes):
            return attributes
        fitting = tuple(
            narrows.get(attribute, attribute) if attribute.__class__ is DType else attribute
            for attribute in attributes
        )
        value, dtype = fitting[0], fitting[-1]
        if isinstance(value, Bits) and isinstance(dtype, DType):
            check_fits(value.value, dtype)
        return fitting

    return fit
