"""The public functions by each of their names: ours (the array API's where it has one), NumPy's and others'.

These tables serve `np` functions of a lazy array, functions that a traced program names, and jitframe's own
public functions. They are made of the index; a function's module is loaded at its first call. A name in no
table raises UnsupportedError, with an alternative.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy

from .. import api
from ..arrays.promotion import Weak
from ..base.boundary import guarded
from ..base.importing import load
from ..errors import DTypeError, UnsupportedError
from ..functions.operands import cast, strong
from ..ir.record import record
from ..ir.types import F64
from .calls import operand
from .frame import frame_of
from .index import ENTRIES, MATH, SCIPY_SPECIAL
from .numpy_names import math_function, numpy_object
from .registry import DECLARED, Declaration, Kind, Scalar


class Function(metaclass=record):
    """A public function and its names."""

    name: str
    kind: Kind
    module: str
    """Its module in `api`, after a dot one in a folder there; loaded at its first call."""
    numpy: tuple[str, ...]
    """Names in the `numpy` module; the first is the usual one."""

    @property
    def declared(self) -> Declaration:
        """Its declaration."""
        load(f"{api.__name__}.{self.module}")
        return DECLARED[self.name]

    @property
    def call(self) -> Callable[..., Any]:
        """The function itself."""
        found = _called.get(self.name)
        if found is None:
            found = guarded(self.declared.function, self.name)
            ufunc = numpy_object(self.numpy[0]) if self.numpy else None
            if isinstance(ufunc, numpy.ufunc):
                for method in _UFUNC_METHODS:
                    setattr(found, method, partial(_ufunc_method, ufunc, method))
            _called[self.name] = found
        return found


_called: dict[str, Callable[..., Any]] = {}
_UFUNC_METHODS = ("reduce", "accumulate", "reduceat", "outer", "at")


def _ufunc_method(ufunc: Any, method: str, *inputs: Any, **options: Any) -> Any:
    """`jf.add.reduce` and similar methods: NumPy's methods of that ufunc, on lazy arrays and values that
    become one."""
    found = api.array.ufunc_methods.find(ufunc, method)
    if found is None:
        raise unsupported(f"np.{ufunc.__name__}.{method}")
    return found(*inputs, **options)


FUNCTIONS: dict[str, Function] = {}
BY_NUMPY: dict[Any, Function] = {}
"""Functions by NumPy's objects for them."""


def _fill() -> None:
    for name, (kind, module, called) in ENTRIES.items():
        objects = [(each, numpy_object(each)) for each in called]
        there = tuple([each for each, found in objects if found is not None])
        function = FUNCTIONS[name] = Function(name, kind, module, there)
        for _, found in objects:
            if found is not None:
                BY_NUMPY[found] = function


_fill()


def _cast(kind: type) -> Callable[..., Any]:
    return lambda x: api.creation.constructors.astype(x, kind)


SCALAR_TYPES: dict[type, Callable[..., Any]] = {
    kind: _cast(kind)
    for kind in (
        numpy.bool_, numpy.int8, numpy.int16, numpy.int32, numpy.int64, numpy.uint8, numpy.uint16,
        numpy.uint32, numpy.uint64, numpy.float16, numpy.float32, numpy.float64,
    )
}  # fmt: skip
"""Casts by NumPy's scalar types, for `np.float32(x)` and similar calls."""


BY_MATH: dict[Any, Function] = {math_function(name): FUNCTIONS[ours] for name, ours in MATH.items()}
"""Functions by those of the math module, for lazy values of rank 0 in a traced program."""


def scalar_function(function: Any) -> Callable[..., Any]:
    """Makes the function for one of the math module: rank-0 values as float64 in, a Python number out."""
    found = _scalar_functions.get(function)
    if found is None:
        scalar = BY_MATH[function].declared.math
        assert scalar is not None
        found = _scalar_functions[function] = _of_scalars(scalar)
    return found


_scalar_functions: dict[Any, Callable[..., Any]] = {}


def _of_scalars(scalar: Scalar) -> Callable[..., Any]:
    function, name, result = scalar.function, scalar.name, scalar.result

    def computed(*values: Any) -> Any:
        frame = frame_of(values)
        graph = frame.begin()
        nodes = [cast(graph, strong(graph, operand(frame, graph, value)), F64) for value in values]
        if any(node.shape for node in nodes):
            raise DTypeError(
                f"math.{name}: only 0-dimensional arrays can be converted to Python scalars; use the NumPy "
                f"function"
            )
        node = function(graph, *nodes)
        return frame.wrap(graph, Weak(node if result is None else cast(graph, node, result)))

    computed.__name__ = computed.__qualname__ = name
    return computed


def scipy_function(function: Any) -> Callable[..., Any] | None:
    """Returns our function for one of `scipy.special`, `scipy.signal`, `scipy.fft`, `scipy.fftpack`,
    `scipy.linalg` or `scipy.ndimage`, where the program has imported that."""
    name = getattr(function, "__name__", "")
    for other, ours_of in _AS_SCIPY.items():
        if getattr(sys.modules.get(other), name, None) is function:
            found: Callable[..., Any] | None = load(f"jitframe.api.{ours_of}").FUNCTIONS.get(name)
            return found
    for namespace in _SCIPY:
        module = sys.modules.get(f"scipy.{namespace}")
        if getattr(module, name, None) is function:
            ours = SCIPY_SPECIAL.get(name) if namespace == "special" else f"{namespace}.{name}"
            if namespace == "fftpack":
                ours = f"fft.{name}" if name in _OF_FFTPACK else None
            if ours not in FUNCTIONS:
                return None
            return _transform(FUNCTIONS[ours].call) if namespace.startswith("fft") else FUNCTIONS[ours].call
    return None


def _transform(call: Callable[..., Any]) -> Callable[..., Any]:
    """Adapts a function of `scipy.fft`, whose parameters about memory and threads change no result."""

    def function(
        *arguments: Any, overwrite_x: Any = False, workers: Any = None, plan: Any = None, **options: Any
    ) -> Any:
        first = (options.pop("x"),) if "x" in options else ()
        return call(*first, *arguments, **options)

    return function


_AS_SCIPY = {"scipy.linalg": "linear_algebra.as_scipy", "scipy.ndimage": "signal.as_ndimage"}
"""Modules above this one, which few programs use, with functions that have SciPy's parameters."""
_SCIPY = ("special", "signal", "fft", "fftpack")
_OF_FFTPACK = ("fft", "ifft", "fft2", "ifft2", "fftn", "ifftn")
"""Functions of `scipy.fftpack` that equal those of `scipy.fft`: its real transforms and inverse cosine ones
differ."""


def functions_in(namespace: str) -> dict[str, Callable[..., Any]]:
    """Returns the functions of a namespace, such as `linalg`, by their names in it."""
    return {
        name.removeprefix(f"{namespace}."): function.call
        for function in FUNCTIONS.values()
        for name in dict.fromkeys((*function.numpy, function.name))
        if name.startswith(f"{namespace}.")
    }


def fill(module: dict[str, Any], namespace: str) -> None:
    """Fills the user's module of a namespace with its functions, and lists them alone."""
    functions = functions_in(namespace)
    module.update(functions, __all__=[*functions], __dir__=lambda: [*functions])


def lookup(function: Any) -> Callable[..., Any] | None:
    """Returns our function for one of NumPy or SciPy; None where that is not supported."""
    record = BY_NUMPY.get(function)
    return scipy_function(function) if record is None else record.call


_ADVICE = {
    "fill": "write x[...] = value",
}


def unsupported(name: str) -> UnsupportedError:
    """Returns the error for a function of NumPy's that jitframe lacks."""
    short = name.rpartition(".")[2]
    instead = _ADVICE.get(
        short, "call it on np.asarray(x) outside of jitted functions, or inside by jf.callback"
    )
    return UnsupportedError(f"{name} is not supported on jitframe arrays; {instead}")


def numpy_alias(name: str) -> str | None:
    """Returns the public function's name for one of NumPy: "concat" for "concatenate"; None where there is
    none."""
    return next((ours for ours, (_, _, called) in ENTRIES.items() if name in called), None)
