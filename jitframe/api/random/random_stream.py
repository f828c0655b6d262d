"""The state of a generator of `jf.random`, and how a draw is made of it: lazily, in a trace, in a loop."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Self, TypeVar

from ...arrays.promotion import Weak
from ...base.arguments import MOST_PARTS, check_size, count, extents_of, integer
from ...base.boundary import guarded_methods
from ...base.locks import new_reentrant_lock
from ...errors import ArgumentError
from ...functions import random_numbers as nodes
from ...functions.operands import broadcast_shapes
from ...ir.node import Graph, Node, Shape
from ...ir.ops.randomness import WORD, philox_words
from ...ir.types import I64, U32, DType
from ..calls import operand
from ..frame import Frame, LazyValue, entered_frame, frame_on
from ..sorting import sorts

Word = Any
"""A Python integer below 2**32, or a lazy value of uint32."""
_Kind = TypeVar("_Kind", bound="Stream")


@guarded_methods
class Stream:
    """A key of 64 bits and the number of the next draw; what is drawn depends on these alone."""

    __slots__ = ("_count", "_depth", "_key", "_lock", "_start", "device")

    def __init__(self, key: int = 0, number: int = 0, *, device: Any = None) -> None:
        for name, value in (("key", key), ("number", number)):
            if not 0 <= integer(value, name) < 1 << 64:
                raise ArgumentError(f"Generator: {name} is {value}; it is an integer from 0 to 2**64 - 1")
        self._become((key & WORD, key >> 32), (0, 0), number, device)

    def _become(self, key: tuple[Word, Word], start: tuple[Word, Word], count: int, device: Any) -> None:
        frame = entered_frame()
        self._key = key
        self._start = start
        """The number of the first draw, which is 0 but inside of jitted functions."""
        self._count = count
        """The number of draws since the start."""
        self._depth = 0 if frame is None else len(frame.regions)
        """In how many loops and conditions of a trace it was made."""
        self._lock = new_reentrant_lock()
        self.device = device
        """The device that it draws on; None for the current one."""

    @classmethod
    def _of(cls, key: tuple[Word, Word], start: tuple[Word, Word] = (0, 0), device: Any = None) -> Self:
        made = cls.__new__(cls)
        made._become(key, start, 0, device)
        return made

    @property
    def key(self) -> int:
        """The state that determines the numbers."""
        return int(self._key[0]) | int(self._key[1]) << 32

    @property
    def number(self) -> int:
        """The number of the next draw."""
        return (int(self._start[0]) | int(self._start[1]) << 32) + self._count

    def __reduce__(self) -> tuple[Any, ...]:
        return _restored, (type(self), self.key, self.number, self.device)

    def __repr__(self) -> str:
        if any(isinstance(word, LazyValue) for word in (*self._key, *self._start)):
            return "<traced jf.random.Generator>"
        device = "" if self.device is None else f", device={self.device!r}"
        return f"Generator(key={self.key}, number={self.number}{device})"

    # The state

    def _take(self, count: int = 1) -> int:
        """Returns the number of draws since the start; adds `count` to it."""
        with self._lock:
            taken = self._count
            self._count = taken + count
        frame = entered_frame()
        if frame is not None:
            frame.note_draw(self, count)
        return taken

    def _take_back(self, count: int) -> None:
        self._count -= count

    def _here(self) -> Self:
        """Returns itself, or in a loop or condition of a trace the generator of the present iteration."""
        frame = entered_frame()
        found: Any = self
        for region in () if frame is None else frame.regions[self._depth :]:
            found = region.stream(found)
        here: Self = found
        return here

    def _words(self) -> tuple[Word, ...]:
        """The key, the start, and the draw's offset from there: those of a draw that is taken now."""
        return (*self._key, *self._start, self._take())

    def _derived(self, state: tuple[Word, ...], iteration: Any, frame: Frame) -> Self:
        """The generator of a number of a draw whose words these are, built in this frame."""
        if all(type(word) is int for word in (*state, iteration)):
            number = (state[2] | state[3] << 32) + state[4]
            counter = iteration & WORD, iteration >> 32 & WORD, number & WORD, number >> 32 | nodes.DERIVED
            return self._of(philox_words(counter, state[:2])[:2], device=self.device)
        graph = frame.begin()
        place = operand(frame, graph, iteration)
        place = place.node if isinstance(place, Weak) else place
        if not isinstance(place, Node):
            place = graph.scalar(graph.number_index(iteration, I64), I64)
        key = nodes.derived_key(graph, _state(frame, graph, state), place)
        low, high = frame.wrap_all(graph, key)
        return self._of((low, high), device=self.device)

    def spawn(self, n_children: int) -> list[Self]:
        """So many generators, whose numbers do not depend on this one's or each other's. Counts as a draw.

        >>> [int(child.integers(10)) for child in jf.random.default_rng(3).spawn(3)]
        [0, 0, 8]
        """
        children = count(n_children, "spawn: n_children", MOST_PARTS)
        words = self._here()._words()
        frame = frame_on(self.device, "spawn")
        return [self._derived(words, child, frame) for child in range(children)]

    # Draws

    def _draw(
        self,
        name: str,
        size: Any,
        function: Callable[..., Node],
        dtype: DType,
        *arguments: Any,
        shapes: Sequence[Shape] = (),
    ) -> Any:
        """A new array; a scalar where no size is asked for and no parameter has a shape."""
        shape = broadcast_shapes((), *shapes) if size is None else extents_of(size, "size", dtype.itemsize)
        if size is not None and broadcast_shapes(shape, *shapes) != shape:
            raise ArgumentError(
                f"{name}: size {shape} does not hold parameters of shape {broadcast_shapes(*shapes)}"
            )
        check_size(shape, dtype.itemsize, name)
        frame = frame_on(self.device, name, arguments)
        words = self._here()._words()
        graph = frame.begin()
        given = [
            operand(frame, graph, argument) if isinstance(argument, LazyValue) else argument
            for argument in arguments
        ]
        return frame.wrap(graph, function(graph, _state(frame, graph, words), shape, *given, dtype))

    def _order(self, name: str, shape: Shape, axis: int = -1) -> Any:
        """The positions along an axis in random orders: that of two words for each."""
        frame = frame_on(self.device, name)
        words = self._here()._words()
        graph = frame.begin()
        found = nodes.words(graph, _state(frame, graph, words), shape, (0, 1))
        high, low = frame.wrap_all(graph, found)
        return sorts.lexsort((low, high), axis)


def _restored(kind: type[_Kind], key: int, number: int, device: Any) -> _Kind:
    return kind(key, number, device=device)


def _state(frame: Frame, graph: Graph, words: Sequence[Word]) -> nodes.State:
    """The words of a draw as nodes."""
    *several, offset = words

    def node(word: Word) -> Node:
        if type(word) is int:
            return graph.scalar(graph.number_index(word, U32), U32)
        given = operand(frame, graph, word)
        assert isinstance(given, Node)
        return given

    if all(type(word) is int for word in several[2:]):
        number = (several[2] | several[3] << 32) + offset
        several[2:], offset = [number & WORD, number >> 32], 0
    key, key_high, low, high = map(node, several)
    return key, key_high, *nodes.number_words(graph, low, high, offset)
