"""Gaussian elimination with partial pivoting on stacks of small matrices: equations, inverses, pivots (G. H.
Golub, C. F. Van Loan, Matrix Computations, algorithm 3.4.1)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ....ir.expr import Expr
from ....ir.node import Node
from ....ir.ops import small_matrices as ops
from ....ir.types import I32, INDEX
from ...kernel.nodes import Value
from .stack import Local, StackKernel

if TYPE_CHECKING:
    from ..lowering import Lowering, Scope


@ops.small_solve.defines("lower")
def lower_solve(lowering: Lowering, node: Node, scope: Scope) -> None:
    kernel = StackKernel(lowering, node, scope)
    n, m = kernel.extent("n"), kernel.extent("m")
    elimination = _Elimination(kernel, n, kernel.local(), m)

    def body() -> None:
        kernel.read(kernel.operands[0], elimination.a, n, n)
        kernel.read(kernel.operands[1], elimination.x, n, m)
        elimination.eliminate()
        elimination.substitute()
        kernel.save(kernel.results[0], n, m, elimination.x.get)

    kernel.write(body, _cube(kernel))


@ops.small_inv.defines("lower")
def lower_inverse(lowering: Lowering, node: Node, scope: Scope) -> None:
    kernel = StackKernel(lowering, node, scope)
    n = kernel.extent("n")
    elimination = _Elimination(kernel, n, kernel.local(), n)

    def body() -> None:
        kernel.read(kernel.operands[0], elimination.a, n, n)
        kernel.put_unit(elimination.x, n, n)
        elimination.eliminate()
        elimination.substitute()
        kernel.save(kernel.results[0], n, n, elimination.x.get)

    kernel.write(body, _cube(kernel))


@ops.small_lu.defines("lower")
def lower_pivots(lowering: Lowering, node: Node, scope: Scope) -> None:
    kernel = StackKernel(lowering, node, scope)
    n, one = kernel.extent("n"), kernel.build.constant(1)
    elimination = _Elimination(kernel, n, kernel.local(1, 1), kernel.zero)

    def body() -> None:
        kernel.read(kernel.operands[0], elimination.a, n, n)
        elimination.eliminate()
        kernel.save(kernel.results[0], n, one, lambda i, _: elimination.a.get(i, i))
        kernel.save(kernel.results[1], one, one, lambda *_: elimination.parity.get(kernel.zero))

    kernel.write(body, _cube(kernel))


def _cube(kernel: StackKernel) -> Expr:
    n = kernel.extents["n"]
    return n * (n * n)


class _Elimination:
    """The elimination of matrices `a` of n rows to upper triangular form, with `m` columns of right-hand
    sides `x`."""

    def __init__(self, kernel: StackKernel, n: Value, x: Local, m: Value) -> None:
        self.kernel, self.build = kernel, kernel.build
        self.n, self.m = n, m
        self.a, self.x = kernel.local(), x
        self.parity = kernel.local(1, 1)
        """1 or -1 for an even or odd number of row exchanges."""
        self.inverses = kernel.local(columns=1)
        """The reciprocal of each pivot; 0 for a pivot of 0, below which all elements are 0."""
        self.factor, self.best, self.pivot = kernel.local(1, 1), kernel.local(1, 1), kernel.positions()

    def eliminate(self) -> None:
        kernel, build, zero = self.kernel, self.build, self.kernel.zero
        with kernel.each():
            self.parity.put(kernel.number(1.0), zero)
        with build.loop(zero, self.n) as (k,):
            below = kernel.after(k)
            self._find_pivot(k)
            self._exchange(self.a, k, k, self.n)
            self._exchange(self.x, k, zero, self.m)
            with kernel.each():
                self._invert(k)
            with build.loop(below, self.n) as (i,):
                with kernel.each():
                    self.factor.put(self.a.get(i, k) * self.inverses.get(k), zero)
                self._subtract(self.a, i, k, below, self.n)
                self._subtract(self.x, i, k, zero, self.m)

    def _find_pivot(self, k: Value) -> None:
        """Finds the row of the largest element of column k, from row k on."""
        kernel, build, zero, a = self.kernel, self.build, self.kernel.zero, self.a
        with kernel.each():
            self.best.put(abs(a.get(k, k)), zero)
            self.pivot.put(build.cast(k, I32), zero)
        with build.loop(kernel.after(k), self.n) as (i,), kernel.each():
            size, known = abs(a.get(i, k)), self.best.get(zero)
            larger = size > known
            self.best.put(build.select(larger, size, known), zero)
            row = build.select(larger, build.cast(i, I32), self.pivot.get(zero))
            self.pivot.put(row, zero)

    def _exchange(self, a: Local, k: Value, first: Value, last: Value) -> None:
        """Exchanges row k and the pivot's, in a range of columns."""
        kernel = self.kernel
        with self.build.loop(first, last) as (j,), kernel.each():
            other = self.build.cast(self.pivot.get(kernel.zero), INDEX)
            upper, lower = a.get(k, j), a.get(other, j)
            a.put(upper, other, j)
            a.put(lower, k, j)

    def _invert(self, k: Value) -> None:
        kernel, build, zero = self.kernel, self.build, self.kernel.zero
        value, one, nothing = self.a.get(k, k), kernel.number(1.0), kernel.number(0.0)
        missing = value.equals(nothing)
        inverse = one / build.select(missing, one, value)
        self.inverses.put(build.select(missing, nothing, inverse), k)
        same = self.pivot.get(zero).equals(build.cast(k, I32))
        known = self.parity.get(zero)
        self.parity.put(build.select(same, known, -known), zero)

    def _subtract(self, a: Local, i: Value, k: Value, first: Value, last: Value) -> None:
        """Subtracts `factor` times row k from row i."""
        kernel, build = self.kernel, self.build
        with build.loop(first, last) as (j,), kernel.each():
            product = self.factor.get(kernel.zero) * a.get(k, j)
            a.put(a.get(i, j) - product, i, j)

    def substitute(self) -> None:
        """Replaces the right-hand sides by the solutions. A matrix with a pivot of 0 has none."""
        kernel, build, zero, a, x = self.kernel, self.build, self.kernel.zero, self.a, self.x
        with build.loop(zero, self.n) as (done,):
            k = self.n - 1 - done
            with kernel.each():
                kernel.fail_where(a.get(k, k).equals(kernel.number(0.0)))
            with build.loop(zero, self.m) as (j,):
                with kernel.each():
                    x.put(x.get(k, j) * self.inverses.get(k), k, j)
                with build.loop(zero, k) as (i,), kernel.each():
                    x.put(x.get(i, j) - a.get(i, k) * x.get(k, j), i, j)
