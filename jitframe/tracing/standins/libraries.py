"""Stand-ins for libraries in a trace: their modules and what is in these; clocks and the like are refused."""

from __future__ import annotations

import sys
import types
from collections.abc import Callable
from typing import Any

import numpy

from ... import api
from ...api.namespace import BY_NUMPY, SCALAR_TYPES, scipy_function
from ...base.boundary import guarded
from ...base.importing import load
from ...errors import TraceError
from ..environment.library_objects import Refused
from ..lists.ranges import ITERATIONS
from ..values.traced import SCALAR
from .library_functions import LibraryFunction, python_number, reporter, reports
from .math_functions import math_stand_in
from .python_builtins import MODULE, TYPES, TypeStandIn


class LibraryView:
    """The stand-in for a library's module: reading an attribute returns that one's stand-in."""

    def __init__(self, name: str, module: types.ModuleType) -> None:
        self.__dict__.update({"_name": name, "_module": module})

    def __getattr__(self, name: str) -> Any:
        value = getattr(self._module, name)
        is_other = self._name in _OPEN and not isinstance(value, types.ModuleType)
        is_left = is_other and scipy_function(value) is None and not is_distribution(value)
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

_REFUSED_MODULES = {"random": _RANDOM, "secrets": _RANDOM, "time": _CLOCK}
_OPEN = ("scipy.fft", "scipy.fftpack", "scipy.linalg", "scipy.ndimage", "scipy.signal", "scipy.stats")
"""Modules whose functions that jitframe lacks are called with concrete values, for which the trace is cut."""
_VIEWS = {
    **{name: name for name in ("math", "scipy", "scipy.special", *_OPEN, "warnings", "logging")},
    **{name: name for name in ("heapq", "bisect", "collections")},
    "numpy": "np",
}
_LIBRARIES = frozenset(("math", "numpy", "scipy"))
SEQUENCES = frozenset(("heapq", "_heapq", "bisect", "_bisect", "collections", "_collections"))
"""Modules whose functions and classes take lists of the trace."""
_views: dict[str, LibraryView] = {}
_functions: dict[int, tuple[Any, Any]] = {}


def library_member(name: str, value: Any) -> Any:
    """Returns the stand-in for an object of a library: a module, a function, a number type; other objects are
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
    if is_container(value):
        from .containers import stand_in_of  # few programs have queues

        return stand_in_of(value)
    if isinstance(value, (numpy.ndarray, numpy.generic, numpy.dtype)):
        return value
    if isinstance(value, type):
        return ITERATIONS.get(value) or TYPES.get(value, value)
    if is_distribution(value):
        from .distributions import distribution_view  # few programs have any

        return distribution_view(value)
    refused = refusal_of(value)
    if refused is not None:
        return refused
    if reports(value):
        return reporter(value)
    if not callable(value):
        if not any(value is each for each in (numpy.r_, numpy.c_, numpy.mgrid, numpy.ogrid)):
            return value
        from .index_tricks import JOINED  # few programs write so

        return JOINED[id(value)]
    known = _functions.get(id(value))
    if known is None:
        known = _functions[id(value)] = (value, _function(name, value))
    return known[1]


def is_distribution(value: Any) -> bool:
    """Whether it is a distribution whose functions take traced values."""
    stats = sys.modules.get("scipy.stats")
    return stats is not None and value is stats.__dict__.get("norm")


def is_container(value: Any) -> bool:
    """Whether it is a class of containers, or a function that changes or searches lists."""
    if value is set or value is list:
        return True
    return callable(value) and getattr(value, "__module__", None) in SEQUENCES


def _is_of_random(value: Any) -> bool:
    """Whether it belongs to numpy.random, as a module, class, function, object or method, or to random,
    except what uses the system's entropy."""
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
        view = _views[full] = LibraryView(_shown(full), module)
    return view


def refusal_of(value: Any) -> Refused | None:
    """Returns the stand-in for clocks, for Python's own random generators, and for their functions."""
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


def _own_name(value: Any) -> str | None:
    """Returns the name of a function in its library, `np.sum`, if it is found by it; programs may name it
    otherwise, one program so and another one so."""
    module, name = getattr(value, "__module__", None) or "", getattr(value, "__name__", "")
    is_public = module.partition(".")[0] in _LIBRARIES and "._" not in module
    found = is_public and getattr(sys.modules.get(module), name, None) is value
    return f"{_shown(module)}.{name}" if found else None


def _shown(module: str) -> str:
    return _VIEWS.get(module, module.replace("numpy", "np", 1))


def _function(name: str, value: Any) -> Any:
    name = _own_name(value) or name
    owner = getattr(value, "__self__", None)
    if isinstance(owner, numpy.ufunc):  # `largest = np.maximum.reduce`
        return getattr(library_member(f"np.{owner.__name__}", owner), value.__name__)
    own = _OWN.get(id(value))
    if own is not None:
        return LibraryFunction(name, value, guarded(own, value.__name__), python=True)
    record = BY_NUMPY.get(value) if _hashable(value) else None
    if record is not None:
        if record.declared.says_bool:
            return LibraryFunction(name, value, python_number(record.call), python=True)
        makes = record.kind == "creation" or record.declared.makes_arrays
        reduces = record.kind == "reduction"
        return LibraryFunction(
            name, value, record.call, record.kind == "creation", makes, reduces=reduces,
            keeps=record.declared.keeps_scalars,
        )  # fmt: skip
    if type(value) is types.BuiltinFunctionType and value.__module__ == "math":
        return math_stand_in(name, value)
    return LibraryFunction(name, value, scipy_function(value), reduces=True, has_values=True)


def _hashable(value: Any) -> bool:
    return getattr(type(value), "__hash__", None) is not None


# NumPy's functions of arrays as objects, not of their values


def _ravel(a: Any, order: Any = "C") -> Any:
    return api.movement.as_lazy(a).ravel(order)


_OWN: dict[int, Callable[..., Any]] = {
    id(numpy.ravel): _ravel,
}


def _scalar_type(kind: type, convert: Callable[..., Any]) -> TypeStandIn:
    def converted(value: Any) -> Any:
        made = convert(value)
        if not made.shape:
            made._kind = SCALAR
        return made

    return TypeStandIn(kind, converted)


class _ArrayType(TypeStandIn):
    """The stand-in for `numpy.ndarray`, which makes an array of a shape when it is called."""

    __slots__ = ()
    __module__ = MODULE

    def __call__(self, *arguments: Any, **options: Any) -> Any:
        if len(arguments) > 2 or not options.keys() <= {"shape", "dtype"}:
            return numpy.ndarray(*arguments, **options)  # of a buffer, or in another order
        return library_member("np.empty", numpy.empty)(*arguments, **options)


TYPES[numpy.ndarray] = _ArrayType(numpy.ndarray, numpy.ndarray)
TYPES.update({kind: _scalar_type(kind, convert) for kind, convert in SCALAR_TYPES.items()})
