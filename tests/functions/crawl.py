"""Calls every public function with right, odd and wrong arguments, and compares what happens with NumPy:
`python -m tests.functions.crawl --calls 100000 --seed 0`.

Arguments are written as text and made twice, with ndarrays for NumPy and with lazy arrays for jitframe,
so that what is found is shown as it can be typed. Results are read by the interpreter of graphs: nothing is
compiled.
"""

from __future__ import annotations

import argparse
import ast
import re
import signal
import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import SimpleNamespace
from typing import Any, NamedTuple

import numpy as np

import jitframe as jf
from jitframe.api.frame import LazyValue, entered
from jitframe.errors import JitframeError, TraceError, UnsupportedError
from jitframe.ir.interpret import evaluate
from jitframe.ir.node import topological
from jitframe.ir.types import BY_NUMPY_NAME
from jitframe.tensors import lazy
from jitframe.tensors.tensor import Tensor
from jitframe.tracing.environment.user_code import Identities
from jitframe.tracing.values.traced_frame import TraceFrame
from tests.functions.crawl_rules import (
    ALLOWED,
    LENIENT,
    QUIRKS,
    UNDEFINED,
    crashes_numpy,
    is_meant,
)
from tests.functions.crawl_subjects import Subject, sample, subjects
from tests.functions.odd_calls import NAMES, Call, Maker, made


class Copied:
    """What a trace knows of the traced function, which there is none of."""

    reads = SimpleNamespace(opaque=())
    has_handlers = False

    def __init__(self) -> None:
        self.identities = Identities()

    def adopt(self, name: str, entry: Any) -> Any:
        return entry.__wrapped__


class Crawled(TraceFrame):
    """A trace of what is called here, which no traced function calls."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.copied = Copied()

    def is_asked(self) -> bool:
        return True


class Made(NamedTuple):
    what: str
    """What is wrong about a call; nothing where all is as it should be."""
    right: bool
    """Whether both gave a result."""


@contextmanager
def limited(seconds: float) -> Iterator[None]:
    """Interrupts what takes longer, of the processor's time."""

    def stop(*_: Any) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, seconds, 1.0)  # again where a finalizer swallowed it
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def outcome(call: Callable[[], Any], seconds: float = 5.0) -> Any:
    """The result, or the error."""
    try:
        with limited(seconds):
            return call()
    except KeyboardInterrupt:
        return Hang("it takes too long")
    except Exception as error:
        return error


class Hang(Exception):
    pass


BUILTINS = (
    ZeroDivisionError, OverflowError, IndexError, KeyError, ValueError, TypeError, NotImplementedError,
    MemoryError,
    AttributeError,
)  # fmt: skip


def classes_of(error: BaseException) -> list[type]:
    found = [each for each in BUILTINS if isinstance(error, each)]
    return found if isinstance(error, np.exceptions.AxisError) else found[:1]


def value_of(result: Any) -> Any:
    """A lazy array's value, without compiling."""
    if isinstance(result, Tensor):
        if result._value is not None:
            return result.numpy()
        graph = lazy.current_graph()
        node = result._operand(graph)
        given = {
            each: graph.arrays[each.attribute("index")] for each in graph.nodes if each.op.name == "parameter"
        }
        scalars = graph.scalar_values
    elif isinstance(result, LazyValue):
        frame = result._cell.frame
        node = result._node(frame.graph)
        given = {
            each: frame.parameters[each.attribute("index")].array
            for each in topological([node]) if each.op.name == "parameter"
        }  # fmt: skip
        scalars = frame.graph.scalar_values
    else:
        return np.asarray(result)
    for each in topological([node]):
        if each.op.name == "scalar":
            given[each] = np.asarray(scalars[each.attribute("index")], each.dtype.numpy_name)
    with np.errstate(all="ignore"):
        return np.asarray(evaluate([node], given)[0])


def several(value: Any) -> list[Any]:
    """The results of a call; those of a list among them, such as the edges of `histogramdd`, too."""
    if not isinstance(value, (list, tuple)):
        return [value]
    return [one for each in value for one in (each if isinstance(each, (list, tuple)) else [each])]


def compared(subject: Subject, expected: Any, found: Any) -> str:
    """What differs; nothing where NumPy's result is of a kind that there is not."""
    ours, theirs = several(found), several(expected)
    if isinstance(expected, (bool, int)) or (subject.is_random and isinstance(expected, float)):
        return ""  # a number of Python's
    if type(found).__name__ == "Masked":
        return ""
    if subject.name in ("np.diff", "np.trim_zeros") and isinstance(expected, (list, tuple)):
        return ""  # none of them: NumPy gives back what it was given
    if expected is None or expected is NotImplemented or isinstance(expected, (str, dict, np.dtype)):
        return ""
    try:
        arrays = [np.asarray(each) for each in theirs]
    except ValueError:
        return ""
    if any(each.dtype.name not in BY_NUMPY_NAME for each in arrays):
        return ""
    if len(ours) != len(theirs):
        return f"{len(ours)} results, not {len(theirs)}"
    for mine, theirs_one in zip(ours, arrays, strict=True):
        shape, dtype = getattr(mine, "shape", ()), getattr(mine, "dtype", None)
        if not isinstance(mine, (LazyValue, np.ndarray, np.generic)):
            mine = np.asarray(mine)
            shape, dtype = mine.shape, mine.dtype
        if tuple(shape) != theirs_one.shape:
            return f"shape {tuple(shape)}, not {theirs_one.shape}"
        if dtype != theirs_one.dtype:
            return f"dtype {dtype}, not {theirs_one.dtype}"
        if theirs_one.size > 100_000 or subject.name in UNDEFINED or subject.is_random:
            continue
        value = value_of(mine)
        coarse = theirs_one.dtype == np.float16  # some of these are computed in float32
        close = np.allclose(value, theirs_one, rtol=2e-3 if coarse else 1e-5, atol=1e-6, equal_nan=True)
        if not close:
            return f"values {value!r:.80}, not {theirs_one!r:.80}"
    return ""


def relifted(value: Any, lift: Callable[[np.ndarray], Any]) -> Any:
    """An argument of a right call, with lazy arrays in the place of its ndarrays."""
    if isinstance(value, (list, tuple)):
        return type(value)(relifted(each, lift) for each in value)
    return lift(value) if isinstance(value, np.ndarray) else value


def judged(call: Call, traced: bool, single: bool) -> Made:
    """Compares a call; `single`: it has one mistake at most, so that NumPy's error is for that."""
    subject, given, options, _ = call

    def arguments(lift: Callable[[np.ndarray], Any]) -> tuple[list[Any], dict[str, Any]]:
        names = {
            **NAMES,
            "A": lambda *given: lift(made(*given)),
            "sample": lambda name, place: relifted(sample(name, place), lift),
        }
        read = lambda text: eval(text, names)  # noqa: E731
        return list(map(read, given)), {name: read(text) for name, text in options.items()}

    lifted = [0]

    def lazily(array: np.ndarray) -> Any:
        lifted[0] += 1
        return frame.parameter(array, f"x{lifted[0]}") if traced else jf.asarray(array)

    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        if crashes_numpy(subject.name, str(call)):
            return Made("", False)
        expected: Any = None
        if subject.numpys is not None:
            plain, named = arguments(lambda array: array)
            expected = outcome(lambda: subject.numpys(*plain, **named))
        right = not isinstance(expected, Exception)
        if isinstance(expected, Hang):
            return Made("", False)
        if traced:
            frame = Crawled("crawled")
            with entered(frame):
                ours, our_names = arguments(lazily)
                always = getattr(subject.traced, "_always", subject.name[0] not in ".no")
                if not lifted[0] and not always:
                    return Made("", right)
                found = outcome(lambda: subject.traced(*ours, **our_names))
                both = right and not isinstance(found, JitframeError)
                return Made(verdict(subject, expected, found, single), both)
        ours, our_names = arguments(lazily)
        if not lifted[0] and subject.name[0] in ".o":
            return Made("", right)
        found = outcome(lambda: subject.tensors(*ours, **our_names))
        both = right and not isinstance(found, JitframeError)
        return Made(verdict(subject, expected, found, single), both)


def told(text: str, traced: bool) -> str:
    """What is wrong about a call that is given as text; nothing where all is as it should be."""
    is_method = text.startswith(".")
    tree = ast.parse(text[is_method:], mode="eval").body
    assert isinstance(tree, ast.Call)
    name = "." * is_method + ast.unparse(tree.func)
    named = {each.arg or "": ast.unparse(each.value) for each in tree.keywords}
    subject = next(each for each in subjects() if each.name == name)
    lazy.start_graph()
    return judged(Call(subject, [*map(ast.unparse, tree.args)], named), traced, True).what


def shown(value: Any) -> str:
    """The beginning of what a value is printed as."""
    try:
        return f"{value!s:.160}"
    except (ValueError, SystemError):  # a mask of another shape; characters of other memory
        return f"a {type(value).__name__}"


def verdict(subject: Subject, expected: Any, found: Any, single: bool) -> str:
    objects = isinstance(expected, np.ndarray) and expected.dtype.hasobject
    text = "objects" if objects else shown(expected)  # NumPy leaves some unwritten
    theirs = f" | numpy: {type(expected).__name__}: {text}"
    if isinstance(found, Hang):
        return f"HANG{theirs}"
    if isinstance(found, JitframeError):
        if found.line is None or not found.line.file.endswith(("crawl.py", "crawl_subjects.py")):
            return f"LINE {found.line} {type(found).__name__}: {found.message}"
        words = f"{type(found).__name__}: {found.message}"
        if isinstance(found, UnsupportedError) or "is no array: NumPy makes an object array" in words:
            return ""
        if subject.numpys is None:
            return ""
        if not isinstance(expected, Exception):
            meant = is_odd(expected) or is_meant("REFUSED", words, "")
            return "" if meant else f"REFUSED {words}{theirs}"
        accepted = classes_of(expected)
        if not single or not accepted or isinstance(expected, MemoryError):
            return ""
        if AttributeError in accepted or "truth value" in str(
            expected
        ):  # what NumPy says of nothing in particular
            return ""
        if isinstance(expected, OverflowError) and isinstance(found, (ValueError, IndexError)):
            return ""  # numbers beyond C's integers are positions and sizes like others here
        meant = is_meant("CLASS", words, f"{type(expected).__name__}: {expected}")
        same = all(isinstance(found, each) for each in accepted)
        return "" if same or meant else f"CLASS {words}{theirs}"
    if isinstance(found, Exception):
        if type(found) is type(expected) and str(found) == str(expected):
            return ""  # what NumPy's own array says, which is asked first
        by_python = re.match(
            "(unsupported|bad) operand|can only concatenate|can't concat|'.*' not supported between",
            str(found),
        )
        if by_python and isinstance(found, TypeError) and "WithArray" not in str(found):
            return ""
        where: Any = found.__traceback__
        while where is not None and where.tb_next is not None:
            where = where.tb_next
        if where is not None and where.tb_frame.f_code.co_filename == "<string>":
            return ""  # a function of the user's
        place = f"{where.tb_frame.f_code.co_filename.rpartition('/')[2]}:{where.tb_lineno}" if where else ""
        return f"INTERNAL {type(found).__name__}: {found!s:.200} at {place}{theirs}"
    if isinstance(expected, Exception):
        allowed = (
            not single
            or isinstance(expected, (MemoryError, AttributeError))
            or ALLOWED.search(str(expected))
            or is_meant("LENIENT", "", f"{type(expected).__name__}: {expected}")
            or isinstance(outcome(lambda: [*map(value_of, several(found))]), type(expected))
        )
        return "" if allowed else f"LENIENT {found!r:.80}{theirs}"
    try:
        if subject.numpys is None:
            try:
                for each in several(found):
                    value_of(each)
            except (IndexError, MemoryError):
                pass  # told when the result is asked for
            return ""
        difference = compared(subject, expected, found)
    except TraceError:
        return ""  # of an extent that values decide
    except Exception as error:
        if "too big" in str(error) or "did not converge" in str(error):
            return ""  # for the interpreter of graphs; of NaN, which NumPy's decompositions give back
        return f"BROKEN {type(error).__name__}: {error!s:.200}"
    return f"DIFFERS {difference}" if difference else ""


def is_odd(expected: Any) -> bool:
    """Whether a result of NumPy's is of a kind that there is not here."""
    return any(each.dtype.name not in BY_NUMPY_NAME for each in safely(expected))


def safely(expected: Any) -> list[Any]:
    made = []
    for each in several(expected):
        try:
            made.append(np.asarray(each))
        except ValueError:
            made.append(np.asarray(None))
    return made


class Finding(NamedTuple):
    call: str
    traced: bool
    what: str
    kind: str
    argument: str


def crawl(calls: int, seed: int, only: str = "", enormous: bool = True) -> tuple[list[Finding], Counter[str]]:
    """One finding of each kind, and how often each kind was met.

    `enormous`: sizes are among the arguments that NumPy gets memory for, as long as there is any.
    """
    found = [each for each in subjects() if re.search(only, each.name)]
    maker = Maker(seed, found, enormous)
    findings: list[Finding] = []
    counts: Counter[str] = Counter()
    done = 0
    while done < calls:
        whole = maker.call()
        traced = maker.random.random() < 0.5
        spoiled = [(maker.spoiled(whole), True) for _ in range(3)]
        right = True
        for call, single in ((whole, False), *spoiled):
            lazy.start_graph()
            what, fits = judged(call, traced, single and right)
            if what.startswith("DIFFERS") and QUIRKS.search(f"{'traced' if traced else 'tensor'} {call}"):
                what = ""
            if what.startswith("LENIENT") and LENIENT.search(str(call)):
                what = ""
            right = right and (single or fits)
            done += 1
            kind = f"{call.subject.name} {re.sub(r'[0-9]+', '#', what.partition('|')[0])[:110]}"
            if what:
                counts[kind] += 1
            if what and counts[kind] == 1:
                findings.append(Finding(str(call), traced, what, kind, call.argument))
    return findings, counts


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--calls", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only", default="", help="a pattern that the names of the functions have")
    options = parser.parse_args()
    import resource

    resource.setrlimit(resource.RLIMIT_AS, (6 << 30, 6 << 30))
    counts: Counter[str] = Counter()
    for done in range(0, options.calls, PART):
        part = min(PART, options.calls - done)
        findings, found = crawl(part, options.seed + done // PART, options.only)
        for finding in findings:
            if finding.kind not in counts:
                where = "traced" if finding.traced else "tensor"
                print(f"{where} {finding.call}\n    {finding.what}", flush=True)
        counts += found
        kinds: Counter[str] = Counter()
        for kind, count in counts.items():
            kinds[kind.split(" ")[1]] += count
        print(done + part, "calls", dict(kinds), f"{len(counts)} kinds", flush=True)


PART = 20_000
"""So many calls are made with one seed."""


if __name__ == "__main__":
    main()
