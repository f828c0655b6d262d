"""Binds the arguments of NumPy's signatures: supported ones, and those without effect, no others."""

from __future__ import annotations

from typing import Any

import numpy

from ..arrays.promotion import NUMBERS, from_numpy
from ..base.arguments import CASTINGS, ORDERS, is_sequence, shown, word
from ..errors import DTypeError, KindError, UnsupportedError, nearest
from ..functions.operands import truth
from ..ir.types import DType
from .calls import call
from .frame import LazyValue

# Values by which an argument of NumPy's is not set.
_UNSET = {
    "where": (True, numpy._NoValue), "casting": ("same_kind",), "order": ("K", "C", "A", None),
    "subok": (True, False),
    "initial": (numpy._NoValue, None), "like": (None,), "device": (None,), "mean": (numpy._NoValue,),
    "prepend": (numpy._NoValue,), "append": (numpy._NoValue,), "retstep": (False,), "axes": (None,),
    "dtype": (None,), "signature": (None,), "sig": (None,), "axis": (None,), "keepdims": (False,),
    "copy": (None,), "writeable": (False,),
}  # fmt: skip
UFUNC_METHODS = {
    "reduce": ("array", "axis", "dtype", "out", "keepdims", "initial", "where"),
    "accumulate": ("array", "axis", "dtype", "out"),
    "reduceat": ("array", "indices", "axis", "dtype", "out"),
}
"""The named parameters of ufuncs' methods."""
_WORDS = {"order": ORDERS, "casting": CASTINGS}


def bind(
    function: str, names: tuple[str, ...], given: tuple[Any, ...], options: dict[str, Any]
) -> dict[str, Any]:
    """Returns the arguments of a ufunc's method by name, all of them optional; NumPy's no-value is left out.

    Raises UnsupportedError for an argument of NumPy's that would change the result, DTypeError for an unknown
    one.
    """
    if len(given) > len(names):
        raise DTypeError(
            f"{function}() takes at most {len(names)} positional arguments, {len(given)} were given; its "
            f"parameters are {_listed(names)}"
        )
    check_names(function, names, options)
    bound = dict(zip(names, given, strict=False))
    for name, value in options.items():
        if name in bound:
            raise DTypeError(f"{function}() got multiple values for argument '{name}'")
        if name in names:
            bound[name] = value
    return {name: value for name, value in bound.items() if value is not numpy._NoValue}


def check_names(function: str, names: tuple[str, ...], options: dict[str, Any]) -> None:
    """Raises for arguments of other names, unless these are NumPy's and left unset."""
    for name, value in options.items():
        if name not in names:
            refuse(function, name, value, f"{nearest(name, names)}; its parameters are {_listed(names)}")


def _listed(names: tuple[str, ...]) -> str:
    return f"({', '.join(f'{name}=…' for name in names)})"


def refuse(function: str, name: str, value: Any, fitting: str = "") -> None:
    """Raises unless `value` leaves the argument `name` unset."""
    if name not in _UNSET:
        raise DTypeError(f"{function}() got an unexpected keyword argument '{name}'{fitting}")
    words = _WORDS.get(name)
    if words is not None and value is not None:
        word(value, name, words)
    if not any(value is unset or (isinstance(value, str) and value == unset) for unset in _UNSET[name]):
        advice = "; write np.where around the result" if name == "where" else ""
        raise UnsupportedError(f"{function}: the argument {name}= is not supported{advice}")


def check_unset(function: str, **arguments: Any) -> None:
    """Raises UnsupportedError unless these arguments of NumPy's are not set."""
    for name, value in arguments.items():
        refuse(function, name, value)


def optional_dtype(dtype: Any) -> DType | None:
    return None if dtype is None else from_numpy(dtype)


def single_output(out: Any, function: str = "") -> Any:
    """Returns the array of `out=`, which ufuncs pass as a tuple; `...` requests an array, which a result
    always is."""
    if out is Ellipsis:
        return None
    if not isinstance(out, tuple):
        return out
    if len(out) != 1:
        name = f"{function}: " if function else ""
        raise KindError(f"{name}the 'out' tuple must have exactly one entry, {len(out)} were given")
    return out[0]


def check_reduction(bound: dict[str, Any]) -> None:
    """Raises for an invalid axis, condition or initial value of a reduction; the condition becomes one of
    bools."""
    axis: Any = bound.get("axis")
    initial: Any = bound.get("initial")
    if axis.__class__ is not tuple and is_sequence(axis):
        raise KindError(f"axis is an integer or a tuple of them, not {shown(axis)}")
    if is_sequence(initial) or (hasattr(initial, "__array__") and numpy.shape(initial)):
        raise KindError(f"initial= is one number, not {shown(initial)}")
    if bound.get("where", True) is not True:
        bound["where"] = mask_of(bound["where"])


def mask_of(where: Any) -> Any:
    """Returns the condition of `where=`: an array of bools, also from other values that become one. Raises
    DTypeError."""
    if isinstance(where, (LazyValue, numpy.ndarray)):
        if where.dtype != bool:
            raise DTypeError(
                f"where= is of bools, not {where.dtype}: Cannot cast array data from dtype('{where.dtype}') "
                "to dtype('bool') according to the rule 'safe'"
            )
        return where
    if where.__class__ in NUMBERS or isinstance(where, numpy.generic):
        return numpy.bool_(where)
    return call(truth, (where,))
