"""The signature of a call: the properties of its arguments that a trace depends on.

Arrays count by dtype, shape, strides and whether they are writable; numbers by their type, for their value
is read at each call; everything else by value or identity: a value by types and bits (`value_key`).
"""

from __future__ import annotations

import functools
import inspect
import re
import types
from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy

from ...api.frame import is_tensor
from ...errors import ArgumentError, DTypeError, UnsupportedError
from ...ir.record import fresh, mutable
from ...runtime.device import CPU, Device
from .columns import take_columns
from .trees import LEAF, Tree, compare_linked_by_identity, flatten, leaf_names, static_key
from .value_key import Same, value_key

_GENERATORS = ("Generator", "RandomState", "Random")
if TYPE_CHECKING:
    from ...tensors.transfers import Value

_PARTS = frozenset(".[")
_FLAGS = 0x0100 | 0x0400  # aligned, writable
_SAME_BY_VALUE = frozenset((
    str, bytes, type(None), type(...), slice, range, types.MethodType, types.BuiltinFunctionType,
))  # fmt: skip


MOST_OPERATIONS = 4_000
"""The most operations of an unrolled loop that Python may run as well: to trace and compile so many takes a
second."""
NO_LIMIT_NS = 1 << 62
"""The end of a trace that may take any time."""


class Call(metaclass=mutable):
    """The arguments of one call."""

    positional: tuple[Tree, ...]
    keywords: tuple[tuple[str, Tree], ...]
    leaves: list[Any]
    kinds: tuple[Hashable, ...]
    """The properties of each leaf that the trace depends on."""
    tensors: bool
    """Whether an argument is a Tensor."""
    signature: Signature
    arguments: tuple[Any, ...]
    options: dict[str, Any]
    device: Device
    """The device that it runs on: that of the first Tensor, unless the function was given another."""
    asked: bool = False
    """Whether the user chose the device, so that arguments move there silently."""
    donated: frozenset[int] = frozenset()
    """Numbers of the leaves whose memory the call may overwrite."""
    steps: list[Any] = fresh(factory=list)
    """The segments that it has computed, each a `Step` of `programs.segments`."""
    carried: list[Value | None] = fresh(factory=list)
    """The values of these; None of those that no later segment reads."""
    made: dict[int, Any] = fresh(factory=dict)
    """Random generators that it has made, by slot."""
    drawn: dict[int, Callable[[], None]] = fresh(factory=dict)
    """Functions that restore generators from outside to the states before segments drew from them."""
    may_leave: bool = False
    """Whether its trace may be abandoned, so that Python answers the call (see `fallback`)."""
    python_answers: bool = False
    """Whether Python may answer it, as a first call, while its program is compiled."""
    most_cuts: int = 0
    """The trace is abandoned beyond so many cuts."""
    deadline_ns: int = 0
    """The trace is abandoned at a cut after this time."""
    traced_until_ns: int = NO_LIMIT_NS
    """The trace is abandoned in loops and branches after this processor time of its thread."""
    most_operations: int = MOST_OPERATIONS
    """The trace is abandoned where an unrolled loop would have more operations."""
    slots: tuple[Any, ...] = ()
    """Places outside the function whose values are its last leaves, each a `Slot` of `outside_state`."""
    state: tuple[Tree, ...] = ()
    """The trees of the values of slots."""
    met: frozenset[int] = frozenset()
    """Numbers of the slots that its trace used."""
    has_called: bool = False
    """Whether its trace has called host functions, which must not be called again."""

    @property
    def key(self) -> Hashable:
        key = self.device, self.positional, self.keywords, self.kinds
        return (*key, self.slots, self.state) if self.slots else key

    def undo_draws(self) -> None:
        """Undoes the draws of segments that are computed again, or whose call Python answers."""
        while self.drawn:
            self.drawn.popitem()[1]()

    def drop_steps(self) -> None:
        """Drops the segments that were computed of a program that does not serve the call."""
        if self.steps:
            self.undo_draws()
            self.steps, self.carried = [], []

    def become(self, other: Call) -> None:
        """Takes over the new binding of the same arguments."""
        self.positional, self.keywords, self.kinds = other.positional, other.keywords, other.kinds
        self.leaves, self.slots, self.state = other.leaves, other.slots, other.state
        self.tensors, self.device, self.asked = other.tensors, other.device, other.asked
        self.donated = other.donated

    @property
    def names(self) -> list[str]:
        """The user's notation of each leaf."""
        names = self.signature.names(self.arguments, self.options, self.positional, dict(self.keywords))
        for slot, tree in zip(self.slots, self.state, strict=True):
            names += leaf_names(slot.read(), slot.name, tree)
        return names


SMALL = 1 << 31
"""Integer arguments below this limit have a key of their own."""


class Static:
    """The kind of a leaf whose value is part of the signature."""

    __slots__ = ("key",)

    def __init__(self, key: Hashable) -> None:
        self.key = key

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Static) and self.key == other.key

    def __hash__(self) -> int:
        return hash(self.key)


class Signature:
    """Binds the calls of one function."""

    def __init__(
        self,
        function: Callable[..., Any],
        static_argnums: int | Sequence[int] | None,
        static_argnames: str | Sequence[str] | None,
        donate: int | str | Sequence[int | str] | None = None,
    ) -> None:
        self.name = name_of(function)
        try:
            self._signature: inspect.Signature | None = inspect.signature(function)
        except (TypeError, ValueError):
            self._signature = None
        parameters = [] if self._signature is None else list(self._signature.parameters.values())
        self._names = [
            parameter.name
            for parameter in parameters
            if parameter.kind in (parameter.POSITIONAL_ONLY, parameter.POSITIONAL_OR_KEYWORD)
        ]
        self._rest = next(
            (parameter.name for parameter in parameters if parameter.kind == parameter.VAR_POSITIONAL), None
        )
        argnums = _several(static_argnums, int, "static_argnums")
        names = _several(static_argnames, str, "static_argnames")
        given = _several(donate, (int, str), "donate")
        self.choices = argnums, names, given
        """Positions and names of static arguments and donated ones, as the user gave them."""
        self._known = [parameter.name for parameter in parameters]
        self._anything = any(parameter.kind == parameter.VAR_KEYWORD for parameter in parameters)
        self._static_positions, self._static_names = self._chosen(
            argnums, [name for name in names if _PARTS.isdisjoint(name)], "static_argnums", "static_argnames"
        )
        self._static_leaves = frozenset(names) - self._static_names
        """Members of arguments in the user's notation: `config.layers`."""
        for name in self._static_leaves:
            self._check_name(re.split(r"[.\[]", name)[0], "static_argnames")
        self._donated_positions, self._donated_names = self._chosen(
            [each for each in given if isinstance(each, int)],
            [each for each in given if isinstance(each, str)], "donate", "donate",
        )  # fmt: skip
        both = sorted(self._static_names & self._donated_names)
        if both:
            raise ArgumentError(
                f"donate: the argument {both[0]!r} of {self.name} is static, so it has no memory to give away"
            )

    def _chosen(
        self, argnums: Sequence[int], names: Sequence[str], by_number: str, by_name: str
    ) -> tuple[frozenset[int], frozenset[str]]:
        """Returns the positions and names of the arguments that an option of `jit` lists."""
        for name in names:
            self._check_name(name, by_name)
        count = len(self._names)
        for number in argnums:
            if self._signature is not None and self._rest is None and not -count <= number < count:
                raise ArgumentError(
                    f"{by_number}: {self.name} has {count} positional arguments, so none has number {number}"
                )
        positions = {number + count if number < 0 else number for number in argnums}
        positions |= {self._names.index(name) for name in names if name in self._names}
        found = frozenset(names) | {self._names[position] for position in positions if position < count}
        return frozenset(positions), found

    def _check_name(self, name: str, option: str) -> None:
        if self._signature is not None and name not in self._known and not self._anything:
            raise ArgumentError(
                f"{option}: {self.name} has no argument {name!r}; it has "
                f"{', '.join(map(repr, self._known)) or 'none'}"
            )

    def bind(self, arguments: tuple[Any, ...], keywords: dict[str, Any]) -> Call:
        """Returns the call with these arguments. Keywords become positional where possible."""
        try:
            return self._bound(arguments, keywords)
        except RecursionError:
            if not compare_linked_by_identity((*arguments, *keywords.values())):
                raise
            return self._bound(arguments, keywords)

    def _bound(self, arguments: tuple[Any, ...], keywords: dict[str, Any]) -> Call:
        if keywords and self._signature is not None:
            try:
                bound = self._signature.bind(*arguments, **keywords)
            except TypeError as error:
                raise DTypeError(f"{self.name}() {error}") from None
            arguments, keywords = bound.args, bound.kwargs
        compute_waiting(arguments)
        leaves: list[Any] = []
        kinds: list[Hashable] = []
        static = self._static_positions
        donated: set[int] = set()
        positional: list[Tree] = []
        for position, value in enumerate(arguments):
            first = len(leaves)
            if static and position in static:
                positional.append(LEAF)
                leaves.append(value)
                kinds.append(Static(static_key(value, self.argument_name(position))))
            else:
                positional.append(flatten(value, leaves))
                take_columns(leaves, first)
                kinds.extend(map(kind_of_leaf, leaves[first:]))
                if position in self._donated_positions:
                    donated.update(range(first, len(leaves)))
        named: list[tuple[str, Tree]] = []
        for name, value in keywords.items():  # in their order, which `**keywords` of the function shows
            first = len(leaves)
            if name in self._static_names:
                named.append((name, LEAF))
                leaves.append(value)
                kinds.append(Static(static_key(value, name)))
            else:
                named.append((name, flatten(value, leaves)))
                take_columns(leaves, first)
                kinds.extend(map(kind_of_leaf, leaves[first:]))
                if name in self._donated_names:
                    donated.update(range(first, len(leaves)))
        if self._static_leaves:
            self._fix_leaves(self.names(arguments, keywords, positional, dict(named)), leaves, kinds)
        tensor = next((leaf for leaf in leaves if is_tensor(leaf)), None)
        return Call(
            tuple(positional), tuple(named), leaves, tuple(kinds), tensor is not None, self, arguments,
            keywords, CPU if tensor is None else tensor._frame.device, False, frozenset(donated),
        )  # fmt: skip

    def _fix_leaves(self, names: Sequence[str], leaves: list[Any], kinds: list[Hashable]) -> None:
        """Makes the members of arguments that are listed as static so."""
        for number, name in enumerate(names):
            if name in self._static_leaves:
                kinds[number] = Static(static_key(leaves[number], name))

    def static_values(self, call: Call) -> frozenset[int]:
        """Returns the identities of the arguments that are listed as static."""
        values = [
            argument for number, argument in enumerate(call.arguments) if number in self._static_positions
        ]
        values += [each for name, each in call.options.items() if name in self._static_names]
        return frozenset(map(id, values))

    def argument_name(self, position: int) -> str:
        """Returns the name of a positional argument."""
        if position < len(self._names):
            return self._names[position]
        return f"{self._rest or 'argument'}[{position - len(self._names)}]"

    def names(
        self,
        arguments: Sequence[Any],
        keywords: dict[str, Any],
        positional: Sequence[Tree],
        named: Mapping[str, Tree],
    ) -> list[str]:
        """Returns the names of all leaves of a call, whose trees are these."""
        result: list[str] = []
        for position, (value, tree) in enumerate(zip(arguments, positional, strict=True)):
            result += leaf_names(value, self.argument_name(position), tree)
        for name, value in keywords.items():
            result += leaf_names(value, name, named[name])
        return result


def compute_waiting(arguments: Sequence[Any]) -> bool:
    """Computes the pending Tensors among arguments, all at once as they may share work; returns whether there
    were any."""
    waiting = [argument for argument in arguments if is_tensor(argument) and argument._value is None]
    if not waiting:
        return False
    from ...tensors.tensor import compute  # it is loaded: these are Tensors

    compute(*waiting)
    return all(each._value is not None for each in waiting)


def is_small(value: int) -> bool:
    """Whether an integer is below `SMALL`: a trace knows that of it."""
    return -SMALL <= value < SMALL


def kind_of_leaf(leaf: Any) -> Hashable:
    """Returns the properties of a leaf that a trace depends on."""
    kind: type = type(leaf)
    if kind is numpy.ndarray:
        return leaf.dtype, leaf.shape, leaf.strides, leaf.flags.num & _FLAGS
    if kind is int:
        return int if is_small(leaf) else "large integer"
    if kind is float or kind is bool or kind is complex:
        return kind
    if is_tensor(leaf):
        value = leaf._evaluated()
        leaf._settle_path()
        place = value.strides if isinstance(value, numpy.ndarray) else value.device
        return "tensor", leaf._dtype, leaf.shape, place, leaf._strides, leaf._is_writable
    if isinstance(leaf, numpy.generic):
        return "scalar", kind
    if isinstance(leaf, numpy.ndarray):
        return "subclass", kind, leaf.dtype, leaf.shape, leaf.strides, leaf.flags.num & _FLAGS
    if is_generator(leaf):
        from .bit_generators import bit_generator_of  # few programs load their classes

        return "generator", kind, type(bit_generator_of(leaf)), getattr(leaf, "device", None)
    if kind in _SAME_BY_VALUE or isinstance(leaf, numpy.dtype):
        return Static(value_key(leaf))
    return Static(Same(leaf))


def is_generator(value: Any) -> bool:
    """Whether it is a random generator; few programs load the modules of their classes."""
    kind = type(value)
    module = kind.__module__
    of_library = module == "random" or module.startswith("numpy.random")
    return kind.__name__ in _GENERATORS and (of_library or is_own(kind))


def is_own(kind: type) -> bool:
    """Whether it is the class of `jf.random`'s generators."""
    return kind.__module__ == "jitframe.api.random.generator"


def check_function(function: Any) -> None:
    """Raises TypeError for an object that `jit` does not take."""
    kind = type(function)
    if isinstance(function, (staticmethod, classmethod, property, functools.cached_property)):
        raise DTypeError(f"jit takes a function, not a {kind.__name__}; put @jf.jit below @{kind.__name__}")
    if not callable(function):
        raise DTypeError(f"jit takes a function, not a {kind.__name__}; write @jf.jit above a def")
    if (
        inspect.isgeneratorfunction(function)
        or inspect.iscoroutinefunction(function)
        or inspect.isasyncgenfunction(function)
    ):
        what = "a generator" if inspect.isgeneratorfunction(function) else "asynchronous"
        raise UnsupportedError(
            f"{function.__name__} is {what}, and runs after its call has returned; jit a plain function that "
            "it calls"
        )


def name_of(function: Callable[..., Any]) -> str:
    """Returns a function's name in messages; of a `functools.partial` that of the function inside."""
    while isinstance(function, functools.partial):
        function = function.func
    name: str = getattr(function, "__name__", type(function).__name__)
    return name


def _several(given: Any, kinds: type | tuple[type, ...], name: str) -> tuple[Any, ...]:
    several = () if given is None else (given,) if isinstance(given, kinds) else tuple(given)
    if not all(isinstance(each, kinds) for each in several):
        several_kinds = kinds if isinstance(kinds, tuple) else (kinds,)
        raise DTypeError(
            f"{name} takes {' and '.join(f'{kind.__name__}s' for kind in several_kinds)}, not {given!r}"
        )
    return several
