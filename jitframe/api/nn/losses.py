"""Losses: how far predictions are from targets, of each element or row, or their mean or sum."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...arrays.indexing import normalize_axis
from ...base.arguments import shown, word
from ...errors import ArgumentError, DTypeError, ShapeError
from ...functions.operands import broadcasts
from ..elementwise import arithmetic, transcendental
from ..indexing.reading import take, take_along_axis
from ..movement import as_lazy, expand_dims, moveaxis, squeeze
from ..reductions import mean as average
from ..reductions import sum as summed
from ..registry import public
from .operands import along, finished, fitting, in_dtype, real, widened
from .softmax import lse

_where = arithmetic.where
_abs, _maximum = (arithmetic.UFUNCS[name] for name in ("abs", "maximum"))
_exp, _log, _log1p, _sqrt = (transcendental.UFUNCS[name] for name in ("exp", "log", "log1p", "sqrt"))
_REDUCTIONS = ("mean", "sum", "none")


def _reduced(values: Any, like: Any, reduction: str, weights: Any = None) -> Any:
    if reduction == "none":
        return finished(values, like)
    total = summed(values)
    if reduction == "sum":
        return finished(total, like)
    return finished(average(values) if weights is None else total / summed(weights), like)


def _pair(
    function: str, x: Any, target: Any, names: tuple[str, str] = ("x", "target")
) -> tuple[Any, Any, Any]:
    """The first operand as it is given, and both in the dtype that they are computed in."""
    first, second = (real(function, each, name) for each, name in zip((x, target), names, strict=True))
    fitting(function, names[1], second, first.shape, f"{names[0]}, {shown(first)},")
    wide = widened(first)
    return first, wide, in_dtype(second, wide._dtype)


def _elementwise(
    function: str, formula: Callable[[Any, Any], Any], x: Any, target: Any, reduction: str
) -> Any:
    word(reduction, f"{function}: reduction", _REDUCTIONS)
    first, wide, other = _pair(function, x, target)
    return _reduced(formula(wide, other), first, reduction)


@public("reduction", name="nn.cross_entropy", sample=lambda s: (s.x, s.positions(3)))
def cross_entropy(
    logits: Any, target: Any, *, axis: int = -1, weight: Any = None, ignore_index: int | None = None,
    label_smoothing: float = 0.0, reduction: str = "mean",
) -> Any:  # fmt: skip
    """`-log(softmax(logits)[target])`, which neither overflows nor makes the probabilities.

    `logits`: classes on `axis`; `target`: integers of the shape without it, or probabilities of the whole
    shape. `weight`: of each class; the mean is then weighted. `ignore_index`: targets of this value count
    for nothing. `label_smoothing`: the part of each target that is spread evenly over the classes.
    `reduction`: "mean", "sum" or "none". Shape: () or that of `logits` without the axis. Dtype: that of
    floats. Raises ShapeError where shapes do not fit, and IndexError for a target that is no class.

    >>> jf.nn.cross_entropy([[0.0, 0.0], [0.0, 1000.0]], [0, 1], reduction="none").numpy().round(2)
    array([0.69, 0.  ])
    """
    word(reduction, "cross_entropy: reduction", _REDUCTIONS)
    array, given = real("cross_entropy", logits, "logits"), as_lazy(target)
    at = normalize_axis(axis, array.ndim)
    rows = moveaxis(widened(array), at, -1)
    if not 0 <= label_smoothing <= 1:
        raise ArgumentError(
            f"cross_entropy: label_smoothing lies between 0 and 1, and is {label_smoothing!r}"
        )
    weights = None if weight is None else along("cross_entropy", "weight", weight, rows, (rows.ndim - 1,))
    whole = lse("cross_entropy", rows, (rows.ndim - 1,))
    if given._dtype.is_float:
        if ignore_index is not None:
            raise ArgumentError(
                "cross_entropy: ignore_index goes with a target of integers, not probabilities"
            )
        fitting("cross_entropy", "target", given, array.shape, f"logits, {shown(array)}, with probabilities")
        shares = moveaxis(in_dtype(given, rows._dtype), at, -1)
        if label_smoothing:
            shares = shares * (1.0 - label_smoothing) + label_smoothing / rows.shape[-1]
        if weights is not None:
            shares = shares * weights
        return _reduced(summed(shares * (expand_dims(whole, -1) - rows), axis=-1), array, reduction)
    labels, counted = _labels("cross_entropy", given, array, rows, ignore_index)
    losses = whole - _chosen(rows, labels)
    of_label = None if weights is None else take(weights.reshape(-1), labels)
    if of_label is not None:
        losses = losses * of_label
    if label_smoothing:
        others = expand_dims(whole, -1) - rows
        spread = summed(others if weights is None else others * weights, axis=-1) / rows.shape[-1]
        losses = losses * (1.0 - label_smoothing) + spread * label_smoothing
    return _of_classes(losses, of_label, counted, array, reduction)


@public("reduction", name="nn.nll_loss", sample=lambda s: (s.x, s.positions(3)))
def nll_loss(
    log_probabilities: Any, target: Any, *, axis: int = -1, weight: Any = None,
    ignore_index: int | None = None, reduction: str = "mean",
) -> Any:  # fmt: skip
    """`-log_probabilities[target]`: `cross_entropy` where the logarithms of probabilities are known.

    Arguments as of `cross_entropy`, with a target of integers.

    >>> jf.nn.nll_loss(np.log([[0.5, 0.5], [0.25, 0.75]]), [0, 1], reduction="none").numpy().round(2)
    array([0.69, 0.29])
    """
    word(reduction, "nll_loss: reduction", _REDUCTIONS)
    array = real("nll_loss", log_probabilities, "log_probabilities")
    rows = moveaxis(widened(array), normalize_axis(axis, array.ndim), -1)
    labels, counted = _labels("nll_loss", as_lazy(target), array, rows, ignore_index)
    losses, of_label = -_chosen(rows, labels), None
    if weight is not None:
        of_label = take(along("nll_loss", "weight", weight, rows, (rows.ndim - 1,)).reshape(-1), labels)
        losses = losses * of_label
    return _of_classes(losses, of_label, counted, array, reduction)


def _labels(function: str, target: Any, array: Any, rows: Any, ignored: int | None) -> tuple[Any, Any]:
    """Labels, with a class in the place of those that are ignored; and which are counted (None: all)."""
    if not target._dtype.is_integer:
        raise DTypeError(f"{function}: target is {shown(target)}, and takes integers, the numbers of classes")
    fitting(function, "target", target, rows.shape[:-1], f"{shown(array)} with classes on one axis")
    if ignored is None:
        return target, None
    counted = target != ignored
    return _where(counted, target, 0), counted


def _chosen(rows: Any, labels: Any) -> Any:
    classes = rows.shape[-1]
    # A negative label would count from the end: it is put where it is found out of bounds.
    at = _where(labels < 0, classes, labels)
    return squeeze(take_along_axis(rows, expand_dims(at, -1), axis=-1), axis=-1)


def _of_classes(losses: Any, weights: Any, counted: Any, like: Any, reduction: str) -> Any:
    if counted is not None:
        losses = _where(counted, losses, 0.0)
        counted_in = in_dtype(counted, losses._dtype)
        weights = counted_in if weights is None else _where(counted, weights, 0.0)
    return _reduced(losses, like, reduction, weights)


@public("reduction", name="nn.mse_loss", sample=lambda s: (s.x, s.x))
def mse_loss(x: Any, target: Any, *, reduction: str = "mean") -> Any:
    """`(x - target)**2`: its mean, sum, or (`reduction` "none") each. Both of one shape, else ShapeError.

    >>> float(jf.nn.mse_loss([1.0, 2.0], [1.0, 4.0]))
    2.0
    """
    return _elementwise("mse_loss", lambda x, y: (x - y) * (x - y), x, target, reduction)


@public("reduction", name="nn.l1_loss", sample=lambda s: (s.x, s.x))
def l1_loss(x: Any, target: Any, *, reduction: str = "mean") -> Any:
    """`|x - target|`; otherwise as `mse_loss`.

    >>> float(jf.nn.l1_loss([1.0, 2.0], [1.0, 4.0]))
    1.0
    """
    return _elementwise("l1_loss", lambda x, y: _abs(x - y), x, target, reduction)


@public("reduction", name="nn.huber_loss", sample=lambda s: (s.x, s.x))
def huber_loss(x: Any, target: Any, *, delta: float = 1.0, reduction: str = "mean") -> Any:
    """Half the square of small differences, and `delta * (|x - target| - delta / 2)` from `delta` on (Huber
    1964); otherwise as `mse_loss`.

    >>> jf.nn.huber_loss([1.0, 2.0], [1.5, 5.0], reduction="none").numpy()
    array([0.125, 2.5  ])
    """
    if not delta > 0:
        raise ArgumentError(f"huber_loss: delta must be positive, and {delta!r} was given")

    def formula(x: Any, y: Any) -> Any:
        size = _abs(x - y)
        return _where(size <= delta, 0.5 * size * size, delta * (size - 0.5 * delta))

    return _elementwise("huber_loss", formula, x, target, reduction)


@public("reduction", name="nn.binary_cross_entropy", sample=lambda s: (s.x * 0 + 1, s.x * 0 + 1))
def binary_cross_entropy(probabilities: Any, target: Any, *, reduction: str = "mean") -> Any:
    """`-(target * log(p) + (1 - target) * log(1 - p))`, where no logarithm is below -100; otherwise as
    `mse_loss`. Where logits are known, `binary_cross_entropy_with_logits` loses nothing.

    >>> jf.nn.binary_cross_entropy([0.5, 0.25], [1.0, 0.0], reduction="none").numpy().round(2)
    array([0.69, 0.29])
    """

    def formula(p: Any, y: Any) -> Any:
        return -(y * _maximum(_log(p), -100.0) + (1.0 - y) * _maximum(_log1p(-p), -100.0))

    return _elementwise("binary_cross_entropy", formula, probabilities, target, reduction)


@public("reduction", name="nn.binary_cross_entropy_with_logits", sample=lambda s: (s.x, s.x))
def binary_cross_entropy_with_logits(
    logits: Any, target: Any, *, positive_weight: Any = None, reduction: str = "mean"
) -> Any:
    """`binary_cross_entropy(sigmoid(logits), target)`, of which nothing is lost; otherwise as `mse_loss`.

    `positive_weight`: a number, or an array that broadcasts to `logits`, by which targets of 1 count more.

    >>> jf.nn.binary_cross_entropy_with_logits([-1000.0, 0.0], [1.0, 0.0], reduction="none").numpy().round(4)
    array([1.000e+03, 6.931e-01])
    """
    more: Any = 1.0
    if positive_weight is not None:
        more = real("binary_cross_entropy_with_logits", positive_weight, "positive_weight")
        shape = as_lazy(logits).shape
        if not broadcasts(more.shape, shape):
            raise ShapeError(
                f"binary_cross_entropy_with_logits: positive_weight is {shown(more)}, and does not broadcast "
                f"to logits, {shown(as_lazy(logits))}"
            )

    def formula(x: Any, y: Any) -> Any:
        below = _maximum(-x, 0.0) + _log1p(_exp(-_abs(x)))
        if positive_weight is None:
            return (1.0 - y) * x + below
        return (1.0 - y) * x + (1.0 + (in_dtype(more, x._dtype) - 1.0) * y) * below

    return _elementwise("binary_cross_entropy_with_logits", formula, logits, target, reduction)


@public("reduction", name="nn.kl_div", sample=lambda s: (s.x, s.x))
def kl_div(log_probabilities: Any, target: Any, *, log_target: bool = False, reduction: str = "mean") -> Any:
    """Kullback's and Leibler's divergence, `target * (log(target) - log_probabilities)`; otherwise as
    `mse_loss`.

    `target`: probabilities, or their logarithms with `log_target`. Where a probability is 0, so is its
    term. The mean is that over all elements; divide the sum by the number of rows for that over rows.

    >>> jf.nn.kl_div(np.log([0.5, 0.5]), [1.0, 0.0], reduction="none").numpy().round(2)
    array([0.69, 0.  ])
    """

    def formula(x: Any, y: Any) -> Any:
        if log_target:
            return _exp(y) * (y - x)
        return _where(y > 0, y * (_log(_where(y > 0, y, 1.0)) - x), _where(y == 0, 0.0, y))

    return _elementwise("kl_div", formula, log_probabilities, target, reduction)


@public("reduction", name="nn.cosine_similarity", sample=lambda s: (s.x, s.x))
def cosine_similarity(x: Any, y: Any, *, axis: int = -1, eps: float = 1e-8) -> Any:
    """`sum(x * y) / (|x| |y|)` along an axis, where neither length counts as less than `eps`.

    `x` and `y` broadcast. Shape: what they broadcast to, without the axis. Dtype: what they promote to,
    floats.

    >>> jf.nn.cosine_similarity([[1.0, 0.0], [3.0, 4.0]], [4.0, 3.0]).numpy()
    array([0.8 , 0.96])
    """
    first, second = real("cosine_similarity", x), real("cosine_similarity", y, "y")
    product = first * second
    at = normalize_axis(axis, product.ndim)
    wide, other = widened(first), widened(second)
    lengths = [
        _maximum(_sqrt(summed(each * each, axis=at - product.ndim, keepdims=True)), eps)
        for each in (wide, other)
    ]
    found = summed(wide * other, axis=at, keepdims=True) / (lengths[0] * lengths[1])
    return finished(squeeze(found, axis=at), product)
