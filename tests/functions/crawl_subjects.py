"""What the crawl calls: NumPy's functions, ufuncs' methods, arrays' methods and operators, jitframe's own
functions, random generators and sparse matrices."""

from __future__ import annotations

import copy
import inspect
import operator
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any, NamedTuple

import numpy as np

import jitframe as jf
from jitframe.api.index import ENTRIES
from jitframe.api.namespace import FUNCTIONS
from jitframe.api.numpy_names import numpy_object
from jitframe.api.samples import Sample
from jitframe.tracing.standins.libraries import library_member

OPERATORS = [
    "add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "matmul", "and_", "or_", "xor", "lshift",
    "rshift", "lt", "le", "eq", "ne", "gt", "ge", "neg", "pos", "abs", "invert", "getitem", "setitem",
    "iadd", "imul",
]  # fmt: skip
METHODS = [
    "all", "any", "argmax", "argmin", "argpartition", "argsort", "astype", "choose", "clip", "compress",
    "conj", "conjugate", "copy", "cumprod", "cumsum", "diagonal", "dot", "fill", "flatten", "item", "max",
    "mean", "min", "nonzero", "partition", "prod", "put", "ravel", "repeat", "reshape", "round",
    "searchsorted", "sort", "squeeze", "std", "sum", "swapaxes", "take", "tobytes", "tolist", "trace",
    "transpose", "var", "view",
]  # fmt: skip
METHOD_PARAMETERS = {
    "fill": (("value", 1),), "item": (("n", 0),), "flatten": (("order", 1),), "view": (("dtype", 1),),
    "put": (("indices", 1), ("values", 1), ("mode", 1)), "tobytes": (("order", 1),),
    "sort": (("axis", 1), ("kind", 1)), "partition": (("kth", 1), ("axis", 1), ("kind", 1)),
}  # fmt: skip
"""Of methods that are no functions of NumPy's, or have other names there."""
UFUNC_METHODS = {
    "reduce": (
        ("array", 1), ("axis", 1), ("dtype", 1), ("out", 1), ("keepdims", 1), ("initial", 1), ("where", 1)
    ),
    "accumulate": (("array", 1), ("axis", 1), ("dtype", 1), ("out", 1)),
    "reduceat": (("array", 1), ("indices", 1), ("axis", 1), ("dtype", 1), ("out", 1)),
    "outer": (("a", 0), ("b", 0)),
    "at": (("a", 0), ("indices", 0), ("b", 0)),
}  # fmt: skip
ARGUMENTS = (("x", 0), ("y", 1))
"""Of a function that does not tell its own."""


class Subject(NamedTuple):
    name: str
    numpys: Callable[..., Any] | None
    """None: NumPy has no such function."""
    tensors: Callable[..., Any]
    traced: Callable[..., Any] | None
    parameters: tuple[tuple[str, int], ...]
    """Names, and whether they are (0) positional only, (1) either, (2) any number, (3) keywords only."""
    fitting: tuple[str, ...] = ()
    """Arguments of a call that is right, where there is one."""
    is_random: bool = False


def parameters_of(name: str, function: Any) -> tuple[tuple[str, int], ...]:
    if isinstance(function, np.ufunc):
        inputs = tuple((f"x{position + 1}", 0) for position in range(function.nin))
        return (*inputs, ("out", 1), ("where", 3), ("dtype", 3), ("casting", 3), ("order", 3))
    try:
        found = inspect.signature(function).parameters.values()
    except (ValueError, TypeError):
        return {"arange": (("start", 0), ("stop", 1), ("step", 1), ("dtype", 1))}.get(name, ARGUMENTS)
    return tuple((each.name, int(each.kind)) for each in found if int(each.kind) < 4)


@cache
def subjects() -> tuple[Subject, ...]:
    """All that is called. Looking at the parameters of each takes 0.1 s."""
    return (
        *_of_numpy(), *_methods_of_ufuncs(), *_methods(), *_operators(), *_own(), *_draws(), *_sparse()
    )  # fmt: skip


def _of_numpy() -> Iterator[Subject]:
    for name in ENTRIES:
        function = FUNCTIONS[name]
        for called in function.numpy:
            numpys = numpy_object(called)
            if not isinstance(numpys, type) and called != "asanyarray":
                traced = library_member(f"np.{called}", numpys)
                yield Subject(f"np.{called}", numpys, function.call, traced, parameters_of(called, numpys))


def _methods_of_ufuncs() -> Iterator[Subject]:
    for name in ENTRIES:
        function = FUNCTIONS[name]
        ufunc = numpy_object(function.numpy[0]) if function.numpy else None
        if not isinstance(ufunc, np.ufunc) or ufunc.nin != 2 or ufunc.nout != 1 or ufunc.signature:
            continue
        stands = library_member(f"np.{ufunc.__name__}", ufunc)
        for method, parameters in UFUNC_METHODS.items():
            calls = (getattr(each, method) for each in (ufunc, function.call, stands))
            yield Subject(f"np.{ufunc.__name__}.{method}", *calls, parameters)


def _methods() -> Iterator[Subject]:
    for name in METHODS:
        like = getattr(np, name, None)
        apart = METHOD_PARAMETERS.get(name)
        after = apart if apart is not None or like is None else parameters_of(name, like)[1:]
        call = method_of(name)
        yield Subject(f".{name}", call, call, call, (("x", 0), *(after or ())))


def method_of(name: str) -> Callable[..., Any]:
    return lambda x, *given, **options: getattr(x, name)(*given, **options)


def _operators() -> Iterator[Subject]:
    for name in OPERATORS:
        count = 1 if name in ("neg", "pos", "abs", "invert") else 3 if name == "setitem" else 2
        call = getattr(operator, name)
        yield Subject(f"operator.{name}", call, call, call, (("x", 0), ("y", 0), ("v", 0))[:count])


def _own() -> Iterator[Subject]:
    """Functions that NumPy does not have, each with the arguments by which backends are asked for it."""
    for name, function in FUNCTIONS.items():
        if not function.numpy:
            _samples[name] = known(function.declared.sample(Sample(np.dtype("f8"), jf.asarray)))
            fitting = tuple(f"sample({name!r}, {place})" for place in range(len(_samples[name])))
            parameters = parameters_of(name, function.declared.function)
            yield Subject(f"jf.{name}", None, function.call, function.call, parameters, fitting)


_samples: dict[str, Any] = {}


def known(value: Any) -> Any:
    """An argument with ndarrays in the place of Tensors."""
    if isinstance(value, (list, tuple)):
        return type(value)(map(known, value))
    return value.numpy() if isinstance(value, jf.Tensor) else value


def sample(name: str, place: int) -> Any:
    """An argument of a call that is right."""
    return copy.deepcopy(_samples[name][place])  # calls may write to it


def _draws() -> Iterator[Subject]:
    made = type(jf.random.default_rng(0))
    for name in dir(made):
        theirs = getattr(np.random.Generator, name, None)
        if name.startswith("_") or not callable(theirs):
            continue
        ours, numpys = drawn(jf.random, name), drawn(np.random, name)
        yield Subject(
            f"rng.{name}", numpys, ours, ours, parameters_of(name, getattr(made, name))[1:], is_random=True
        )


def drawn(module: Any, name: str) -> Callable[..., Any]:
    return lambda *given, **options: getattr(module.default_rng(0), name)(*given, **options)


def _sparse() -> Iterator[Subject]:
    """Sparse matrices from their parts, and what is done with them."""
    parts = {
        "CSR": ("np.array([1.0, 2.0, 3.0])", "np.array([0, 1, 2])", "np.array([0, 1, 2, 3])", "(3, 3)"),
        "COO": ("np.array([1.0, 2.0, 3.0])", "np.array([0, 1, 2])", "np.array([0, 1, 2])", "(3, 3)"),
    }
    for name, fitting in parts.items():
        made = getattr(jf.sparse, name)
        yield Subject(f"jf.sparse.{name}", None, made, made, parameters_of(name, made), fitting)
        for method in ("sum", "__getitem__", "__matmul__", "__mul__", "__truediv__", "__add__"):
            call = method_of(method)
            matrix = f"matrix({name!r})"
            rest = {"sum": "0", "__getitem__": "0", "__matmul__": "A((3,), 'f8')", "__add__": matrix}
            found = parameters_of(method, getattr(made, method))
            yield Subject(
                f"sparse.{name}.{method}", None, call, call, found, (matrix, rest.get(method, "2.0"))
            )


def matrix(name: str) -> Any:
    """A sparse matrix."""
    places = np.arange(3)
    rest = (places, np.arange(4)) if name == "CSR" else (places, places)
    return getattr(jf.sparse, name)(np.array([1.0, 2.0, 3.0]), *rest, (3, 3))
