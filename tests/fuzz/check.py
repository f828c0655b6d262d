"""Whether a program means under `jit` what it means to NumPy, and the shortest part of it that does not."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

import jitframe as jf
from tests.foundations.layouts import same_layout
from tests.fuzz.families import RECIPES
from tests.fuzz.programs import Program

TOLERANCE = {"float16": 3e-2, "bfloat16": 2e-1, "float32": 2e-3, "float64": 1e-8}
"""Of a rounded result, relative to its largest element."""


@dataclass
class Tally:
    """What a run of many programs came to."""

    programs: int = 0
    lines: int = 0
    functions: Counter[str] = field(default_factory=Counter)
    unsupported: Counter[str] = field(default_factory=Counter)
    """What jitframe refused, by message."""
    wrong: list[tuple[int, str, str]] = field(default_factory=list)
    """Seed, the shortest text, what was wrong."""


def difference(program: Program, device: str) -> str:
    """What is wrong; nothing where all is well. Raises what jitframe says where it, or the device, lacks
    something."""
    function = program.function()
    jitted = jf.jit(function) if device == "cpu" else jf.jit(function, device=device)
    for call in range(2):
        plain = [same_layout(array) for array in program.arguments]
        given = [same_layout(array) for array in program.arguments]
        with np.errstate(all="ignore"):
            theirs = function(*plain)
            try:
                ours = jitted(*given)
            except (jf.errors.UnsupportedError, jf.errors.UnsupportedDTypeError):
                raise
            except Exception as problem:
                return f"call {call}: {type(problem).__name__}: {problem}"
        for name, one, other in zip(program.results, ours, theirs, strict=True):
            found = _unlike(one, other, program.exact[name], program.coarsest)
            if found:
                return f"call {call}, {name}: {found}"
        for number, (one, other) in enumerate(zip(given, plain, strict=True)):
            found = _unlike(one, other, program.exact[f"a{number}"], program.coarsest)
            if found:
                return f"call {call}, argument a{number} afterwards: {found}"
    return ""


def _unlike(ours: Any, theirs: Any, exact: bool, coarsest: str) -> str:
    ours, theirs = np.asarray(ours), np.asarray(theirs)
    if (ours.dtype, ours.shape) != (theirs.dtype, theirs.shape):
        return f"{ours.dtype}{list(ours.shape)} instead of {theirs.dtype}{list(theirs.shape)}"
    if exact or theirs.dtype.name not in TOLERANCE:
        if np.array_equal(ours, theirs, equal_nan=theirs.dtype.kind == "f"):
            return ""
        at = np.argwhere(~((ours == theirs) | ((ours != ours) & (theirs != theirs))))[0]
        return f"{ours[tuple(at)]!r} instead of {theirs[tuple(at)]!r} at {at.tolist()}"
    wide_ours, wide_theirs = ours.astype(np.float64), theirs.astype(np.float64)
    largest = float(np.abs(wide_theirs).max(initial=1.0))
    off = np.abs(wide_ours - wide_theirs)
    limit = max(TOLERANCE[theirs.dtype.name], TOLERANCE[coarsest]) * largest
    if (off <= limit).all():
        return ""
    at = np.unravel_index(int(np.argmax(np.where(np.isnan(off), np.inf, off))), off.shape)
    return f"{ours[at]!r} instead of {theirs[at]!r} at {list(map(int, at))}, within {limit:.3g}"


def shortest(program: Program, device: str) -> Program:
    """Without what it goes wrong without: lines and results, one at a time, as long as that helps."""
    best = program
    for name in program.results:
        alone = replace(program, results=[name])
        if _is_wrong(alone, device):
            best = alone
            break
    number = len(best.lines) - 1
    while number >= 0:
        lines = best.lines[:number] + best.lines[number + 1 :]
        fewer = replace(best, lines=lines)
        if _names_are_known(fewer) and _is_wrong(fewer, device):
            best = fewer
        number -= 1
    return best


def _is_wrong(program: Program, device: str) -> bool:
    try:
        return bool(difference(program, device))
    except Exception:  # of NumPy too: then it is another program
        return False


def _names_are_known(program: Program) -> bool:
    known = {f"a{number}" for number in range(len(program.arguments))} | {"np", "jf"}
    for line in [*program.lines, *program.results]:
        tree = ast.parse(line)
        bound = {node.arg for node in ast.walk(tree) if isinstance(node, ast.arg)}
        names = [node for node in ast.walk(tree) if isinstance(node, ast.Name)]
        read = {node.id for node in names if isinstance(node.ctx, ast.Load)}
        if not read <= known | bound:
            return False
        known |= {node.id for node in names if isinstance(node.ctx, ast.Store)}
    return True


def run(program: Program, device: str, tally: Tally) -> None:
    """Checks one program and notes what it came to."""
    tally.programs += 1
    tally.lines += len(program.lines)
    tally.functions.update(program.functions)
    try:
        wrong = difference(program, device)
    except (jf.errors.UnsupportedError, jf.errors.UnsupportedDTypeError) as refusal:
        tally.unsupported[refusal.message[:160]] += 1
        return
    if wrong:
        least = shortest(program, device)
        shown = [f"a{n} = {_shown(array)}" for n, array in enumerate(program.arguments)]
        tally.wrong.append(
            (program.seed, "\n".join([*shown, least.text]), difference(least, device) or wrong)
        )


def _shown(array: np.ndarray) -> str:
    return f"{array.dtype}{list(array.shape)} strides {array.strides}"


def forget_now_and_then(tally: Tally, every: int = 500) -> None:
    """Programs are all different: what is kept of them would fill the memory."""
    if tally.programs % every == 0:
        jf.clear()


def summary(tally: Tally, devices: Sequence[str], seconds: float) -> str:
    never = sorted(RECIPES.keys() - tally.functions.keys())
    rarest = min(tally.functions.values(), default=0)
    lines = [
        f"{tally.programs} programs of {tally.lines} lines on {', '.join(devices)} in {seconds:.0f} s; "
        f"{len(tally.functions)} kinds of statements, the rarest {rarest} times",
        *(f"never: {name}" for name in never),
        *(f"refused {count} times: {message}" for message, count in tally.unsupported.most_common()),
        *(f"\nseed {seed}: {what}\n{text}" for seed, text, what in tally.wrong),
        f"{len(tally.wrong)} wrong",
    ]
    return "\n".join(lines)
