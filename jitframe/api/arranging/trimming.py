"""Functions that remove zeros at the ends, and imaginary parts that are zero."""

from __future__ import annotations

from typing import Any

import numpy

from ...arrays.indexing import normalize_axes
from ...base.arguments import shown
from ...errors import ArgumentError, KindError
from ..movement import as_lazy
from ..registry import public


@public("movement", sample=lambda s: (s.v,))
def trim_zeros(filt: Any, trim: str = "fb", axis: Any = None) -> Any:
    """An array without the zeros at its front ("f"), at its back ("b"), or at both ends, along all axes or
    those of `axis`: the smallest block that has all other elements.

    The result's length depends on values, which are evaluated.

    >>> jf.trim_zeros([0, 0, 1, 2, 0]).numpy()
    array([1, 2])
    """
    ends = trim.lower() if isinstance(trim, str) else ""
    if ends not in ("f", "b", "fb", "bf"):
        raise ArgumentError(f"unexpected character(s) in `trim`: {trim!r}")
    array = as_lazy(filt)
    if isinstance(filt, (list, tuple)) and array.ndim > 1:
        raise KindError(f"trim_zeros takes an array or a flat list, not {shown(filt)}; make it an array")
    given = range(array.ndim) if axis is None else axis if isinstance(axis, tuple) else (axis,)
    axes = normalize_axes(given, array.ndim)
    places = numpy.argwhere(array._concrete("trim_zeros: how many zeros stand at the ends is a shape"))
    index = []
    for each, extent in enumerate(array.shape):
        first, last = 0, extent
        if each in axes and not places.size:
            first, last = (extent, extent) if "f" in ends else (0, 0)
        elif each in axes:
            first = int(places[:, each].min()) if "f" in ends else 0
            last = int(places[:, each].max()) + 1 if "b" in ends else extent
        index.append(slice(first, last))
    return array[tuple(index)]


@public("elementwise", makes_arrays=True)
def real_if_close(a: Any, tol: Any = 100) -> Any:
    """The real parts of complex numbers whose imaginary parts are all below `tol`, else the numbers
    themselves; a `tol` above 1 counts machine epsilons of the dtype.

    Evaluates the imaginary parts. Other arrays do not change.

    >>> jf.real_if_close([2.1 + 4e-14j, 5.2 + 3e-15j], tol=1000).numpy()
    array([2.1, 5.2])
    """
    array = as_lazy(a)
    if array.dtype.kind != "c":
        return array
    limit = numpy.finfo(array.dtype).eps * tol if tol > 1 else tol
    small = (abs(array.imag) < limit).all()
    return (
        array.real if small._concrete("real_if_close: whether parts are small decides the dtype") else array
    )
