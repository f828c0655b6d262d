"""`np.vectorize` and `np.frompyfunc` in a trace: what they were given becomes functions of elements."""

from __future__ import annotations

import gc
from collections.abc import Callable
from typing import Any

import numpy

from ..base.boundary import guarded
from ..errors import DTypeError
from .vectorize import TracedVectorized, vectorize


def stand_in(name: str, value: Any) -> Any:
    """What stands in a trace for one of these two, or for what one of them has made; None of other things."""
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
    """Stands for the class `np.vectorize`."""

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
