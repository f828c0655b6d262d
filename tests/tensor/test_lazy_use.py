"""Lazy programs as people write them: loops over elements, values read at each step, writes to aliases."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import jitframe as jf
from jitframe.tensors import computing, lazy, segments

A = np.linspace(0.1, 1.0, 12)
OPERATORS = (
    operator.add, operator.sub, operator.mul, operator.truediv, operator.lt, operator.le, operator.gt,
    operator.ge, operator.eq, operator.ne,
)  # fmt: skip
FLOATS = (0.0, -0.0, 1.5, -3.0, 0.1, 1e308, 5e-324, np.inf, -np.inf, np.nan)
INTEGERS = (0, 1, -1, 3, 2**53 + 1, -(2**53) - 1, 2**62, -(2**63), 2**63 - 1)


def checked(program: Callable[[Any], Any], array: np.ndarray) -> None:
    """The program gives on a Tensor, twice, what it gives on an ndarray."""
    wanted = program(array.copy())
    for _ in range(2):
        for found, expected in zip(program(jf.asarray(array)), wanted, strict=True):
            np.testing.assert_allclose(np.asarray(found), expected, rtol=1e-12)


@pytest.fixture
def evaluations(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many nodes were asked for by each evaluation."""
    found: list[int] = []
    run = computing.run

    def counted(graph: Any, outputs: Any, flushing: bool = False) -> None:
        found.append(len(outputs))
        run(graph, outputs, flushing)

    monkeypatch.setattr("jitframe.tensors.tensor.run", counted)
    evaluated: Any = jf.Tensor._evaluated  # native code passes `run` by
    monkeypatch.setattr(jf.Tensor, "_evaluated", getattr(evaluated, "__wrapped__", evaluated))
    lazy.start_graph()
    return found


@pytest.mark.parametrize("apply", OPERATORS)
def test_known_scalars_have_numpys_bits(apply: Callable[[Any, Any], Any]) -> None:
    arrays = np.array(FLOATS), np.array(INTEGERS)
    tensors = [jf.asarray(array) for array in arrays]
    others = (*FLOATS, 2, -7, 2**53 + 1)
    with np.errstate(all="ignore"):
        for array, tensor in zip(arrays, tensors, strict=True):
            for i in range(len(array)):
                for other in others:
                    same(apply(tensor[i], other), apply(array[i], other))
                    same(apply(other, tensor[i]), apply(other, array[i]))
                for of, tensor_of in zip(arrays, tensors, strict=True):
                    same(apply(tensor[i], tensor_of[i % 9]), apply(array[i], of[i % 9]))
                    same(apply(tensor[i], tensor_of[-1]), apply(array[i], of[-1]))


def same(found: Any, wanted: Any) -> None:
    value = np.asarray(found)
    assert value.dtype == np.asarray(wanted).dtype and value.shape == ()
    np.testing.assert_array_equal(value, wanted)
    assert np.signbit(value) == np.signbit(wanted) or wanted != wanted


def test_integers_of_python_that_do_not_fit() -> None:
    one = jf.asarray(np.arange(3))[1]
    assert bool(one < 2**63)
    with pytest.raises(OverflowError):
        one + 2**63


def test_a_sum_of_elements_makes_no_program(evaluations: list[int]) -> None:
    x, total, largest = jf.asarray(A), 0.0, -1.0
    for i in range(len(A)):
        total += x[i] * x[-i]
        if x[i] > largest:
            largest = x[i]
    assert not evaluations
    assert float(total) == sum(A[i] * A[-i] for i in range(len(A))) and float(largest) == A.max()


def test_elements_of_what_is_not_computed(evaluations: list[int]) -> None:
    x = jf.asarray(A) * 2
    few = x[0] + x[1]
    assert not evaluations and x._value is None
    total = sum(x[i] for i in range(len(A)))
    assert len(evaluations) == 1 and x._value is not None
    np.testing.assert_allclose([float(few), float(total)], [2 * (A[0] + A[1]), 2 * A.sum()])


def test_iterating_reads_each_element_when_it_is_asked_for() -> None:
    def program(x: Any) -> Any:
        found = []
        for position, value in enumerate(x):
            x[(position + 1) % 5] = 10 * value
            found.append(value)
        for row in (rows := np.reshape(x[:4] + 0, (2, 2))):
            row += 1
            rows[1] = row
        return np.stack(found), x, rows

    checked(program, np.arange(1.0, 6.0))
    assert [int(value) for value in jf.asarray(np.arange(3000))] == list(range(3000))


def test_stores_and_reads_of_elements() -> None:
    def program(x: Any) -> Any:
        y, view, before = x * 2, x[2:8], []
        for i in range(1, 6):
            before.append(y[i])
            y[i] = y[i - 1] * 0.5 + x[i]
            view[i] = view[i - 1] + y[i]
            x[i] -= 1
            y[i, ...] += view[0]
            y[i : i + 2] *= 2
        return y, x, view, np.stack(before)

    checked(program, A)


def test_a_store_that_does_not_fit_changes_nothing() -> None:
    x = jf.asarray(np.arange(4, dtype=np.int8))
    for index, value, error in ((1, 300, OverflowError), (9, 1, IndexError), ((0, 0), 1, IndexError)):
        with pytest.raises(error):
            x[index] = value
    y = jf.asarray(np.zeros(3, np.float32))
    y[0] = 1e300
    assert x.tolist() == [0, 1, 2, 3] and y.tolist() == [np.inf, 0, 0]


def test_values_left_behind_are_computed_at_once(evaluations: list[int]) -> None:
    """A list of losses, read when the loop is over."""
    x, losses = jf.asarray(A), []
    for _ in range(20):
        x = x * 0.9
        losses.append((x * x).sum())
    found = [float(loss) for loss in losses]
    assert len(evaluations) == 1
    np.testing.assert_allclose(found, [(A * A).sum() * 0.81 ** (k + 1) for k in range(20)])


def test_what_goes_on_from_a_value_that_was_read_is_not_computed_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Each iteration's program stays as short as its body, whatever came before."""
    monkeypatch.setattr(computing, "UNASKED_BYTES", -1)
    x, y = jf.asarray(A), A
    sizes = []
    for _ in range(12):
        step, wanted = x - 0.3, y - 0.3
        x, y = x - 0.05 * step, y - 0.05 * wanted
        assert float((step * step).sum()) == pytest.approx((wanted * wanted).sum())
        assert x._pending is not None
        graph, node = x._pending
        sizes.append(len(graph.needed([node])))
    assert max(sizes[2:]) <= sizes[2]
    np.testing.assert_allclose(x.numpy(), y)


def test_small_tensors_are_computed_with_a_value_that_is_asked_for(evaluations: list[int]) -> None:
    """A loop that looks at values is the same program at each iteration, and carries nothing on."""
    x, y = jf.asarray(A), A
    for _ in range(8):
        step = 0.3 - x
        x = x + 0.05 * step
        assert float((step * step).sum()) > 0
        assert x._value is not None
        y = y + 0.05 * (0.3 - y)
    assert len(evaluations) == 8
    np.testing.assert_allclose(x.numpy(), y)


def test_large_tensors_are_computed_when_they_are_asked_for() -> None:
    x = jf.asarray(A)
    small, large = x + 1, jf.zeros(computing.UNASKED_BYTES // 8 + 1) + 1
    assert float(x.sum()) == pytest.approx(A.sum())
    assert small._value is not None
    assert large._value is None


def test_what_goes_wrong_is_the_error_of_who_asks_for_it() -> None:
    singular = jf.asarray(np.zeros((3, 3)))
    inverse = jf.linalg.inv(singular)
    total = singular.sum() + 2
    assert float(total) == 2
    with pytest.raises(np.linalg.LinAlgError):
        inverse.numpy()
    with pytest.raises(np.linalg.LinAlgError):
        inverse.numpy()


def test_one_of_several_results_is_read_and_another_goes_on() -> None:
    matrix = np.arange(12.0).reshape(4, 3) + np.eye(4, 3)
    x, wanted = jf.asarray(matrix), matrix
    for _ in range(3):
        left, values, right = jf.linalg.svd(x, full_matrices=False)
        x = (left * values) @ right + 0.1
        assert float(values[0]) == pytest.approx(np.linalg.svd(wanted)[1][0])
        wanted = wanted + 0.1
    np.testing.assert_allclose(x.numpy(), wanted)


def test_sources_written_after_they_were_taken() -> None:
    source, other = A.copy(), A.copy()
    x = jf.asarray(source)
    y = x + other
    z = np.add(other, x) * 2
    source[:] = other[:] = -1
    np.testing.assert_array_equal(y.numpy(), A + A)
    np.testing.assert_array_equal(z.numpy(), (A + A) * 2)
    out = np.zeros(12)
    jf.multiply(x, 3, out=out)
    out[0] = 7
    np.testing.assert_array_equal((x * 3).numpy()[1:], out[1:])
    np.testing.assert_array_equal(x.numpy(), A)


def test_results_of_earlier_values_stay() -> None:
    def program(x: Any) -> Any:
        kept = [x * 1]
        row, column = x[1], x[:, 1]
        for k in range(6):
            total = row.sum() + column.sum()
            kept.append(x * k)
            np.add(row, total * 0.01, out=row)
            column *= 0.5
            kept.append(row + 0)
            x += kept[-2] * 0.1
            x[0] = kept[-1][::-1]
        return (x, row, column, *kept)

    checked(program, np.arange(9.0).reshape(3, 3))


@pytest.mark.parametrize("length", [40, 300])
def test_loops_keep_no_memory(length: int) -> None:
    """A loop of any length keeps the program of its piece, and no node of what is gone."""

    def loop() -> float:
        x, total = jf.asarray(A), 0.0
        for k in range(length):
            step = x - 0.5
            x = x - (0.01 + k * 1e-5) * step
            total += float((step * step).mean())
        return total

    loop()
    counts = []
    for _ in range(3):
        loop()
        counts.append(len(lazy.current_graph().tensors) + len(lazy.current_graph().known))
    assert counts[0] == counts[1] == counts[2] < 20


@pytest.mark.parametrize("join", ["stack", "asarray", "concatenate"])
def test_a_long_list_of_tensors_is_put_together_at_once(join: str) -> None:
    """Not by a program with a part for each of them."""
    x, y, made, wanted = jf.asarray(A), A, [], []
    for _ in range(100):
        x, y = x * 0.5 + 1, y * 0.5 + 1
        made.append(x)
        wanted.append(y)
    found = getattr(jf, join)(made)
    graph, node = found._pending
    assert len(graph.needed([node])) < 5
    assert all(each._value is not None for each in made)
    np.testing.assert_array_equal(found.numpy(), getattr(np, join)(wanted))
    means = jf.asarray([each.mean() for each in made])
    np.testing.assert_allclose(means.numpy(), [each.mean() for each in wanted])


def test_rows_stored_one_after_the_other() -> None:
    def steps(x: Any) -> tuple[Any, ...]:
        for i in range(len(x) - 1):
            x[i + 1] = x[i] + 0.1 * x[i][::-1]
            if float(x[i + 1, 0]) < 0:
                break
        return (x,)

    checked(steps, np.stack([A, *[A * 0] * 20]))


def test_slices_that_move_over_a_known_array_are_one_program(monkeypatch: pytest.MonkeyPatch) -> None:
    """They are known, and so inputs of it, after the first few; what is written shows in all of them."""
    array = np.arange(60_000.0).reshape(6000, 10)
    x, parts, prepared = jf.asarray(array), [], []
    prepare = segments.Program._begun
    monkeypatch.setattr(segments.Program, "_begun", lambda *given: prepared.append(1) or prepare(*given))
    for begin in range(0, 5000, 100):
        part = x[begin : begin + 1000]
        parts.append(part)
        assert float(jf.sum(part * 2.5 - 1)) == np.sum(array[begin : begin + 1000] * 2.5 - 1)
    assert parts[-1]._value is not None
    assert len(prepared) < 10
    before, wanted = parts[-1] * 1.25, array[4900:5900] * 1.25
    x[4950:, 3] = array[4950:, 3] = -1.0
    parts[-2][150:] = array[4950:5800] = 7.0
    np.testing.assert_array_equal(before.numpy(), wanted)
    for begin, part in zip(range(0, 5000, 100), parts, strict=True):
        assert part.base is x
        np.testing.assert_array_equal(part.numpy(), array[begin : begin + 1000])


def test_the_few_slices_of_a_stencil_stay_in_the_graph() -> None:
    x = jf.asarray(np.arange(4096.0))
    for _ in range(20):
        inner = x[1:-1] + 0.2 * (x[2:] - 2 * x[1:-1] + x[:-2])
    graph, node = inner._pending
    assert sum(each.op.source == "array" for each in graph.needed([node])) == 1


def test_a_few_elements_at_known_positions_are_known() -> None:
    whole = np.arange(60.0).reshape(5, 3, 4)
    for array in (whole, whole.transpose(2, 0, 1), whole[:, 0, 0]):
        x = jf.asarray(array)
        mask = np.arange(len(array)) % 2 == 0
        for index in (np.array([0, 2, -1]), np.array([[1], [2]], "uint8"), mask, np.zeros(0, int)):
            for given in (index, jf.asarray(index)):
                found = x[given]
                assert found._value is not None
                np.testing.assert_array_equal(found.numpy(), array[index])
                assert found.dtype == array.dtype
                assert not found.size or found.strides == array[index].strides
        taken = x[np.array([0, 1])]
        taken += 1.0
        np.testing.assert_array_equal(x.numpy(), array)
        for wrong in (np.array([9]), np.ones(7, bool)):
            with pytest.raises(IndexError):
                x[wrong].numpy()
        for no_index in (np.array([0.5]), np.array(["a"])):
            with pytest.raises(IndexError):
                x[no_index]
