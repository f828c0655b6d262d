"""Eigenvalues and eigenvectors of stacks of small symmetric matrices, by Jacobi's rotations.

Each rotation zeroes one off-diagonal element, cyclically by rows; after few sweeps all are zero (G. H. Golub,
C. F. Van Loan, Matrix Computations, section 8.5).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ....ir.node import Node
from ....ir.ops import small_matrices as ops
from ...kernel.nodes import Value
from .stack import Local, StackKernel

if TYPE_CHECKING:
    from ..lowering import Lowering, Scope

SWEEPS = 9
"""Convergence is quadratic at the end: of 8 x 8, in double precision, six sweeps are needed, seldom seven."""


@ops.small_eigh.defines("lower")
@ops.small_eigvalsh.defines("lower")
def lower_eigh(lowering: Lowering, node: Node, scope: Scope) -> None:
    """Computes the eigenvalues, and the vectors where they are among the results."""
    kernel = StackKernel(lowering, node, scope)
    build, zero, n = kernel.build, kernel.zero, kernel.extent("n")
    a, cosine, sine = kernel.local(), kernel.local(1, 1), kernel.local(1, 1)
    swaps = kernel.local(1, 1)
    v = kernel.local() if len(kernel.results) > 1 else None

    def body() -> None:
        kernel.read(kernel.operands[0], a, n, n, "lower")
        if v is not None:
            kernel.put_unit(v, n, n)
        with build.loop(zero, SWEEPS), build.loop(zero, n) as (p,), build.loop(kernel.after(p), n) as (q,):
            _angle(kernel, a, cosine, sine, p, q)
            with build.loop(zero, n) as (k,), kernel.each():
                _rotate(kernel, a, cosine, sine, (k, p), (k, q))
            with build.loop(zero, n) as (k,):
                with kernel.each():
                    _rotate(kernel, a, cosine, sine, (p, k), (q, k))
                if v is not None:
                    with kernel.each():
                        _rotate(kernel, v, cosine, sine, (k, p), (k, q))
        _ascending(kernel, a, v, swaps, n)
        with build.loop(zero, n) as (i,), kernel.each():
            kernel.fail_where(a.get(i, i).differs(a.get(i, i)))
        kernel.save(kernel.results[0], n, build.constant(1), lambda i, _: a.get(i, i))
        if v is not None:
            kernel.save(kernel.results[1], n, n, v.get)

    size = kernel.extents["n"]
    kernel.write(body, size * (size * size) * (3 * SWEEPS))


def _angle(kernel: StackKernel, a: Local, cosine: Local, sine: Local, p: Value, q: Value) -> None:
    """Computes the angle of the rotation that zeroes element (p, q); none where it is zero already."""
    build, zero, one = kernel.build, kernel.zero, kernel.number(1.0)
    with kernel.each():
        off_diagonal = a.get(p, q)
        done = off_diagonal.equals(kernel.number(0.0))
        twice = off_diagonal + off_diagonal
        tau = (a.get(q, q) - a.get(p, p)) / build.select(done, one, twice)
        size = abs(tau)
        root = build.emit("sqrt", (tau * tau + one,))
        tangent = build.emit("copysign", (one, tau)) / (size + root)
        tangent = build.select(done, kernel.number(0.0), tangent)
        inverse = build.emit("sqrt", (tangent * tangent + one,))
        value = one / inverse
        cosine.put(value, zero)
        sine.put(value * tangent, zero)


def _rotate(
    kernel: StackKernel,
    a: Local,
    cosine: Local,
    sine: Local,
    first: tuple[Value, Value],
    second: tuple[Value, Value],
) -> None:
    """Rotates two elements, in a loop over the matrices."""
    zero = kernel.zero
    c, s, x, y = cosine.get(zero), sine.get(zero), a.get(*first), a.get(*second)
    a.put(c * x - s * y, *first)
    a.put(s * x + c * y, *second)


def _ascending(kernel: StackKernel, a: Local, v: Local | None, swaps: Local, n: Value) -> None:
    """Sorts the diagonal in ascending order, and the columns of `v` with it."""
    build, zero = kernel.build, kernel.zero
    with build.loop(zero, n) as (i,), build.loop(kernel.after(i), n) as (j,):
        with kernel.each():
            first, second = a.get(i, i), a.get(j, j)
            swapped = second < first
            a.put(build.select(swapped, second, first), i, i)
            a.put(build.select(swapped, first, second), j, j)
            swaps.put(build.select(swapped, kernel.number(1.0), kernel.number(0.0)), zero)
        if v is not None:
            with build.loop(zero, n) as (k,), kernel.each():
                swapped = swaps.get(zero) > kernel.number(0.0)
                first, second = v.get(k, i), v.get(k, j)
                v.put(build.select(swapped, second, first), k, i)
                v.put(build.select(swapped, first, second), k, j)
