"""Functions of linear algebra by the LAPACK that NumPy itself carries; else by NumPy's own functions.

What one call does is a script: routines of LAPACK and moves of matrices between C order and Fortran's, which
the native adapter `lapack` follows. Each routine is called as NumPy calls it, on the same matrix, so that
results are NumPy's to the last bit.
"""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Callable, Sequence
from functools import partial

from ....codegen.plan.libraries import FUNCTIONS, workspace_words
from ....codegen.plan.linear_algebra import REALS
from ....codegen.plan.nodes import LibraryCall
from ..native_library.described import native
from ..native_library.layout import symbol_address
from ..native_library.library import native_library
from . import through_numpy
from .blas import Blas, EncodedCall

# Symbol around a routine's name, and the width of its integers.
_SPELLINGS = (
    ("scipy_{}_64_", 64), ("{}_64_", 64), ("{}64_", 64), ("scipy_{}_", 32), ("{}_", 32), ("{}$NEWLAPACK", 32),
)  # fmt: skip
_LETTERS = {"f32": "sc", "f64": "dz"}
"""Of routines for reals and for complex numbers of a dtype."""

Place = tuple[int, int]
"""A slot and bytes behind its address, or what `native.IN_WORDS` and `native.AS_IT_IS` say."""


class _Missing(Exception):
    """The library lacks a routine."""


class Script:
    """The steps of one call, for the native adapter. Numbers that routines read stand behind the steps."""

    def __init__(self, blas: Blas, step: LibraryCall) -> None:
        self._blas = blas
        self.is_complex = "c" in FUNCTIONS[step.function].sizes
        """Whether elements of matrices are pairs."""
        self._letter = _LETTERS[step.dtype.name][self.is_complex]
        self._part_bytes = step.dtype.itemsize
        self._steps: list[int | tuple[str, int]] = []
        self._scalars: list[int] = []
        operands, results = len(step.operands), len(step.results)
        self.operands: list[Place] = [(slot, 0) for slot in range(operands)]
        self.results: list[Place] = [(operands + slot, 0) for slot in range(results)]
        self.work: dict[str, Place] = {}
        self._rooms: dict[str, int] = {}
        begin = 0
        for name, words in workspace_words(step).items():
            self.work[name] = operands + results, begin
            self._rooms[name] = words
            begin += 8 * words
        self._fault: Place = operands + results + 1, 0

    def room(self, name: str) -> int:
        """How many numbers a part of the workspace holds."""
        pairs = self.is_complex and name != REALS and name != "integers"
        return self._rooms[name] // (2 if pairs else 1)

    def reals(self, with_room: bool = False) -> list[Place | int]:
        """The workspace for reals that routines for complex numbers take behind the other one."""
        if not self.is_complex:
            return []
        return [self.work[REALS], self.room(REALS)] if with_room else [self.work[REALS]]

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
        """Elements that lie `apart` from row to row and column to column, to where they lie so `there`."""
        parts = 1 + self.is_complex
        strides = [parts * stride for stride in (*apart, *there)]
        for part in range(parts):
            begin = part * self._part_bytes
            places = [source[0], source[1] + begin, target[0], target[1] + begin]
            self._step(native.MOVE, [*places, rows, columns, *strides, triangle, self._part_bytes])

    def transpose(self, source: Place, target: Place, rows: int, columns: int) -> None:
        """A matrix of so many rows and columns in C order, to Fortran's."""
        self.move(source, target, rows, columns, (columns, 1), (1, rows))

    def routine(self, name: str, *arguments: Place | int | str) -> None:
        """Calls a routine of LAPACK on places, integers and texts of a letter; its last argument, where it
        says what happened, is added."""
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
        """Ends the call, and the run, where the routine before failed."""
        self._step(native.CHECK, [*self.work["info"], *self._fault])

    def parity(self, pivots: Place, target: Place, count: int) -> None:
        """1 or -1 for an even or odd number of exchanges of rows."""
        _, width = self._found("getrf")
        self._step(native.PARITY, [*pivots, *target, count, width // 8, self._part_bytes])

    def to_float(self, integer: Place, target: Place) -> None:
        self._step(native.TO_FLOAT, [*integer, *target, self._part_bytes])

    def words(self) -> list[int]:
        """What the adapter is given."""
        count = len(self._steps)
        words = [8 * (1 + count + each[1]) if isinstance(each, tuple) else each for each in self._steps]
        return [count, *words, *self._scalars]

    def _step(self, operation: int, words: Sequence[int | tuple[str, int]]) -> None:
        self._steps += [operation, len(words), *words]

    def _found(self, name: str) -> tuple[int, int]:
        found = self._blas.routine(self._letter + name)
        if found is None:
            raise _Missing
        return found


def find_routine(library: ctypes.CDLL, name: str) -> tuple[int, int] | None:
    """A routine's address, and the width of its integers."""
    if sys.byteorder != "little":
        return None  # integers of 64 bits are read as those of 32
    for spelling, width in _SPELLINGS:
        address = symbol_address(library, spelling.format(name))
        if address:
            return address, width
    return None


# Scripts -----------------------------------------------------------------------------------------------
def _solve(script: Script, n: int, m: int) -> None:
    a, x = script.work["a"], script.work["x"]
    script.transpose(script.operands[0], a, n, n)
    script.transpose(script.operands[1], x, n, m)
    script.routine("gesv", n, m, a, max(n, 1), script.work["pivots"], x, max(n, 1))
    script.check()
    script.transpose(x, script.results[0], m, n)


def _lu(script: Script, n: int) -> None:
    a, pivots = script.work["a"], script.work["pivots"]
    script.transpose(script.operands[0], a, n, n)
    script.routine("getrf", n, n, a, max(n, 1), pivots)
    script.move(a, script.results[0], n, 1, (n + 1, 0), (1, 0))
    script.parity(pivots, script.results[1], n)


def _cholesky(script: Script, n: int) -> None:
    a = script.work["a"]
    script.transpose(script.operands[0], a, n, n)
    script.routine("potrf", "L", n, a, max(n, 1))
    script.check()
    script.move(a, script.results[0], n, n, (1, n), (n, 1), native.LOWER)


def _qr(script: Script, m: int, n: int, columns: int, q: Place | None, r: Place) -> None:
    """`columns` of Q, and as many rows of R."""
    a, tau, work = (script.work[name] for name in ("a", "tau", "work"))
    k, room = min(m, n), script.room("work")
    script.transpose(script.operands[0], a, m, n)
    script.routine("geqrf", m, n, a, m, tau, work, room)
    script.check()
    script.move(a, r, columns, n, (1, m), (n, 1), native.UPPER)
    if q is not None:
        script.routine("ungqr" if script.is_complex else "orgqr", m, columns, k, a, m, tau, work, room)
        script.check()
        script.transpose(a, q, columns, m)


def _qr_reduced(script: Script, m: int, n: int, k: int) -> None:
    _qr(script, m, n, k, *script.results)


def _qr_complete(script: Script, m: int, n: int) -> None:
    _qr(script, m, n, m, *script.results)


def _qr_r(script: Script, m: int, n: int, k: int) -> None:
    _qr(script, m, n, k, None, *script.results)


def _qr_raw(script: Script, m: int, n: int, k: int) -> None:
    """As the routine leaves it: the matrix in Fortran's order is its transpose in C's."""
    a, tau = script.work["a"], script.work["tau"]
    script.transpose(script.operands[0], a, m, n)
    script.routine("geqrf", m, n, a, m, tau, script.work["work"], script.room("work"))
    script.check()
    script.move(a, script.results[0], n, m, (m, 1), (m, 1))
    script.move(tau, script.results[1], k, 1, (1, 0), (1, 0))


def _syevd(script: Script, n: int, job: str, triangle: str = "L") -> None:
    a, size = script.work["a"], max(n, 1)
    script.transpose(script.operands[0], a, n, n)
    script.routine(
        "heevd" if script.is_complex else "syevd", job, triangle, n, a, size, script.results[0],
        script.work["work"], script.room("work"), *script.reals(True), script.work["integers"],
        script.room("integers"),
    )  # fmt: skip
    script.check()
    if job == "V":
        script.transpose(a, script.results[1], n, n)


def _geev(script: Script, n: int, job: str) -> None:
    a, vectors, size = script.work["a"], script.work["vectors"], max(n, 1)
    script.transpose(script.operands[0], a, n, n)
    values = script.results[: 1 if script.is_complex else 2]
    script.routine(
        "geev", "N", job, n, a, size, *values, vectors, size, vectors, size, script.work["work"],
        script.room("work"), *script.reals(),
    )  # fmt: skip
    script.check()
    if job == "V":
        script.transpose(vectors, script.results[-1], n, n)


def _gesdd(script: Script, m: int, n: int, k: int, job: str) -> None:
    a, u, v = (script.work[name] for name in ("a", "u", "v"))
    columns, rows = {"A": (m, n), "S": (k, k), "N": (1, 1)}[job]
    values = script.results[1] if job != "N" else script.results[0]
    script.transpose(script.operands[0], a, m, n)
    script.routine(
        "gesdd", job, m, n, a, m, values, u, m, v, rows, script.work["work"], script.room("work"),
        *script.reals(), script.work["integers"],
    )  # fmt: skip
    script.check()
    if job != "N":
        script.transpose(u, script.results[0], columns, m)
        script.transpose(v, script.results[2], n, rows)


def _lstsq(script: Script, m: int, n: int, p: int, k: int) -> None:
    a, b, rank = (script.work[name] for name in ("a", "b", "rank"))
    rows = max(m, n)
    script.transpose(script.operands[0], a, m, n)
    script.move(script.operands[1], b, m, p, (p, 1), (1, rows))
    script.routine(
        "gelsd", m, n, p, a, m, b, rows, script.results[2], script.operands[2], rank, script.work["work"],
        script.room("work"), *script.reals(), script.work["integers"],
    )  # fmt: skip
    script.check()
    script.move(b, script.results[0], n, p, (1, rows), (p, 1))
    script.to_float(rank, script.results[1])


SCRIPTS: dict[str, Callable[..., None]] = {
    "solve": _solve,
    "lu": _lu,
    "cholesky": _cholesky,
    "qr": _qr_reduced,
    "qr_complete": _qr_complete,
    "qr_r": _qr_r,
    "qr_raw": _qr_raw,
    "eigh": partial(_syevd, job="V"),
    "eigh_upper": partial(_syevd, job="V", triangle="U"),
    "eigvalsh": partial(_syevd, job="N"),
    "eig": partial(_geev, job="V"),
    "eigvals": partial(_geev, job="N"),
    "svd": partial(_gesdd, job="S"),
    "svd_full": partial(_gesdd, job="A"),
    "svdvals": partial(_gesdd, job="N"),
    "lstsq": _lstsq,
}
"""What writes a call of each function, from its sizes; of `complex_` ones by the routines for these."""
SCRIPTS |= {f"complex_{name}": script for name, script in SCRIPTS.items()}


def _encoded(blas: Blas, step: LibraryCall) -> EncodedCall:
    script = Script(blas, step)
    try:
        letters = zip(FUNCTIONS[step.function].sizes, step.sizes, strict=True)
        SCRIPTS[step.function](script, *[size for letter, size in letters if letter != "c"])
    except _Missing:
        return through_numpy.encoded(blas, step)
    return EncodedCall(native_library().image.address("lapack"), script.words(), True, False)


PROVIDERS: dict[str, Callable[[Blas, LibraryCall], EncodedCall]] = dict.fromkeys(SCRIPTS, _encoded)
