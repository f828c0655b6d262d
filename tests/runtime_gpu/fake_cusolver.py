"""A stand-in for CuPy's binding of cuSOLVER: arguments are looked at as the library's rules say, and the work
is LAPACK's, on memory of the stand-in for CuPy, when the stream comes to it."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import Any

import numpy as np
from scipy.linalg import lapack

SIGNATURES = {
    "potrf_bufferSize": "int uplo, int n, size_t A, int lda",
    "potrf": "int uplo, int n, size_t A, int lda, size_t work, int lwork, size_t devInfo",
    "getrf_bufferSize": "int m, int n, size_t A, int lda",
    "getrf": "int m, int n, size_t A, int lda, size_t work, size_t devIpiv, size_t devInfo",
    "getrs": "int trans, int n, int nrhs, size_t A, int lda, size_t devIpiv, size_t B, int ldb, "
    "size_t devInfo",
    "geqrf_bufferSize": "int m, int n, size_t A, int lda",
    "geqrf": "int m, int n, size_t A, int lda, size_t tau, size_t work, int lwork, size_t devInfo",
    "orgqr_bufferSize": "int m, int n, int k, size_t A, int lda, size_t tau",
    "orgqr": "int m, int n, int k, size_t A, int lda, size_t tau, size_t work, int lwork, size_t devInfo",
    "syevd_bufferSize": "int jobz, int uplo, int n, size_t A, int lda, size_t W",
    "syevd": "int jobz, int uplo, int n, size_t A, int lda, size_t W, size_t work, int lwork, size_t info",
    "gesvd_bufferSize": "int m, int n",
    "gesvd": "char jobu, char jobvt, int m, int n, size_t A, int lda, size_t S, size_t U, int ldu, "
    "size_t VT, int ldvt, size_t Work, int lwork, size_t rwork, size_t devInfo",
}
"""What follows the handle, as CuPy 14 tells it; `orgqr` and `syevd` of complex numbers are `ungqr` and
`heevd`."""
_RANGES = {"int": (-(1 << 31), 1 << 31), "char": (0, 128), "size_t": (0, 1 << 64)}
_COMPLEX_NAMES = {"orgqr": "ungqr", "syevd": "heevd"}
_DTYPES = {"s": np.float32, "d": np.float64, "c": np.complex64, "z": np.complex128}
WORK = 7
"""Elements of workspace for each row: more than LAPACK wants, and none may be forgotten."""


class CUSOLVERError(RuntimeError):
    pass


class _Call:
    """One call of a function, on memory of the GPUs."""

    def __init__(self, gpus: Any, dtype: type, given: dict[str, int]) -> None:
        self.gpus, self.dtype, self.given = gpus, np.dtype(dtype), given

    def __getattr__(self, name: str) -> int:
        return self.given[name]

    def matrix(self, name: str, rows: int, columns: int, leading: str) -> np.ndarray:
        lead, step = self.given[leading], self.dtype.itemsize
        assert lead >= max(rows, 1), f"{leading}={lead} of {rows} rows"
        memory = self.gpus.bytes_at(self.given[name])
        return np.ndarray((rows, columns), self.dtype, memory, 0, (step, lead * step))

    def vector(self, name: str, count: int, dtype: Any = None) -> np.ndarray:
        memory = self.gpus.bytes_at(self.given[name])
        return np.ndarray((count,), self.dtype if dtype is None else dtype, memory)

    def workspace(self, name: str, rows: int) -> None:
        """There is as much as was asked for, and it is the call's own."""
        if "lwork" in self.given:
            assert self.lwork >= WORK * rows
        self.vector(name, WORK * rows)[:] = np.nan

    def say(self, info: int, name: str = "devInfo") -> None:
        self.vector(name, 1, np.int32)[0] = info


def _routine(call: _Call, name: str) -> Any:
    letter = {np.float32: "s", np.float64: "d", np.complex64: "c", np.complex128: "z"}[call.dtype.type]
    return getattr(lapack, letter + name)


def _potrf(call: _Call) -> None:
    assert call.uplo in (0, 1)
    a = call.matrix("A", call.n, call.n, "lda")
    call.workspace("work", call.n)
    made, info = _routine(call, "potrf")(np.array(a), lower=call.uplo == 0, clean=0)
    a[...] = made
    call.say(info)


def _getrf(call: _Call) -> None:
    a = call.matrix("A", call.m, call.n, "lda")
    call.workspace("work", call.m)
    made, pivots, info = _routine(call, "getrf")(np.array(a))
    a[...] = made
    call.vector("devIpiv", len(pivots), np.int32)[:] = pivots + 1
    call.say(info)


def _getrs(call: _Call) -> None:
    assert call.trans == 0
    a, b = call.matrix("A", call.n, call.n, "lda"), call.matrix("B", call.n, call.nrhs, "ldb")
    pivots = call.vector("devIpiv", call.n, np.int32)
    with np.errstate(all="ignore"):
        made, info = _routine(call, "getrs")(np.array(a), pivots - 1, np.array(b))
    b[...] = made
    call.say(info)


def _geqrf(call: _Call) -> None:
    a = call.matrix("A", call.m, call.n, "lda")
    call.workspace("work", max(call.m, call.n))
    made, tau, _, info = _routine(call, "geqrf")(np.array(a))
    a[...] = made
    call.vector("tau", min(call.m, call.n))[:] = tau
    call.say(info)


def _orgqr(call: _Call) -> None:
    assert call.m >= call.n >= call.k
    a = call.matrix("A", call.m, call.n, "lda")
    call.workspace("work", call.m)
    name = "ungqr" if call.dtype.kind == "c" else "orgqr"
    made, _, info = _routine(call, name)(np.array(a), np.array(call.vector("tau", call.k)))
    a[...] = made
    call.say(info)


def _syevd(call: _Call) -> None:
    assert call.jobz in (0, 1) and call.uplo in (0, 1)
    a = call.matrix("A", call.n, call.n, "lda")
    call.workspace("work", call.n)
    name = "heevd" if call.dtype.kind == "c" else "syevd"
    values, vectors, info = _routine(call, name)(np.array(a), compute_v=call.jobz, lower=call.uplo == 0)
    a[...] = vectors if call.jobz else np.nan
    call.vector("W", call.n, values.dtype)[:] = values
    call.say(info, "info")


def _gesvd(call: _Call) -> None:
    job = chr(call.jobu)
    assert call.jobu == call.jobvt and job in "ASN" and call.m >= call.n and call.rwork == 0
    a = call.matrix("A", call.m, call.n, "lda")
    call.workspace("Work", call.m)
    u, values, v, info = _routine(call, "gesvd")(np.array(a), compute_uv=job != "N", full_matrices=job == "A")
    a[...] = np.nan
    call.vector("S", call.n, values.dtype)[:] = values
    assert call.ldvt >= call.n
    if job != "N":
        call.matrix("U", *u.shape, "ldu")[...] = u
        call.matrix("VT", *v.shape, "ldvt")[...] = v
    call.say(info)


_WORK: dict[str, Callable[[_Call], None]] = {
    "potrf": _potrf, "getrf": _getrf, "getrs": _getrs, "geqrf": _geqrf, "orgqr": _orgqr, "syevd": _syevd,
    "gesvd": _gesvd,
}  # fmt: skip


def checked(name: str, signature: str, given: tuple[int, ...]) -> dict[str, int]:
    """The arguments by name, each within the range of its C type."""
    declared = [each.split() for each in signature.split(", ")]
    assert len(given) == len(declared), f"{name} takes {len(declared)} arguments and the handle"
    for (kind, argument), value in zip(declared, given, strict=True):
        low, high = _RANGES[kind]
        assert type(value) is int and low <= value < high, f"{name}: {argument}={value!r}"
    return {argument: value for (_, argument), value in zip(declared, given, strict=True)}


def module(gpus: Any, streams: dict[int, Any]) -> ModuleType:
    """The binding; `calls` are the names of what was called."""
    made = ModuleType("fake")
    bound: dict[int, Any] = {}
    calls: list[str] = []

    def create() -> int:
        handle = 1000 + len(bound)
        bound[handle] = None
        return handle

    def function(name: str, letter: str, spelled: str) -> Callable[..., int | None]:
        signature, dtype = SIGNATURES[name], _DTYPES[letter]

        def called(handle: int, *given: int) -> int | None:
            stream = bound[handle]
            assert stream is not None, "the handle has a stream"
            arguments = checked(name, signature, given)
            if name.endswith("_bufferSize"):
                return WORK * max(arguments.get("m", 0), arguments["n"])
            calls.append(spelled)
            for argument, value in arguments.items():
                if argument in ("A", "B", "devInfo", "info", "devIpiv", "tau", "S", "U", "VT", "W"):
                    gpus.bytes_at(value)
            assert not gpus.capturing, "cuSOLVER waits for the GPU, which a capture cannot have"
            stream.add(lambda: _WORK[name](_Call(gpus, dtype, arguments)))
            return None

        return called

    names = {"CUSOLVERError": CUSOLVERError, "create": create, "calls": calls}
    names["setStream"] = lambda handle, stream: bound.__setitem__(handle, streams[stream])
    for name in SIGNATURES:
        plain, rest = name.partition("_")[0], "".join(name.partition("_")[1:])
        for letter in _DTYPES:
            spelled = letter + (_COMPLEX_NAMES.get(plain, plain) if letter in "cz" else plain) + rest
            names[spelled] = function(name, letter, spelled)
    made.__dict__.update(names)
    return made
