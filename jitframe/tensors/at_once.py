"""Operations on small Tensors that are known, computed at once as NumPy computes them.

A small operation takes less time than to find its place in a program: lazy graphs are for arrays whose
passes over memory are worth saving. So whatever operands are known and small, the result is known as well,
and programs of small arrays are no programs here, whatever sizes they have and whatever they ask for. What
NumPy refuses, or has otherwise, is left to the graph.

Values are never written to but by `SharedArray`, where nobody else has them; so Tensors share them.
"""

from __future__ import annotations

import functools
import math
import operator
from collections.abc import Callable, Sequence
from typing import Any

import numpy
from numpy._core import umath

from ..api.array.lazy_array import LazyArray
from ..api.array.operators import OPERATORS
from ..api.at_once import COUNTERPARTS, CREATORS, OPTIONS
from ..api.frame import STATE
from ..api.namespace import redirect
from ..arrays.layout import element_strides
from ..arrays.promotion import KNOWN
from ..functions import elementwise
from ..ir.node import Node
from ..ir.types import BF16, F16
from ..settings import at_change, chosen_device, settings
from .limit import LIMIT

DTYPES = {dtype: ours for dtype, ours in KNOWN.items() if ours is not F16 and ours is not BF16}
_PLAIN = frozenset((bool, int, float, complex, type(None), str, type, type(Ellipsis), numpy.dtype))
ERRORS: Any = umath._extobj_contextvar
SILENT: Any = umath._make_extobj(all="ignore")
_BINARY: dict[str, Callable[..., Any]] = {
    "add": numpy.add, "sub": numpy.subtract, "mul": numpy.multiply, "truediv": numpy.divide,
    "floordiv": numpy.floor_divide, "mod": numpy.remainder, "pow": operator.pow, "matmul": numpy.matmul,
    "and": numpy.bitwise_and, "or": numpy.bitwise_or, "xor": numpy.bitwise_xor,
    "lshift": numpy.left_shift, "rshift": numpy.right_shift, "lt": numpy.less, "le": numpy.less_equal,
    "gt": numpy.greater, "ge": numpy.greater_equal, "eq": numpy.equal, "ne": numpy.not_equal,
}  # fmt: skip
OPERATIONS: dict[Callable[..., Node], Callable[..., Any]] = {
    OPERATORS[getattr(LazyArray, f"__{name}__")][0]: function for name, function in _BINARY.items()
} | {
    elementwise.negative: numpy.negative,
    elementwise.positive: numpy.positive,
    elementwise.absolute: numpy.absolute,
    elementwise.invert: numpy.invert,
}
"""NumPy's operators, by functions on nodes."""


class _NotNow(Exception):
    """An operand is large, or not known, or nothing that NumPy is given."""


def known(array: Any, most: int) -> numpy.ndarray | None:
    """The value of a Tensor of so many bytes, of the host and known, that lies as its strides tell."""
    value: Any = array._ready()
    if value.__class__ is not numpy.ndarray or value.nbytes > most or not value.size:
        return None
    if value.dtype not in DTYPES:
        return None
    if value.ndim > 1 and element_strides(value) != array._strides:
        return None
    return value


def _given(argument: Any, most: int) -> Any:
    """An argument as NumPy is given it."""
    kind = argument.__class__
    if kind in _PLAIN:
        return argument
    if kind is _tensor_type[0]:
        value = known(argument, most)
        if value is None:
            raise _NotNow
        return value
    if kind is list or kind is tuple:
        return kind([_given(each, most) for each in argument])
    if kind is numpy.ndarray and argument.nbytes <= most and argument.dtype in DTYPES:
        return argument
    raise _NotNow


_tensor_type: list[Any] = []


def silently(function: Callable[..., Any], *arguments: Any, **options: Any) -> Any:
    """What a function of NumPy's gives, without its warnings of what floats are."""
    before = ERRORS.set(SILENT)
    try:
        return function(*arguments, **options)
    finally:
        ERRORS.reset(before)


WIDE = 8
"""So many times as large may be what products and reductions read."""
NARROWING = (
    "matmul", "dot", "sum", "prod", "max", "min", "all", "any", "mean", "argmax", "argmin", "count_nonzero",
)  # fmt: skip
_NARROWING = frozenset([COUNTERPARTS[name][0] for name in NARROWING])


def _room(function: Callable[..., Any], given: Sequence[Any]) -> bool:
    """Whether what a function of NumPy's gives of several arrays is small as well."""
    arrays = [each for each in given if each.__class__ is numpy.ndarray and each.ndim]
    most = LIMIT.nbytes // 8
    if len(arrays) < 2:
        return True
    if function is numpy.matmul or function is numpy.dot:
        columns = arrays[1].size // arrays[1].shape[-2] if arrays[1].ndim > 1 else 1
        return bool(arrays[0].size // arrays[0].shape[-1] * columns <= most)
    if isinstance(function, numpy.ufunc) or function in (operator.pow, COUNTERPARTS["where"][0]):
        return math.prod(numpy.broadcast_shapes(*[each.shape for each in arrays])) <= most
    return function in _ALWAYS_SMALL or math.prod(each.size for each in arrays) <= most


_ALWAYS_SMALL = frozenset((COUNTERPARTS["clip"][0], numpy.searchsorted, numpy.cross, numpy.inner, numpy.vdot))


class _Count:
    """So many operations are answered in Python, then native code does."""

    left = 64


_count = _Count()


def computed(
    function: Callable[..., Any], arguments: Sequence[Any], options: dict[str, Any]
) -> numpy.ndarray | None:
    """What a function of NumPy's gives of arguments with Tensors among them; None where the graph answers."""
    try:
        most = WIDE * LIMIT.nbytes if function in _NARROWING else LIMIT.nbytes
        given = [_given(each, most) for each in arguments]
        if not _room(function, given):
            return None
        _count.left -= 1
        if not _count.left:
            from .native import answer_natively  # of use to programs that do much

            answer_natively()
        if options:
            options = {name: _given(value, most) for name, value in options.items()}
        made = silently(function, *given, **options)
    except Exception:  # the graph says what is wrong
        return None
    return numpy.asarray(made) if isinstance(made, (numpy.ndarray, numpy.generic)) else None


def operation(function: Callable[..., Node], *operands: Any) -> numpy.ndarray | None:
    """What an operator gives of operands one of which is a Tensor; None where the graph answers."""
    numpys = OPERATIONS.get(function)
    return None if numpys is None or LIMIT.nbytes < 0 else computed(numpys, operands, {})


def answering(name: str, slow: Callable[..., Any]) -> Callable[..., Any]:
    """A public function of NumPy's name, which small Tensors that are known are answered by at once."""
    if name in CREATORS:
        return _creating(CREATORS[name], slow)
    if name not in COUNTERPARTS:
        return slow
    function, most = COUNTERPARTS[name]
    return _computing(function, most, slow)


def answer_functions(natively: Callable[[str, Any, Any, int], Any]) -> None:
    """Has native code answer what `answering` answers from now on; it is given NumPy's name, what answers
    where it does not, NumPy's function and of how many arguments that is."""

    def answered(name: str, slow: Callable[..., Any]) -> Any:
        return natively(name, slow, *COUNTERPARTS[name]) if name in COUNTERPARTS else slow

    _once_set(lambda: redirect(answered))


def _computing(function: Callable[..., Any], most: int, slow: Callable[..., Any]) -> Callable[..., Any]:
    def public(*arguments: Any, **options: Any) -> Any:
        is_plain = not options or OPTIONS.issuperset(options)
        if LIMIT.nbytes >= 0 and is_plain and len(arguments) <= most and _holds_tensor(arguments):
            made = computed(function, arguments, options)
            if made is not None:
                return _tensor_type[0]._at_once(made)
        return slow(*arguments, **options)

    return public


def _holds_tensor(arguments: Sequence[Any]) -> bool:
    kind = _tensor_type[0]
    return any(
        each.__class__ is kind or (each.__class__ in (list, tuple) and _holds_tensor(each))
        for each in arguments
    )


def _creating(function: Callable[..., Any], slow: Callable[..., Any]) -> Callable[..., Any]:
    def public(*arguments: Any, **options: Any) -> Any:
        is_plain = not options or options.keys() == {"dtype"}
        if (
            LIMIT.nbytes >= 0
            and is_plain
            and not STATE.frames
            and chosen_device() is None
            and _few(arguments)
        ):
            made = computed(function, arguments, options)
            if made is not None and made.nbytes <= LIMIT.nbytes and made.dtype in DTYPES:
                return _tensor_type[0]._at_once(made)
        return slow(*arguments, **options)

    return public


def _few(arguments: Sequence[Any]) -> bool:
    """Whether numbers make a small array, whatever each of them tells."""
    for each in arguments:
        if each.__class__ in (int, float):
            if not abs(each) * 8 <= LIMIT.nbytes:
                return False
        elif each.__class__ is tuple and all(extent.__class__ is int for extent in each):
            if math.prod(each) * 8 > LIMIT.nbytes:
                return False
        else:
            return False
    return True


def begin(tensor_type: type) -> None:
    """Has public functions answer so once that is set; until then nothing is in the way of their calls."""
    _tensor_type[:] = [tensor_type]
    _once_set(lambda: redirect(answering))


def _once_set(act: Callable[[], None]) -> None:
    """Acts when small Tensors are to be computed at once, the first time."""
    once = functools.cache(act)

    def look() -> None:
        if settings().small_at_once:
            once()

    at_change.append(look)
    look()
