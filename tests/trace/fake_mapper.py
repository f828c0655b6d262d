"""A tracer in miniature for the tests of the globals view: maps numpy, math and builtins."""

from __future__ import annotations

import builtins
import inspect
import types

import numpy as np

from jitframe.errors import TraceError
from jitframe.tracing.environment.copied import copy_function
from jitframe.tracing.environment.guards import check
from jitframe.tracing.environment.library_objects import Refused


class Traced:
    """A value that only mapped functions and operators may touch."""

    def __init__(self, value):
        self.value = np.asarray(value)

    def _operator(name):
        def apply(self, *others):
            return Traced(getattr(self.value, name)(*map(plain, others)))

        return apply

    for _name in (
        *("add", "radd", "sub", "rsub", "mul", "rmul", "truediv", "rtruediv", "pow", "rpow"),
        *("matmul", "rmatmul", "neg", "lt", "gt", "le", "ge"),
    ):
        locals()[f"__{_name}__"] = _operator(f"__{_name}__")

    def __getitem__(self, index):
        return Traced(self.value[plain(index)])

    def __setitem__(self, index, new):
        self.value[plain(index)] = plain(new)

    def __len__(self):
        return len(self.value)

    def __iter__(self):
        return (Traced(row) for row in self.value)

    @property
    def shape(self):
        return self.value.shape

    @property
    def ndim(self):
        return self.value.ndim

    def dot(self, other):
        return self @ other

    def sum(self):
        return Traced(self.value.sum())

    def _escape(self, *_, **__):
        raise TraceError("a traced value reached code that is not mapped")

    __float__ = __int__ = __bool__ = __index__ = __array__ = __array_ufunc__ = __array_function__ = (
        __hash__
    ) = _escape


def plain(thing):
    if isinstance(thing, Traced):
        return thing.value
    if isinstance(thing, (list, tuple)):
        return type(thing)(map(plain, thing))
    return thing


class TracedFunction:
    """A library function that takes traced values."""

    def __init__(self, function):
        self.function = function

    def __call__(self, *arguments, **keywords):
        keywords = {name: plain(value) for name, value in keywords.items()}
        return Traced(self.function(*map(plain, arguments), **keywords))


class Namespace:
    """A library module whose functions take traced values."""

    def __init__(self, module):
        self._module = module

    def __getattr__(self, name):
        return mapped_library(getattr(self._module, name))


def traced_float(x):
    return Traced(float(x.value)) if isinstance(x, Traced) else float(x)


traced_float.__jitframe_original__ = float


def traced_length(x):
    return x.shape[0] if isinstance(x, Traced) else len(x)


def traced_largest(*items):
    return Traced(builtins.max(map(plain, items)))


_BUILTINS = {float: traced_float, len: traced_length, max: traced_largest}


def mapped_library(value):
    if value is np.random:
        return Refused("numpy.random has no place in a traced function; use jf.random")
    if isinstance(value, types.ModuleType) and value.__name__.partition(".")[0] in ("numpy", "math"):
        return Namespace(value)
    owner = getattr(value, "__module__", None) or ""
    if isinstance(value, np.ufunc) or (
        callable(value) and not isinstance(value, type) and owner.partition(".")[0] in ("numpy", "math")
    ):
        return TracedFunction(value)
    return value


class Jitted:
    """Looks like a jitted function: calling it inside a trace would be wrong."""

    def __init__(self, function):
        self.__wrapped__ = function

    def __call__(self, *_):
        raise AssertionError("a jitted function was called inside a trace")


class FakeMapper:
    def __init__(self):
        self.hidden = []

    def map(self, name, value):
        if isinstance(value, type) or callable(value):
            try:
                if value in _BUILTINS:
                    return _BUILTINS[value]
            except TypeError:
                pass
        return mapped_library(value)

    def inlined(self, value):
        return value.__wrapped__ if isinstance(value, Jitted) else None

    def hidden_array(self, name, array):
        self.hidden.append((name, array))
        return Traced(array.copy())


class Recorded:
    """Runs a function as a jit would: traces, then traces again whenever a guard fails."""

    def __init__(self, function):
        self.original = function
        self.traces = 0
        self.guards = ()

    def __call__(self, *arguments):
        mapper = FakeMapper()
        copied = copy_function(self.original, mapper)
        result = copied.function(*map(as_traced, arguments))
        copied.finish()
        self.guards = copied.reads.guards
        self.reads = copied.reads
        self.hidden = mapper.hidden
        self.traces += 1
        return result

    def stale(self):
        return check(self.guards)


def as_traced(thing):
    return Traced(np.array(thing)) if isinstance(thing, (np.ndarray, float)) else thing


def marked_line(function):
    """The line of a function's source that ends in the comment `# here`."""
    lines, start = inspect.getsourcelines(function)
    (offset,) = (number for number, line in enumerate(lines) if line.rstrip().endswith("# here"))
    return start + offset
