"""Cholesky and QR factors of stacks of small matrices."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ....ir.node import Node
from ....ir.ops import small_matrices as ops
from ...kernel.nodes import Value
from .stack import Local, StackKernel

if TYPE_CHECKING:
    from ..lowering import Lowering, Scope


@ops.small_cholesky.defines("lower")
def lower_cholesky(lowering: Lowering, node: Node, scope: Scope) -> None:
    """Cholesky factors column by column, each subtracted from those after it (G. H. Golub, C. F. Van Loan,
    Matrix Computations, section 4.2.5). A matrix with a nonpositive square has no factor; NaN is kept."""
    kernel = StackKernel(lowering, node, scope)
    build, zero, n = kernel.build, kernel.zero, kernel.extent("n")
    a = kernel.local()

    def body() -> None:
        kernel.read(kernel.operands[0], a, n, n, "lower")
        with build.loop(zero, n) as (k,):
            below = kernel.after(k)
            with kernel.each():
                square = a.get(k, k)
                kernel.fail_where(square <= kernel.number(0.0))
                a.put(build.emit("sqrt", (square,)), k, k)
            with build.loop(below, n) as (i,), kernel.each():
                a.put(a.get(i, k) / a.get(k, k), i, k)
            with build.loop(below, n) as (i,), build.loop(below, kernel.after(i)) as (j,), kernel.each():
                a.put(a.get(i, j) - a.get(i, k) * a.get(j, k), i, j)

        def lower(i: Value, j: Value) -> Value:
            return build.select(j <= i, a.get(i, j), kernel.number(0.0))

        kernel.save(kernel.results[0], n, n, lower)

    kernel.write(body, kernel.extents["n"] * (kernel.extents["n"] * kernel.extents["n"]))


@ops.small_qr.defines("lower")
@ops.small_qr_r.defines("lower")
def lower_qr(lowering: Lowering, node: Node, scope: Scope) -> None:
    """R, and Q where it is among the results, by Householder's reflections I - tau v v', whose v begins with
    1, like LAPACK's geqr2 (G. H. Golub, C. F. Van Loan, Matrix Computations, section 5.1)."""
    kernel = StackKernel(lowering, node, scope)
    build, zero = kernel.build, kernel.zero
    m, n, k = (kernel.extent(letter) for letter in "mnk")
    a = kernel.local()
    reflections = Reflections(kernel, a, m)
    q = kernel.local() if len(kernel.results) > 1 else None

    def body() -> None:
        kernel.read(kernel.operands[0], a, m, n)
        with build.loop(zero, k) as (column,):
            reflections.make(column)
            reflections.apply(a, column, kernel.after(column), n)

        def upper(i: Value, j: Value) -> Value:
            return build.select(i <= j, a.get(i, j), kernel.number(0.0))

        kernel.save(kernel.results[-1], k, n, upper)
        if q is None:
            return
        kernel.put_unit(q, m, k)
        with build.loop(zero, k) as (done,):  # the last one first
            column = k - 1 - done
            reflections.apply(q, column, zero, k)
        kernel.save(kernel.results[0], m, k, q.get)

    sizes = kernel.extents
    kernel.write(body, sizes["m"] * sizes["n"] * (sizes["k"] * 4))


class Reflections:
    """Householder's reflections I - tau v v' of the columns of matrices `a` of m rows: v begins with 1, and
    its other elements lie below the diagonal."""

    def __init__(self, kernel: StackKernel, a: Local, m: Value) -> None:
        self.kernel, self.build = kernel, kernel.build
        self.a, self.m = a, m
        self.taus = kernel.local(columns=1)
        self.total, self.largest = kernel.local(1, 1), kernel.local(1, 1)

    def make(self, k: Value) -> None:
        """Makes the reflection of column k, which zeroes the elements below its diagonal."""
        kernel, build, zero, a = self.kernel, self.build, self.kernel.zero, self.a
        total, largest, below = self.total, self.largest, self.kernel.after(k)
        nothing, one = kernel.number(0.0), kernel.number(1.0)
        with kernel.each():
            largest.put(nothing, zero)
            total.put(nothing, zero)
        with build.loop(k, self.m) as (i,), kernel.each():
            size = abs(a.get(i, k))
            largest.put(build.maximum(largest.get(zero), size), zero)
        with kernel.each():  # so that no square leaves the range of floats
            empty = largest.get(zero).equals(nothing)
            largest.put(build.select(empty, one, largest.get(zero)), zero)
        with build.loop(below, self.m) as (i,), kernel.each():
            part = a.get(i, k) / largest.get(zero)
            total.put(total.get(zero) + part * part, zero)
        with kernel.each():
            head, rest = a.get(k, k), total.get(zero)
            share = head / largest.get(zero)
            length = build.emit("sqrt", (share * share + rest,))
            length = length * largest.get(zero)
            beta = -build.emit("copysign", (length, head))
            done = rest.equals(nothing)
            tau = (beta - head) / build.select(done, one, beta)
            self.taus.put(build.select(done, nothing, tau), k)
            total.put(build.select(done, one, head - beta), zero)
            a.put(build.select(done, head, beta), k, k)
        with build.loop(below, self.m) as (i,), kernel.each():
            a.put(a.get(i, k) / total.get(zero), i, k)

    def apply(self, target: Local, k: Value, first: Value, last: Value) -> None:
        """Applies the reflection of column k to a range of columns of other matrices."""
        kernel, build, zero, total = self.kernel, self.build, self.kernel.zero, self.total
        below = kernel.after(k)
        with build.loop(first, last) as (j,):
            with kernel.each():
                total.put(target.get(k, j), zero)
            with build.loop(below, self.m) as (i,), kernel.each():
                total.put(total.get(zero) + self.a.get(i, k) * target.get(i, j), zero)
            with kernel.each():
                share = self.taus.get(k) * total.get(zero)
                total.put(share, zero)
                target.put(target.get(k, j) - share, k, j)
            with build.loop(below, self.m) as (i,), kernel.each():
                product = total.get(zero) * self.a.get(i, k)
                target.put(target.get(i, j) - product, i, j)
