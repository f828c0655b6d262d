"""Operators and element reads that native code answers give what the Python methods give."""

from __future__ import annotations

import inspect
import operator
import sys
import threading
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import jitframe as jf
from jitframe.ir.node import topological
from jitframe.ir.text import graph_text
from jitframe.runtime.cpu.entry.callables import native_entry_works
from jitframe.tensors import computing, lazy, native

pytestmark = pytest.mark.skipif(not native_entry_works(), reason="no native entry on this interpreter")

OPERATORS = (
    operator.add, operator.sub, operator.mul, operator.truediv, operator.floordiv, operator.mod, operator.pow,
    operator.lt, operator.le, operator.gt, operator.ge, operator.eq, operator.ne,
)  # fmt: skip
NUMBERS = (0, 1, -1, 2, 7, 2**70, 0.0, -0.0, 0.5, 1.5, float("inf"), float("nan"), True)


@pytest.fixture(autouse=True)
def answered() -> None:
    native.answer_natively()
    lazy.start_graph()


@pytest.fixture
def slow(monkeypatch: pytest.MonkeyPatch) -> None:
    """The methods as they are without native code."""
    for name in dir(jf.Tensor):
        method = getattr(jf.Tensor, name, None)
        if isinstance(method, native.native_method_class()):
            monkeypatch.setattr(jf.Tensor, name, method.__wrapped__)


def results(array: np.ndarray, describe: Callable[[jf.Tensor], Any]) -> list[Any]:
    """What all operators give of an array and a number, twice: made first, and found again."""
    found = []
    lazy.start_graph()
    with np.errstate(all="ignore"):
        for apply in OPERATORS:
            for number in NUMBERS:
                for operands in ((0, 1), (1, 0), (0, 0)):
                    for _ in range(2):
                        given = jf.asarray(array), number
                        try:
                            made = apply(given[operands[0]], given[operands[1]])
                            found.append(describe(made))
                        except (jf.errors.JitframeError, OverflowError) as error:
                            found.append(type(error))
    return found


def value(made: jf.Tensor) -> Any:
    array = np.asarray(made)
    return array.shape, array.dtype, array.tobytes()


def nodes(made: jf.Tensor) -> Any:
    """What is to be computed; compiling that takes three seconds for each dtype."""
    if made._value is not None:
        return value(made)
    graph = made._frame.begin()
    node = made._operand(graph)
    scalars = [each.attribute("index") for each in topological([node]) if each.op.source == "scalar"]
    numbers = [repr(graph.scalar_values[index]) for index in scalars]
    return graph_text([node]), numbers, made.shape, made.dtype


@pytest.mark.parametrize(
    ("dtype", "describe"),
    [("float64", value), *((dtype, nodes) for dtype in ("float32", "int64", "bool"))],
)
def test_operators_are_those_of_python(
    dtype: str, describe: Callable[[jf.Tensor], Any], request: pytest.FixtureRequest
) -> None:
    array = np.array([0, 1, 2, 5, 9]).astype(dtype)
    answers = results(array, describe)
    request.getfixturevalue("slow")
    assert answers == results(array, describe)


def test_elements_of_every_dtype_and_layout() -> None:
    for dtype in ("float64", "float32", "float16", "int64", "int8", "uint16", "bool", "complex128"):
        whole = np.arange(24).reshape(2, 3, 4).astype(dtype)
        for array in (whole, whole.T, whole[:, ::-1, ::2], whole[0, 0], whole[1, 2, ::-1]):
            x = jf.asarray(array)
            for index in np.ndindex(array.shape):
                for position in (index, tuple(i - n for i, n in zip(index, array.shape, strict=True))):
                    element = x[position if array.ndim > 1 else position[0]]
                    assert element.shape == ()
                    assert np.asarray(element).dtype == dtype
                    assert element == array[position]


def test_an_index_out_of_range_is_an_error() -> None:
    x = jf.asarray([1.0, 2.0])
    for position in (2, -3, 2**80, (0, 0), (5,)):
        with pytest.raises(IndexError):
            x[position]


def test_an_element_stays_what_it_was() -> None:
    x = jf.asarray([1.0, 2.0])
    element = x[1]
    x[1] = 7.0
    assert (element, x[1]) == (2.0, 7.0)


def test_scalars_in_place_are_new_ones() -> None:
    x = jf.asarray([1.0, 2.0, 3.0])
    total = first = x[0]
    total += x[1]
    total *= 2
    assert (first, total) == (1.0, 6.0)
    y = z = x + 0
    y += 1
    assert z.tolist() == [2.0, 3.0, 4.0]


def test_views_are_written_through_operators_in_place() -> None:
    x = jf.asarray(np.arange(6.0))
    for _ in range(3):
        part = x[1:4]
        part += 1
        part *= 2.0
    wanted = np.arange(6.0)
    for _ in range(3):
        wanted[1:4] += 1
        wanted[1:4] *= 2.0
    np.testing.assert_array_equal(x.numpy(), wanted)


def test_threads_have_their_own_graphs() -> None:
    x = jf.asarray(np.arange(100.0))
    found: dict[int, float] = {}

    def work(number: int) -> None:
        y = x
        for _ in range(200):
            y = y * 0.5 + number
        found[number] = float(y.sum())

    threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for number, value in found.items():
        y = np.arange(100.0)
        for _ in range(200):
            y = y * 0.5 + number
        assert value == pytest.approx(y.sum())


def test_nothing_is_kept() -> None:
    """Reference counts of what many operations share are what they were."""
    x = jf.asarray(np.arange(100.0))

    def work(count: int) -> None:
        for _ in range(count):
            (x * 2.5 + 1).numpy()
            x[3] + x[4] * 2
            x[200:] + 1

    work(100)
    shared = (x, x._value, x._frame, x._dtype, native.F64, np.dtype("f8"), (), "graphs")
    before = [sys.getrefcount(each) for each in shared]
    work(500)
    after = [sys.getrefcount(each) for each in shared]
    assert max(abs(y - x) for x, y in zip(before, after, strict=True)) < 100


@pytest.mark.parametrize(
    "apply", [lambda x: x + "a", lambda x: "a" * x, lambda x: x[None:"a"], lambda x: x + {}]
)
def test_what_is_no_operand_is_refused(apply: Callable[[Any], Any]) -> None:
    with pytest.raises((TypeError, IndexError)):
        apply(jf.asarray([1.0, 2.0]))


def test_methods_tell_their_parameters() -> None:
    assert list(inspect.signature(jf.Tensor.__add__).parameters) == ["self", "other"]
    assert jf.asarray([1.0]).__add__(2.0).tolist() == [3.0]


def test_elements_are_stored_in_a_value_that_nobody_else_has() -> None:
    x = jf.asarray(np.zeros(6))
    later, view, element = x + 1, x[2:], x[0]
    x[0] = 5.0
    before = x.numpy()
    for index in range(6):
        x[index] = index + 0.5
        x[-1] = x[index] * 2
    assert (later.tolist(), element, before.tolist()) == ([1.0] * 6, 0.0, [5.0, 0.0, 0.0, 0.0, 0.0, 0.0])
    wanted = [0.5, 1.5, 2.5, 3.5, 4.5, 11.0]
    assert (x.tolist(), view.tolist(), (x + 0).tolist()) == (wanted, wanted[2:], wanted)


def test_what_was_adopted_is_not_written_to() -> None:
    whole = np.zeros(4)
    whole.setflags(write=False)
    x = jf.asarray(whole)
    y = jf.asarray(np.arange(8.0)[::2], copy=False)
    for each in (x, y):
        each[1] = 7.0
        each[1] = 8.0
    assert (whole.tolist(), x.tolist(), y.tolist()) == ([0.0] * 4, [0.0, 8.0, 0.0, 0.0], [0.0, 8.0, 4.0, 6.0])


def test_an_array_of_the_user_stays_the_users() -> None:
    mine = np.zeros(3)
    x = jf.asarray(mine, copy=False)
    x[0] = 1.0
    x[0] = 2.0
    assert (mine.tolist(), x.tolist()) == ([0.0] * 3, [2.0, 0.0, 0.0])


def test_operators_in_place_keep_the_array() -> None:
    x = y = jf.asarray(np.arange(4.0))
    view, before = x[1:], x + 0
    for _ in range(5):
        x += 1
        x *= 2.0
    assert x is y
    assert (x.tolist(), view.tolist()) == ([62.0, 94.0, 126.0, 158.0], [94.0, 126.0, 158.0])
    assert before.tolist() == [0.0, 1.0, 2.0, 3.0]
    counts = jf.asarray(np.arange(3))
    for _ in range(2):
        with pytest.raises(TypeError):
            counts += 0.5
        with pytest.raises(ValueError, match="broadcast|shape"):
            counts += jf.asarray([[1, 2, 3], [4, 5, 6]])
    assert counts.tolist() == [0, 1, 2]


@pytest.mark.usefixtures("strict")
def test_a_trace_writes_to_no_tensor() -> None:
    x = jf.asarray(np.zeros(3))
    x.numpy()

    @jf.jit
    def stores(y: Any) -> Any:
        x[0] = 1.0
        return y + 1

    with pytest.raises(jf.errors.TraceError):
        stores(np.ones(2))
    assert x.tolist() == [0.0] * 3


def sliced(xp: Any, x: Any, random: np.random.Generator) -> list[Any]:
    """Slices of what is computed and of slices, rows, writes to them, and what is computed of all."""
    indices: tuple[Any, ...] = (
        slice(1, -1), slice(None, None, -1), (slice(None), 2), (slice(1, 3), slice(None, None, 2)), 1, -1,
        (0, slice(2, None)), (slice(None), slice(None)), slice(0, 0), slice(None, 2**70), (2,),
    )  # fmt: skip
    x = x * 1.5
    found = []
    for step in range(40):
        view = x[indices[random.integers(len(indices))]]
        kind = random.integers(5)
        if kind == 0:
            found.append(view.sum())
        elif kind == 1:
            found.append(view * 2 + view)
        elif kind == 2:
            y = view * 0.5 + step
            view[...] = y
        elif kind == 3:
            index = indices[random.integers(len(indices))]
            x[index] = x[index] + (x[index] - step) * 0.25
        else:
            view += 1
            found.append(view[::-1] if view.ndim else view)
        if random.random() < 0.1:
            x = x.T.copy().T + x
    return [*found, x]


@pytest.mark.parametrize("seed", range(6))
def test_slices_and_writes_are_those_of_numpy(seed: int) -> None:
    array = np.random.default_rng(seed).random((5, 6))
    wanted = sliced(np, array.copy(), np.random.default_rng(seed))
    for _ in range(3):  # made first, found again, answered natively
        lazy.start_graph()
        made = sliced(jf, jf.asarray(array), np.random.default_rng(seed))
        for ours, theirs in zip(made, wanted, strict=True):
            assert ours.strides == theirs.strides or not theirs.size or min(theirs.shape, default=1) == 1
            np.testing.assert_allclose(np.asarray(ours), theirs, rtol=1e-13)


def test_an_array_of_many_views_forgets_those_that_are_gone() -> None:
    x = jf.asarray(np.arange(300.0)) + 0
    for _ in range(3):
        kept = [x[i : i + 3] for i in range(297)]
        for i in range(297):
            x[i : i + 2]
        assert x._views is not None and len(x._views) < 700
        x[100] = x[100] * 0 - 1.0
        assert [float(each[0]) for each in kept[98:103]] == [98.0, 99.0, -1.0, 101.0, 102.0]
        x = jf.asarray(np.arange(300.0)) + 0


@pytest.fixture
def runs(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """The nodes that Python has evaluated."""
    seen: list[Any] = []
    run = computing.run

    def counted(graph: Any, outputs: Any, **options: Any) -> None:
        seen.append(outputs)
        run(graph, outputs, **options)

    monkeypatch.setattr("jitframe.tensors.tensor.run", counted)
    monkeypatch.setattr(computing, "run", counted)
    return seen


def test_values_are_computed_natively_where_the_program_is_recorded(runs: list[Any]) -> None:
    one, other = np.arange(6.0), np.linspace(0.5, 1, 6)
    for turn in range(5):
        lazy.start_graph()
        x, y = jf.asarray(one + turn), jf.asarray(other)
        late, total = y * 2.5 + x, (x * 3.5).sum()
        product = late * (turn + 0.25)  # another number each time
        runs.clear()
        np.testing.assert_allclose(product.numpy(), (other * 2.5 + one + turn) * (turn + 0.25))
        assert len(runs) == (turn < 2)
        assert late._value is not None, "it was alive, and needed"
        assert float(total) == pytest.approx(((one + turn) * 3.5).sum())
        np.testing.assert_allclose(late.numpy(), other * 2.5 + one + turn)
        assert len(runs) == (turn < 2)


def test_a_tensor_more_is_another_evaluation(runs: list[Any]) -> None:
    x = jf.asarray(np.arange(4.0))
    for turn in range(6):
        kept = [x * 2.0, x + 1]
        if turn % 2:
            kept.pop()
        made = kept[0] - 0.75
        assert made.tolist() == [-0.75, 1.25, 3.25, 5.25]
        assert len(kept) == 1 or kept[1].tolist() == [1.0, 2.0, 3.0, 4.0]
    runs.clear()
    assert (x * 2.0 - 0.75).tolist() == [-0.75, 1.25, 3.25, 5.25]
    assert kept[0].tolist() == [0.0, 2.0, 4.0, 6.0]


def test_an_error_of_a_native_evaluation_is_that_of_python(runs: list[Any]) -> None:
    x, at = jf.asarray(np.arange(4.0)), np.array([0, 3])
    for _ in range(4):
        assert jf.take(x * 2, jf.asarray(at)).tolist() == [0.0, 6.0]
    for _ in range(2):
        with pytest.raises(IndexError):
            jf.take(x * 2, jf.asarray(at + 1)).numpy()
    assert jf.take(x * 2, jf.asarray(at)).tolist() == [0.0, 6.0]


def test_an_interrupt_of_a_native_evaluation_is_raised(
    runs: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    x = jf.asarray(np.arange(4.0))
    for _ in range(4):
        (x * 2 + 1).numpy()
    runs.clear()
    begin = lazy.LazyGraph.__init__

    def interrupted(*arguments: Any) -> None:
        raise KeyboardInterrupt

    y = x * 2 + 1
    monkeypatch.setattr(lazy.LazyGraph, "__init__", interrupted)
    with pytest.raises(KeyboardInterrupt):
        y.numpy()
    monkeypatch.setattr(lazy.LazyGraph, "__init__", begin)
    assert y.tolist() == (x * 2 + 1).tolist() == [1.0, 3.0, 5.0, 7.0]


def test_slices_that_are_known_are_answered_natively(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []
    indexed = jf.Tensor._indexed

    def counted(array: jf.Tensor, *given: Any, **options: Any) -> Any:
        asked.append(given)
        return indexed(array, *given, **options)

    monkeypatch.setattr(jf.Tensor, "_indexed", counted)
    for _ in range(3):
        lazy.start_graph()
        x = jf.asarray(np.arange(12.0).reshape(3, 4)) * 2
        asked.clear()
        pairs = [(x[1:], np.s_[1:]), (x[:, 1], np.s_[:, 1]), (x[-1], np.s_[-1]), (x[0, ::2], np.s_[0, ::2])]
        expected = np.arange(12.0).reshape(3, 4) * 2
        assert not asked or len(asked) == len(pairs)
        for made, index in pairs:
            np.testing.assert_array_equal(made.numpy(), expected[index])
    assert not asked
