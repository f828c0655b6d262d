"""Functions with a ufunc's arguments, each made of one record: its meaning, its results, an example."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy

from ...arrays.promotion import (
    NUMBERS,
    cast_error,
    castable,
    check_fits,
    from_numpy,
    kind_of,
    number_kind,
    result_dtype,
)
from ...base.arguments import casting_of, order_of, shown
from ...errors import DTypeError, KindError, UnsupportedError
from ...functions import elementwise as nodes
from ...functions.operands import broadcast_shapes, cast, check_output, spread, strong, truth
from ...ir.node import Node
from ...ir.record import record
from ...ir.types import I64, U64, DType
from ..calls import call, operand
from ..calls import unary as apply
from ..frame import LazyValue, frame_of
from ..registry import Scalar, public
from ..signature import check_unset, mask_of, single_output

if TYPE_CHECKING:
    from typing import Unpack

    from ..registry import SaidOfUfunc

Public = Callable[..., Any]
_SAME_KIND, _KEPT = "same_kind", "K"

DTYPES = {
    "same": "what the operands promote to",
    "float": "float: that of floats, and what NumPy makes of others (float64 of int32 and int64)",
    "float64": "float: that of floats, float64 of integers and bools",
    "bool": "bool",
    "integer": "what the operands promote to, integers or bools: DTypeError for floats",
}
"""The kinds of results' dtypes, in words."""


class Ufunc(metaclass=record):
    """A function with a ufunc's arguments."""

    name: str
    function: Callable[..., Node]
    """The function on nodes."""
    operands: tuple[str, ...]
    result: str
    """The dtype of results: one of `DTYPES`, or a phrase."""
    summary: str
    example: tuple[str, str]
    """Arguments, and the result as it is printed."""
    takes_dtype: bool = True
    """False: the results have another dtype than the operands, and `dtype=` names neither."""
    is_named: bool = False
    """Its operand may be passed by name: it is no ufunc in NumPy."""
    said: SaidOfUfunc = {}  # noqa: RUF012 (nobody writes to it)
    """Further fields of its declaration, besides its name and kind."""

    @property
    def docstring(self) -> str:
        several = len(self.operands) > 1
        shape = "the operands' shapes broadcast" if several else f"that of `{self.operands[0]}`"
        raised = "ShapeError where shapes do not broadcast, DTypeError for dtypes that do not fit"
        given, printed = self.example
        return (
            f"{self.summary}\n\nShape: {shape}. Dtype: {DTYPES.get(self.result, self.result)}.\n\n"
            "`out` gets the result, where `where` holds; the operands are cast to `dtype` first. Raises\n"
            f"{raised}.\n\n>>> jf.{self.name}({given}).numpy()\n{printed}\n"
        )


def made(ufunc: Ufunc) -> Public:
    """Makes the public function of a record."""
    one = len(ufunc.operands) == 1
    function = (_named if ufunc.is_named else _of_one if one else _of_two)(ufunc)
    function.__name__ = function.__qualname__ = ufunc.name
    function.__doc__ = ufunc.docstring
    return function


def all_made(module: str, *ufuncs: Ufunc) -> dict[str, Public]:
    """Makes the public functions of records, by their names, declared in a module."""
    return {ufunc.name: _declared(module, ufunc) for ufunc in ufuncs}


def _declared(module: str, ufunc: Ufunc) -> Public:
    said: dict[str, Any] = {**ufunc.said}
    if "math" in said and not isinstance(said["math"], Scalar):
        said["math"] = Scalar(said["math"], ufunc.function)
    if len(ufunc.operands) == 2:
        said.setdefault("sample", lambda s: (s.x, s.x))
    function = made(ufunc)
    function.__module__ = module
    return public("elementwise", **said)(function)


def unary(
    name: str,
    function: Callable[..., Node],
    result: str,
    summary: str,
    example: tuple[str, str],
    takes_dtype: bool = True,
    is_named: bool = False,
    **said: Unpack[SaidOfUfunc],
) -> Ufunc:
    """Makes the record of a function of one array."""
    dtype = takes_dtype and result != "bool"
    return Ufunc(name, function, ("x",), result, summary, example, dtype, is_named, said)


def binary(
    name: str,
    function: Callable[..., Node],
    result: str,
    summary: str,
    example: tuple[str, str],
    takes_dtype: bool = True,
    **said: Unpack[SaidOfUfunc],
) -> Ufunc:
    """Makes the record of a function of two arrays."""
    dtype = takes_dtype and result != "bool"
    return Ufunc(name, function, ("x1", "x2"), result, summary, example, dtype, said=said)


def _of_one(ufunc: Ufunc) -> Public:
    function = ufunc.function

    def public(
        x: Any, /, out: Any = None, *, where: Any = True, casting: Any = _SAME_KIND, order: Any = _KEPT,
        dtype: Any = None, subok: bool = True, signature: Any = None,
    ) -> Any:  # fmt: skip
        usual = out is None and dtype is None and signature is None
        if usual and where is True and casting is _SAME_KIND and order is _KEPT:
            return apply(function, x, function)
        return _applied(ufunc, (x,), out, where, casting, order, dtype, signature)

    return public


def _named(ufunc: Ufunc) -> Public:
    function = _of_one(ufunc)

    def public(
        x: Any, out: Any = None, *, where: Any = True, casting: Any = _SAME_KIND, order: Any = _KEPT,
        dtype: Any = None, subok: bool = True, signature: Any = None,
    ) -> Any:  # fmt: skip
        return function(x, out, where=where, casting=casting, order=order, dtype=dtype, signature=signature)

    return public


def _of_two(ufunc: Ufunc) -> Public:
    function = ufunc.function

    def public(
        x1: Any, x2: Any, /, out: Any = None, *, where: Any = True, casting: Any = _SAME_KIND,
        order: Any = _KEPT, dtype: Any = None, subok: bool = True, signature: Any = None,
    ) -> Any:  # fmt: skip
        usual = out is None and dtype is None and signature is None
        if usual and where is True and casting is _SAME_KIND and order is _KEPT:
            return call(function, (x1, x2), key=function)
        return _applied(ufunc, (x1, x2), out, where, casting, order, dtype, signature)

    return public


def _applied(
    ufunc: Ufunc, operands: Sequence[Any], out: Any, where: Any, casting: Any, order: Any, dtype: Any,
    signature: Any,
) -> Any:  # fmt: skip
    """Applies the function with arguments that few calls have."""
    name, function = ufunc.name, ufunc.function
    if order_of(order) != "K" and out is None:
        made = _applied(ufunc, operands, None, where, casting, "K", dtype, signature)
        return made._in_order(order)
    check_unset(name, signature=signature)
    target = single_output(out, name)
    if dtype is None or not ufunc.takes_dtype:
        check_unset(name, casting=casting, dtype=dtype)
    else:
        wanted = from_numpy(dtype)
        alone = len(operands) == 1 and type(operands[0]) is int
        if alone and wanted.kind == "uint" and casting != "unsafe":
            raise cast_error("int64", wanted.numpy_name, str(casting))  # an integer alone has NumPy's default
        operands = computed_in(name, operands, wanted, casting)
        result = call(function, operands, key=function)
        if getattr(result, "_dtype", wanted) is not wanted:
            raise DTypeError(
                f"{name}: dtype={wanted.numpy_name}: no form of it computes in that; its result is "
                f"{result._dtype.numpy_name}"
            )
        if target is None and where is True:
            return result
    if where is not True and where is not numpy._NoValue:
        return _masked(function, name, operands, target, mask_of(where))
    return call(function, operands, out=target, key=function)


def computed_in(name: str, operands: Sequence[Any], dtype: DType, casting: str) -> list[Any]:
    """Casts the operands of a ufunc to the dtype in which it computes."""
    casting_of(casting)
    for position, value in enumerate(operands):
        if type(value) is int:
            check_fits(value, dtype if dtype.is_integer else I64 if value < 0 else U64)
        if type(value) in NUMBERS and number_kind(value) > kind_of(dtype) and casting == "same_kind":
            given = result_dtype((value,)).numpy_name
            raise DTypeError(
                f"Cannot cast ufunc '{name}' input {position} from dtype('{given}') to "
                f"dtype('{dtype.numpy_name}') with casting rule 'same_kind'; casting='unsafe' allows it"
            )
        source = None if type(value) in NUMBERS else call(strong, (value,))._dtype
        if source is not None and casting == "same_kind" and not castable(source, dtype):
            raise DTypeError(
                f"Cannot cast ufunc '{name}' input {position} from dtype('{source.numpy_name}') to "
                f"dtype('{dtype.numpy_name}') with casting rule 'same_kind'; casting='unsafe' allows it"
            )
    frame = frame_of(operands)
    frame.check(dtype)
    graph = frame.begin()  # numbers have this dtype from here on
    read = [operand(frame, graph, value) for value in operands]
    return [frame.wrap(graph, cast(graph, strong(graph, each), dtype)) for each in read]


def _masked(function: Callable[..., Any], name: str, operands: Sequence[Any], out: Any, where: Any) -> Any:
    """Applies a ufunc with `where=`: the other elements of `out` do not change."""
    if out is None:
        raise UnsupportedError(
            f"{name}: where= without out= leaves the other elements undefined; give out=, or write np.where "
            "around the result"
        )

    if not isinstance(out, (LazyValue, numpy.ndarray)):
        raise KindError(f"{name}: out= is an array of the result's shape, not {shown(out)}")

    def chosen(graph: Any, before: Any, mask: Any, *given: Any) -> Any:
        if not any(isinstance(each, Node) for each in given):
            given = tuple(strong(graph, each) for each in given)
        result = function(graph, *given)
        check_output(result.dtype, result.shape, before.dtype, before.shape)
        return nodes.where(graph, truth(graph, mask), cast(graph, result, before.dtype), before)

    return call(chosen, (out, where, *operands), out=out)


def pair(
    name: str, results: tuple[Any, Any], outputs: tuple[Any, Any], out: Any, **unset: Any
) -> tuple[Any, Any]:
    """Returns two results, written to the arrays of `out=` where there are any."""
    check_unset(name, **unset)
    given = out if outputs[0] is outputs[1] is None and out is not Ellipsis else outputs
    if not isinstance(given, tuple) or len(given) != 2:
        raise DTypeError(f"{name}: out= takes a tuple of two arrays, or None in the place of one")
    shapes = [tuple(getattr(each, "shape", ())) for each in given if each is not None]
    whole = broadcast_shapes(results[0].shape, *shapes)
    return _stored(results[0], given[0], whole), _stored(results[1], given[1], whole)


def _stored(value: Any, out: Any, shape: Any) -> Any:
    """Returns a result in `out`, or in the shape of all results."""
    if out is not None:
        return call(lambda _, node: node, (value,), out=out)
    if value.shape == shape:
        return value
    return call(lambda graph, node: spread(graph, cast(graph, node, value._dtype), shape), (value,))
