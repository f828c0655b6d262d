"""The registry of operators: one function for each, by name, domain and the opset from which on it holds.

    @operator("Softmax", since=13)
    def softmax(x: Any, *, axis: int = -1) -> Any: ...

Its positional parameters are the operator's inputs, None where one is not given; its keywords are the
attributes. An input whose annotation is `Known` is an ndarray: its value is asked for while tracing where it
is not known, which cuts the trace. The other inputs are ndarrays where their values are known, as those of
shapes are, and lazy arrays elsewhere: NumPy's functions take both. A keyword `node` is the node itself, and
`run` evaluates a graph that it has.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any, TypeVar

import numpy

from ..base.boundary import guarded
from ..errors import ArgumentError
from ..ir.record import identity_record

Known = numpy.ndarray
"""The annotation of inputs whose values are needed while tracing."""
F = TypeVar("F", bound=Callable[..., Any])
_GIVEN = ("node", "run")


class Operator(metaclass=identity_record):
    """A function for an operator."""

    name: str
    since: int
    function: Callable[..., Any]
    attributes: frozenset[str] | None
    """None: it takes any."""
    known: tuple[bool, ...]
    """Which of its inputs are to be known; where it takes any number, the last holds for the rest."""
    most: int | None
    """How many inputs it takes; None: any number."""
    wants: tuple[str, ...]
    is_random: bool
    """Whether it gives something else each time."""


OPERATORS: dict[tuple[str, str], list[Operator]] = {}
"""By domain and name, those of the highest opset first."""


@guarded
def operator(*names: str, since: int = 1, domain: str = "", is_random: bool = False) -> Callable[[F], F]:
    """Declares the function for operators of a model, from the opset `since` on.

    Positional parameters are the inputs of a node, None where one is not given, and keywords are its
    attributes. An input annotated as `jf.onnx.Known` is an ndarray whose value is known while tracing;
    others may be arrays of the trace. What is declared last for a name and opset holds. Raises ArgumentError
    where no name is given.

    >>> @jf.onnx.operator("Doubled", domain="com.example")
    ... def doubled(x, *, times=2):
    ...     return x * times
    """
    if not names or not all(isinstance(each, str) for each in names):
        raise ArgumentError('jf.onnx.operator takes names of operators: @jf.onnx.operator("Gelu")')

    def declared(function: F) -> F:
        parameters = inspect.signature(function).parameters.values()
        inputs = [
            parameter
            for parameter in parameters
            if parameter.kind not in (parameter.KEYWORD_ONLY, parameter.VAR_KEYWORD)
        ]
        takes_all = any(parameter.kind is parameter.VAR_KEYWORD for parameter in parameters)
        keywords = [parameter.name for parameter in parameters if parameter.kind is parameter.KEYWORD_ONLY]
        takes_any = bool(inputs) and inputs[-1].kind is inputs[-1].VAR_POSITIONAL
        for name in names:
            made = Operator(
                name,
                since,
                function,
                None if takes_all else frozenset(keywords).difference(_GIVEN),
                tuple(_is_known(parameter.annotation) for parameter in inputs),
                None if takes_any else len(inputs),
                tuple(each for each in _GIVEN if each in keywords),
                is_random,
            )
            operators = OPERATORS.setdefault((domain, name), [])
            operators[:] = sorted(
                [made, *(each for each in operators if each.since != since)], key=lambda each: -each.since
            )
        return function

    return declared


def _is_known(annotation: Any) -> bool:
    text = annotation if isinstance(annotation, str) else getattr(annotation, "__name__", "")
    return annotation is Known or text.split("|")[0].strip().rpartition(".")[2] == "Known"


def find(name: str, domain: str, opset: int) -> Operator | None:
    """The function for an operator in a version of its operator set; None where there is none."""
    return next((each for each in OPERATORS.get((domain, name), ()) if each.since <= opset), None)
