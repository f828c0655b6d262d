"""Functions of linear algebra by the LAPACK that NumPy itself carries; else by NumPy's own functions.

The native adapter `lapack` follows a script (`codegen.plan.scripts`): words for each routine and move. Each
routine is called as NumPy calls it, on the same matrix, so that results are NumPy's to the last bit.
"""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Callable, Sequence

from ....codegen.plan.nodes import LibraryCall
from ....codegen.plan.scripts import LOWER, SCRIPTS, UPPER, Script, write_script
from ..native_library.described import native
from ..native_library.layout import symbol_address
from ..native_library.library import native_library
from . import through_numpy
from .blas import Blas, EncodedCall

# The symbol around a routine's name, and the width of its integers.
_SPELLINGS = (
    ("scipy_{}_64_", 64), ("{}_64_", 64), ("{}64_", 64), ("scipy_{}_", 32), ("{}_", 32), ("{}$NEWLAPACK", 32),
)  # fmt: skip

Place = tuple[int, int]
"""A slot and an offset from its address, or as `native.IN_WORDS` and `native.AS_IT_IS` say."""


class _Missing(Exception):
    """The library lacks a routine."""


class NativeScript(Script):
    """The words of one call, for the native adapter. Numbers that routines read come after the steps."""

    def __init__(self, blas: Blas, step: LibraryCall) -> None:
        super().__init__(step)
        self._blas = blas
        self._steps: list[int | tuple[str, int]] = []
        self._scalars: list[int] = []
        operands, results = len(step.operands), len(step.results)
        self.operands: list[Place] = [(slot, 0) for slot in range(operands)]
        self.results: list[Place] = [(operands + slot, 0) for slot in range(results)]
        self.work: dict[str, Place] = {}
        begin = 0
        for name, words in self.rooms.items():
            self.work[name] = operands + results, begin
            begin += 8 * words
        self._fault: Place = operands + results + 1, 0
        self._triangles = {0: 0, UPPER: native.UPPER, LOWER: native.LOWER}

    def move(
        self,
        source: Place,
        target: Place,
        rows: int,
        columns: int,
        apart: tuple[int, int],
        there: tuple[int, int],
        triangle: int = 0,
    ) -> None:
        parts = 1 + self.is_complex
        strides = [parts * stride for stride in (*apart, *there)]
        kept = self._triangles[triangle]
        for part in range(parts):
            begin = part * self.part_bytes
            places = [source[0], source[1] + begin, target[0], target[1] + begin]
            self._step(native.MOVE, [*places, rows, columns, *strides, kept, self.part_bytes])

    def routine(self, name: str, *arguments: Place | int | str) -> None:
        address, _ = self._found(name)
        places: list[Place | tuple[str, int]] = []
        for argument in (*arguments, self.work["info"]):
            if isinstance(argument, tuple):
                places.append(argument)
            else:
                number = ord(argument) if isinstance(argument, str) else argument
                places.append(("number", len(self._scalars)))
                self._scalars.append(number)
        places += [(native.AS_IT_IS, 1)] * (native.ROUTINE_ARGUMENTS - len(places))
        words: list[int | tuple[str, int]] = [address]
        for place in places:
            if isinstance(place[0], str):
                words += (native.IN_WORDS, place)
            else:
                words += place
        self._step(native.ROUTINE, words)

    def check(self) -> None:
        """Ends the call, and the run, if the last routine failed."""
        self._step(native.CHECK, [*self.work["info"], *self._fault])

    def parity(self, pivots: Place, target: Place, count: int) -> None:
        _, width = self._found("getrf")
        self._step(native.PARITY, [*pivots, *target, count, width // 8, self.part_bytes])

    def to_float(self, integer: Place, target: Place) -> None:
        self._step(native.TO_FLOAT, [*integer, *target, self.part_bytes])

    def words(self) -> list[int]:
        """Returns the adapter's words."""
        count = len(self._steps)
        words = [8 * (1 + count + step[1]) if isinstance(step, tuple) else step for step in self._steps]
        return [count, *words, *self._scalars]

    def _step(self, operation: int, words: Sequence[int | tuple[str, int]]) -> None:
        self._steps += [operation, len(words), *words]

    def _found(self, name: str) -> tuple[int, int]:
        found = self._blas.routine(self.letter + name)
        if found is None:
            raise _Missing
        return found


def find_routine(library: ctypes.CDLL, name: str) -> tuple[int, int] | None:
    """Returns a routine's address, and the width of its integers."""
    if sys.byteorder != "little":
        return None  # integers of 64 bits are read as those of 32
    for spelling, width in _SPELLINGS:
        address = symbol_address(library, spelling.format(name))
        if address:
            return address, width
    return None


def _encoded(blas: Blas, step: LibraryCall) -> EncodedCall:
    script = NativeScript(blas, step)
    try:
        write_script(script, step, SCRIPTS)
    except _Missing:
        return through_numpy.encoded(blas, step)
    return EncodedCall(native_library().image.address("lapack"), script.words(), True, False)


PROVIDERS: dict[str, Callable[[Blas, LibraryCall], EncodedCall]] = dict.fromkeys(SCRIPTS, _encoded)
