"""Linear algebra by cuSOLVER, through CuPy's bindings of it: the scripts of LAPACK's routines.

cuSOLVER's routines are LAPACK's but for workspaces, whose size it is asked for, for numbers in place of
letters, and for `gesv` and `gesdd`, which it lacks: factors and solutions are two calls, and `gesvd` takes
matrices that have at least as many rows as columns.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from ...codegen.plan.nodes import LibraryCall
from ...codegen.plan.scripts import SCRIPTS, Script, write_script
from ..executor import View
from .matrices import DeviceScript

_FILL = {"L": 0, "U": 1}
_VECTORS = {"N": 0, "V": 1}
_PLAIN = 0
_INT32_BYTES = 4


class CusolverScript(DeviceScript):
    def call(self, name: str, *arguments: int | str) -> None:
        *given, info = arguments
        _ROUTINES[name](self, name, info, *given)

    def ask(self, name: str, *arguments: int) -> Any:
        """Calls a function of cuSOLVER."""
        interface = self.driver.interface
        with interface._lock:
            library, handle = interface._library("cusolver")
            return getattr(library, self.letter + name)(handle, *arguments)

    def room_for(self, name: str, *arguments: int) -> tuple[int, int]:
        """The workspace of a function for arguments: its address and its size in elements."""
        size = int(self.ask(f"{name}_bufferSize", *arguments))
        return self.scratch(size * self.element_bytes), size


def _potrf(script: CusolverScript, name: str, info: int, triangle: str, *matrix: int) -> None:
    given = _FILL[triangle], *matrix
    script.ask(name, *given, *script.room_for(name, *given), info)


def _getrf(
    script: CusolverScript, name: str, info: int, m: int, n: int, a: int, lda: int, pivots: int
) -> None:
    room, _ = script.room_for(name, m, n, a, lda)
    script.ask(name, m, n, a, lda, room, pivots, info)


def _gesv(
    script: CusolverScript, _: str, info: int, n: int, sides: int, a: int, lda: int, pivots: int, *x: int
) -> None:
    """The second call says whether its arguments are right, in the other half of the word."""
    _getrf(script, "getrf", info, n, n, a, lda, pivots)
    script.ask("getrs", _PLAIN, n, sides, a, lda, pivots, *x, info + _INT32_BYTES)


def _geqrf(
    script: CusolverScript, name: str, info: int, m: int, n: int, a: int, lda: int, tau: int, *_: int
) -> None:
    given = m, n, a, lda
    script.ask(name, *given, tau, *script.room_for(name, *given), info)


def _orgqr(
    script: CusolverScript, name: str, info: int, m: int, n: int, k: int, a: int, lda: int, tau: int, *_: int
) -> None:
    given = m, n, k, a, lda, tau
    script.ask(name, *given, *script.room_for(name, *given), info)


def _syevd(
    script: CusolverScript, name: str, info: int, job: str, triangle: str, n: int, a: int, lda: int,
    values: int, *_: int,
) -> None:  # fmt: skip
    given = _VECTORS[job], _FILL[triangle], n, a, lda, values
    script.ask(name, *given, *script.room_for(name, *given), info)


def _gesdd(
    script: CusolverScript, _: str, info: int, job: str, m: int, n: int, a: int, lda: int, values: int,
    u: int, ldu: int, v: int, ldv: int, *_rest: int,
) -> None:  # fmt: skip
    room, size = script.room_for("gesvd", m, n)
    jobs = ord(job), ord(job)
    if job == "N":  # nothing is written, and the extents are looked at
        ldu, ldv = m, n
    script.ask("gesvd", *jobs, m, n, a, lda, values, u, ldu, v, ldv, room, size, 0, info)


_ROUTINES: dict[str, Callable[..., None]] = {
    "potrf": _potrf,
    "getrf": _getrf,
    "gesv": _gesv,
    "geqrf": _geqrf,
    "orgqr": _orgqr,
    "ungqr": _orgqr,
    "syevd": _syevd,
    "heevd": _syevd,
    "gesdd": _gesdd,
}


def _svd(script: Script, m: int, n: int, k: int, job: str, tall: Callable[..., None]) -> None:
    """A wide matrix as it lies is its transpose to the library, whose vectors are then those of the result:
    what is U there is V here as it lies, and the other way round (of complex numbers too)."""
    if m >= n:
        tall(script, m, n, k)
        return
    a, count = script.work["a"], min(m, n)
    script.move(script.operands[0], a, m, n, (n, 1), (n, 1))
    rows = m if job == "A" else count
    if job == "N":
        values, u, v = script.results[0], script.work["u"], script.work["v"]
    else:
        v, values, u = script.results
    script.routine("gesdd", job, n, m, a, n, values, u, n, v, rows)
    script.check()


_ELSEWHERE = ("eig", "eigvals", "lstsq")
"""What cuSOLVER has no routine of LAPACK's for in all versions of CUDA 12."""
_JOBS = {"svd": "S", "svd_full": "A", "svdvals": "N"}
_SCRIPTS = {
    name: partial(_svd, job=_JOBS[plain], tall=script) if plain in _JOBS else script
    for name, script in SCRIPTS.items()
    if (plain := name.removeprefix("complex_")) not in _ELSEWHERE
}
FUNCTIONS = frozenset(_SCRIPTS)


def solve_by_cusolver(
    driver: Any, step: LibraryCall, operands: Sequence[View], results: Sequence[View]
) -> None:
    with CusolverScript(driver, step, operands, results) as script:
        write_script(script, step, _SCRIPTS)
