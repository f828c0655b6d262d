"""A table of idioms: each gives the same values on every device as on the host."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import jitframe as jf


def _assigned(x: Any) -> Any:
    y = x.copy()
    y[1:, ::2] = 7
    y[0] += y[1]
    y[:, -1] = x[:, 0]
    return y


def _in_place(x: Any) -> Any:
    y = x + 0
    row = y[1]
    row *= 100  # a view of y
    y -= 0.5
    y @= jf.asarray(np.eye(4, dtype=np.float32), device=x.device)
    return y


def _out(x: Any) -> Any:
    y = jf.zeros_like(x)
    np.add(x, 1, out=y)
    return y


def _swapped(x: Any) -> Any:
    y = x + 0
    y[0], y[1] = y[1], y[0]
    return y


def _found(x: Any) -> Any:
    row = x.ravel()  # one row, where a workgroup has lanes for several
    return row[row.argmax()] - row, np.where(row > 0, row, row[row.argmin()]).min()


IDIOMS: dict[str, Callable[[Any], Any]] = {
    "arithmetic": lambda x: (x * 2 - 1) / (x + 3) + x**2 - 7,
    "softmax": lambda x: np.exp(x - x.max(axis=-1, keepdims=True)) / np.exp(x - 1).sum(-1, keepdims=True),
    "numpy functions": lambda x: np.sqrt(np.abs(np.sin(x))) + np.where(x > 1, x, -x),
    "comparison": lambda x: (x > 1) & ~(x == 2) | (x != x),
    "reductions": lambda x: jf.stack([x.sum(), x.mean(), x.max(), x.min(), x.prod(), x.std(), x.var()]),
    "axes": lambda x: (x.sum(axis=0), x.mean(1), x.max(axis=(0, 1)), x.any(), x.all(axis=1)),
    "slices": lambda x: x[1:, ::-2] + x[0, 1] + x[..., None, :3].sum(),
    "views": lambda x: x.T.reshape(2, 6)[::-1].ravel()[3:9].reshape(3, 2),
    "broadcast": lambda x: x[:, None, :] * x[0] + np.arange(4, dtype=np.float32),
    "product": lambda x: x @ x.T,
    "vector product": lambda x: x[0] @ x[1] + x[1] @ x.T,
    "joined": lambda x: jf.concat([x, x[:1] * 2]) + jf.stack([x[0]] * 4),
    "assignment": _assigned,
    "in place": _in_place,
    "found and looked up": _found,
    "out": _out,
    "swap": _swapped,
    "creation": lambda x: x + jf.ones_like(x) + jf.full_like(x, 3) + jf.zeros(4, "f4", device=x.device),
    "ranges": lambda x: (
        x + jf.arange(4, dtype="f4", device=x.device) + jf.eye(3, 4, dtype="f4", device=x.device)
    ),
    "triangle": lambda x: jf.tril(x) - jf.triu(x, 1),
    "casts": lambda x: x.astype(np.int32) // 2 + x.astype(bool),
    "integers": lambda x: (x.astype(np.int32) << 2 ^ 5) % 7 - (x.astype(np.uint8) & 3),
    "scalar": lambda x: x * x[0, 1] + float(x[1, 1]) + int(x[2, 0]),
    "iteration": lambda x: sum(row * k for k, row in enumerate(x)),
    "loop": lambda x: jf.fori_loop(0, 3, lambda k, y: y * 2 + k, x),
    "condition": lambda x: x * 2 if (x.sum() > 0) else x,
    "list with a Tensor": lambda x: jf.asarray([x[0], x[1] * 2]),
    "copies": lambda x: copy.copy(x) + copy.deepcopy(x) + x.copy(),
    "empty": lambda x: (x[:0].sum(), x[3:] * 2, jf.zeros((0, 3), "f4", device=x.device)),
    "whole numbers": lambda x: x.astype(np.int32).sum(axis=1).astype(np.float32) + (x > 1).sum(),
}


@pytest.mark.parametrize("idiom", IDIOMS.values(), ids=IDIOMS.keys())
def test_same_values_as_on_the_host(idiom: Callable[[Any], Any], device: str, nothing_leaks: None) -> None:
    array = (np.arange(12, dtype=np.float32).reshape(3, 4) - 2) / 4
    given = jf.asarray(array, device=device)
    results, expected = idiom(given), idiom(jf.asarray(array))
    several = results if isinstance(results, tuple) else (results,)
    wanted = expected if isinstance(expected, tuple) else (expected,)
    for found, right in zip(several, wanted, strict=True):
        assert found.device == device
        assert found.shape == right.shape
        np.testing.assert_allclose(found.numpy(), right.numpy(), rtol=2e-6, atol=1e-6)
    np.testing.assert_array_equal(given.numpy(), array)


def test_values(device: str, nothing_leaks: None) -> None:
    x = jf.asarray(np.array([[1.5, 0.0]], np.float32), device=device)
    assert (float(x[0, 0]), int(x[0, 0]), bool(x[0, 0]), bool(x[0, 1])) == (1.5, 1, True, False)
    assert x[0, 0].item() == 1.5
    assert x.tolist() == [[1.5, 0.0]]
    assert range(3)[jf.asarray(2, device=device)] == 2
    assert not x.numpy().flags.writeable
    assert np.asarray(x).tolist() == [[1.5, 0.0]]
    assert 1.5 in x
    there = pickle.loads(pickle.dumps(x))
    assert (there.device, there.tolist()) == ("cpu", x.tolist())
    assert repr(x) == f"Tensor(shape=(1, 2), dtype=float32, device={device}, [[1.5, 0. ]])"
    assert repr(x + 1) == f"Tensor(shape=(1, 2), dtype=float32, device={device}, not computed yet)"


def test_nothing_runs_before_a_value_is_asked_for(device: str) -> None:
    x = jf.asarray(np.arange(4, dtype=np.float32), device=device)
    y, z = x * 2, x * 2 + 1
    assert y._value is None
    assert jf.compute(y, z) == (y, z)
    assert y._value is not None
    assert (y.tolist(), z.tolist()) == ([0, 2, 4, 6], [1, 3, 5, 7])


def test_tensors_of_several_devices_are_computed_together(device: str) -> None:
    here = jf.asarray(np.ones(3, np.float32)) + 1
    there = jf.asarray(np.ones(3, np.float32), device=device) + 2
    other = jf.asarray(np.ones(3, np.float32), device="interpreter:2") + 3
    jf.compute(here, there, other, here)
    assert [each.tolist() for each in (here, there, other)] == [[2] * 3, [3] * 3, [4] * 3]


def test_a_long_chain_evaluates_itself_on_the_way(nothing_leaks: None, device: str) -> None:
    x = jf.asarray(np.zeros(3, np.float32), device=device)
    for _ in range(1500):
        x = x + 1
    assert x.tolist() == [1500.0] * 3


def test_no_device_takes_part_in_dlpack_unless_its_driver_does() -> None:
    x = jf.asarray([1.0], device="interpreter")
    for ask in (x.__dlpack__, x.__dlpack_device__, lambda: np.from_dlpack(x)):
        with pytest.raises(jf.errors.BackendError) as caught:
            ask()
        assert caught.value.message == (
            "arrays of interpreter (kernel interpreter) cannot be handed over by DLPack; hand over "
            "x.to_device('cpu') or x.numpy()"
        )


def test_python_numbers_take_dtypes_that_the_device_has() -> None:
    """What promotion would make int64 or float64, where those are lacking."""
    narrow = {"device": "interpreter:1"}
    x, i = jf.asarray([1.5, 2], **narrow), jf.asarray([1, 2], **narrow)
    made = {
        "numbers": (x, "float32"),
        "whole numbers": (i, "int32"),
        "one number": (jf.asarray(3, **narrow), "int32"),
        "zeros": (jf.zeros(2, **narrow), "float32"),
        "full": (jf.full(2, 7, **narrow), "int32"),
        "arange": (jf.arange(3, **narrow), "int32"),
        "linspace": (jf.linspace(0, 1, 5, **narrow), "float32"),
        "eye": (jf.eye(2, **narrow), "float32"),
        "sum": ((i > 1).sum(), "int32"),
        "mean": (i.mean(), "float32"),
        "quotient": (i / 2, "float32"),
        "float times whole": (i * 2.5, "float32"),
        "mixed": (i + x, "float32"),
        "sine": (jf.sin(i), "float32"),
        "list operand": (i + [0.5, 1.5], "float32"),  # noqa: RUF005 - no list is joined
        "count": (jf.count_nonzero(i), "int32"),
    }
    assert {name: str(each.dtype) for name, (each, _) in made.items()} == {
        name: dtype for name, (_, dtype) in made.items()
    }
    jf.compute(*(each for each, _ in made.values()))
    assert made["linspace"][0].tolist() == [0, 0.25, 0.5, 0.75, 1]
    assert made["list operand"][0].tolist() == [1.5, 3.5]
    assert made["mean"][0].item() == 1.5


def test_numbers_that_do_not_fit_are_refused() -> None:
    x = jf.asarray([1, 2], device="interpreter:1")
    for make in (
        lambda: x + 3_000_000_000,
        lambda: jf.asarray([3_000_000_000], device="interpreter:1"),
        lambda: jf.full(2, 3_000_000_000, device="interpreter:1"),
    ):
        with pytest.raises(OverflowError) as caught:
            make()
        assert caught.value.message == "Python integer 3000000000 out of bounds for int32"  # type: ignore[attr-defined]
