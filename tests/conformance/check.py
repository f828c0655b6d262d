"""Runs many cases in few programs, compares each with what it means, and holds the result to the tables."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from jitframe.errors import JitframeError
from jitframe.ir.node import Graph, Node
from tests.conformance.devices import Target, meant, parameters
from tests.conformance.tables import GAPS, ULP
from tests.foundations.values import bits_of
from tests.math.reference import reference, worst_error

TOGETHER = 6
"""Cases of one program: with two arguments they use the eight buffers that every device has."""


@dataclass(frozen=True)
class Case:
    """One op, and the node that it makes of a program's parameters."""

    op: str
    build: Callable[[Graph, list[Node]], Node]


@dataclass(frozen=True)
class Outcome:
    """What a case gave and should have given; or why it did not run."""

    case: Case
    ours: np.ndarray | None
    theirs: np.ndarray
    refusal: str = ""


Compare = Callable[[Target, Outcome, Sequence[np.ndarray]], str]
"""What is wrong with an outcome; empty where nothing is."""


def outcomes(target: Target, cases: Sequence[Case], arrays: Sequence[np.ndarray]) -> list[Outcome]:
    """Every case on the same arrays, as outputs of common programs; alone where a program is refused."""
    found: list[Outcome] = []
    for start in range(0, len(cases), TOGETHER):
        found += _together(target, cases[start : start + TOGETHER], arrays)
    return found


def _together(target: Target, cases: Sequence[Case], arrays: Sequence[np.ndarray]) -> list[Outcome]:
    graph = target.graph()
    given = parameters(graph, arrays)
    outputs = [case.build(graph, given) for case in cases]
    theirs = meant(graph, outputs, arrays)
    try:
        ours = target.run(graph, outputs, arrays)
    except JitframeError as refusal:
        if len(cases) == 1:
            return [Outcome(cases[0], None, theirs[0], refusal.message)]
        return [outcome for case in cases for outcome in _together(target, [case], arrays)]
    return [Outcome(*each) for each in zip(cases, ours, theirs, strict=True)]


def settle(
    target: Target, dtype: str, found: Sequence[Outcome], arrays: Sequence[np.ndarray], compare: Compare
) -> None:
    """Fail for what is wrong and not declared as a gap, and for declared gaps where nothing is wrong."""
    wrong: list[str] = []
    for outcome in found:
        op = outcome.case.op
        fault = outcome.refusal or compare(target, outcome, arrays)
        reason = GAPS.get((target.backend, op, dtype))
        if fault and reason is None:
            wrong.append(f"{op}: {fault}")
        elif reason is not None and not fault:
            wrong.append(f"{op}: declared as a gap ({reason}), and it works")
    assert not wrong, f"{target.name}, {dtype}:\n" + "\n".join(wrong)


def by_bits_or_ulp(target: Target, outcome: Outcome, arrays: Sequence[np.ndarray]) -> str:
    """Elementwise ops: bit for bit, or within the table's ulp of the true value."""
    ours, theirs = outcome.ours, outcome.theirs
    assert ours is not None
    if (ours.dtype, ours.shape) != (theirs.dtype, theirs.shape):
        return f"{ours.dtype}{ours.shape} instead of {theirs.dtype}{theirs.shape}"
    given = tuple(np.ascontiguousarray(np.broadcast_to(array, ours.shape)) for array in arrays)
    ulp = ULP[target.backend].get(outcome.case.op, 0)
    if ulp and ours.dtype.itemsize == 2 and ours.dtype.kind in "fV":
        return _not_rounded_once(outcome.case.op, ours, given)
    if ulp and ours.dtype.kind == "f":
        return _beyond(outcome.case.op, ulp, ours, given)
    return different_bits(ours, theirs, *given)


def different_bits(ours: np.ndarray, theirs: np.ndarray, *given: np.ndarray) -> str:
    """The first bits that differ, with the arguments that gave them."""
    if (ours.dtype, ours.shape) != (theirs.dtype, theirs.shape):
        return f"{ours.dtype}{ours.shape} instead of {theirs.dtype}{theirs.shape}"
    wrong = np.flatnonzero(bits_of(ours).ravel() != bits_of(theirs).ravel())
    if not wrong.size:
        return ""
    at = wrong[0]
    operands = ", ".join(repr(array.ravel()[at]) for array in given if array.size == ours.size)
    return (
        f"{wrong.size} of {ours.size} differ, the first at {at} of ({operands}): {ours.ravel()[at]!r} "
        f"instead of {theirs.ravel()[at]!r}"
    )


def _beyond(op: str, ulp: float, ours: np.ndarray, given: tuple[np.ndarray, ...]) -> str:
    """How far results are off where that is more than `ulp`."""
    if not ours.size:
        return ""
    with np.errstate(all="ignore"):
        true = _EXACT[op](*given) if op in _EXACT else reference(op, *given)
    worst = worst_error(np.ascontiguousarray(ours), true, given)
    return "" if worst.ulp <= ulp else f"{worst.ulp} ulp off at {worst.arguments}"


def _not_rounded_once(op: str, ours: np.ndarray, given: tuple[np.ndarray, ...]) -> str:
    """16-bit floats: the true value, up to float32's errors, rounded to nearest."""
    wide = tuple(each.astype(np.float32) for each in given)
    with np.errstate(all="ignore"):
        true = _EXACT[op](*wide) if op in _EXACT else reference(op, *wide).view(np.float64).ravel()
        near = [(true * (1 + sign * 2.0**-20)).astype(np.float32).astype(ours.dtype) for sign in (-1, 1)]
        same = [bits_of(ours) == bits_of(each) for each in near]
        between = (np.minimum(*near) <= ours) & (ours <= np.maximum(*near))
        between &= np.signbit(ours) == np.signbit(near[0])
    wrong = np.flatnonzero(~(same[0] | same[1] | between))
    if not wrong.size:
        return ""
    at = wrong[0]
    return f"{wrong.size} of {ours.size} not rounded once, first of {[x[at] for x in given]}: {ours[at]!r}"


_EXACT: dict[str, Callable[..., np.ndarray]] = {
    # Of float32 only: devices whose quotients and roots are not the nearest have no float64.
    "div": lambda x, y: np.divide(x, y, dtype=np.float64),
    "sqrt": lambda x: np.sqrt(x, dtype=np.float64),
}
