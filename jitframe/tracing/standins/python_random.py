"""The draws of Python's `random.Random` in a trace; `generator_methods` has those of NumPy's generators."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import numpy

from ... import api
from ...api.frame import LazyValue
from ...errors import BoundsError, NumberError, UnsupportedError
from ..values.traced import NUMBER, TracedArray
from ..values.traced_frame import TraceFrame
from .generator_methods import drawn, method, note

_FLOATS = frozenset(
    str.split(
        "random uniform triangular normalvariate gauss lognormvariate expovariate vonmisesvariate "
        "gammavariate betavariate paretovariate weibullvariate"
    )
)
_INTEGERS = frozenset(("randint", "randrange"))


def method_of(name: str) -> Callable[..., Any] | None:
    """Returns the implementation of a method; None where it cannot be used in a trace."""
    return _number if name in _FLOATS or name in _INTEGERS else _METHODS.get(name)


def _number(frame: TraceFrame, owner: Any, name: str, given: dict[str, Any]) -> Any:
    if name == "randrange" and given["stop"] is None:
        given = {**given, "start": 0, "stop": given["start"]}
    dtype = numpy.int64 if name in _INTEGERS else numpy.float64
    return drawn(frame, method(name), (owner,), given, (), dtype, NUMBER)


def below(generator: Any, count: int) -> int:
    """Returns a position among so many, as `choice` draws it."""
    found: int = generator._randbelow(count)
    return found


def shuffled(generator: Any, count: int) -> numpy.ndarray:
    """Returns the positions in the order of `shuffle`."""
    positions = list(range(count))
    generator.shuffle(positions)
    return numpy.array(positions, numpy.int64)


def sampled(generator: Any, extent: int, count: int) -> numpy.ndarray:
    """Returns the positions of `sample`."""
    return numpy.array(generator.sample(range(extent), count), numpy.int64)


def _choice(frame: TraceFrame, owner: Any, name: str, given: dict[str, Any]) -> Any:
    count = len(given["seq"])
    if not count:
        raise BoundsError("Cannot choose from an empty sequence")
    values = _sequence(name, given["seq"])
    place = drawn(frame, below, (owner, count), {}, (), numpy.int64, NUMBER)
    return _item(values, place)


def _item(values: Any, place: Any) -> Any:
    if isinstance(values, (range, list, tuple)):
        if isinstance(values, range):
            return values.start + values.step * place
        found = api.creation.constructors.asarray(values)[place]
        found._kind = NUMBER if not found.shape else found._kind
        return found
    return values[place]


def _sequence(name: str, values: Any) -> Any:
    """Returns a sequence that can be indexed by a traced position."""
    if isinstance(values, (LazyValue, numpy.ndarray, range)):
        return values
    plain = isinstance(values, (list, tuple)) and bool(values)
    kinds = {type(value) for value in values} if plain else set()
    if len(kinds) == 1 and kinds <= {int, float, bool}:
        return values
    if kinds and all(isinstance(value, TracedArray) and not value.shape for value in values):
        return values
    raise UnsupportedError(
        f"random.{name} from a {type(values).__name__} of objects inside a jitted function; choose a "
        "position, random.randrange(len(values)), or make it an array of numbers"
    )


def _shuffle(frame: TraceFrame, owner: Any, name: str, given: dict[str, Any]) -> None:
    values = _sequence(name, given["x"])
    if isinstance(values, LazyValue) and len(values.shape) != 1:
        raise UnsupportedError(
            "random.shuffle of an array with several axes inside a jitted function, which would have rows "
            "twice; use x[rng.permutation(len(x))]"
        )
    count = len(values)
    order = drawn(frame, shuffled, (owner, count), {}, (count,), numpy.int64)
    if isinstance(values, LazyValue):
        values[...] = api.indexing.reading.take(values, order)
        return
    found = api.creation.constructors.asarray(values)
    for place in range(count):
        values[place] = _number_of(found[order[place]])


def _sample(frame: TraceFrame, owner: Any, name: str, given: dict[str, Any]) -> Any:
    if given.get("counts") is not None:
        raise UnsupportedError("random.sample(counts=) inside a jitted function; repeat the values instead")
    values, count = _sequence(name, given["population"]), operator.index(given["k"])
    if not 0 <= count <= len(values):
        raise NumberError("Sample larger than population or is negative")
    places = drawn(frame, sampled, (owner, len(values), count), {}, (count,), numpy.int64)
    return [_item(values, _number_of(places[place])) for place in range(count)]


def _number_of(element: Any) -> Any:
    element._kind = NUMBER
    return element


def _seed(frame: TraceFrame, owner: Any, name: str, given: dict[str, Any]) -> None:
    note(frame, method(name), (owner, given["a"]), {})


_METHODS: dict[str, Callable[..., Any]] = {
    "choice": _choice, "shuffle": _shuffle, "sample": _sample, "seed": _seed,
}  # fmt: skip
