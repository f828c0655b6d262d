"""Arrays on their way between devices: what moves, what is said about it, and what strict forbids."""

from __future__ import annotations

import logging
from pathlib import Path

import numpy as np
import pytest

import jitframe as jf
from jitframe import settings
from jitframe.runtime.discovery import registry

HERE = Path(__file__).name


def traffic(name: str) -> list[tuple[str, int]]:
    """The transfers of an interpreter device since the last question."""
    driver = registry.device(name).driver
    found = list(driver.traffic)  # type: ignore[attr-defined]
    driver.traffic.clear()  # type: ignore[attr-defined]
    return found


def numbers(device: str | None = None) -> jf.Tensor:
    return jf.asarray(np.arange(3, dtype=np.float32), device=device)


def test_to_device_allocates(device: str, nothing_leaks: None) -> None:
    x = numbers()
    y = x.to_device(device)
    z = y.to_device("cpu")
    assert (x.device, y.device, z.device) == ("cpu", device, "cpu")
    y[0] = 5
    x[1] = 6
    z += 1
    assert [each.tolist() for each in (x, y, z)] == [[0, 6, 2], [5, 1, 2], [1, 2, 3]]


def test_to_the_same_device_is_the_tensor_itself(device: str, nothing_leaks: None) -> None:
    for name in ("cpu", device):
        x = numbers(name)
        assert x.to_device(name) is x
        assert x.to_device(name, copy=False) is x
        y = x.to_device(name, copy=True)
        assert y is not x
        y[0] = 9
        assert x.tolist() == [0, 1, 2]
        assert y.tolist() == [9, 1, 2]


def test_other_spellings_of_a_device() -> None:
    x = numbers("interpreter:0")
    assert x.device == "interpreter"
    assert x.to_device(" Interpreter") is x
    assert numbers("cpu:0").device == "cpu"


def test_a_copy_that_is_needed_and_forbidden() -> None:
    x = numbers()
    for make in (
        lambda: x.to_device("interpreter", copy=False),
        lambda: jf.asarray(x, device="interpreter", copy=False),
    ):
        with pytest.raises(ValueError) as caught:
            make()
        assert caught.value.message == "to_device: from cpu to interpreter needs a copy; copy=False was given"  # type: ignore[attr-defined]
    with pytest.raises(ValueError) as caught:
        jf.asarray(np.zeros(2), device="interpreter", copy=False)
    assert caught.value.message == "asarray: an ndarray needs a copy on interpreter; copy=False was given"  # type: ignore[attr-defined]


def test_an_ndarray_is_copied_when_it_is_given(device: str) -> None:
    array = np.arange(3, dtype=np.float32)
    x, y = jf.asarray(array, device=device), numbers(device) + array
    array[:] = 9
    assert x.tolist() == [0, 1, 2]
    assert y.tolist() == [0, 2, 4]


def test_the_first_tensor_decides(device: str) -> None:
    x, y = numbers(), numbers(device)
    assert (x + y).device == "cpu"
    assert (y + x).device == device
    assert (1 + y).device == device
    assert (np.ones(3, np.float32) * y).device == device
    assert np.where(np.array([True, False, True]), y, x).device == device
    assert jf.concat([y, x]).device == device
    assert jf.stack([x, y, numbers("interpreter:2")]).device == "cpu"
    assert (y + x).tolist() == [0, 2, 4]
    x[1:] = y[1:] * 10
    assert (x.device, x.tolist()) == ("cpu", [0, 10, 20])
    y += x
    assert (y.device, y.tolist()) == (device, [0, 11, 22])
    np.add(y, 1, out=x)
    assert (x.device, x.tolist()) == ("cpu", [1, 12, 23])


def test_an_unasked_transfer_is_logged_with_the_line(caplog: pytest.LogCaptureFixture) -> None:
    x, y = numbers(), numbers("interpreter")
    with caplog.at_level(logging.INFO, "jitframe"):
        y + x
        line = test_an_unasked_transfer_is_logged_with_the_line.__code__.co_firstlineno + 3
        x + y
        y * np.ones((2, 3))
        y.to_device("cpu")
        jf.asarray(x, device="interpreter")
        y * 2 + np.float32(1)
    where = f"at {__file__}:{{}}, in test_an_unasked_transfer_is_logged_with_the_line"
    assert [record.message for record in caplog.records] == [
        f"float32[3] (12 bytes) moved from cpu to interpreter {where.format(line)}",
        f"float32[3] (12 bytes) moved from interpreter to cpu {where.format(line + 2)}",
        f"float64[2, 3] (48 bytes) moved from cpu to interpreter {where.format(line + 3)}",
    ]


def test_a_value_is_moved_once_for_an_evaluation() -> None:
    x, y = numbers(), numbers("interpreter")
    traffic("interpreter")
    z = (y + x) * x - x
    z.numpy()
    assert traffic("interpreter") == [("up", 12), ("down", 12)]


def test_strict_forbids_what_was_not_asked_for() -> None:
    x, y = numbers(), numbers("interpreter")
    jf.settings.configure(strict=True)
    double = jf.jit(lambda a, b: a + b)
    outside = {
        "interpreter": [lambda: y + x, lambda: double(y, x), lambda: jf.concat([y, x])],
        "cpu": [lambda: x + y, lambda: double(x, y)],
    }
    for target, actions in outside.items():
        source = "cpu" if target == "interpreter" else "interpreter"
        for action in actions:
            with pytest.raises(jf.errors.BackendError) as caught:
                action()
            assert caught.value.message == (
                f"strict: float32[3] would be moved from {source} to {target} unasked; write "
                f"y.to_device('{target}')"
            )
            assert str(caught.value).split("\n")[1].startswith(f"  at {__file__}:")
    with pytest.raises(jf.errors.BackendError) as caught:
        y + np.ones(3, np.float32)
    assert caught.value.message == (
        "strict: float32[3] would be moved from cpu to interpreter unasked; write "
        "jf.asarray(y, device='interpreter')"
    )
    with pytest.raises(jf.errors.BackendError) as caught:
        double(y, np.ones(3, np.float32))
    assert caught.value.message == (
        "strict: float32[3] would be moved from cpu to interpreter unasked; write "
        "jf.asarray(b, device='interpreter')"
    )
    # What was asked for is no one's mistake.
    assert (y + x.to_device("interpreter")).tolist() == [0, 2, 4]
    there = jf.jit(lambda a, b: a + b, device="interpreter")
    assert there(x, np.ones(3, np.float32)).tolist() == [1, 2, 3]
    outer = jf.jit(lambda a: a + x, device="interpreter")  # nor is what the function finds outside
    assert outer(x).tolist() == outer(y).tolist() == [0, 2, 4]
    with pytest.raises(
        jf.errors.BackendError, match=r"write y = y.to_device\('interpreter'\) before the call"
    ):
        jf.jit(lambda a: a + x)(y)
    assert (y * 2 + np.float32(1)).tolist() == [1, 3, 5]


def test_precedence(monkeypatch: pytest.MonkeyPatch) -> None:
    assert jf.zeros(2).device == "cpu"
    jf.settings.configure(device="interpreter")
    assert jf.zeros(2).device == "interpreter"
    monkeypatch.setenv("JITFRAME_DEVICE", "interpreter:1")
    settings.restore(None)
    assert jf.zeros(2).device == "interpreter:1"
    jf.settings.configure(device="interpreter")
    assert jf.zeros(2).device == "interpreter:1", "the environment goes before the program's default"
    with jf.device("interpreter:2") as scope:
        assert repr(scope) == "<where Tensors are made: interpreter:2>"
        assert jf.zeros(2).device == "interpreter:2"
        assert jf.asarray([1.0]).device == "interpreter:2"
        assert jf.sin(np.ones(2)).device == "interpreter:2"
        assert jf.asarray([1.0], device="interpreter").device == "interpreter"
        with jf.device("cpu"):
            assert jf.arange(3).device == "cpu"
        assert jf.arange(3).device == "interpreter:2"
        assert jf.zeros_like(numbers("interpreter")).device == "interpreter"
    assert jf.zeros(2).device == "interpreter:1"
    monkeypatch.delenv("JITFRAME_DEVICE")
    settings.restore(None)
    assert jf.zeros(2).device == "cpu"


def test_a_call_on_ndarrays_stays_on_the_host() -> None:
    jf.settings.configure(device="interpreter")
    double = jf.jit(lambda x: x * 2)
    traffic("interpreter")
    assert double(np.ones(3)).tolist() == [2, 2, 2]
    assert traffic("interpreter") == []


def test_a_default_that_is_not_there_falls_back_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("jitframe.tensors.tensor._fallen_back", set())
    jf.settings.configure(device="interpreter:7")
    with pytest.warns(jf.errors.FallbackWarning) as caught:
        made = [jf.zeros(2), jf.zeros(3)]
    assert [each.device for each in made] == ["cpu", "cpu"]
    there = ", ".join(
        f"{name} ({title})"
        for name, title in (
            ("interpreter", "kernel interpreter"),
            ("interpreter:1", "narrow interpreter"),
            ("interpreter:2", "another interpreter"),
        )
    )
    absent = f"device 'interpreter:7' is not available; there is {there}"
    assert [str(each.message) for each in caught] == [f"{absent}; arrays are made on cpu"]
    assert caught[0].filename == __file__
    jf.settings.configure(strict=True)
    for make in (
        lambda: jf.zeros(2),
        lambda: jf.zeros(2, device="interpreter:7"),
        lambda: jf.device("interpreter:7"),
    ):
        with pytest.raises(jf.errors.BackendError) as raised:
            make()
        assert raised.value.message == absent
    jf.settings.configure(strict=False)
    for make in (lambda: jf.zeros(2, device="interpreter:7"), lambda: jf.device("interpreter:7")):
        with pytest.raises(jf.errors.BackendError):
            make()


# `to`, as PyTorch writes it, and what stands for a device ----------------------------------------------
def test_to_takes_a_device_a_dtype_or_both(device: str, nothing_leaks: None) -> None:
    x = numbers()
    wide = jf.asarray(np.arange(3, dtype=np.int32), device=device)
    assert x.to("cpu") is x and x.to(jf.float32) is x and x.to("float32") is x and x.to(None) is x
    for made, where, dtype in (
        (x.to(device), device, "float32"),
        (x.to(jf.int32), "cpu", "int32"),
        (x.to("int32"), "cpu", "int32"),
        (x.to(np.int32), "cpu", "int32"),
        (x.to(device, jf.int32), device, "int32"),
        (x.to(None, jf.int32), "cpu", "int32"),
        (x.to(device=device, dtype="int32", non_blocking=True), device, "int32"),
        (x.to(device, dtype=jf.int32), device, "int32"),
        (x.to(wide), device, "int32"),
        (wide.to(x), "cpu", "float32"),
        (wide.to(np.zeros(1)), "cpu", "float64"),
        (x.to(jf.device(device)), device, "float32"),
    ):
        assert (made.device, made.dtype, made.tolist()) == (where, dtype, [0, 1, 2])
    apart = x.to("cpu", copy=True)
    apart[0] = 7
    assert x.tolist() == [0, 1, 2]


def test_to_refuses_what_it_cannot_read() -> None:
    x = numbers()
    for call in (
        lambda: x.to("cpu", device="cpu:0"),
        lambda: x.to(x, np.int32, x),
        lambda: x.to(x, dtype=np.int8),
    ):
        with pytest.raises(ValueError, match="to: the d[a-z]* is given more than once; write x.to"):
            call()
    with pytest.raises(jf.errors.BackendError, match="flaot32"):
        x.to("flaot32")


def test_to_inside_a_jitted_function() -> None:
    x = np.arange(3, dtype=np.float32)
    assert jf.jit(lambda x: x.to(jf.int32) + 1)(jf.asarray(x)).dtype == np.int32
    assert jf.jit(lambda x, y: y.to(x))(jf.asarray(x), jf.asarray([1])).dtype == np.float32
    with pytest.raises(jf.errors.UnsupportedError, match="to: device='interpreter' inside a jitted function"):
        jf.jit(lambda x: x.to("interpreter"))(jf.asarray(x))


def test_a_backend_stands_for_its_device(device: str) -> None:
    shared = jf.backends.get(device)
    x = jf.asarray([1, 2, 3], dtype="float32", device=shared)
    assert x.device == device and x.to_device(shared) is x and x.to(shared) is x
    assert jf.zeros(2, dtype="float32", device=shared).device == device
    assert numbers().to_device(shared).device == device
    with jf.device(shared):
        assert jf.ones(2, dtype="float32").device == device
    assert jf.jit(lambda v: v + 1, device=shared)(np.ones(2, np.float32)).tolist() == [2, 2]
    with jf.backends.create(device) as own:
        y = numbers().to_device(own)
        assert (y + 1).tolist() == [1, 2, 3] and y._frame.device is own.device is not shared.device
        assert y.to(shared).tolist() == [0, 1, 2]
    with pytest.raises(jf.errors.BackendError, match="was shut down"):
        numbers().to(own)


def test_what_the_processor_computes_for_a_device_is_a_transfer(
    device: str, caplog: pytest.LogCaptureFixture, nothing_leaks: None
) -> None:
    """Both ways are logged with the line, at each call; under `strict` nothing of the program is run."""
    matrices = np.random.default_rng(0).random((2, 9, 9), np.float32) + 9 * np.eye(9, dtype=np.float32)
    there = jf.asarray(matrices, device=device)
    inverse = jf.jit(lambda a: np.linalg.inv(a * 2) + 1)
    kind = "float64[{}]" if registry.device(device).facts.dtypes & {"f64"} else "float32[{}]"
    for function in (lambda a: np.linalg.inv(a * 2) + 1, inverse, inverse):
        caplog.clear()
        with caplog.at_level(logging.INFO, "jitframe"):
            found = np.asarray(function(there).to_device("cpu"))
        np.testing.assert_allclose(found, np.linalg.inv(matrices * 2) + 1, rtol=1e-5)
        said = [record.message.partition(" at ")[0] for record in caplog.records]
        nbytes = 8 if kind.startswith("float64") else 4
        assert said == [
            f"{kind.format(324)} ({324 * nbytes:,} bytes) moved from {device} to cpu",
            f"{kind.format(162)} ({162 * nbytes:,} bytes) moved from cpu to {device}",
        ]
        assert all(HERE in record.message for record in caplog.records)
    with pytest.raises(np.linalg.LinAlgError, match="Singular matrix"):
        inverse(there * 0).to_device("cpu")
    jf.settings.configure(strict=True)
    with pytest.raises(jf.errors.BackendError, match="the processor does a solution of linear equations"):
        inverse(there)
    small = jf.jit(lambda a: np.linalg.inv(a[:, :3, :3]))  # a kernel of the device's
    np.testing.assert_allclose(
        np.asarray(small(there).to_device("cpu")), np.linalg.inv(matrices[:, :3, :3]), rtol=1e-4, atol=1e-5
    )
