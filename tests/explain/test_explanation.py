"""Explanations: what they print, what they hold, and that they run nothing."""

from __future__ import annotations

import sys

import numpy as np
import pytest

import jitframe as jf
from jitframe.errors import ArgumentError, DTypeError
from jitframe.explanation import LEVELS, Explanation, explain_call, text
from jitframe.explanation.spelling import bytes_text, time_text
from jitframe.explanation.text import WIDTH
from jitframe.ir.parse import parse_graph
from jitframe.ir.text import graph_text
from jitframe.runtime.cpu.execution.runtime import runtime

X = np.ones((40, 30), np.float32)


@jf.jit
def softmax(x):
    e = np.exp(x - x.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


@jf.jit
def dense(x, w, b, scale):
    return np.tanh(x @ w + b) * scale


@jf.jit
def repeated(x, n):
    return jf.fori_loop(0, n, lambda i, v: v[::-1] * 0.3 + x, x)


@jf.jit
def chosen(x, limit):
    return jf.cond(x.sum() > limit, lambda v: v + 1, lambda v: v * x, x)


@jf.jit
def windows(x):
    out = np.zeros_like(x)
    out[1:, ::-1] = np.where(x[:-1] > 0, x[:-1].astype(np.float64), -x[1:]) ** 3
    return out, x.T


@jf.jit
def total(x):
    return (x * x).sum()


@jf.jit
def given(x):
    return x


EXPLAINED = {
    "softmax": lambda: softmax.explain(X),
    "dense": lambda: dense.explain(X, np.ones((30, 20), np.float32), np.ones(20, np.float32), 0.7),
    "repeated": lambda: repeated.explain(X, 5),
    "chosen": lambda: chosen.explain(X, 3.5),
    "windows": lambda: windows.explain(X),
    "total": lambda: total.explain(np.ones(1_000_000, np.float32)),
    "lazy": lambda: jf.explain(jf.exp(jf.asarray(X)).sum(axis=0), jf.asarray(X) * 3.7),
}

SOFTMAX = """\
graph  8 nodes, 12 as traced
  %0   f32[40, 30]   x
  %1   f32[40]       max(%0, axis=1)    test_explanation.py:24  e = np.exp(x - x.max(axis=-1, keepd…
  %2   f32[40, 30]   %0 - %1[:, None]   test_explanation.py:24  e = np.exp(x - x.max(axis=-1, keepd…
  %3   f32[40, 30]   exp(%2)            test_explanation.py:24  e = np.exp(x - x.max(axis=-1, keepd…
  %4   f32[40]       sum(%3, axis=1)    test_explanation.py:25  return e / e.sum(axis=-1, keepdims=…
  %5   f32[40, 30]   %3 / %4[:, None]   test_explanation.py:25  return e / e.sum(axis=-1, keepdims=…
  return %5

groups  1
  kernel 0 max_sum_div, loops over 40, reduces 30
    %1   max(%0, axis=1)    in registers, once for each row
    %4   sum(%3, axis=1)    in registers, once for each row
    %5   %3 / %4[:, None]   in memory: it is an output
"""


def test_softmax_prints_as_reviewed() -> None:
    text = str(softmax.explain(X))
    title, rule, _, rest = text.split("\n", 3)
    assert title.startswith("softmax(x: f32[40, 30])  ") and "1 kernel, moves 9.4 KiB, about " in title
    assert len(title) == len(rule) == WIDTH
    assert rest.startswith(SOFTMAX)
    plan = rest[len(SOFTMAX) :].split("\n\n")[0].strip("\n")
    assert plan.splitlines()[0] == "plan  2 steps, 4.7 KiB beside the inputs"
    assert "  alloc    b1: f32[1200]   4.7 KiB" in plan
    assert plan.splitlines()[-1] == "  return b1"
    assert "kernels  1\n  0 max_sum_div   1 load, 1 store, 3 operations   " in rest


@pytest.mark.parametrize("name", list(EXPLAINED))
def test_every_explanation_fits_a_terminal_and_says_all(name: str) -> None:
    explained = EXPLAINED[name]()
    lines = str(explained).splitlines()
    assert all(len(line) <= WIDTH for line in lines), max(lines, key=len)
    assert not any(line != line.rstrip() for line in lines)
    for heading in ("graph  ", "groups  ", "plan  ", "kernels  "):
        assert sum(line.startswith(heading) for line in lines) == 1
    assert (
        explained.kernels
        and explained.bytes_moved > 0
        and explained.cost_ns >= 0
        and explained.peak_bytes > 0
    )
    assert explained.reasons and all(explained.reasons.values())
    text = str(explained)
    assert all(f"in memory: {reason}" in text for reason in explained.reasons.values())
    assert explained.graph in text and explained.plan in text
    assert {number for group in explained.groups for number in group.kernels} == set(
        range(len(explained.kernels))
    )


@pytest.mark.parametrize("name", list(EXPLAINED))
def test_every_kernel_has_every_level(name: str) -> None:
    for kernel in EXPLAINED[name]().kernels:
        graph = kernel.source("graph")
        assert graph_text(parse_graph(graph)) == graph
        assert kernel.source("kernel").startswith(f"kernel {kernel.name}, workgroup ")
        assert f"define void @{kernel.name}(" in kernel.source("source")
        assert f"{kernel.name}:" in kernel.source("asm")
        assert kernel.launches
        assert kernel.origin == "loaded from disk" or kernel.origin.startswith("compiled in ")
        assert kernel.origin.startswith("compiled") or kernel.key in {
            entry.name for entry in jf.cache.entries()
        }


def test_the_graph_of_a_kernel_is_what_it_computes() -> None:
    (kernel,) = softmax.explain(X).kernels
    assert kernel.source("graph") == (
        "graph\n"
        "  %0: f32[40, 30] = parameter index=0, layout='m1'\n"
        "  %1: f32[40] = reduce %0, kind='max', axes=[1]\n"
        "  %2: f32[40, 30] = broadcast %1, axes=[0]\n"
        "  %3: f32[40, 30] = sub %0, %2\n"
        "  %4: f32[40, 30] = exp %3\n"
        "  %5: f32[40] = reduce %4, kind='sum', axes=[1]\n"
        "  %6: f32[40, 30] = broadcast %5, axes=[0]\n"
        "  %7: f32[40, 30] = div %4, %6\n"
        "  return %7\n"
    )
    first, second = total.explain(np.ones(1_000_000, np.float32)).kernels
    assert "mul %0, %0" in first.source("graph")
    assert second.source("graph") == (
        "graph\n  %0: f32[62] = parameter index=0, layout='1'\n"
        "  %1: f32[] = reduce %0, kind='sum', axes=[0]\n  return %1\n"
    )


def test_an_explanation_has_the_sizes_of_its_call() -> None:
    """The plan was made for other sizes."""
    softmax.explain(X)
    explained = softmax.explain(np.ones((11, 13), np.float32))
    assert "f32[11, 13]" in explained.graph and "40" not in explained.graph
    assert "b1: f32[143]" in explained.plan
    assert "f32[11, 13]" in explained.kernels[0].source("graph")
    assert (explained.groups[0].parallel, explained.groups[0].reduced) == ((11,), (13,))


def test_levels_on_request() -> None:
    explained = softmax.explain(X)
    text = explained.text("kernel", "asm")
    assert text.startswith(str(explained))
    for level in ("kernel", "asm"):
        assert f"── 0 max_sum_div, {level} ──" in text
        assert explained.kernels[0].source(level).rstrip("\n") in text


def test_an_unknown_level_names_the_levels() -> None:
    explained = softmax.explain(X)
    with pytest.raises(ArgumentError) as raised:
        explained.kernels[0].source("llvm")
    assert raised.value.message == (
        "a kernel has no level 'llvm'; the levels are 'graph', 'kernel', 'source', 'asm'"
    )
    with pytest.raises(ArgumentError) as raised:
        explained.text("kernels")
    assert (
        raised.value.message
        == "no level is called 'kernels'; the levels are 'graph', 'kernel', 'source', 'asm'"
    )
    assert LEVELS == ("graph", "kernel", "source", "asm")


def test_arguments_numbers_and_loops_have_the_users_names() -> None:
    graph = dense.explain(X, np.ones((30, 20), np.float32), np.ones(20, np.float32), 0.7).graph
    assert "%0 @ %1" in graph and "scale" in graph
    graph = repeated.explain(X, 5).graph
    for part in ("for index in range(0, n), starting from %0", "carried 0", " * 0.3", "result 0 of %1"):
        assert part in graph
    graph = windows.explain(X).graph
    for part in ("%0[:39, :]", "%0[1:, :]", "where(", "f64(", "with [1:, ::-1] = "):
        assert part in graph


def test_explaining_runs_nothing() -> None:
    x = jf.asarray(X)
    y = jf.exp(x) + 1
    before = runtime().statistics()
    explained = jf.explain(y)
    assert len(explained.kernels) == 1
    assert y._value is None
    assert runtime().statistics() == before
    np.testing.assert_allclose(y.numpy(), np.exp(X) + 1, rtol=1e-6)


def test_nothing_to_compute() -> None:
    x = jf.asarray(X)
    y = x + 1
    y.numpy()
    known = jf.explain(y)
    assert str(known) == "f32[40, 30]" + "computed already: nothing is left to do".rjust(
        WIDTH - len("f32[40, 30]")
    )
    assert known.kernels == () and known.plan == "" and known.reasons == {}
    returned = given.explain(X)
    assert "nothing to compute: it returns what it was given" in str(returned)
    assert returned.to_networkx().number_of_nodes() == 0


def test_what_cannot_be_explained() -> None:
    with pytest.raises(DTypeError) as raised:
        jf.explain(X)
    assert (
        raised.value.message
        == "explain takes tensors, not a ndarray; for a jitted function: f.explain(*arguments)"
    )


def test_the_graph_for_networkx() -> None:
    explained = softmax.explain(X)
    graph = explained.to_networkx()
    import networkx

    assert networkx.is_directed_acyclic_graph(graph)
    assert graph.nodes["%5"]["kernels"] == (0,)
    assert graph.nodes["%0"] == {
        "op": "parameter", "dtype": "f32", "shape": (40, 30), "formula": "x", "lines": (), "kernels": (),
    }  # fmt: skip
    assert graph.nodes["%3"]["lines"] == (f"{__file__}:24",)
    assert next(iter(networkx.topological_sort(graph))) == "%0"
    assert networkx.has_path(graph, "%1", "%5"), "through the broadcast that is written inline"


@pytest.mark.more
def test_networkx_is_not_imported_before_it_is_asked_for() -> None:
    import subprocess

    code = (
        "import sys, numpy as np, jitframe as jf\n"
        "e = jf.explain(jf.asarray(np.ones(3)) + 1)\n"
        "assert e.kernels and 'networkx' not in sys.modules\n"
        "assert jf.explain is jf.explain and callable(jf.explain)\n"
        "e.to_networkx(); assert 'networkx' in sys.modules\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_explain_call_is_what_the_method_calls() -> None:
    explained = explain_call(softmax, (), {"x": X})
    assert isinstance(explained, Explanation)
    assert explained.graph == softmax.explain(X).graph
    assert repr(explained) == "<explanation of softmax(x: f32[40, 30]): 1 kernels>"


@pytest.mark.parametrize(
    ("count", "text"),
    [(0, "0 B"), (1023, "1023 B"), (1024, "1.0 KiB"), (16 << 20, "16.0 MiB"), (5 << 40, "5.0 TiB")],
)
def test_bytes_are_spelled_short(count: int, text: str) -> None:
    assert bytes_text(count) == text


@pytest.mark.parametrize(
    ("nanoseconds", "text"),
    [(0, "0 ns"), (999, "999 ns"), (1500, "1.5 µs"), (8.65e6, "8.65 ms"), (2e9, "2 s")],
)
def test_times_are_spelled_short(nanoseconds: float, text: str) -> None:
    assert time_text(nanoseconds) == text


def test_who_answers_calls_is_told():
    def words(x):
        return [str(value) for value in x]

    jitted, x = jf.jit(words), np.arange(4.0)
    for _ in range(3):
        assert jitted(x) == words(x)
    told = jitted.explain(x)
    line = words.__code__.co_firstlineno + 1
    assert told.by_python.endswith(f"a text needs a value, at {__file__}:{line}")
    assert "µs a call" in told.by_python
    assert str(told).startswith("Python answers such calls (")
    assert jf.jit(lambda x: x + 1).explain(x).by_python == ""


def test_calls_whose_results_python_makes_say_so():
    drawing = jf.jit(lambda x: x + np.random.random(3))
    x = np.ones(3)
    for _ in range(60):
        drawing(x)
    assert "made by Python (lists, random numbers, texts, exceptions)" in drawing.explain(x).by_python


def test_what_is_not_compiled_says_why():
    def own(x):
        raise LookupError("nothing")

    told = jf.jit(own).explain(np.ones(3))
    assert told.by_python == "(no trace): LookupError: nothing" and told.kernels == ()
    assert str(told).splitlines()[0] == "Python answers such calls (no trace): LookupError: nothing"


def test_long_programs_are_printed_short():
    def long(x):
        for function in [np.sin, np.cos] * 23:
            x = function(x.sum() * x)
        return x

    told = jf.jit(long).explain(np.ones(3))
    printed, whole = str(told), told.text()
    assert "different\n" in printed and ", 3 times\n" in printed
    assert len(printed.splitlines()) < len(whole.splitlines())
    assert "lines more, which `text()` has" in printed and "lines more" not in whole


def test_many_cuts_are_printed_short():
    def cut(x):
        return [float(f"{value:.3f}") for value in x]

    told = jf.jit(cut).explain(np.ones(9))
    assert len(told.before) == 9
    assert "… 7 programs between cuts, in `before`" in str(told) and "between cuts" not in told.text()


def test_lines_of_complex_programs():
    z = np.arange(3) + 1j

    def power(z):
        return abs(z) * abs(z) + abs(np.fft.fft(z)) ** 2

    told = jf.jit(power).explain(z)
    assert str(told).count("test_explanation.py") > 3


def alternating(x):
    parts = []
    for i in range(6):
        if x[i] > 2:
            x[i] = 7.25
        parts.insert(i // 2, x[i])
    return np.array(parts)


def test_a_slow_compilation_says_what_took_long(monkeypatch):
    plain, unrolled = jf.jit(lambda x: np.cumsum(x * 0.625) - 3), jf.jit(alternating)
    assert "processor time" not in str(plain.explain(np.ones(7)))
    monkeypatch.setattr(text, "SLOW_NS", 1)
    lines = str(plain.explain(np.ones(7))).splitlines()
    (told,) = [line for line in lines if line.startswith("compiled in")]
    assert " of processor time: plan of " in told and told.index("nodes") < told.index("machine code")
    assert "Unrolled loops" not in str(plain.explain(np.ones(7)))
    advice = "Unrolled loops are compiled once for each iteration."
    assert advice in str(unrolled.explain(np.ones(6))).splitlines()


def test_a_trace_for_an_explanation_ends_in_time(monkeypatch):
    """As calls do, whose traces Python's time limits."""
    monkeypatch.setattr("jitframe.explanation.PATIENCE_NS", 0)

    def words(x):
        return [str(value) for value in x]

    told = jf.jit(words).explain(np.arange(4.0))
    assert told.by_python.startswith("(not run yet): its loops and branches take too long to trace")
    assert told.kernels == ()
