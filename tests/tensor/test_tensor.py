"""Tensors: lazy, evaluated with what they need, and freed when nothing needs them."""

from __future__ import annotations

import copy
import gc
import pickle
import sys
import weakref

import numpy as np
import pytest

from jitframe.api.creation import constructors
from jitframe.api.creation.constructors import asarray
from jitframe.errors import ArgumentError, JitframeError
from jitframe.ir import ops
from jitframe.tensors import lazy, tensor
from jitframe.tensors import segments as parts
from jitframe.tensors.tensor import Tensor, compute
from tests.threads import at_once


@pytest.fixture
def programs(monkeypatch: pytest.MonkeyPatch) -> list[list[object]]:
    """The outputs of every program evaluated."""
    seen: list[list[object]] = []
    run = parts.Program.run

    def counted(part: parts.Program, *given: object) -> object:
        seen.append(list(part.outputs))
        return run(part, *given)  # type: ignore[arg-type]

    monkeypatch.setattr(parts.Program, "run", counted)
    evaluated: object = Tensor._evaluated  # native code passes `run` by
    monkeypatch.setattr(Tensor, "_evaluated", getattr(evaluated, "__wrapped__", evaluated))
    return seen


def test_nothing_runs_before_a_value_is_asked_for(programs: list[list[object]]) -> None:
    x = asarray(np.arange(4.0))
    y = np.exp(x) / np.sum(np.exp(x), axis=-1, keepdims=True)
    assert not programs
    assert repr(y) == "Tensor(shape=(4,), dtype=float64, device=cpu, not computed yet)"
    np.testing.assert_allclose(y.numpy(), np.exp(np.arange(4.0)) / np.exp(np.arange(4.0)).sum())
    y.numpy()
    assert len(programs) == 1
    assert repr(x) == "Tensor(shape=(4,), dtype=float64, device=cpu, [0., 1., 2., 3.])"


def test_asarray_copies_what_can_change() -> None:
    array = np.arange(3.0)
    x, shared = asarray(array), asarray(array, copy=False)
    y = x + array
    array[:] = 9
    assert x.tolist() == [0, 1, 2]
    assert y.tolist() == [0, 2, 4]
    assert np.shares_memory(shared.numpy(), array)
    frozen = np.arange(3.0)
    frozen.flags.writeable = False
    assert np.shares_memory(asarray(frozen).numpy(), frozen)
    assert not np.shares_memory(asarray(frozen, copy=True).numpy(), frozen)
    # A read-only view of an array that can be written to can change too.
    assert not np.shares_memory(asarray(np.broadcast_to(array, (2, 3))).numpy(), array)
    strided = np.arange(12.0).reshape(3, 4).T[::-1]
    np.testing.assert_array_equal((asarray(strided, copy=False) + 1).numpy(), strided + 1)


def test_asarray_converts() -> None:
    assert asarray(2).dtype == np.int64
    assert asarray([1.5, 2]).dtype == np.float64
    assert asarray([1.5, 2], dtype=np.int32).tolist() == [1, 2]
    x = asarray([1.0])
    assert asarray(x) is x
    assert asarray(x, copy=True) is not x
    assert asarray(x, dtype="f4").dtype == np.float32
    assert asarray([x[0], 2, 3.5]).tolist() == [1, 2, 3.5]
    assert asarray([[x[0], 2], [3, x[0]]]).tolist() == [[1, 2], [3, 1]]
    for bad, kind in (
        ([1, [2, 3]], ValueError),
        ([object()], TypeError),
        (np.zeros(2, "c32"), NotImplementedError),
    ):
        with pytest.raises(kind) as caught:
            asarray(bad)
        assert isinstance(caught.value, JitframeError)
    for arguments in ({"obj": [1], "copy": False}, {"obj": x, "copy": False, "dtype": "f4"}):
        with pytest.raises(ArgumentError, match="cop"):
            asarray(arguments.pop("obj"), **arguments)
    with pytest.raises(RuntimeError, match="there is no device 'abacus'; a name is one of cuda, hip"):
        asarray([1], device="abacus")


def test_values() -> None:
    x = asarray(np.array([[1.5, 0.0]]))
    assert float(x[0, 0]) == 1.5
    assert int(x[0, 0]) == 1
    assert bool(x[0, 0])
    assert not x[0, 1]
    assert x[0, 0].item() == 1.5
    assert x.tolist() == [[1.5, 0.0]]
    assert range(3)[asarray(2)] == 2
    assert not x.numpy().flags.writeable
    assert np.from_dlpack(x).tolist() == [[1.5, 0.0]]
    assert 1.5 in x
    assert [each.tolist() for each in x] == [[1.5, 0.0]]
    assert (len(x), x.ndim, x.size, x.itemsize, x.nbytes, x.dtype, x.shape) == (
        1,
        2,
        2,
        8,
        16,
        np.float64,
        (1, 2),
    )
    assert pickle.loads(pickle.dumps(x)).tolist() == x.tolist()
    assert copy.deepcopy(x).tolist() == x.tolist()
    with pytest.raises(TypeError):
        hash(x)


def test_value_errors_are_numpys() -> None:
    several, one, empty = asarray(np.zeros(3)), asarray(1.5), asarray(np.zeros(0))
    for function in (bool, float, int, len, iter, range(3).__getitem__, lambda x: x.item()):
        for x in (several, one, empty):
            try:
                function(x.numpy() if x is not one else np.array(1.5))
            except (TypeError, ValueError) as error:
                with pytest.raises(type(error)) as caught:
                    function(x)
                assert str(caught.value).split("\n")[0] == str(error)  # noqa: PT017 (NumPy decides whether it raises)
    with pytest.raises(TypeError, match="use jf.asarray"):
        Tensor(3)


def test_several_at_once(programs: list[list[object]]) -> None:
    x = asarray(np.arange(3.0))
    common = np.exp(x)
    y, z = common + 1, common * 2
    assert all(found is given for found, given in zip(compute(y, z, x), (y, z, x), strict=True))
    assert len(programs) == 1
    np.testing.assert_allclose(z.numpy(), 2 * np.exp(np.arange(3.0)))
    assert len(programs) == 1


def test_what_a_value_needs_is_kept(programs: list[list[object]]) -> None:
    x = asarray(np.arange(3.0))
    for _ in range(10):
        x = np.sin(x) + 1
        float(x.max())
    # Each program starts from the previous x: none computes the chain again.
    assert len(programs) == 10
    from jitframe.ir.node import topological

    assert {sum(node.op is ops.sin for node in topological(outputs)) for outputs in programs} == {1}


def test_views_of_what_is_known_are_not_kept(programs: list[list[object]]) -> None:
    x = asarray(np.arange(6.0).reshape(2, 3))
    turned = x.T
    (turned + 1).numpy()
    assert [len(outputs) for outputs in programs] == [1]
    assert turned.tolist() == [[0, 3], [1, 4], [2, 5]]


def test_tensors_of_older_graphs_go_on() -> None:
    x = asarray(np.arange(3.0))
    left = x * 2.5 + x[0]
    other = x + 1
    other.numpy()  # a new graph starts
    assert (left + other).tolist() == [1, 4.5, 8]
    assert left.tolist() == [0, 2.5, 5]


def test_a_graph_of_a_thousand_nodes_is_evaluated(programs: list[list[object]]) -> None:
    x = constructors.zeros(3)
    for _ in range(50_000):
        x = x + 1
    # Each graph in parts of as many turns as a kernel should have, see tests/tensor/test_loops.py.
    assert 50_000 // 64 <= len(programs) <= 1000
    assert len(lazy.current_graph()) <= lazy.NODE_LIMIT
    assert all(len(outputs) == 1 for outputs in programs)
    assert x.tolist() == [50_000] * 3


def test_a_chain_of_10000_nodes_builds_evaluates_and_frees(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tensor, "NODE_LIMIT", 10**9)
    monkeypatch.setattr(tensor, "TENSOR_LIMIT", 10**9)
    x = constructors.ones(3)
    for _ in range(5_000):
        x = x * 0.5 + 1
    assert len(lazy.current_graph()) > 10_000 > sys.getrecursionlimit()
    np.testing.assert_allclose(x.numpy(), 2)
    del x
    lazy.start_graph()
    gc.collect()


def test_nothing_outlives_its_use() -> None:
    class Watched(np.ndarray):
        pass

    def watched() -> tuple[Tensor, weakref.ref[np.ndarray]]:
        array = np.arange(200_000.0)  # too many to be computed unasked
        reference = np.ndarray.view(array, Watched)
        return Tensor._of(reference), weakref.ref(reference)

    x, memory = watched()
    total = (x + 1).sum()
    del x
    assert memory() is not None
    total.numpy()
    gc.collect()
    assert memory() is None
    # A tensor that is never computed holds what it reads, and no longer.
    x, memory = watched()
    y = x + 1
    constructors.zeros(1).numpy()
    del x
    gc.collect()
    assert memory() is not None
    del y
    gc.collect()
    assert memory() is None


def test_dead_tensors_are_not_computed(programs: list[list[object]]) -> None:
    x = constructors.ones(3)
    for _ in range(2000):
        x + 1
        x * np.float64(2.5)
    y = [x + number for number in range(300)]
    for number in range(1000):
        x * (number + 0.5)
    assert sum(map(len, programs)) <= 300
    assert y[7].tolist() == [8, 8, 8]


def test_tensors_cross_threads() -> None:
    x = asarray(np.arange(3.0)) * 2

    def work(_: int) -> None:
        assert (x + constructors.ones(3)).tolist() == [1, 3, 5]

    at_once(work, 4)
    assert x.tolist() == [0, 2, 4]


def test_numbers_are_formatted_and_arrays_printed_as_numpy_does() -> None:
    values = np.arange(6.0).reshape(2, 3) / 3
    x = asarray(values)
    assert f"{x[0, 1]:.3f} {x.sum():8.2f} {(x > 1).sum():d}" == "0.333     5.00 2"
    assert f"{x + 1}" == str(values + 1) == str(x + 1)
    assert str(x.mean()) == str(values.mean())
    with pytest.raises(TypeError, match=r"an array takes no format specification, and '.2f' was given"):
        f"{x:.2f}"
    assert sorted(np.random.default_rng(0).permutation(asarray(np.arange(5.0)))) == list(range(5))


def test_transposes_of_known_values_stay_in_the_graph() -> None:
    x = asarray(np.arange(6.0).reshape(2, 3))
    assert x.T._value is None and x[1:]._value is not None and x[0, 1]._value is not None
    large = asarray(np.zeros(5000))
    assert large[1:]._value is None and large[3]._value is not None
