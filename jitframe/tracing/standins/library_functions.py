"""Stand-ins for functions of NumPy, `math` and SciPy, which take traced values.

The original is called where no argument is a traced value. Functions that make arrays are always jitframe's,
so that the trace can write to these.
"""

from __future__ import annotations

import functools
import sys
import types
from collections.abc import Callable
from typing import Any

import numpy

from ... import api
from ...api.frame import LazyValue, SymbolicExtents, current_frame
from ...api.namespace import unsupported
from ...api.signature import UFUNC_METHODS, check_names
from ...base.boundary import guarded
from ...errors import JitframeError, first_refusal
from ..arguments.growing_list import GrowingList
from ..values.concrete import holds_chosen, holds_length, is_of_mask
from ..values.traced import ARRAY, NUMBER, SCALAR, TracedArray
from .python_builtins import stood_for

_LOGGING = frozenset(("debug", "info", "warning", "warn", "error", "critical", "fatal", "exception", "log"))


def _holds_traced(values: Any) -> bool:
    for value in values:
        if isinstance(value, LazyValue):
            return True
        if isinstance(value, (list, tuple)) and _holds_traced(value):
            return True
    return False


def _plain(value: Any) -> Any:
    """Replaces stand-ins by their originals, and growing lists by Python's."""
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
    """Replaces ndarrays that a library function made by arrays of the trace."""
    if type(value) is numpy.ndarray and value.dtype != object:
        return current_frame().array(value, False)
    if value.__class__ in (tuple, list):
        return value.__class__(_lifted(member) for member in value)
    if reports(value):
        return reporter(value)
    return value


class LibraryFunction:
    """The stand-in for a function of a library."""

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
        """`always`: its own implementation serves calls without traced values too; `arrays`: it makes arrays;
        `python`: its results are Python's; `reduces`: it reduces axes; `keeps`: results of NumPy's scalars
        are scalars; `has_values`: where its own implementation refuses a call, the original is called with
        concrete values."""
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
        for argument in arguments:
            if issubclass(type(argument), SymbolicExtents):
                return argument.called(self._original, arguments, options)
        if holds_chosen(arguments) or holds_chosen(options.values()):
            from ..values.masked import chosen  # programs without masks do not load these
            from ..values.masked_functions import called

            if isinstance(self._original, numpy.ufunc):
                of_mask: Any = next(filter(is_of_mask, (*arguments, *options.values())), None)
                if of_mask is not None:
                    inputs = arguments[: self._original.nin]
                    out = arguments[self._original.nin :] or options.pop("out", None)
                    if out is not None:
                        options["out"] = out if out.__class__ is tuple else (out,)
                    return of_mask.__array_ufunc__(self._original, "__call__", *inputs, **options)
            found = called(self._original, arguments, options)
            if found is not NotImplemented:
                return found
            arguments = tuple(map(chosen, arguments))
            options = {name: chosen(value) for name, value in options.items()}
        if self._always and holds_length(arguments, options):
            from ..values.packed_functions import made  # as above

            found = made(self._original, self._call, arguments, options)
            if found is not NotImplemented:
                return found
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
    """Returns the result of a function that jitframe lacks: computed from concrete values, or at run time."""
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
"""Functions that call a method of their argument: that of a scalar returns a scalar, also with `out=`."""
_ARRAYS_FIRST = {"reduce": 1, "reduceat": 2, "accumulate": 1, "outer": 2, "at": 3}
"""The number of array arguments of a ufunc's methods."""


def _with_arrays(method: Callable[..., Any], *arguments: Any, **options: Any) -> Any:
    """Calls a ufunc's method; lists with traced values become arrays of the trace."""
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
    """Converts a list with traced values to an array of the trace."""
    is_array = isinstance(value, (list, tuple)) and _holds_traced(value)
    return api.creation.constructors.asarray(value) if is_array else value


def python_number(call: Callable[..., Any]) -> Callable[..., Any]:
    """Wraps a function whose result represents a Python number."""

    def function(*arguments: Any, **options: Any) -> Any:
        made = call(*arguments, **options)
        if isinstance(made, TracedArray):
            made._kind = NUMBER
        return made

    return function


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


def reporter(value: Any) -> Any:
    """The stand-in for a function that warns or logs, or for a logger."""
    from .effects import LoggerView, Reporter  # few functions report anything

    return Reporter(value) if callable(value) else LoggerView(value)
