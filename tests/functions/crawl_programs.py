"""Calls NumPy's functions in jitted functions, with arrays of all kinds, and compares what happens with the
same functions without jitframe: `python -m tests.functions.crawl_programs --calls 10000 --seed 0`.

Compiled code runs: each function is called twice, so that the second call is one that the native entry
answers. Compared are the class of the result, its dtype, shape and values, and the arguments afterwards; an
error is one of jitframe's, or NumPy's own. Some calls write to a view of one of their arrays, some are in a
jitted function that another one calls, and some functions are given their arguments by name.
"""

from __future__ import annotations

import argparse
import ast
import linecache
import os
import re
import warnings
from collections import Counter
from collections.abc import Callable
from functools import partial
from random import Random
from typing import Any, NamedTuple

import numpy as np

import jitframe as jf
from jitframe.errors import JitframeError, UnsupportedError
from tests.functions.crawl import Finding, Hang, Made, classes_of, outcome, shown
from tests.functions.crawl_rules import ALLOWED, LENIENT, QUIRKS, crashes_numpy, is_meant
from tests.functions.crawl_subjects import subjects
from tests.functions.odd_calls import NAMES, Call, Maker, made


class Program(NamedTuple):
    """A function of arrays, as it would be typed."""

    text: str
    arrays: tuple[tuple[Any, ...], ...]
    """Each as `made` takes it."""


class _Parameters(ast.NodeTransformer):
    """Makes parameters of the arrays of a call."""

    def __init__(self) -> None:
        self.arrays: list[tuple[Any, ...]] = []

    def visit_Call(self, node: ast.Call) -> ast.expr:
        if isinstance(node.func, ast.Name) and node.func.id == "seen":
            number, view = (ast.literal_eval(each) for each in node.args)
            return ast.parse(f"x{number}{view}", mode="eval").body
        if isinstance(node.func, ast.Name) and node.func.id in ("A", "made"):
            self.arrays.append(tuple(ast.literal_eval(each) for each in node.args))
            return ast.Name(f"x{len(self.arrays)}")
        self.generic_visit(node)
        return node


def program(call: str) -> Program:
    """A function that makes a call, whose arrays are its parameters."""
    parameters = _Parameters()
    is_method = call.startswith(".")
    tree = ast.parse(call[is_method:], mode="eval").body
    assert isinstance(tree, ast.Call)
    parameters.generic_visit(tree)
    if is_method:
        first = tree.args.pop(0)
        assert isinstance(tree.func, ast.Name)
        tree.func = ast.Attribute(first, tree.func.id)
    names = ", ".join(f"x{number + 1}" for number in range(len(parameters.arrays)))
    text = f"def crawled({names}):\n    return {ast.unparse(tree)}\n"
    return Program(text, tuple(parameters.arrays))


def function_of(text: str) -> Callable[..., Any]:
    name = "<crawled>"
    linecache.cache[name] = (len(text), None, text.splitlines(keepends=True), name)
    names: dict[str, Any] = {**NAMES, "operator": __import__("operator")}
    exec(compile(text, name, "exec"), names)
    function: Callable[..., Any] = names["crawled"]
    return function


def overlapping(call: Call, random: Random) -> Call:
    """A call that writes to its first array, or to a view of it."""
    if not any("A(" in each or "made(" in each for each in call.given):
        return call
    return call._replace(options={**call.options, "out": f"seen(1, {random.choice(VIEWS)!r})"})


VIEWS = ("", "[::-1]", "[1:]", "[:-1]", "[..., ::-1]", "[::2]", ".T", "[0]", ".reshape(-1)", ".copy()")


def judged(call: str, single: bool = True, form: str = "") -> Made:
    """What is wrong about a call. `single`: it has one mistake at most; `form`: one of `FORMS`."""
    text, arrays = program(call)
    right = False
    if not arrays or crashes_numpy(call.partition("(")[0], call):
        return Made("", right)
    function = function_of(text)
    jitted = jf.jit(function)
    if form == "nested":
        inner = jitted
        jitted = jf.jit(lambda *given: inner(*given))
    elif form == "named":
        names = [f"x{number + 1}" for number in range(len(arrays))]
        by_name = jitted
        jitted = lambda *given: by_name(**dict(zip(names, given, strict=True)))  # noqa: E731
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        for turn in ("first", "second"):
            plain, given = ([made(*each) for each in arrays] for _ in range(2))
            theirs = outcome(partial(function, *plain))
            if isinstance(theirs, Hang):
                return Made("", right)
            ours = outcome(partial(jitted, *given), 20.0)
            is_open = UNWRITTEN.search(call) or QUIRKS.search(call)
            itemsize = 0 if is_open else min(computed_in(each[1]) for each in arrays)
            what = _unlike(ours, theirs, single, itemsize)
            if not what and not isinstance(theirs, Exception) and not isinstance(ours, Exception):
                for one, other in zip(given, plain, strict=True):
                    what = what or _unlike(one, other, itemsize=itemsize)
                what = f"ARGUMENT {what}" * bool(what and not OVERWRITES.search(call))
            if what.startswith("KIND") and (KEPT.search(call) or QUIRKS.search(call)):
                what = ""
            if what.startswith("DTYPE") and QUIRKS.search(call):
                what = ""
            if what.startswith("LENIENT") and LENIENT.search(call):
                what = ""
            if what:
                return Made(f"{what} ({turn} call)", False)
            right = not isinstance(theirs, Exception)
    return Made("", right)


FORMS = ("", "", "", "nested", "named")
"""How functions are called: as they are, by another one that is jitted, or with arguments given by name."""
OVERWRITES = re.compile("median|quantile|percentile")
"""Which may be told to overwrite their input; these here never do."""
UNWRITTEN = re.compile(
    r"empty|as_strided|where=(?!True)|partition|expm1\(.*'c|unique_values|view\(.*'g'|sinc\(.*'f2'"
)
"""Where NumPy's results are what is in memory, in an order that it leaves open, or not those of IEEE 754;
the bytes between long doubles are unset, and pi * x is rounded to float16 before its sine is taken."""
KEPT = re.compile(r"(median|percentile|quantile)\(A\(\(\),.*keepdims")
"""Where no axis is kept: these of NumPy's functions give an array then, `mean`, `max` and others a scalar."""


def computed_in(kind: str) -> int:
    """How many bytes the floats have that functions of numbers of a dtype give."""
    dtype = np.dtype(kind)
    return np.result_type(dtype, np.int8, np.float16).itemsize if dtype.kind in "biufc" else 8


def _unlike(ours: Any, theirs: Any, single: bool = True, itemsize: int = 8) -> str:
    """How a result or an error differs; `itemsize`: of the floats that it was computed from; 0: the numbers
    may be others."""
    said = f"{shown(ours)} | numpy: {type(theirs).__name__}: {shown(theirs)}"
    if isinstance(ours, Hang):
        return f"HANG {said}"
    if isinstance(ours, Exception):
        if isinstance(ours, UnsupportedError):
            return ""
        numpys = f"{type(theirs).__name__}: {theirs!s:.160}"
        words = f"{type(ours).__name__}: {ours!s:.200}"
        both = f"{words} | numpy: {numpys}"
        if isinstance(ours, JitframeError) and ours.line is None:
            return f"LINE {both}"
        if not isinstance(theirs, Exception):
            return f"{'REFUSED' if isinstance(ours, JitframeError) else 'INTERNAL'} {both}"
        if not isinstance(ours, JitframeError):
            return f"INTERNAL {both}" if type(ours) is not type(theirs) else ""
        same = all(isinstance(ours, each) for each in classes_of(theirs))
        return f"CLASS {both}" if single and not same and not is_meant("CLASS", words, numpys) else ""
    if isinstance(theirs, Exception):
        numpys = f"{type(theirs).__name__}: {theirs}"
        meant = (
            not single
            or isinstance(theirs, AttributeError)
            or ALLOWED.search(numpys)
            or is_meant("LENIENT", "", numpys)
        )
        return "" if meant else f"LENIENT {said}"
    if isinstance(theirs, (tuple, list)):
        if type(ours).__name__ != type(theirs).__name__ or len(ours) != len(theirs):
            return f"KIND {said}"
        pairs = zip(ours, theirs, strict=True)
        return next(filter(None, (_unlike(*pair, itemsize=itemsize) for pair in pairs)), "")
    if type(theirs) is int and isinstance(ours, np.integer) and ours == theirs:
        return ""  # the rank of a vector
    if isinstance(theirs, np.memmap) and type(ours) is np.ndarray:
        theirs = np.asarray(theirs)  # results are not in the file
    if type(ours) is not type(theirs):
        return f"KIND {type(ours).__name__}, not {type(theirs).__name__}: {said}"
    if isinstance(theirs, np.ma.MaskedArray):
        mine, other = (np.ma.getmaskarray(each) for each in (ours, theirs))
        if not np.array_equal(mine, other):
            return f"MASK {said}"
    if not isinstance(theirs, (np.ndarray, np.generic, int, float, complex)):
        return ""
    mine, other = np.asarray(ours), np.asarray(theirs)
    if (mine.dtype, mine.shape) != (other.dtype, other.shape):
        return f"DTYPE {mine.dtype}{mine.shape}, not {other.dtype}{other.shape}: {said}"
    return "" if not itemsize or _close(mine, other, itemsize) else f"VALUES {said}"


def _close(mine: np.ndarray, other: np.ndarray, itemsize: int) -> bool:
    if other.dtype.hasobject:
        return True  # which compare themselves, or do not
    if other.dtype.kind not in "fc":
        return np.array_equal(mine, other, equal_nan=other.dtype.kind in "mM")
    own = other.real.dtype.itemsize
    tolerance = {2: 3e-3, 4: 1e-3}.get(min(own, itemsize), 1e-9)  # `itemsize` of the smallest floats met
    return np.allclose(mine, other, rtol=tolerance, atol=tolerance * 1e-3, equal_nan=True)


def crawl(calls: int, seed: int, only: str = "", classes: bool = False) -> tuple[list[Finding], Counter[str]]:
    """One finding of each kind, and how often each kind was met."""
    of_numpy = ("np.", ".", "operator.")
    found = [each for each in subjects() if each.name.startswith(of_numpy) and re.search(only, each.name)]
    maker = Maker(seed, found, False, classes)
    findings: list[Finding] = []
    counts: Counter[str] = Counter()
    done = 0
    while done < calls:
        whole = maker.call()
        form = maker.random.choice(FORMS)
        if "out" in dict(whole.subject.parameters) and maker.random.random() < 0.15:
            whole = overlapping(whole, maker.random)
        right = True
        for call in (whole, maker.spoiled(whole)):
            done += 1
            what, right = judged(str(call), call is not whole and right, form)
            what = f"{what} ({form})" if what and form else what
            kind = f"{call.subject.name} {re.sub(r'[0-9]+', '#', what.partition('|')[0])[:110]}"
            if what:
                counts[kind] += 1
            if what and counts[kind] == 1:
                findings.append(Finding(str(call), True, what, kind, call.argument))
                print(f"{call}\n    {what}", flush=True)
    return findings, counts


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--calls", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only", default="", help="a pattern that the names of the functions have")
    parser.add_argument("--classes", action="store_true", help="arrays of other classes and dtypes, too")
    options = parser.parse_args()
    _, counts = crawl(options.calls, options.seed, options.only, options.classes)
    kinds: Counter[str] = Counter()
    for kind, count in counts.items():
        kinds[kind.split(" ")[1]] += count
    print(options.calls, "calls", dict(kinds), f"{len(counts)} kinds", flush=True)


if __name__ == "__main__":
    main()
    os._exit(0)
