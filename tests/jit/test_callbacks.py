"""Host functions in the middle of jitted ones: `callback`, `debug_print` and `print`."""

from __future__ import annotations

import logging
import traceback
import warnings

import numpy as np
import pytest

import jitframe as jf
from jitframe.errors import DTypeError, ShapeError, TraceError, UnsupportedError
from jitframe.ir.interpret import evaluate
from jitframe.ir.node import Graph
from jitframe.ir.ops.callbacks import HostFunction
from jitframe.ir.parse import parse_graph
from jitframe.ir.text import graph_text
from jitframe.tracing import fallback
from tests.jit.same import assert_same

X = np.array([3.0, 1.0, 4.0, 1.5])
SEEN = []


def note(value):
    SEEN.append(value)


def sorted_and_doubled(a):
    assert type(a) is np.ndarray
    out = np.zeros(a.shape)
    out[...] = np.sort(a)
    return out * max(1, 2)


@pytest.mark.parametrize("device", ["cpu", "opencl", "webgpu"])
def test_calls_on_every_device(device):
    if device not in {each.name for each in jf.devices() if each.available}:
        pytest.skip(f"no {device}")

    @jf.jit(device=device)
    def function(x, n):
        y = jf.callback(sorted_and_doubled, jf.ArraySpec(x.shape, x.dtype), x + 1)
        low, high = jf.callback(
            lambda a, n: (a.min(), a[:n]), (jf.ArraySpec((), x.dtype), jf.ArraySpec(2, x.dtype)), y, 2
        )
        for v in y:
            if v > 5:
                jf.callback(note, None, v)
        return y * n, low, high + low

    x = X.astype(np.float32)
    y = np.sort(x + 1) * 2
    for n in (2.0, 3.0):
        SEEN.clear()
        assert_same(function(x, n), (y * np.float32(n), y[0], y[:2] + y[0]))
        assert SEEN == [8.0, 10.0]


def test_calls_in_loops_and_branches_are_in_order(capsys):
    def function(x, n):
        print("begin", x.shape, [x, 1])
        for i in range(int(n)):
            if x[i] > 2:
                print("large", i, x[i], sep=":")
            else:
                print("small", i)
            x[i] += 1
        while x[0] > 0.5:
            x = x / 2
            print(x[0], end="\n\n")
        return x

    jitted = jf.jit(function)
    for _ in range(2):
        found = jitted(X.copy(), np.float64(4))
        mine = capsys.readouterr().out
        assert_same(found, function(X.copy(), np.float64(4)))
        assert mine == capsys.readouterr().out and mine.count("\n") == 11
    program = jitted.program(X.copy(), np.float64(4))
    assert not program.segments  # it is one program


def test_calls_between_cuts_are_made_once_and_in_order():
    @jf.jit
    def function(x):
        jf.callback(note, None, 1)
        kept = x[x > 2]
        jf.callback(note, None, kept.size)
        y = jf.callback(np.cumsum, kept, kept)
        if y.sum() > 1:
            jf.callback(note, None, y)
        return np.flatnonzero(y > 3)

    for x in (X, X, X * 2, np.zeros(3)):
        SEEN.clear()
        kept = x[x > 2]
        assert_same(function(x), np.flatnonzero(np.cumsum(kept) > 3))
        assert SEEN[:2] == [1, kept.size] and len(SEEN) == 2 + (kept.size > 0)


def test_what_python_answers_prints_once(capsys, monkeypatch):
    monkeypatch.setattr(fallback, "LEAST_CUTS", 0)

    def function(x):
        print("begin", x[0])
        kept = [v for v in x if v > 2]
        print("kept", len(kept))
        return kept

    jitted = jf.jit(function)
    for _ in range(5):
        assert jitted(X) == [3.0, 4.0]
        assert capsys.readouterr().out == "begin 3.0\nkept 2\n"


def test_nothing_is_called_after_an_exception(capsys):
    @jf.jit
    def function(x):
        print("first")
        if x[0] > 2:
            raise ValueError("large")
        print("second")
        return x

    with pytest.raises(ValueError, match="large"):
        function(X)
    assert capsys.readouterr().out == "first\n"
    function(-X)
    assert capsys.readouterr().out == "first\nsecond\n"


def failing(a):
    raise KeyError("mine", a.size)


def test_exceptions_come_with_their_traceback():
    @jf.jit
    def function(x, flag):
        x[0] = 7
        return jf.callback(failing, x, x) if flag[0] else x

    x = X.copy()
    with pytest.raises(KeyError) as found:
        function(x, np.array([True]))
    assert found.value.args == ("mine", 4)
    assert "raise KeyError" in "".join(traceback.format_exception(found.value))
    function(x, np.array([False]))
    assert x[0] == 7

    def stopped(a):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        jf.jit(lambda x: jf.callback(stopped, x, x))(X)


def test_kinds_and_dtypes_of_values():
    def look(given):
        SEEN[:] = [given]
        return given["z"].conj(), np.bool_(True), given["flags"]

    @jf.jit
    def function(z, flags, n, s, h, empty):
        given = {"z": z, "flags": flags, "n": n, "more": [s, "text", None, h], "empty": empty}
        specs = (z, jf.ArraySpec((), bool), jf.ArraySpec(flags.shape, "bool"))
        return jf.callback(look, specs, given)

    z, flags = np.array([[1 + 2j], [3j]]).T, np.array([True, False])
    h = np.arange(6, dtype=np.float16)[::-2]
    found = function(z, flags, 3, np.float32(1.5), h, np.zeros((0, 2), np.int8))
    assert_same(found, (z.conj(), np.bool_(True), flags))
    (given,) = SEEN
    assert_same(given["z"], z)
    assert_same(given["flags"], flags)
    assert_same(given["more"], [np.float32(1.5), "text", None, h])
    assert type(given["n"]) is int and given["n"] == 3 and given["empty"].shape == (0, 2)


def test_methods_of_lists_are_called():
    seen = []
    jitted = jf.jit(lambda x: jf.callback(seen.append, None, x))
    for n in (1, 2, 3):
        jitted(X)
        assert len(seen) == n


def test_jitted_functions_and_methods_are_called():
    class Counter:
        def __init__(self):
            self.count = 0

        def add(self, x):
            self.count += 1
            return x * self.count

    counter, inner = Counter(), jf.jit(lambda a: a * 2 + 1)

    @jf.jit
    def function(x):
        return jf.callback(counter.add, x, jf.callback(inner, x, x))

    for n in (1, 2, 3):
        assert_same(function(X), (X * 2 + 1) * n)


def test_outside_of_jitted_functions(capsys):
    assert_same(jf.callback(np.sort, X, X), np.sort(X))
    assert_same(jf.callback(np.sum, jf.ArraySpec((), float), X), X.sum())
    found = jf.callback(np.sort, X, jf.asarray(X))
    assert isinstance(found, jf.Tensor) and found.tolist() == sorted(X)
    assert jf.callback(note, None, X) is None
    jf.debug_print("{:.1f} {name}", X[0], name=2)
    assert capsys.readouterr().out == "3.0 2\n"


def test_debug_print(capsys):
    @jf.jit
    def function(x):
        for i in range(3):
            jf.debug_print("{}: {:.2f} of {n}", i, x[i], n=x.shape[0])
        return x

    function(X)
    assert capsys.readouterr().out == "0: 3.00 of 4\n1: 1.00 of 4\n2: 4.00 of 4\n"


def test_what_is_refused():
    for function, error, words in (
        (lambda x: jf.callback(np.sum, x, x), ShapeError, r"result 0 is float64\[\], and float64\[4\]"),
        (lambda x: jf.callback(lambda a: a * 1j, x, x), DTypeError, "result 0 is complex128"),
        (lambda x: jf.callback(lambda a: (a, a), x, x), DTypeError, "not built as what was said"),
        (lambda x: jf.callback(np.sum, 3, x), DTypeError, "said by jf.ArraySpec"),
        (lambda x: jf.callback(3, x), DTypeError, "takes a function first"),
        (lambda x: jf.debug_print(x), DTypeError, "takes a text"),
        (lambda x: jf.callback(max, None, *[x] * 61), UnsupportedError, "60 at most"),
        (lambda x: jf.fori_loop(0, 3, lambda i, y: (print(y), y)[1], x), TraceError, "write a Python loop"),
    ):  # fmt: skip
        with pytest.raises(error, match=words):
            jf.jit(function)(X)


def test_the_graph_is_printed_read_and_interpreted():
    from jitframe.ir import ops
    from jitframe.ir.types import BOOL, F64, I32, I64

    function = HostFunction(lambda a: [a + 1], [((2,), "float64")], [((2,), "float64")], "int64")
    graph = Graph()
    x = graph.parameter(0, (2,), F64)
    handle = graph.constant(function.handle, I32)
    for active, expected in ((True, [1.0, [2.0, 3.0]]), (False, [0, [0.0, 0.0]])):
        made = graph.make(
            ops.callback, handle, graph.constant(active, BOOL), graph.constant(0, I64), x,
            attributes=(((2,),), "f64"),
        )  # fmt: skip
        items = tuple(graph.make(ops.item, made, attributes=(place,)) for place in (0, 1))
        assert parse_graph(graph_text(items), graph) == items
        assert [each.tolist() for each in evaluate(items, {x: np.array([1.0, 2.0])})] == expected


LOG = logging.getLogger("jitframe-tests.reports")


def test_warnings_and_logs_are_told_where_the_program_comes_to_them(caplog, strict):
    def function(x):
        if x.sum() > 10:
            warnings.warn("large", RuntimeWarning, stacklevel=2)
            LOG.warning("the sum is %.2f", x.sum())
        else:
            logging.getLogger("jitframe-tests").error("small")
        return x * 2

    jitted = jf.jit(function)
    told = []
    for f in (function, jitted):
        caplog.clear()
        with warnings.catch_warnings(record=True) as seen:
            warnings.simplefilter("always")
            for x in (X, X + 1, X):
                assert_same(f(x), x * 2)
        texts = [(each.name, each.levelname, each.getMessage()) for each in caplog.records]
        told.append(([str(each.message) for each in seen], texts))
    assert told[0] == told[1] and told[0][0] == ["large"] and len(told[0][1]) == 3
    assert jitted.stats()["interpreted"] == 0  # compiled code alone, which the setting sees to
