"""One record for each function: our name (the array API's where it has one), NumPy's, math's and SciPy's.

`np` functions that meet a lazy array, functions that a traced program names, and jitframe's own public
functions all come from this table. What is not in it raises UnsupportedError, with what to write instead.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import numpy

from .. import api
from ..arrays.promotion import Weak
from ..base.boundary import guarded
from ..errors import DTypeError, UnsupportedError
from ..functions import elementwise as nodes
from ..functions import late
from ..functions.operands import cast, strong
from ..ir.node import Graph, Node
from ..ir.record import record
from ..ir.types import F64, I64
from .entries import ALIASES, ENTRIES, Kind
from .frame import frame_of, operand
from .numpy_names import math_function, numpy_object


class Function(metaclass=record):
    """A public function and the names it goes by."""

    name: str
    kind: Kind
    numpy: tuple[str, ...]
    """Names in the `numpy` module; the first is the usual one."""
    module: str
    """The module in `api` that has it, loaded when it is first called."""
    attribute: str

    @property
    def call(self) -> Callable[..., Any]:
        """The function itself."""
        found = _called.get(self.name)
        if found is None:
            module = getattr(api, self.module)
            ufuncs: dict[str, Callable[..., Any]] = getattr(module, "UFUNCS", {})
            function = ufuncs.get(self.attribute) or getattr(module, self.attribute)
            found = _called[self.name] = guarded(function, self.name)
        return found


_called: dict[str, Callable[..., Any]] = {}


FUNCTIONS: dict[str, Function] = {}
BY_NUMPY: dict[Any, Function] = {}
"""Functions by the object that NumPy has for them."""


def _fill() -> None:
    for name, (kind, module, attribute) in ENTRIES.items():
        there: list[str] = []
        objects: list[Any] = []
        for called in ALIASES.get(name) or (name,):
            found = numpy_object(called)
            if found is not None:
                there.append(called)
                objects.append(found)
        function = FUNCTIONS[name] = Function(name, kind, tuple(there), module, attribute)
        for each in objects:
            BY_NUMPY[each] = function


_fill()

SCALAR_TYPES: dict[type, Callable[..., Any]] = {
    kind: (lambda x, kind=kind: api.creation.astype(x, kind))
    for kind in (
        numpy.bool_, numpy.int8, numpy.int16, numpy.int32, numpy.int64, numpy.uint8, numpy.uint16,
        numpy.uint32, numpy.uint64, numpy.float16, numpy.float32, numpy.float64,
    )
}  # fmt: skip
"""What `np.float32(x)` and its like do to an array."""


def _math(function: Callable[..., Node], name: str, result: Any = None) -> Callable[..., Any]:
    """A function of Python's math module: rank-0 values as float64 in, a Python number out."""

    def public(*values: Any) -> Any:
        frame = frame_of(values)
        graph = frame.begin()
        given = [cast(graph, strong(graph, operand(frame, graph, value)), F64) for value in values]
        if any(node.shape for node in given):
            raise DTypeError(
                f"math.{name}: only 0-dimensional arrays can be converted to Python scalars; use the NumPy "
                f"function"
            )
        node = function(graph, *given)
        return frame.wrap(graph, Weak(node if result is None else cast(graph, node, result)))

    public.__name__ = public.__qualname__ = name
    return public


def _hypotenuse(graph: Graph, *sides: Node) -> Node:
    """math.hypot takes any number of sides."""
    if not sides:
        return graph.constant(0.0, F64)
    result = nodes.absolute(graph, sides[0])
    for side in sides[1:]:
        result = nodes.hypot(graph, result, side)
    return result


MATH: dict[Any, Callable[..., Any]] = {
    math_function(name): _math(function, name, result)
    for name, function, result in (
        ("sqrt", nodes.sqrt, None), ("exp", nodes.exp, None), ("log", nodes.log, None), ("sin", nodes.sin,
        None),
        ("cos", nodes.cos, None), ("tanh", nodes.tanh, None), ("erf", nodes.erf, None), ("fabs",
        nodes.absolute, None),
        ("tan", nodes.tan, None), ("asin", nodes.asin, None), ("acos", nodes.acos, None),
        ("atan", nodes.atan, None), ("atan2", nodes.atan2, None), ("erfc", nodes.erfc, None),
        ("gamma", nodes.gamma, None), ("lgamma", nodes.lgamma, None),
        ("pow", late("division", "power"), None), ("fmod", late("division", "fmod"), None),
        ("copysign", nodes.copysign, None),
        ("floor", nodes.floor, I64), ("ceil", nodes.ceil, I64), ("trunc", nodes.trunc, I64),
        ("exp2", nodes.exp2, None), ("expm1", nodes.expm1, None), ("log2", nodes.log2, None),
        ("log10", nodes.log10, None), ("log1p", nodes.log1p, None), ("sinh", nodes.sinh, None),
        ("cosh", nodes.cosh, None), ("asinh", nodes.asinh, None), ("acosh", nodes.acosh, None),
        ("atanh", nodes.atanh, None), ("cbrt", nodes.cbrt, None), ("hypot", _hypotenuse, None),
        ("isnan", nodes.isnan, None), ("isinf", nodes.isinf, None), ("isfinite", nodes.isfinite, None),
    )
}  # fmt: skip
"""What functions of the math module do to lazy rank-0 values in a traced program."""

_SCIPY_SPECIAL: dict[str, str] = {
    **{name: name for name in ("erf", "erfc", "exp2", "expm1", "log1p", "cbrt", "sinc", "gamma")},
    "gammaln": "lgamma",
}  # fmt: skip


def scipy_function(function: Any) -> Callable[..., Any] | None:
    """Ours for a function of `scipy.special`, where the program has imported that."""
    module = sys.modules.get("scipy.special")
    name = getattr(function, "__name__", "")
    found = _SCIPY_SPECIAL.get(name)
    return FUNCTIONS[found].call if found is not None and getattr(module, name, None) is function else None


def lookup(function: Any) -> Callable[..., Any] | None:
    """What a function of NumPy or SciPy does to lazy arrays; None where that is not supported."""
    record = BY_NUMPY.get(function)
    return scipy_function(function) if record is None else record.call


_ADVICE = {
    "fill": "write x[...] = value",
    "as_strided": "write np.lib.stride_tricks.sliding_window_view(x, shape), or index x with positions",
}


def unsupported(name: str) -> UnsupportedError:
    """The error for a function of NumPy's that jitframe does not have."""
    short = name.rpartition(".")[2]
    instead = _ADVICE.get(short, "call it on np.asarray(x), outside of jitted functions")
    return UnsupportedError(f"{name} is not supported on jitframe arrays; {instead}")
