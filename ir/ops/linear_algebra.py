"""Linear algebra: library functions on stacks of matrices, and values that a run checks.

A library op's operands and results are arrays whose last axes are a matrix, a vector or nothing, as its
`Signature` says. The leading axes are a stack, the same one for all of them. Its results are read through
`item`.

`extents`: those of the letters that stand in results alone, in the signature's order. `site` tells a node
from others of its program, so that an error finds it (see `symbolize.sites`); it is 0 until sizes are taken
out.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy

from ..node import Attributes, Given, Inferred, Node, Op, Shape
from ..record import record
from ..structure import Axes, Ranks, Structural
from ..symbolize import Symbols
from ..types import BOOL

Array = Any
PARTS = "c"
"""The letter of an axis with the two parts of complex numbers."""


class Signature(metaclass=record):
    """A library function, and the core axes of its operands and results, a letter for each."""

    function: str
    reference: Callable[..., Any]
    """The reference by NumPy, for one call or a stack: returns an array or a tuple of arrays."""
    operands: tuple[str, ...]
    results: tuple[str, ...]
    letters: str
    """Every letter once, those of the operands first."""
    fresh: str
    """The letters of results alone."""

    def bound(
        self, shapes: Sequence[Sequence[Any]], fresh: Sequence[Any]
    ) -> tuple[tuple[Any, ...], dict[str, Any]]:
        """Returns the axes of the stack, and the extent of each letter."""
        found: dict[str, Any] = {}
        for core, shape in zip(self.operands, shapes, strict=True):
            found.update(zip(core, shape[len(shape) - len(core) :], strict=True))
        found.update(zip(self.fresh, fresh, strict=True))
        return tuple(shapes[0][: len(shapes[0]) - len(self.operands[0])]), found


def signature(function: str, reference: Callable[..., Any], text: str) -> Signature:
    """Parses a signature in the notation of NumPy's generalized ufuncs: `(n,n),(n,m)->(n,m)`."""
    operands, results = (
        tuple(core.replace(",", "") for core in re.findall(r"\(([a-z,]*)\)", side))
        for side in text.split("->")
    )
    given = dict.fromkeys("".join(operands))
    letters = "".join({**given, **dict.fromkeys("".join(results))})
    return Signature(function, reference, operands, results, letters, letters[len(given) :])


def _signature(node: Node) -> Signature:
    found = node.op.library
    assert isinstance(found, Signature), node
    return found


def _infer(inputs: tuple[Node, ...], attributes: Attributes) -> Inferred:
    extents, _site = attributes
    assert isinstance(extents, tuple) and inputs, attributes
    assert all(node.dtype is inputs[0].dtype and node.dtype.is_float for node in inputs), inputs
    return (), BOOL


def _results(node: Node) -> list[Inferred]:
    cores, dtype = _signature(node), node.inputs[0].dtype
    stack, extents = cores.bound([each.shape for each in node.inputs], node.attribute("extents"))
    extents[PARTS] = 2
    return [((*stack, *[extents[letter] for letter in core]), dtype) for core in cores.results]


def _structure(axes: Axes, node: Node, sources: Ranks) -> Structural:
    cores = _signature(node)
    fresh = [axes.number(extent) for extent in node.attribute("extents")]
    stack, bound = cores.bound(sources, fresh)
    for core, source in zip(cores.operands, sources, strict=True):
        axes.unify((*stack, *[bound[letter] for letter in core]), source)
    axes.results[node] = [(*stack, *[bound[letter] for letter in core]) for core in cores.results]
    return (), ()


def _sized(node: Node, _shape: Shape, symbols: Symbols) -> Attributes:
    return tuple(symbols.node_sizes), symbols.site()


def _value(inputs: list[Array], _attributes: Given, node: Node) -> list[Array]:
    made = _signature(node).reference(*inputs)
    results = made if isinstance(made, tuple) else (made,)
    return [numpy.asarray(result, node.inputs[0].dtype.numpy_name) for result in results]


def _formula(node: Node, inputs: list[str]) -> str:
    return f"{node.op.name}({', '.join(inputs)})"


Fault = Callable[[Node, int, int], tuple[str, str]]


def _fails(message: str) -> Fault:
    return lambda _node, _number, _noted: ("linear algebra", message)


def library_op(
    name: str,
    cores: str,
    function: Callable[..., Any],
    message: str,
    title: str = "",
    fault: Fault | None = None,
) -> Op:
    """Makes the op of a library function; `message`: the error's text where it fails, or `fault` for another
    error."""
    return Op(
        name,
        "control",
        _infer,
        _value,
        ("extents", "site"),
        _structure,
        _sized,
        results=_results,
        title=title,
        formula=_formula,
        memory_operands=lambda node: node.inputs,
        library=signature(name, function, cores),
        fault=_fails(message) if fault is None else fault,
    )


def lu_diagonal(a: Array) -> tuple[Array, Array]:
    """Returns the pivots of Gaussian elimination with row exchanges, and the sign of the determinant (G. H.
    Golub, C. F. Van Loan, Matrix Computations, algorithm 3.4.1)."""
    a = numpy.array(a)
    sign = numpy.ones(a.shape[:-2], a.dtype)
    for at in numpy.ndindex(a.shape[:-2]):
        matrix = a[at]
        for k in range(matrix.shape[0]):
            pivot = k + int(numpy.argmax(numpy.abs(matrix[k:, k])))
            if pivot != k:
                matrix[[k, pivot]] = matrix[[pivot, k]]
                sign[at] = -sign[at]
            if matrix[k, k] != 0:
                matrix[k + 1 :, k] /= matrix[k, k]
                matrix[k + 1 :, k + 1 :] -= numpy.outer(matrix[k + 1 :, k], matrix[k, k + 1 :])
    return numpy.diagonal(a, axis1=-2, axis2=-1), sign


_RAISED = {
    "argument": ValueError, "zero": ZeroDivisionError, "domain": ValueError, "overflow": OverflowError,
    "beyond": OverflowError,
}  # fmt: skip
"""The exceptions of the kinds of `checked` in the interpreter."""


def _infer_checked(inputs: tuple[Node, ...], attributes: Attributes) -> Inferred:
    value, bad = inputs
    assert bad.dtype is BOOL and bad.shape == value.shape, inputs
    assert isinstance(attributes[0], str) and isinstance(attributes[1], str), attributes
    return value.shape, value.dtype


def _checked_structure(_axes: Axes, node: Node, sources: Ranks) -> Structural:
    return node.attributes, sources[0]


def _checked_sized(node: Node, _shape: Shape, symbols: Symbols) -> Attributes:
    return node.attribute("kind"), node.attribute("message"), symbols.site()


def _checked_value(inputs: list[Array], attributes: Given, _node: Node) -> Array:
    value, bad = inputs
    if numpy.any(bad):
        raise _RAISED.get(attributes[0], numpy.linalg.LinAlgError)(attributes[1])
    return value


def _eig(a: Array) -> tuple[Array, Array, Array]:
    values, vectors = numpy.linalg.eig(a)
    return values.real, values.imag, vectors.real


def _eigvals(a: Array) -> tuple[Array, Array]:
    values = numpy.linalg.eigvals(a)
    return values.real, values.imag


def _lstsq(a: Array, b: Array, rcond: Array) -> tuple[Array, Array, Array]:
    """Returns solutions, ranks and singular values."""
    stack, (m, n), sides = a.shape[:-2], a.shape[-2:], b.shape[-1]
    solved, ranks = numpy.zeros((*stack, n, sides), a.dtype), numpy.zeros(stack, a.dtype)
    values = numpy.zeros((*stack, min(m, n)), a.dtype)
    for at in numpy.ndindex(stack):
        solved[at], _, ranks[at], values[at] = numpy.linalg.lstsq(a[at], b[at], float(rcond[at]))
    return solved, ranks, values


SINGULAR = "Singular matrix"
NOT_POSITIVE = "Matrix is not positive definite"
NOT_CONVERGED = "Eigenvalues did not converge"
NO_VALUES = "SVD did not converge"
NO_FACTORS = "Incorrect argument found while performing QR factorization"

_DECOMPOSITION = "singular value decomposition"
_EQUATIONS = "solution of linear equations"
solve = library_op("solve", "(n,n),(n,m)->(n,m)", numpy.linalg.solve, SINGULAR, _EQUATIONS)
lu = library_op("lu", "(n,n)->(n),()", lu_diagonal, SINGULAR, "LU decomposition")
cholesky = library_op(
    "cholesky", "(n,n)->(n,n)", numpy.linalg.cholesky, NOT_POSITIVE, "Cholesky decomposition"
)
qr = library_op("qr", "(m,n)->(m,k),(k,n)", numpy.linalg.qr, NO_FACTORS, "QR decomposition")
qr_complete = library_op(
    "qr_complete", "(m,n)->(m,m),(m,n)", partial(numpy.linalg.qr, mode="complete"), NO_FACTORS,
    "QR decomposition",
)  # fmt: skip
qr_r = library_op("qr_r", "(m,n)->(k,n)", partial(numpy.linalg.qr, mode="r"), NO_FACTORS, "QR decomposition")
# Reflections and factors as geqrf leaves them, of the matrix in Fortran's order.
qr_raw = library_op(
    "qr_raw", "(m,n)->(n,m),(k)", partial(numpy.linalg.qr, mode="raw"), NO_FACTORS, "QR decomposition"
)
eigh = library_op("eigh", "(n,n)->(n),(n,n)", numpy.linalg.eigh, NOT_CONVERGED, "eigendecomposition")
eigh_upper = library_op(
    "eigh_upper", "(n,n)->(n),(n,n)", partial(numpy.linalg.eigh, UPLO="U"), NOT_CONVERGED,
    "eigendecomposition",
)  # fmt: skip
eigvalsh = library_op("eigvalsh", "(n,n)->(n)", numpy.linalg.eigvalsh, NOT_CONVERGED, "eigendecomposition")
# Real and imaginary parts of eigenvalues; columns, which are eigenvectors where their value is real.
eig = library_op("eig", "(n,n)->(n),(n),(n,n)", _eig, NOT_CONVERGED, "eigendecomposition")
eigvals = library_op("eigvals", "(n,n)->(n),(n)", _eigvals, NOT_CONVERGED, "eigendecomposition")
svd = library_op(
    "svd", "(m,n)->(m,k),(k),(k,n)", partial(numpy.linalg.svd, full_matrices=False), NO_VALUES,
    _DECOMPOSITION,
)  # fmt: skip
svd_full = library_op("svd_full", "(m,n)->(m,m),(k),(n,n)", numpy.linalg.svd, NO_VALUES, _DECOMPOSITION)
svdvals = library_op(
    "svdvals", "(m,n)->(k)", partial(numpy.linalg.svd, compute_uv=False), NO_VALUES, _DECOMPOSITION
)
# Of a, b and the least singular value by the largest: solutions, ranks, singular values.
lstsq = library_op(
    "lstsq", "(m,n),(m,p),()->(n,p),(),(k)", _lstsq, f"{NO_VALUES} in Linear Least Squares",
    "least-squares solution",
)  # fmt: skip
# A value, where a condition does not hold; where it does for any element, the run ends with an error of a
# kind (see `errors_of_runs`) and a message.
checked = Op(
    "checked",
    "elementwise",
    _infer_checked,
    _checked_value,
    ("kind", "message", "site"),
    _checked_structure,
    _checked_sized,
    formula=lambda _node, inputs: inputs[0],
    interval=lambda _node, value, _bad: value,
    fault=lambda node, _number, _noted: (node.attribute("kind"), node.attribute("message")),
)

OPS = (
    solve, lu, cholesky, qr, qr_complete, qr_r, qr_raw, eigh, eigh_upper, eigvalsh, eig, eigvals, svd,
    svd_full, svdvals, lstsq, checked,
)  # fmt: skip
