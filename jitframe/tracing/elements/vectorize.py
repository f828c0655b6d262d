"""`vectorize`: ordinary functions of scalars, with their loops and conditions, as functions of arrays."""

from __future__ import annotations

import functools
import gc
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any

import numpy

from ...api.calls import call
from ...api.elementwise.arithmetic import where as chosen
from ...api.frame import LazyValue, entered_frame, is_tensor
from ...arrays.promotion import from_numpy
from ...base.arguments import shown
from ...base.boundary import guarded
from ...errors import AliasError, ArgumentError, DTypeError, UnsupportedError
from ...functions.operands import check_output
from ...ir.types import DType
from ..environment.guards import GuardKind
from ..jit import jit
from ..values.traced_frame import TraceFrame, current_trace
from .region import NotScalarError, call_in_trace
from .stacks import call_on_stacks, of_scalars, parsed

if TYPE_CHECKING:
    from .stacks import Signature

Function = Callable[..., Any]


class Vectorized:
    """A function of scalars that takes arrays: the result of `jf.vectorize`. Call it like a ufunc."""

    def __init__(
        self,
        pyfunc: Function,
        otypes: tuple[DType, ...] | None,
        doc: str | None,
        excluded: frozenset[int | str],
        signature: Signature | None,
    ) -> None:
        functools.update_wrapper(self, pyfunc)
        self.pyfunc = pyfunc
        self.otypes = otypes
        self.excluded = excluded
        self.signature = signature
        self.name: str = getattr(pyfunc, "__name__", type(pyfunc).__name__)
        if doc is not None:
            self.__doc__ = doc
        self.templates: dict[Any, Any] = {}
        """The traces of lazy calls; see `lazy`."""

    def __call__(self, *args: Any, out: Any = None, where: Any = True, **kwargs: Any) -> Any:
        frame = entered_frame()
        if isinstance(frame, TraceFrame):  # library code that a trace calls
            return TracedVectorized(self)(*args, out=out, where=where, **kwargs)
        if where is not True and out is None:
            raise _no_out(self.name)
        made = self.computed(where, args, kwargs)
        return made if out is None else stored(self.name, made, out, where)

    def computed(self, where: Any, args: Sequence[Any], kwargs: dict[str, Any]) -> Any:
        """Returns the results; `where` is the mask of elements to compute."""
        operands = [self._plain(index, value) for index, value in enumerate(args)]
        options = {name: self._plain(name, value) for name, value in kwargs.items()}
        if self.signature is None and any(map(is_tensor, (where, *operands, *options.values()))):
            from .lazy import lazily  # of Tensors

            made = lazily(self, where, operands, options)
            if made is not None:
                return made
        return (
            self._jitted(*operands, **options) if where is True else self._masked(where, *operands, **options)
        )

    def _plain(self, key: int | str, value: Any) -> Any:
        """An argument; lists become arrays."""
        if key not in self.excluded and isinstance(value, (list, tuple)):
            return numpy.asarray(value)
        return value

    @functools.cached_property
    def _jitted(self) -> Any:
        made = self

        def elements(*operands: Any, **options: Any) -> Any:
            return made(*operands, **options)

        return self._named(elements)

    @functools.cached_property
    def _masked(self) -> Any:
        made = self

        def elements(where: Any, *operands: Any, **options: Any) -> Any:
            return made.computed(where, operands, options)

        return self._named(elements)

    def _named(self, function: Function) -> Any:
        """A function of jitframe's, jitted under the user's name."""
        function.__name__, function.__qualname__ = self.name, getattr(self.pyfunc, "__qualname__", self.name)
        function.__module__ = getattr(self.pyfunc, "__module__", None) or function.__module__
        return jit(function)

    def _in_a_trace(self) -> TracedVectorized:
        return TracedVectorized(self)

    def explain(self, *args: Any, **kwargs: Any) -> Any:
        """How a call with these arguments is compiled: graph, kernels with reasons, plan, source, assembly.

        >>> jf.vectorize(lambda x: x + 1).explain(np.ones(100)).kernels
        (<kernel 0 apply>,)
        """
        return self._jitted.explain(*args, **kwargs)

    def __get__(self, instance: Any, owner: type | None = None) -> Any:
        return self if instance is None else functools.partial(self, instance)

    def __repr__(self) -> str:
        return f"<vectorized {self.name}>"


class TracedVectorized:
    """The stand-in for such a function in a trace."""

    def __init__(
        self, made: Vectorized, function: Function | None = None, source: tuple[str, Any] | None = None
    ) -> None:
        """`function`: one of the trace's own, where it is not from outside; `source`: NumPy's object that it
        stands for, and its name."""
        self._made = made
        self._function = function
        self._source = source

    @property
    def pyfunc(self) -> Function:
        if self._function is not None:
            return self._function
        if type(getattr(self._made.pyfunc, "__globals__", None)) not in (dict, type(None)):
            return self._made.pyfunc  # traced code has vectorized it
        copied = current_trace().root.copied
        if self._source is not None:
            name, source = self._source
            copied.reads.record(GuardKind.ATTRIBUTE, source, "pyfunc", self._made.pyfunc, name)
        function: Function = copied.adopt(self.name, self._made.pyfunc)
        return function

    @property
    def name(self) -> str:
        return self._made.name

    def __call__(self, *args: Any, out: Any = None, where: Any = True, **kwargs: Any) -> Any:
        if where is not True and out is None:
            raise _no_out(self.name)
        result = self.computed(where, args, kwargs)
        return result if out is None else stored(self.name, result, out, where)

    def computed(self, where: Any, args: Sequence[Any], kwargs: dict[str, Any]) -> Any:
        """Returns the results; `where` is the mask of elements to compute."""
        made = self._made
        values, one = separated(self.pyfunc, made.excluded, args, kwargs)
        if made.signature is None:
            try:
                return call_in_trace(one, made.name, values, made.otypes, where)
            except NotScalarError:
                pass

        signature = of_scalars(len(values)) if made.signature is None else made.signature
        return call_on_stacks(one, made.name, values, made.otypes, signature, where)


def separated(
    function: Function, excluded: frozenset[int | str], args: Sequence[Any], kwargs: dict[str, Any]
) -> tuple[list[Any], Function]:
    """Separates the arguments that are arrays from excluded ones; returns the arrays and the function of an
    element of each."""
    positions = [index for index in range(len(args)) if index not in excluded]
    names = sorted(name for name in kwargs if name not in excluded)
    if not positions and not names:
        raise ArgumentError("a vectorized function needs an argument that is not excluded")

    def one(*elements: Any) -> Any:
        given, options = list(args), dict(kwargs)
        for index, element in zip(positions, elements, strict=False):
            given[index] = element
        options.update(zip(names, elements[len(positions) :], strict=True))
        return function(*given, **options)

    return [*(args[index] for index in positions), *(kwargs[name] for name in names)], one


def stored(name: str, made: Any, out: Any, where: Any) -> Any:
    """Stores results in the arrays of `out=`, where `where` holds, and returns those."""
    results = made if isinstance(made, tuple) else (made,)
    outs = out if isinstance(out, tuple) else (out,)
    if len(outs) != len(results):
        raise ArgumentError(f"{name} returns {len(results)} values, and out= has {len(outs)} arrays")
    written = [_into(name, *each, where) for each in zip(results, outs, strict=True)]
    return tuple(written) if isinstance(made, tuple) else written[0]


def _into(name: str, result: Any, out: Any, where: Any) -> Any:
    if not isinstance(out, (LazyValue, numpy.ndarray)):
        raise DTypeError(f"{name}: out= is an array of the result's shape, not {shown(out)}")
    if isinstance(result, LazyValue) or isinstance(out, LazyValue):
        value = result if where is True else chosen(where, result, out)
        return call(lambda _, node: node, (value,), out=out)
    value = numpy.asarray(result)
    check_output(from_numpy(value.dtype), value.shape, from_numpy(out.dtype), out.shape)
    if not out.flags.writeable:
        raise AliasError("output array is read-only")
    numpy.copyto(out, value, casting="same_kind", where=where)
    return out


def _no_out(name: str) -> UnsupportedError:
    return UnsupportedError(
        f"{name}: where= without out= leaves the other elements undefined; give out=, or write np.where "
        "around the result"
    )


@guarded
def vectorize(
    pyfunc: Any = None,
    otypes: str | Iterable[Any] | None = None,
    doc: str | None = None,
    excluded: Iterable[int | str] | None = None,
    cache: bool = False,
    signature: str | None = None,
) -> Any:
    """A function of scalars as a function of arrays: `@jf.vectorize`, or `@jf.vectorize(otypes="d")`.

    `pyfunc` is an ordinary function of numbers: loops, conditions, `return` and `break` anywhere, calls of
    other functions, of `math` and NumPy. It is traced once for each combination of dtypes and becomes one
    compiled operation, in which each element goes through its loops on its own.

    The result takes arrays, Tensors and numbers that broadcast against each other, with `out=` and `where=`
    as ufuncs have them: ndarrays and numbers give ndarrays, Tensors are computed lazily, and inside a jitted
    function it is fused with what stands around it. A function that returns a tuple gives a tuple of arrays.
    Elements are NumPy's scalars of their dtypes; dtypes of results are those that the function computes, or
    `otypes`, a string of type codes or a list of dtypes. `excluded`: positions and names of arguments that
    the function gets as they are. With `signature`, such as "(m,n),(n)->(m)", the function gets arrays of
    these dimensions, and the others are broadcast. `cache` changes nothing: the function is never called to
    find a dtype.

    Raises ShapeError where shapes do not broadcast, and TraceError for a function that cannot be traced.

    >>> import numpy as np
    >>> @jf.vectorize
    ... def exponential(x):
    ...     total = term = 1.0
    ...     for k in range(1, 20):
    ...         term = term * x / k
    ...         total = total + term
    ...     return total
    >>> exponential(np.array([0.0, 1.0, 2.0])).round(6)
    array([1.      , 2.718282, 7.389056])
    """
    if pyfunc is None:
        return functools.partial(
            vectorize, otypes=otypes, doc=doc, excluded=excluded, cache=cache, signature=signature
        )
    if isinstance(pyfunc, (str, list, tuple)):
        raise DTypeError(
            f"vectorize: {shown(pyfunc)} is no function; dtypes follow from the arguments, so write "
            "@jf.vectorize without types, or otypes= for those of the results"
        )
    if not callable(pyfunc):
        raise DTypeError(f"vectorize: pyfunc is a function, not {shown(pyfunc)}")
    form: Signature | None = None
    if signature is not None:
        form = parsed(signature)
    names = frozenset() if excluded is None else frozenset(excluded)
    if not all(isinstance(name, (int, str)) for name in names):
        raise DTypeError("vectorize: excluded has positions and names of arguments: integers and strings")
    return Vectorized(pyfunc, _dtypes(otypes), doc, names, form)


def _dtypes(otypes: Any) -> tuple[DType, ...] | None:
    if otypes is None:
        return None
    return tuple(from_numpy(numpy.dtype(each)) for each in otypes)


# `np.vectorize` and `np.frompyfunc` in a trace: what they were given becomes functions of elements


def stand_in(name: str, value: Any) -> Any:
    """Returns the stand-in for one of these two, or for an object that one of them has made; None of other
    values."""
    if value is numpy.vectorize:
        return VectorizeStandIn()
    if value is numpy.frompyfunc:
        return guarded(_from_function, "frompyfunc")
    if isinstance(value, numpy.vectorize):
        given: Any = value
        options = {key: getattr(value, key) for key in ("otypes", "excluded", "signature")}
        return TracedVectorized(vectorize(given.pyfunc, **options), source=(name, value))
    function = _python_function(value)
    return None if function is None else TracedVectorized(vectorize(function))


class VectorizeStandIn:
    """The stand-in for the class `np.vectorize`."""

    __jitframe_original__ = numpy.vectorize

    def __call__(self, pyfunc: Any = None, *args: Any, **options: Any) -> Any:
        if pyfunc is None or pyfunc is numpy._NoValue:
            return lambda function: self(function, *args, **options)
        return TracedVectorized(vectorize(pyfunc, *args, **options), pyfunc)


def _from_function(function: Any, /, nin: int, nout: int, *, identity: Any = None) -> Any:
    made = TracedVectorized(vectorize(function), function)

    def elements(*args: Any, **options: Any) -> Any:
        if len(args) != nin:
            raise DTypeError(f"{made.name} takes {nin} arrays, {len(args)} were given")
        return made(*args, **options)

    elements.__name__ = made.name
    return elements


def _python_function(ufunc: Any) -> Callable[..., Any] | None:
    """The Python function that `np.frompyfunc` made a ufunc of; None of another ufunc. NumPy gives it to the
    garbage collector alone."""
    if ufunc.types != ["O" * ufunc.nin + "->" + "O" * ufunc.nout]:
        return None
    return next((each for each in gc.get_referents(ufunc) if callable(each)), None)
