"""Singular values and vectors of stacks of small matrices, by Jacobi's rotations of their columns.

Each rotation makes two columns orthogonal, the longer one first (M. Hestenes, Inversion of matrices by
biorthogonalization and related results, 1958; P. de Rijk, A one-sided Jacobi algorithm for computing the
singular value decomposition on a vector computer, 1989). Of columns that are orthogonal all lengths are
singular values. Householder's reflections then make the left vectors of them, which are orthogonal however
short a column is.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ....ir.node import Node
from ....ir.ops import small_matrices as ops
from ....ir.types import F32
from ...kernel.nodes import Value
from .factors import Reflections
from .stack import Local, StackKernel

if TYPE_CHECKING:
    from ..lowering import Lowering, Scope

SWEEPS = 8
"""Convergence is quadratic at the end: of 8 x 8, in double precision, six sweeps are needed, seldom seven."""


@ops.small_svd.defines("lower")
@ops.small_svd_full.defines("lower")
@ops.small_svdvals.defines("lower")
def lower_svd(lowering: Lowering, node: Node, scope: Scope) -> None:
    """Computes left vectors, values in descending order and right vectors, or the values alone, of matrices
    with at least as many rows as columns."""
    kernel = StackKernel(lowering, node, scope)
    build, zero = kernel.build, kernel.zero
    m, n = kernel.extent("m"), kernel.extent("n")
    vectors = len(kernel.results) > 1
    a, sizes = kernel.local(), _Sizes(kernel)
    v = kernel.local() if vectors else None
    signs, values = kernel.local(1), kernel.local(1)
    reflections = Reflections(kernel, a, m)

    def body() -> None:
        kernel.read(kernel.operands[0], a, m, n)
        sizes.scale(a, m, n)
        if v is not None:
            kernel.put_unit(v, n, n)
        with build.loop(zero, SWEEPS), build.loop(zero, n) as (p,), build.loop(kernel.after(p), n) as (q,):
            sizes.angle(a, m, p, q)
            for local, rows in ((a, m),) if v is None else ((a, m), (v, n)):
                with kernel.each(), build.loop(zero, rows) as (i,):
                    sizes.rotate(local, i, p, q)
        with build.loop(zero, n) as (column,):
            reflections.make(column)
            reflections.apply(a, column, kernel.after(column), n)
        _settle(kernel, a, sizes, signs, values, n)
        kernel.save(kernel.results[vectors], n, build.constant(1), lambda i, _: values.get(zero, i))
        if v is None:
            return
        columns = kernel.extent(node.op.library.results[0][-1])
        kernel.save(kernel.results[2], n, n, lambda i, j: v.get(j, i))
        u = kernel.local()
        kernel.put_unit(u, m, columns)
        with build.loop(zero, n) as (done,):  # the last one first
            reflections.apply(u, n - 1 - done, zero, columns)
        kernel.save(kernel.results[0], m, columns, lambda i, j: u.get(i, j) * signs.get(zero, j))

    extents = kernel.extents
    kernel.write(body, extents["n"] * (extents["n"] * extents["m"]) * (4 * SWEEPS))


class _Sizes:
    """The inputs of a rotation of two columns, and the scale of a matrix."""

    def __init__(self, kernel: StackKernel) -> None:
        self.kernel = kernel
        self.first, self.second, self.both = (kernel.local(1, 1) for _ in range(3))
        self.cosine, self.sine, self.unit = (kernel.local(1, 1) for _ in range(3))

    def scale(self, a: Local, m: Value, n: Value) -> None:
        """Divides matrices whose squares would overflow by their largest element."""
        kernel, build, zero = self.kernel, self.kernel.build, self.kernel.zero
        large = 1e15 if kernel.dtype is F32 else 1e140
        nothing, one, unit = kernel.number(0.0), kernel.number(1.0), self.unit
        with kernel.each():
            unit.put(nothing, zero)
        with build.loop(zero, m) as (i,), build.loop(zero, n) as (j,), kernel.each():
            element = a.get(i, j)
            kernel.fail_where(element.differs(element))
            unit.put(build.maximum(unit.get(zero), abs(element)), zero)
        with kernel.each():
            most = unit.get(zero)
            kernel.fail_where(most.equals(kernel.number(float("inf"))))
            leaves = (most > kernel.number(large)) | (most < kernel.number(1 / large))
            unit.put(build.select(leaves & most.differs(nothing), most, one), zero)
        with build.loop(zero, m) as (i,), build.loop(zero, n) as (j,), kernel.each():
            a.put(a.get(i, j) / unit.get(zero), i, j)

    def angle(self, a: Local, m: Value, p: Value, q: Value) -> None:
        """Computes the angle of the rotation that makes columns p and q orthogonal; a quarter turn more where
        q is longer."""
        kernel, build, zero = self.kernel, self.kernel.build, self.kernel.zero
        nothing, one = kernel.number(0.0), kernel.number(1.0)
        with kernel.each():

            def step(i: Value, *sums: Value) -> list[Value]:
                x, y = a.get(i, p), a.get(i, q)
                return [have + term for have, term in zip(sums, (x * x, y * y, x * y), strict=True)]

            first, second, both = build.carry(zero, m, [nothing] * 3, step)
            done = both.equals(nothing)
            tau = (second - first) / build.select(done, one, both + both)
            root = build.emit("sqrt", (tau * tau + one,))
            tangent = build.emit("copysign", (one, tau)) / (abs(tau) + root)
            tangent = build.select(done, nothing, tangent)
            cosine = one / build.emit("sqrt", (tangent * tangent + one,))
            sine = cosine * tangent
            longer = second > first
            self.cosine.put(build.select(longer, sine, cosine), zero)
            self.sine.put(build.select(longer, -cosine, sine), zero)

    def rotate(self, a: Local, i: Value, p: Value, q: Value) -> None:
        """Rotates two elements of a row, in a loop over the matrices."""
        zero = self.kernel.zero
        c, s, x, y = self.cosine.get(zero), self.sine.get(zero), a.get(i, p), a.get(i, q)
        a.put(c * x - s * y, i, p)
        a.put(s * x + c * y, i, q)


def _settle(kernel: StackKernel, a: Local, sizes: _Sizes, signs: Local, values: Local, n: Value) -> None:
    """Computes singular values in descending order from the diagonal after the reflections, and the signs of
    their left vectors."""
    build, zero = kernel.build, kernel.zero
    nothing, one = kernel.number(0.0), kernel.number(1.0)
    with build.loop(zero, ops.MOST) as (j,), kernel.each():
        signs.put(one, zero, j)
    with kernel.each():
        sizes.first.put(abs(a.get(zero, zero)), zero)
    with build.loop(zero, n) as (j,), kernel.each():
        on_diagonal = a.get(j, j)
        size = build.minimum(abs(on_diagonal), sizes.first.get(zero))
        sizes.first.put(size, zero)
        kernel.fail_where(size.differs(size))
        values.put(size * sizes.unit.get(zero), zero, j)
        signs.put(build.select(on_diagonal < nothing, -one, one), zero, j)
