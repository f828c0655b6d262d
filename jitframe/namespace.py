"""One record for each function: our name (the array API's where it has one), NumPy's, math's and SciPy's.

`np` functions that meet a lazy array, functions that a traced program names, and jitframe's own public
functions all come from this table. What is not in it raises UnsupportedError, with what to write instead.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable
from typing import Any, Literal

import numpy

from . import public
from .errors import DTypeError, UnsupportedError
from .frame import frame_of, operand
from .functions import division
from .functions import elementwise as nodes
from .functions.operands import cast, strong
from .ir.node import Graph, Node
from .ir.record import record
from .ir.types import F64, I64
from .promotion import Weak

Kind = Literal["elementwise", "reduction", "movement", "product", "creation", "dtype"]


@record
class Function:
    """A public function and the names it goes by."""

    name: str
    kind: Kind
    numpy: tuple[str, ...]
    """Names in the `numpy` module; the first is the usual one."""
    module: str
    """The module in `public` that has it, loaded when it is first called."""
    attribute: str

    @property
    def call(self) -> Callable[..., Any]:
        """The function itself."""
        found = _called.get(self.name)
        if found is None:
            module = getattr(public, self.module)
            ufuncs: dict[str, Callable[..., Any]] = getattr(module, "UFUNCS", {})
            found = _called[self.name] = ufuncs.get(self.attribute) or getattr(module, self.attribute)
        return found


_called: dict[str, Callable[..., Any]] = {}


def _numpy_names(name: str, *more: str) -> tuple[str, ...]:
    return tuple(each for each in (name, *more) if _numpy_object(each) is not None)


def _numpy_object(name: str) -> Any:
    """What `np.name` is, dots and all; None where this NumPy has it not."""
    if "." not in name:
        return vars(numpy).get(name)  # `getattr` would take its time to say that there is no such name
    found: Any = numpy
    for part in name.split("."):
        found = getattr(found, part, None)
    return found


_ALIASES: dict[str, tuple[str, ...]] = {
    "abs": ("absolute", "abs"), "acos": ("arccos", "acos"), "asin": ("arcsin", "asin"),
    "atan": ("arctan", "atan"), "atan2": ("arctan2", "atan2"),
    "asinh": ("arcsinh", "asinh"), "acosh": ("arccosh", "acosh"), "atanh": ("arctanh", "atanh"),
    "bitwise_invert": ("invert", "bitwise_not", "bitwise_invert"),
    "bitwise_left_shift": ("left_shift", "bitwise_left_shift"),
    "bitwise_right_shift": ("right_shift", "bitwise_right_shift"),
    "conj": ("conjugate", "conj"), "deg2rad": ("deg2rad", "radians"), "rad2deg": ("rad2deg", "degrees"),
    "divide": ("divide", "true_divide"), "pow": ("power", "pow"), "remainder": ("remainder", "mod"),
    "round": ("round", "around"), "trunc": ("trunc", "fix"),
    "asarray": ("asarray", "asanyarray"), "concat": ("concatenate", "concat"), "max": ("max", "amax"),
    "min": ("min", "amin"),
    "permute_dims": ("transpose", "permute_dims"),
    "matmul": ("matmul", "linalg.matmul"), "vecdot": ("vecdot", "linalg.vecdot"),
    "tensordot": ("tensordot", "linalg.tensordot"),
    "matrix_transpose": ("matrix_transpose", "linalg.matrix_transpose"),
    "sliding_window_view": ("lib.stride_tricks.sliding_window_view",),
}  # fmt: skip

# Kind, module in `public`, names; `name=attribute` where the module calls it otherwise.
_TABLE: tuple[tuple[Kind, str, str], ...] = (
    ("elementwise", "elementwise",
     "bitwise_count ldexp nextafter signbit spacing abs acos asin atan tan ceil cos erf erfc gamma "
     "lgamma exp exp2 expm1 log2 log10 log1p cbrt sinc sinh cosh asinh acosh atanh hypot logaddexp "
     "logaddexp2 fabs floor bitwise_invert isfinite isinf isnan log logical_not negative positive "
     "reciprocal rint sign sin sqrt square tanh trunc add atan2 bitwise_and bitwise_left_shift "
     "bitwise_or bitwise_right_shift bitwise_xor copysign divide equal floor_divide fmod gcd greater "
     "greater_equal lcm less less_equal logical_and logical_or logical_xor maximum minimum multiply "
     "not_equal pow remainder subtract clip round divmod frexp modf"),
    ("elementwise", "indexing",
     "where"),
    ("elementwise", "creation",
     "astype"),
    ("elementwise", "movement",
     "copy=duplicate"),
    ("elementwise", "numeric",
     "deg2rad rad2deg conj isposinf isneginf float_power fmax fmin heaviside real imag angle "
     "nan_to_num isclose allclose array_equal array_equiv select piecewise ediff1d trapezoid cross "
     "gradient unwrap cov corrcoef polyval isreal iscomplex"),
    ("reduction", "reductions",
     "sum prod mean var std max min ptp all any count_nonzero argmax argmin nanargmax nanargmin cumsum "
     "cumprod nancumsum nancumprod cumulative_sum cumulative_prod nansum nanprod nanmean nanvar nanstd "
     "nanmax nanmin average"),
    ("reduction", "arranging",
     "trace"),
    ("elementwise", "sorted_search",
     "searchsorted interp"),
    ("reduction", "counting",
     "bincount digitize histogram histogram_bin_edges isin"),
    ("reduction", "norms",
     "linalg.norm=norm linalg.vector_norm=vector_norm linalg.matrix_norm=matrix_norm "
     "linalg.trace=linalg_trace linalg.diagonal=linalg_diagonal linalg.cross=linalg_cross "
     "linalg.matrix_power=matrix_power"),
    ("product", "convolution",
     "convolve correlate"),
    ("movement", "diagonals",
     "fill_diagonal diag_indices_from tril_indices_from triu_indices_from"),
    ("movement", "movement",
     "permute_dims=transpose concat reshape ravel matrix_transpose swapaxes moveaxis squeeze "
     "expand_dims flip flipud fliplr broadcast_to broadcast_arrays atleast_1d atleast_2d unstack split "
     "stack vstack hstack column_stack diff"),
    ("movement", "arranging",
     "rollaxis rot90 diagonal sliding_window_view pad tile repeat roll diag diagflat resize append "
     "delete insert atleast_3d dstack block array_split hsplit vsplit dsplit"),
    ("movement", "indexing",
     "take take_along_axis choose put put_along_axis putmask copyto place nonzero flatnonzero argwhere "
     "compress extract ix_ unravel_index"),
    ("product", "products",
     "matmul matvec vecmat vecdot dot inner vdot outer kron tensordot einsum linalg.multi_dot=multi_dot "
     "linalg.outer=linalg_outer"),
    ("creation", "creation",
     "asarray array from_dlpack zeros ones empty full zeros_like ones_like empty_like full_like arange "
     "linspace eye identity tril triu"),
    ("creation", "arranging",
     "tri indices meshgrid"),
    ("dtype", "dtypes",
     "can_cast finfo iinfo isdtype result_type"),
)  # fmt: skip


def _functions() -> dict[str, Function]:
    found: dict[str, Function] = {}
    for kind, module, names in _TABLE:
        for entry in names.split():
            name, _, attribute = entry.partition("=")
            called = _numpy_names(*_ALIASES.get(name, (name,)))
            found[name] = Function(name, kind, called, module, attribute or name)
    return found


FUNCTIONS: dict[str, Function] = _functions()

BY_NUMPY: dict[Any, Function] = {
    _numpy_object(name): function for function in FUNCTIONS.values() for name in function.numpy
}
"""Functions by the object that NumPy has for them."""

SCALAR_TYPES: dict[type, Callable[..., Any]] = {
    kind: (lambda x, kind=kind: public.creation.astype(x, kind))
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
    getattr(math, name): _math(function, name, result)
    for name, function, result in (
        ("sqrt", nodes.sqrt, None), ("exp", nodes.exp, None), ("log", nodes.log, None), ("sin", nodes.sin,
        None),
        ("cos", nodes.cos, None), ("tanh", nodes.tanh, None), ("erf", nodes.erf, None), ("fabs",
        nodes.absolute, None),
        ("tan", nodes.tan, None), ("asin", nodes.asin, None), ("acos", nodes.acos, None),
        ("atan", nodes.atan, None), ("atan2", nodes.atan2, None), ("erfc", nodes.erfc, None),
        ("gamma", nodes.gamma, None), ("lgamma", nodes.lgamma, None),
        ("pow", division.power, None), ("fmod", division.fmod, None), ("copysign", nodes.copysign, None),
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
    "apply_along_axis": "call the function on the whole array, with axis=",
    "vander": "write x[:, np.newaxis] ** np.arange(n)[::-1]",
}
_SORTING = frozenset(
    ("sort", "argsort", "lexsort", "partition", "argpartition", "median", "nanmedian", "percentile")
).union(("nanpercentile", "quantile", "nanquantile", "unique"))


def unsupported(name: str) -> UnsupportedError:
    """The error for a function of NumPy's that jitframe does not have."""
    short = name.rpartition(".")[2]
    instead = _ADVICE.get(short, "call it on np.asarray(x), outside of jitted functions")
    if short in _SORTING:
        instead = f"nothing is sorted yet: {instead}"
    return UnsupportedError(f"{name} is not supported on jitframe arrays; {instead}")
