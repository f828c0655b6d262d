"""Libraries as a traced program sees them: NumPy, math and SciPy, whose functions take traced values.

A function is called as it is as long as no traced value is among its arguments; only functions that make
arrays
are always ours, so that what they make can be written to by the trace.
"""

from __future__ import annotations

import functools
import math
import sys
import types
from collections.abc import Callable, Iterable
from typing import Any

import numpy

from ... import api
from ...api.frame import LazyValue, SymbolicExtents, current_frame
from ...api.namespace import (
    BY_MATH,
    BY_NUMPY,
    SCALAR_TYPES,
    scalar_function,
    scipy_function,
    unsupported,
)
from ...api.signature import UFUNC_METHODS, check_names
from ...base.boundary import guarded
from ...base.importing import load
from ...errors import ArgumentError, JitframeError, TraceError, first_refusal
from ..arguments.growing_list import GrowingList
from ..environment.library_objects import Refused
from ..lists.ranges import ITERATIONS
from ..values.concrete import is_of_mask
from ..values.python_numbers import MATH, Rule, checked
from ..values.traced import ARRAY, NUMBER, SCALAR, TracedArray
from .python_builtins import MODULE, TYPES, TypeStandIn, stood_for


def _holds_traced(values: Any) -> bool:
    for value in values:
        if isinstance(value, LazyValue):
            return True
        if isinstance(value, (list, tuple)) and _holds_traced(value):
            return True
    return False


def _holds_chosen(values: Any) -> bool:
    """Whether there is what a mask has chosen, whose number of elements may be open."""
    return any(
        is_of_mask(each) or (each.__class__ in (list, tuple) and _holds_chosen(each))
        for each in values
        if not isinstance(each, LazyValue)
    )


def _plain(value: Any) -> Any:
    """Stand-ins back to what they stand for, lists of the user's as lists."""
    if isinstance(value, LazyValue):
        return value
    whole = value.as_array() if isinstance(value, GrowingList) else None
    if whole is not None:
        return whole
    if isinstance(value, list):
        return [_plain(member) for member in value]
    if type(value) is tuple:
        return tuple(_plain(member) for member in value)
    return stood_for(value)


def _lifted(value: Any) -> Any:
    """ndarrays that a library function made, as arrays of the trace."""
    if type(value) is numpy.ndarray and value.dtype != object:
        return current_frame().array(value, False)
    if value.__class__ in (tuple, list):
        return value.__class__(_lifted(member) for member in value)
    if reports(value):
        return library_member(type(value).__name__, value)
    return value


class LibraryFunction:
    """Stands for a function of a library."""

    __slots__ = (
        "_always", "_arrays", "_call", "_has_values", "_keeps", "_name", "_original", "_python", "_reduces",
    )  # fmt: skip

    def __init__(
        self,
        name: str,
        original: Callable[..., Any],
        call: Callable[..., Any] | None,
        always: bool = False,
        arrays: bool = False,
        python: bool = False,
        reduces: bool = False,
        keeps: bool = False,
        has_values: bool = False,
    ) -> None:
        """`has_values`: a call that ours does not take is the original's, which is given the values."""
        self._name = name
        self._original = original
        self._call = call
        self._always = always
        self._arrays = arrays
        self._python = python
        self._reduces = reduces
        self._keeps = keeps
        self._has_values = has_values

    def __call__(self, *arguments: Any, **options: Any) -> Any:
        arguments = tuple(map(_plain, arguments))
        if options:
            options = {name: _plain(value) for name, value in options.items()}
        for each in arguments:
            if issubclass(type(each), SymbolicExtents):
                return each.called(self._original, arguments, options)
        if _holds_chosen(arguments) or _holds_chosen(options.values()):
            from ..values.masked import chosen  # programs without masks do not load these
            from ..values.masked_functions import called

            if isinstance(self._original, numpy.ufunc):
                of_mask: Any = next(filter(is_of_mask, (*arguments, *options.values())), None)
                if of_mask is not None:
                    return of_mask.__array_ufunc__(self._original, "__call__", *arguments, **options)
            found = NotImplemented
            if not self._always:
                found = called(self._original, arguments, options)
            if found is not NotImplemented:
                return found
            arguments = tuple(map(chosen, arguments))
            options = {name: chosen(value) for name, value in options.items()}
        if not self._always and not _holds_traced(arguments) and not _holds_traced(options.values()):
            return _lifted(self._original(*arguments, **options))
        if self._call is None:
            return _left(self._name, self._original, arguments, options)
        if self._has_values:
            try:
                with first_refusal(_never):
                    result = self._call(*arguments, **options)
            except JitframeError:
                return self._original(*arguments, **options)
        else:
            result = self._call(*arguments, **options)
        if isinstance(result, TracedArray) and not result.shape and not self._python:
            given = arguments[0] if arguments else options.get("a")
            if self._arrays:
                result._kind = SCALAR if self._keeps and _is_scalar(given) else ARRAY
            elif result._kind == NUMBER:  # NumPy's functions make NumPy scalars of Python numbers
                result._kind = SCALAR
            elif result._kind == ARRAY:
                is_output = any(result is each for each in (*arguments, *options.values()))
                of_scalar = _is_scalar(given) and self._original.__name__ in _OF_SCALARS
                if of_scalar if is_output else self._reduces:
                    return result[()]
        return result

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._original, name)
        if name in _ARRAYS_FIRST and isinstance(self._original, numpy.ufunc):
            return guarded(functools.partial(_with_arrays, found), f"{self._name}.{name}")
        return found

    def __repr__(self) -> str:
        return f"<traced {self._name}>"


def _left(
    name: str, original: Callable[..., Any], arguments: tuple[Any, ...], options: dict[str, Any]
) -> Any:
    """What a function gives that jitframe does not have: it is called with the values, or when the program
    runs."""
    if not isinstance(original, numpy.ufunc):
        return original(*arguments, **options)
    from .effects import result_of_ufunc  # few programs have other libraries' ufuncs

    found = NotImplemented if options else result_of_ufunc(name, original, arguments)
    if found is NotImplemented:
        raise unsupported(name)
    return found


def _never() -> bool:
    return False


def _is_scalar(value: Any) -> bool:
    """Whether it is one of NumPy's scalars, or stands for one."""
    return isinstance(value, numpy.generic) or (isinstance(value, TracedArray) and value._kind == SCALAR)


_OF_SCALARS = frozenset(each.__name__ for each in (
    numpy.all, numpy.any, numpy.argmax, numpy.argmin, numpy.around, numpy.choose, numpy.clip, numpy.max,
    numpy.mean, numpy.min, numpy.prod, numpy.round, numpy.std, numpy.sum, numpy.take, numpy.var,
))  # fmt: skip
"""Functions that call a method of what they are given: a scalar's gives a scalar, also with `out=`."""
_ARRAYS_FIRST = {"reduce": 1, "reduceat": 2, "accumulate": 1, "outer": 2, "at": 3}
"""How many of the arguments of a ufunc's method are arrays."""


def _with_arrays(method: Callable[..., Any], *arguments: Any, **options: Any) -> Any:
    """A ufunc's method, with arrays of the trace in place of lists that hold some."""
    called = method.__name__
    if called in UFUNC_METHODS:  # NumPy reads names before it asks the arrays
        check_names(f"{method.__self__.__name__}.{called}", UFUNC_METHODS[called], options)  # type: ignore[attr-defined]
    arrays = _ARRAYS_FIRST[called]
    given = list(map(_plain, arguments[:arrays]))
    begin = 0
    if called == "at":  # to the first one, which is an array; a tuple as index is one index for each axis
        begin = 1
        if len(given) > 1 and isinstance(given[1], tuple):
            given[1] = tuple(map(_as_array, given[1]))
            begin = 2
    given[begin:] = map(_as_array, given[begin:])
    return method(*given, *map(_plain, arguments[arrays:]), **options)


def _as_array(value: Any) -> Any:
    """An array of the trace in place of a list that holds some."""
    is_array = isinstance(value, (list, tuple)) and _holds_traced(value)
    return api.creation.constructors.asarray(value) if is_array else value


class LibraryView:
    """Stands for a library's module: its functions and submodules are stood for when they are read."""

    def __init__(self, name: str, module: types.ModuleType) -> None:
        self.__dict__.update({"_name": name, "_module": module})

    def __getattr__(self, name: str) -> Any:
        value = getattr(self._module, name)
        is_other = self._name in _OPEN and not isinstance(value, types.ModuleType)
        is_left = is_other and scipy_function(value) is None
        found = value if is_left else library_member(f"{self._name}.{name}", value)
        self.__dict__[name] = found
        return found

    def __setattr__(self, name: str, value: Any) -> None:
        raise TraceError(f"the traced function changes {self._name}.{name}; do that outside it")

    def __repr__(self) -> str:
        return f"<traced module {self._name}>"


_RANDOM = (
    "the system's random numbers inside a jitted function would be the same at each call; draw them from "
    "np.random.default_rng(seed), or make them outside and pass them as an argument"
)
_CLOCK = "a clock inside a jitted function would be read once, not at each call; read it outside"

_LOGGING = frozenset(("debug", "info", "warning", "warn", "error", "critical", "fatal", "exception", "log"))
_REFUSED_MODULES = {"random": _RANDOM, "secrets": _RANDOM, "time": _CLOCK}
_OPEN = ("scipy.fft", "scipy.fftpack", "scipy.linalg", "scipy.ndimage", "scipy.signal")
"""Modules whose other functions are called with the values themselves, for which the trace is cut."""
_VIEWS = {
    **{name: name for name in ("math", "scipy", "scipy.special", *_OPEN, "warnings", "logging")},
    **{name: name for name in ("heapq", "bisect", "collections")},
    "numpy": "np",
}
SEQUENCES = frozenset(("heapq", "_heapq", "bisect", "_bisect", "collections", "_collections"))
"""Modules whose functions and classes take lists of the trace."""
_views: dict[str, LibraryView] = {}
_functions: dict[int, tuple[Any, Any]] = {}


def library_member(name: str, value: Any) -> Any:
    """The stand-in for anything of a library: a module, a function, a number type; other things are
    themselves."""
    if value is numpy.vectorize or value is numpy.frompyfunc:
        return load("jitframe.tracing.elements.vectorize").stand_in(name, value)  # a room above this one
    if _is_of_random(value):
        known = _functions.get(id(value))
        if known is None:
            from .generators import stand_in  # few programs draw

            known = _functions[id(value)] = (value, stand_in(value))
        return known[1]
    if isinstance(value, types.ModuleType):
        return _module(name, value)
    if value is set or value is list or getattr(value, "__module__", None) in SEQUENCES:
        from .containers import stand_in_of  # few programs have queues

        return stand_in_of(value)
    if isinstance(value, (numpy.ndarray, numpy.generic, numpy.dtype)):
        return value
    if isinstance(value, type):
        return ITERATIONS.get(value) or TYPES.get(value, value)
    refused = refusal_of(value)
    if refused is not None:
        return refused
    if reports(value):
        from .effects import LoggerView, Reporter  # few functions report anything

        return Reporter(value) if callable(value) else LoggerView(value)
    if not callable(value):
        if not any(value is each for each in (numpy.r_, numpy.c_, numpy.mgrid, numpy.ogrid)):
            return value
        from .index_tricks import JOINED  # few programs write so

        return JOINED[id(value)]
    known = _functions.get(id(value))
    if known is None:
        known = _functions[id(value)] = (value, _function(name, value))
    return known[1]


def reports(value: Any) -> bool:
    """Whether it is a function that warns or logs, or a logger."""
    if isinstance(value, types.FunctionType):
        module, name = value.__module__, value.__name__
        return (module == "logging" and name in _LOGGING) or (module, name) == ("warnings", "warn")
    if isinstance(value, types.BuiltinFunctionType):
        return value.__name__ == "warn" and value.__module__ in ("_warnings", "warnings")
    if isinstance(value, types.MethodType):
        return value.__name__ in _LOGGING and reports(value.__self__)
    logging = sys.modules.get("logging")
    return logging is not None and isinstance(value, (logging.Logger, logging.LoggerAdapter))


def _is_of_random(value: Any) -> bool:
    """Whether it is of numpy.random: the module, a class, a function, an object, or its method; or of random,
    but for what takes its numbers from the system."""
    if isinstance(value, types.ModuleType):
        module: Any = value.__name__
    elif isinstance(value, (type, types.FunctionType)):
        module = value.__module__
    else:
        owner = getattr(value, "__self__", None)
        if owner is None or isinstance(owner, types.ModuleType):
            owner = value
        module = getattr(owner, "__module__", None) or type(owner).__module__
    if module == "random":
        kind = value if isinstance(value, type) else type(getattr(value, "__self__", value))
        return kind is types.ModuleType or kind.__qualname__ == "Random"
    return isinstance(module, str) and module.startswith("numpy.random")


def _module(name: str, module: types.ModuleType) -> Any:
    full = module.__name__
    message = _REFUSED_MODULES.get(full)
    if message is not None:
        return Refused(f"{name}: {message}")
    top = full.partition(".")[0]
    if full not in _VIEWS and top != "numpy":
        return module
    view = _views.get(full)
    if view is None:
        view = _views[full] = LibraryView(_VIEWS.get(full, full.replace("numpy", "np", 1)), module)
    return view


def refusal_of(value: Any) -> Refused | None:
    """What stands for clocks, for Python's own random generators, and for their functions."""
    owner = getattr(value, "__self__", value)
    module = type(owner).__module__ or ""
    if isinstance(owner, types.ModuleType):
        module = owner.__name__
    if isinstance(value, types.FunctionType):
        module = value.__module__ or ""
    message = _REFUSED_MODULES.get(module)
    return (
        None if message is None else Refused(f"{getattr(value, '__name__', type(value).__name__)}: {message}")
    )


def _function(name: str, value: Any) -> Any:
    owner = getattr(value, "__self__", None)
    if isinstance(owner, numpy.ufunc):  # `largest = np.maximum.reduce`
        return getattr(library_member(f"np.{owner.__name__}", owner), value.__name__)
    own = _OWN.get(id(value))
    if own is not None:
        return LibraryFunction(name, value, guarded(own, value.__name__), python=True)
    record = BY_NUMPY.get(value) if _hashable(value) else None
    if record is not None:
        if record.declared.says_bool:
            return LibraryFunction(name, value, _number(record.call), python=True)
        makes = record.kind == "creation" or record.declared.makes_arrays
        reduces = record.kind == "reduction"
        return LibraryFunction(
            name, value, record.call, record.kind == "creation", makes, reduces=reduces,
            keeps=record.declared.keeps_scalars,
        )  # fmt: skip
    if _hashable(value) and value in BY_MATH:
        call = guarded(scalar_function(value), name)
        rule = MATH.get(value)
        if rule is not None:
            call = _with_result(call, rule)
        if value is math.log:
            call = _with_base(call)
        return LibraryFunction(name, value, call, python=True)
    if type(value) is types.BuiltinFunctionType and value.__module__ == "math":
        # Others are given the numbers themselves, for which the trace is asked.
        return LibraryFunction(name, value, guarded(_COMPOSED.get(value, value), name), python=True)
    return LibraryFunction(name, value, scipy_function(value), reduces=True, has_values=True)


def _with_result(call: Callable[..., Any], rule: Rule) -> Callable[..., Any]:
    """A function of `math` that raises Python's exceptions where it has no result."""

    def function(*arguments: Any) -> Any:
        return checked(rule, arguments, call(*arguments))

    return function


def _with_base(log: Callable[..., Any]) -> Callable[..., Any]:
    """`math.log`, which may be given a base: the quotient of two logarithms there as well."""

    def function(x: Any, *base: Any) -> Any:
        return log(x) / log(*base) if base else log(x)

    return function


def _number(call: Callable[..., Any]) -> Callable[..., Any]:
    """A function whose result is in the place of a Python number."""

    def function(*arguments: Any, **options: Any) -> Any:
        made = call(*arguments, **options)
        if isinstance(made, TracedArray):
            made._kind = NUMBER
        return made

    return function


def _hashable(value: Any) -> bool:
    return getattr(type(value), "__hash__", None) is not None


# Functions of NumPy's about arrays rather than of their values.


def _ravel(a: Any, order: Any = "C") -> Any:
    return api.movement.as_lazy(a).ravel(order)


_OWN: dict[int, Callable[..., Any]] = {
    id(numpy.ravel): _ravel,
}


# Functions of `math` that are put together of others.


def _prod(iterable: Iterable[Any], /, *, start: Any = 1) -> Any:
    for each in iterable:
        start = start * each
    return start


def _dist(p: Iterable[Any], q: Iterable[Any], /) -> Any:
    first, second = list(p), list(q)
    if len(first) != len(second):
        raise ArgumentError("both points must have the same number of dimensions")
    hypot = library_member("hypot", math.hypot)
    return hypot(*[x - y for x, y in zip(first, second, strict=True)])


def _isclose(a: Any, b: Any, *, rel_tol: Any = 1e-09, abs_tol: Any = 0.0) -> Any:
    finite = library_member("isfinite", math.isfinite)
    apart = abs(a - b)
    near = (apart <= abs(rel_tol * b)) | (apart <= abs(rel_tol * a)) | (apart <= abs_tol)
    found = (a == b) | (near & finite(a) & finite(b))
    if isinstance(found, TracedArray):
        found._kind = NUMBER
    return found


_COMPOSED: dict[Any, Callable[..., Any]] = {math.prod: _prod, math.dist: _dist, math.isclose: _isclose}


def _scalar_type(kind: type, convert: Callable[..., Any]) -> TypeStandIn:
    def converted(value: Any) -> Any:
        made = convert(value)
        if not made.shape:
            made._kind = SCALAR
        return made

    return TypeStandIn(kind, converted)


class _ArrayType(TypeStandIn):
    """Stands for `numpy.ndarray`, which makes an array of a shape when it is called."""

    __slots__ = ()
    __module__ = MODULE

    def __call__(self, *arguments: Any, **options: Any) -> Any:
        if len(arguments) > 2 or not options.keys() <= {"shape", "dtype"}:
            return numpy.ndarray(*arguments, **options)  # of a buffer, or in another order
        return library_member("np.empty", numpy.empty)(*arguments, **options)


TYPES[numpy.ndarray] = _ArrayType(numpy.ndarray, numpy.ndarray)
TYPES.update({kind: _scalar_type(kind, convert) for kind, convert in SCALAR_TYPES.items()})
