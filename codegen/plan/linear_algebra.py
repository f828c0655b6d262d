"""Linear algebra functions that plans may call: LAPACK's, as NumPy calls them, on stacks of matrices.

Operands and results are contiguous, with the core axes of the op's signature; a call's sizes are its letters.
"""

from __future__ import annotations

from collections.abc import Callable
from math import prod
from typing import Any

from ...ir import ops
from ...ir.expr import ONE, Expr, lift, maximum, minimum
from ...ir.node import Op
from ...ir.ops.complex_linear_algebra import TWINS
from ...ir.ops.linear_algebra import Signature
from ...ir.types import F32, F64
from .library_function import LibraryFunction, Workspace
from .nodes import BufferRef, LibraryCall


def _shapes(cores: Signature) -> Callable[[tuple[Any, ...]], tuple[tuple[Any, ...], ...]]:
    """Returns the core shape of each operand and then result of one call, from the letters' sizes."""

    def shapes(sizes: tuple[Any, ...]) -> tuple[tuple[Any, ...], ...]:
        extents = dict(zip(cores.letters, sizes, strict=True))
        return tuple(tuple(extents[letter] for letter in core) for core in (*cores.operands, *cores.results))

    return shapes


def _elements(cores: Signature) -> Callable[[tuple[Any, ...]], tuple[Any, ...]]:
    """Returns the elements of each operand and then result of one call."""
    shapes = _shapes(cores)
    return lambda sizes: tuple(prod(shape) for shape in shapes(sizes))


def _formula(op: Op) -> Callable[[LibraryCall, Callable[[BufferRef], str]], str]:
    def formula(call: LibraryCall, place: Callable[[BufferRef], str]) -> str:
        results, operands = (", ".join(map(place, refs)) for refs in (call.results, call.operands))
        return f"{results} = {op.name}({operands})"

    return formula


def declared(
    op: Op,
    flops: Callable[..., Any],
    workspace: Callable[..., Workspace],
    library: str = "LAPACK",
    calls: Signature | None = None,
) -> LibraryFunction:
    """`flops` and `workspace` take the sizes, one argument for each letter; the workspace has one more word
    for LAPACK's status. `calls`: the cores of a call with other operands than the op."""
    cores = calls or op.library
    return LibraryFunction(
        op.name,
        library=library,
        title=f"a {op.title or op.name}",
        operands=tuple(f"operand {number}" for number in range(len(cores.operands))),
        results=tuple(f"result {number}" for number in range(len(cores.results))),
        options=(),
        sizes=tuple(cores.letters),
        dtypes=(F32, F64),
        formula=_formula(op),
        shape=lambda sizes: " x ".join(map(str, sizes)),
        flops=lambda sizes: flops(*sizes),
        elements=_elements(cores),
        workspace=lambda sizes: {"info": ONE, **workspace(*sizes)},
        shapes=_shapes(cores),
        reference=cores.reference,
        on_host=True,
    )


BLOCK = 64
"""The largest block size of LAPACK: workspaces have room for it."""


REALS = "reals"
"""The section of a workspace for the real numbers of complex routines."""


def _complex(
    letters: str, workspace: Callable[..., Workspace], reals: Callable[..., Expr] | None = None
) -> Callable[..., Workspace]:
    """Returns the workspace of complex numbers, whose letters are those of reals and `c`: twice as large, and
    room for reals besides."""

    def made(*sizes: Any) -> Workspace:
        plain = [size for letter, size in zip(letters, sizes, strict=True) if letter != "c"]
        found = {name: words * 2 for name, words in workspace(*plain).items()}
        return found if reals is None else {**found, REALS: lift(reals(*plain))}

    return made


def _qr_workspace(m: Any, n: Any, columns: Any) -> Workspace:
    return {"a": m * maximum(columns, n), "tau": minimum(m, n), "work": BLOCK * maximum(columns, n)}


def _eigh_workspace(n: Any, vectors: bool) -> Workspace:
    least = 1 + 6 * n + 2 * n * n if vectors else 1 + 2 * n
    integers = 3 + 5 * n if vectors else ONE
    return {"a": n * n, "work": maximum(least, (2 + BLOCK) * n), "integers": integers}


def _eig_workspace(n: Any, vectors: bool) -> Workspace:
    return {"a": n * n, "vectors": n * n if vectors else ONE, "work": (4 + 3 * BLOCK) * n + EIG_ROOM}


EIG_ROOM = 4096
"""The part of the workspace that does not grow with the matrix."""


def _svd_workspace(m: Any, n: Any, columns: Any, rows: Any) -> Workspace:
    k = minimum(m, n)
    return {
        "a": m * n,
        "u": m * columns,
        "v": rows * n,
        "work": 5 * k * k + 10 * k + BLOCK * (m + n) + 1,
        "integers": 8 * k,
    }


def _lstsq_workspace(m: Any, n: Any, p: Any, k: Any) -> Workspace:
    """Includes the depth of the tree of a divide and conquer algorithm, 40 at most."""
    return {
        "a": m * n,
        "b": maximum(m, n) * p,
        "work": k * (12 + 2 * 25 + 8 * 40 + k + p) + BLOCK * (m + n + p) + (25 + 1) * (25 + 1) + k * p,
        "integers": k * (3 * 40 + 11),
        "rank": ONE,
    }


def _work(factor: int) -> Callable[..., Any]:
    """About `factor` m n k operations, of a matrix of m rows and n columns."""

    def flops(m: Any, n: Any = None, *_: Any) -> Any:
        return factor * m * (m * m if n is None else n * minimum(m, n)) // 3

    return flops


REAL = (
    declared(
        ops.solve,
        lambda n, m: n * n * n * 2 // 3 + n * n * m * 2,
        lambda n, m: {"a": n * n, "x": n * m, "pivots": n},
    ),
    declared(ops.lu, _work(2), lambda n: {"a": n * n, "pivots": n}),
    declared(ops.cholesky, _work(1), lambda n: {"a": n * n}),
    declared(ops.qr, _work(8), lambda m, n, k: _qr_workspace(m, n, k)),
    declared(ops.qr_complete, _work(12), lambda m, n: _qr_workspace(m, n, m)),
    declared(ops.qr_r, _work(4), lambda m, n, k: _qr_workspace(m, n, k)),
    declared(ops.qr_raw, _work(4), lambda m, n, k: _qr_workspace(m, n, k)),
    declared(ops.eigh, _work(27), lambda n: _eigh_workspace(n, True)),
    declared(ops.eigh_upper, _work(27), lambda n: _eigh_workspace(n, True)),
    declared(ops.eigvalsh, _work(12), lambda n: _eigh_workspace(n, False)),
    declared(ops.eig, _work(75), lambda n: _eig_workspace(n, True)),
    declared(ops.eigvals, _work(30), lambda n: _eig_workspace(n, False)),
    declared(ops.svd, _work(60), lambda m, n, k: _svd_workspace(m, n, k, k)),
    declared(ops.svd_full, _work(66), lambda m, n, k: _svd_workspace(m, n, m, n)),
    declared(ops.svdvals, _work(20), lambda m, n, k: _svd_workspace(m, n, ONE, ONE)),
    declared(ops.lstsq, _work(30), _lstsq_workspace),
)


def _gesdd_reals(m: Any, n: Any, *_: Any) -> Any:
    least, most = minimum(m, n), maximum(m, n)
    return least * (7 + 7 * least + 2 * most) + 1


def _gelsd_reals(m: Any, n: Any, p: Any, _: Any) -> Any:
    """With the depth of the tree as in `_lstsq_workspace`."""
    k = maximum(m, n)
    return k * (10 + 2 * 25 + 8 * 40 + 1 + p) + 3 * 25 * p + (25 + 1) * (25 + 1) + 2 * p


_REALS: dict[str, Callable[..., Any]] = {
    "eigh": lambda n: 1 + 5 * n + 2 * n * n,
    "eigh_upper": lambda n: 1 + 5 * n + 2 * n * n,
    "eigvalsh": lambda n: 1 + n,
    "eig": lambda n: 1 + 2 * n,
    "eigvals": lambda n: 1 + 2 * n,
    "svd": _gesdd_reals,
    "svd_full": _gesdd_reals,
    "svdvals": _gesdd_reals,
    "lstsq": _gelsd_reals,
}


def _of_complex(function: LibraryFunction) -> LibraryFunction:
    """Returns the function for complex matrices, with about four times the operations."""
    op = TWINS[ops.OPS[function.name]]
    letters = op.library.letters
    plain = [place for place, letter in enumerate(letters) if letter != "c"]

    def workspace(*sizes: Any) -> Workspace:
        assert function.workspace is not None, function
        words = dict(function.workspace(sizes))
        del words["info"]
        return words

    return declared(
        op,
        lambda *sizes: 4 * function.flops(tuple([sizes[place] for place in plain])),
        _complex(letters, workspace, _REALS.get(function.name)),
    )


LINEAR_ALGEBRA = (*REAL, *map(_of_complex, REAL))
