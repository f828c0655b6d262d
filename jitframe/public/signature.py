"""Binds the arguments of NumPy's signatures: those understood, those that change nothing, no others."""

from __future__ import annotations

from typing import Any

import numpy

from ..errors import DTypeError, UnsupportedError
from ..ir.record import record
from ..ir.types import DType
from ..promotion import from_numpy

# Values by which an argument of NumPy's is not set.
_UNSET = {
    "where": (True, numpy._NoValue), "casting": ("same_kind",), "order": ("K", "C", "A", None),
    "subok": (True, False),
    "initial": (numpy._NoValue, None), "like": (None,), "device": (None,), "mean": (numpy._NoValue,),
    "prepend": (numpy._NoValue,), "append": (numpy._NoValue,), "retstep": (False,), "axes": (None,),
    "dtype": (None,), "signature": (None,), "sig": (None,), "axis": (None,), "keepdims": (False,),
    "copy": (None,), "writeable": (False,),
}  # fmt: skip


class Signature(metaclass=record):
    """The arguments of a function of NumPy's."""

    function: str
    names: tuple[str, ...]
    """In the order in which they are given without names."""
    named: tuple[str, ...] = ()
    """Those that are given by name alone."""
    needed: int = 0
    """So many of the first ones have no default."""

    def __str__(self) -> str:
        named = ["*", *self.named] if self.named else []
        optional = [f"{name}=…" for name in self.names[self.needed :]]
        return f"({', '.join([*self.names[: self.needed], *optional, *named])})"

    def bind(self, given: tuple[Any, ...], options: dict[str, Any]) -> dict[str, Any]:
        """The arguments by name, NumPy's no-value left out.

        Raises UnsupportedError for an argument of NumPy's that would matter, DTypeError for one that the
        signature has not, or lacks.
        """
        names = self.names
        if len(given) > len(names):
            raise DTypeError(
                f"{self.function}() takes at most {len(names)} positional arguments, {len(given)} were "
                f"given; its parameters are {self}"
            )
        bound = dict(zip(names, given, strict=False))
        for name, value in options.items():
            if name in bound:
                raise DTypeError(f"{self.function}() got multiple values for argument '{name}'")
            if name in names or name in self.named:
                bound[name] = value
            else:
                refuse(self.function, name, value, str(self))
        for name in names[: self.needed]:
            if name not in bound:
                raise DTypeError(
                    f"{self.function}() is missing the argument '{name}'; its parameters are {self}"
                )
        return {name: value for name, value in bound.items() if value is not numpy._NoValue}


def bind(
    function: str, names: tuple[str, ...], given: tuple[Any, ...], options: dict[str, Any]
) -> dict[str, Any]:
    """The arguments by name, where none is needed; see `Signature`."""
    return Signature(function, names).bind(given, options)


def refuse(function: str, name: str, value: Any, signature: str = "") -> None:
    """Raises unless `value` leaves the argument `name` unset."""
    if name not in _UNSET:
        known = f"; its parameters are {signature}" if signature else ""
        raise DTypeError(f"{function}() got an unexpected keyword argument '{name}'{known}")
    if not any(value is unset or (isinstance(value, str) and value == unset) for unset in _UNSET[name]):
        advice = "; write np.where around the result" if name == "where" else ""
        raise UnsupportedError(f"{function}: the argument {name}= is not supported{advice}")


def check_unset(function: str, **arguments: Any) -> None:
    """Raises UnsupportedError unless these arguments of NumPy's are not set."""
    for name, value in arguments.items():
        refuse(function, name, value)


def optional_dtype(dtype: Any) -> DType | None:
    return None if dtype is None else from_numpy(dtype)


def single_output(out: Any) -> Any:
    """The array of `out=`, which ufuncs give as a tuple; `...` asks for an array, which it always is."""
    if out is Ellipsis:
        return None
    return out[0] if isinstance(out, tuple) and len(out) == 1 else out
