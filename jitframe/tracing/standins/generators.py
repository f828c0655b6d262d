"""Stand-ins for NumPy's and Python's random generators: a trace records their draws, and every call repeats
them."""

from __future__ import annotations

import inspect
import random
import types
from collections.abc import Callable
from typing import Any, NoReturn

import numpy
import numpy.random

from ...errors import DTypeError, TraceError, UnsupportedError
from ..arguments.bit_generators import bits_of
from ..values.draws import Argument, External, Made, Source
from . import python_random
from .generator_methods import method_of, new_slots, note, trace_frame
from .libraries import refusal_of
from .python_builtins import stood_for

_GENERATORS = (numpy.random.Generator, numpy.random.RandomState, random.Random)
_ALIASES = {"ranf": "random_sample", "sample": "random_sample"}


class RandomStandIn:
    """The stand-in for an object of numpy.random or random: a generator, or its bit generator or seed."""

    __slots__ = ("_bits", "_kind", "_source")

    def __init__(self, kind: type, source: Source, bits: str | None) -> None:
        """`bits`: the class name of its bit generator, where that is known."""
        self._kind = kind
        self._source = source
        self._bits = bits

    @property  # type: ignore[misc] # nobody sets it
    def __class__(self) -> Any:  # what isinstance() sees
        return self._kind

    def __getattr__(self, name: str) -> Any:
        of_numpy = not issubclass(self._kind, random.Random)
        name = _ALIASES.get(name, name) if of_numpy else name
        raw = getattr(self._kind, name)  # AttributeError as of the object itself
        made = method_of(name) if of_numpy else python_random.method_of(name)
        if made is None or not issubclass(self._kind, _GENERATORS):
            raise UnsupportedError(
                f"{self._kind.__name__}.{name} inside a jitted function; use it outside, and pass what it "
                "gives"
            )
        return _Method(self, name, raw, made)

    def __reduce_ex__(self, protocol: Any) -> NoReturn:
        raise TraceError(f"a {self._kind.__name__} is copied inside a jitted function; copy it outside")

    def __repr__(self) -> str:
        return f"<traced {self._kind.__name__}>"

    def returned(self) -> External | Argument:
        """The source of the object that a call returns."""
        if not isinstance(self._source, (External, Argument)):
            raise TraceError(
                f"the function returns a {self._kind.__name__} that it made; make it outside, and pass it as "
                "an argument"
            )
        return self._source


class _Method:
    """A method of a generator, whose calls are recorded."""

    def __init__(self, owner: RandomStandIn, name: str, raw: Any, made: Callable[..., Any]) -> None:
        self._owner = owner
        self._name = name
        self._raw = raw
        self._made = made
        self.__self__ = owner

    def __call__(self, *arguments: Any, **options: Any) -> Any:
        frame = trace_frame()
        arguments = tuple(map(stood_for, arguments))
        options = {name: stood_for(value) for name, value in options.items()}
        if options.pop("out", None) is not None:
            raise UnsupportedError(f"{self._name}: out= inside a jitted function; assign the result instead")
        if self._name not in ("rand", "randn"):
            try:
                bound = inspect.signature(self._raw).bind(self._owner, *arguments, **options)
            except TypeError as error:
                raise DTypeError(f"{self._name}() {error}") from None
            bound.apply_defaults()
            given = dict(list(bound.arguments.items())[1:])
            given.pop("out", None)
            return self._made(frame, self._owner, self._name, given)
        return self._made(frame, self._owner, self._name, {"size": arguments or None})

    def __repr__(self) -> str:
        return f"<traced {self._owner._kind.__name__}.{self._name}>"


class Maker:
    """The stand-in for a class of numpy.random or random, or for default_rng."""

    def __init__(self, original: Any, kind: type) -> None:
        self.__jitframe_original__ = original
        self._kind = kind

    def __call__(self, *arguments: Any, **options: Any) -> Any:
        frame = trace_frame()
        (slot,) = new_slots(frame, 1)
        note(frame, self.__jitframe_original__, arguments, options, slots=(slot,))
        return RandomStandIn(self._kind, Made(slot), self._bits(*arguments))

    def _bits(self, seed: Any = None, *_: Any) -> str | None:
        """Returns the class name of the bit generator that it makes, or is given."""
        given = seed._bits if isinstance(seed, RandomStandIn) else bits_of(seed)
        if given is not None or issubclass(self._kind, numpy.random.BitGenerator):
            return given or self._kind.__name__
        return "PCG64" if self._kind is numpy.random.Generator else "MT19937"

    def __eq__(self, other: object) -> bool:
        return getattr(other, "__jitframe_original__", other) is self.__jitframe_original__

    def __hash__(self) -> int:
        return hash(self.__jitframe_original__)

    def __mro_entries__(self, bases: Any) -> tuple[type, ...]:
        return (self._kind,)

    def __repr__(self) -> str:
        return repr(self.__jitframe_original__)


class RandomModule:
    """The stand-in for numpy.random, or for random."""

    def __init__(self, module: types.ModuleType) -> None:
        self.__dict__.update({"_module": module, "__jitframe_original__": module})

    def __getattr__(self, name: str) -> Any:
        value = getattr(self._module, name)
        found = stand_in(value) if callable(value) else value
        self.__dict__[name] = found
        return found

    def __setattr__(self, name: str, value: Any) -> None:
        module = self._module.__name__.replace("numpy", "np")
        raise TraceError(f"the traced function changes {module}.{name}; do that outside it")

    def __repr__(self) -> str:
        return f"<traced module {self._module.__name__}>"


def stand_in(value: Any) -> Any:
    """Returns the stand-in for any object of numpy.random or random."""
    if isinstance(value, types.ModuleType):
        return RandomModule(value)
    if isinstance(value, type):
        of_system = issubclass(value, random.SystemRandom)
        return refusal_of(value()) if of_system else Maker(value, value)
    if value is numpy.random.default_rng:
        return Maker(value, numpy.random.Generator)
    owner = getattr(value, "__self__", None)
    if owner is not None and not isinstance(owner, types.ModuleType):
        return getattr(_external(owner), value.__name__)
    if isinstance(value, types.FunctionType) or callable(value):
        shared = numpy.random.mtrand._rand
        return getattr(_external(shared), value.__name__)
    return _external(value)


def _external(value: Any) -> RandomStandIn:
    return RandomStandIn(type(value), External(value), bits_of(value))


def argument(leaf: int, generator: Any) -> RandomStandIn:
    """Returns the stand-in for a generator among the arguments."""
    return RandomStandIn(type(generator), Argument(leaf), bits_of(generator))
