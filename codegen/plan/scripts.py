"""Linear algebra functions composed of LAPACK's routines: scripts of calls and of moves of matrices.

A script is written against `Script`, which the processor and devices implement: by a word for each step, or
by launches and calls of the device's own library. Matrices are in C order outside and in Fortran order for
the routines, which get the same operands as from NumPy.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from functools import partial
from typing import Any

from .libraries import FUNCTIONS, workspace_words
from .linear_algebra import REALS
from .nodes import LibraryCall

UPPER, LOWER = 1, 2
"""The triangle that a move keeps; the other elements become 0."""
LETTERS = {"f32": "sc", "f64": "dz"}
"""The prefixes of routines for real and complex numbers of a dtype."""
Place = Any
"""A memory reference of the script's implementation."""


class Script(ABC):
    """The calls of one step, being written; `operands`, `results` and the sections of `work` are places."""

    operands: list[Place]
    results: list[Place]
    work: dict[str, Place]

    def __init__(self, step: LibraryCall) -> None:
        self.is_complex = "c" in FUNCTIONS[step.function].sizes
        """Whether elements of matrices are pairs."""
        self.letter = LETTERS[step.dtype.name][self.is_complex]
        self.part_bytes = step.dtype.itemsize
        self.rooms = workspace_words(step)
        """The sizes of the workspace's sections, in words of 8 bytes."""

    def room(self, name: str) -> int:
        """Returns the capacity of a section of the workspace, in numbers."""
        pairs = self.is_complex and name != REALS and name != "integers"
        return self.rooms[name] // (2 if pairs else 1)

    def reals(self, with_room: bool = False) -> list[Place | int]:
        """Returns the arguments for the real workspace that complex routines take after the other one."""
        if not self.is_complex:
            return []
        return [self.work[REALS], self.room(REALS)] if with_room else [self.work[REALS]]

    def transpose(self, source: Place, target: Place, rows: int, columns: int) -> None:
        """Copies a matrix in C order to Fortran order."""
        self.move(source, target, rows, columns, (columns, 1), (1, rows))

    @abstractmethod
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
        """Copies elements with strides `apart` to elements with strides `there`."""

    @abstractmethod
    def routine(self, name: str, *arguments: Place | int | str) -> None:
        """Calls a LAPACK routine with places, integers and letters; its last argument, the status, is
        added."""

    @abstractmethod
    def check(self) -> None:
        """Records whether the routine before failed."""

    @abstractmethod
    def parity(self, pivots: Place, target: Place, count: int) -> None:
        """Computes 1 or -1 for an even or odd number of row exchanges."""

    @abstractmethod
    def to_float(self, integer: Place, target: Place) -> None:
        """Converts an integer to the call's dtype."""


def write_script(script: Script, step: LibraryCall, scripts: dict[str, Callable[..., None]]) -> None:
    """Writes the script of a function at the step's sizes."""
    letters = zip(FUNCTIONS[step.function].sizes, step.sizes, strict=True)
    scripts[step.function](script, *[size for letter, size in letters if letter != "c"])


# Scripts ------------------------------------------------------------------------------------------
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
    script.move(a, script.results[0], n, n, (1, n), (n, 1), LOWER)


def _qr(script: Script, m: int, n: int, columns: int, q: Place | None, r: Place) -> None:
    """`columns` of Q, and as many rows of R."""
    a, tau, work = (script.work[name] for name in ("a", "tau", "work"))
    k, room = min(m, n), script.room("work")
    script.transpose(script.operands[0], a, m, n)
    script.routine("geqrf", m, n, a, m, tau, work, room)
    script.check()
    script.move(a, r, columns, n, (1, m), (n, 1), UPPER)
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
"""The writer of each function's call, from its sizes; of `complex_` ones with complex routines."""
SCRIPTS |= {f"complex_{name}": script for name, script in SCRIPTS.items()}
