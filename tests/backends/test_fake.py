"""The fake backend: it computes for real, notes what it is asked for, and fails as it is told."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

import jitframe as jf
from jitframe.backends.fakes.backend import FakeBackend
from jitframe.backends.fakes.faults import OPERATIONS, Call
from jitframe.errors import (
    ArgumentError,
    BackendError,
    BackendUnavailableError,
    CompileError,
    DeviceLostError,
    OutOfMemoryError,
    UnsupportedDTypeError,
)
from jitframe.runtime.cpu.execution.runtime import runtime
from tests.runtime_gpu.driver_contract import CONTRACT
from tests.runtime_gpu.subject import Law, Subject


@pytest.fixture
def fake() -> Iterator[FakeBackend]:
    with jf.backends.fake() as made:
        yield made


X = np.arange(6, dtype=np.float32)


# It computes -----------------------------------------------------------------------------------------
@pytest.fixture(scope="module")
def subject() -> Subject:
    made = FakeBackend("contract", memory_bytes=1 << 28)
    return Subject(made.open(0))


@pytest.mark.parametrize("law", CONTRACT, ids=lambda law: law.__name__)
def test_contract(law: Law, subject: Subject) -> None:
    law(subject)


def test_what_is_trimmed_is_the_systems_again() -> None:
    """The processor, whose memory it is, keeps nothing for itself."""
    driver = FakeBackend("trimmed").open(0)
    runtime().trim()
    kept = runtime().statistics()
    driver.free(driver.allocate(1 << 24))
    driver.trim()
    assert runtime().statistics()["kept_bytes"] == kept["kept_bytes"]


def test_arrays_and_functions_run_there(fake: FakeBackend) -> None:
    x = jf.asarray(X, device="fake")
    assert x.device == "fake" and (x * 2 + 1).tolist() == [1, 3, 5, 7, 9, 11]
    np.testing.assert_allclose(jf.jit(np.tanh, device="fake")(X), np.tanh(X), rtol=1e-6)
    assert (x.reshape(2, 3) @ x.reshape(3, 2)).tolist() == (X.reshape(2, 3) @ X.reshape(3, 2)).tolist()
    backend = jf.backends.get("fake")
    assert backend.ops.sum(X).item() == 15
    with backend.buffer(4) as buffer:
        buffer.write(b"abcd")
        assert buffer.read() == b"abcd"


def test_it_is_known_inside_the_block_only() -> None:
    assert not jf.backends.has("fake")
    with jf.backends.fake() as made:
        assert jf.backends.has("fake") and made.count("open") == 0, "it is opened when it is used"
        jf.zeros(1, device="fake").numpy()
        assert made.count("open") == 1
    assert not jf.backends.has("fake")
    with pytest.raises(BackendUnavailableError, match="there is no device 'fake'"):
        jf.zeros(1, device="fake")
    with jf.backends.fake() as other:
        assert jf.ones(2, device="fake").tolist() == [1, 1] and other.count("open") == 1


def test_names_and_numbers_that_do_not_fit() -> None:
    with pytest.raises(BackendError, match="cpu"):
        FakeBackend("cpu").install()
    with pytest.raises(ArgumentError, match="devices=0: a fake backend has at least one"):
        FakeBackend(devices=0)
    with pytest.raises(ArgumentError, match="'float33' is no dtype; there are bool, "):
        FakeBackend(dtypes=["float33"])


def test_devices_have_memory_of_their_own() -> None:
    with jf.backends.fake(devices=2, memory_bytes=1 << 16) as made:
        first = jf.asarray(np.zeros(10_000, np.float32), device="fake")
        second = jf.asarray(np.zeros(10_000, np.float32), device="fake:1")
        with pytest.raises(
            OutOfMemoryError, match=r"fake device has no memory for .* of 65,536 are in live arrays"
        ):
            jf.asarray(np.zeros(10_000, np.float32), device="fake")
        del first
        again = jf.asarray(np.ones(10_000, np.float32), device="fake")
        assert again.sum().item() == 10_000 and second.sum().item() == 0
        assert {call.device for call in made.calls} == {0, 1}


def test_a_device_may_lack_dtypes() -> None:
    with jf.backends.fake(dtypes=["bool", "int32", "uint32", "float32"], title="a narrow one"):
        x = jf.asarray([1.5, 2.5], device="fake")
        assert x.dtype == np.float32 and x.mean().item() == 2
        with pytest.raises(UnsupportedDTypeError, match=r"fake \(a narrow one\) has no float64"):
            jf.asarray(np.ones(2), device="fake")


def test_memory_that_was_given_back_is_spoiled(fake: FakeBackend) -> None:
    driver = fake.open(0)
    memory = driver.allocate(4)
    driver.upload((memory, 0), memoryview(b"abcd"))
    driver.free(memory)
    assert driver._processor.read((memory, 0), 4) == b"\xa5" * 4


# It notes --------------------------------------------------------------------------------------------
def test_calls_are_noted_in_order(fake: FakeBackend) -> None:
    x = jf.asarray(X, device="fake")
    fake.clear()
    assert (x + 1).tolist() == [1, 2, 3, 4, 5, 6]
    # Memory is given back when its tensor is gone, at the next use.
    assert [call.operation for call in fake.calls if call.operation != "free"] == [
        "compile", "allocate", "launch", "download",
    ]  # fmt: skip
    (launch,) = [call for call in fake.calls if call.operation == "launch"]
    assert launch.kernel and launch.groups == 1
    assert Call("download", 0, 24) in fake.calls and fake.count("download") == 1
    with pytest.raises(ArgumentError) as caught:
        fake.count("dance")
    names = list(OPERATIONS)
    assert caught.value.message == (
        f"a device is not asked for 'dance', but for {', '.join(names[:-1])}, or {names[-1]}"
    )


# It fails --------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("operation", "kind"),
    [
        ("allocate", OutOfMemoryError),
        ("compile", CompileError),
        ("launch", BackendError),
        ("download", BackendError),
    ],
)
def test_an_operation_fails_once(fake: FakeBackend, operation: str, kind: type[BackendError]) -> None:
    x = jf.asarray(X, device="fake")
    y = x * 3
    fake.fail(operation)
    with pytest.raises(kind) as caught:
        y.numpy()
    assert caught.value.device == "fake"
    assert caught.value.message.startswith(
        f"fake device: {OPERATIONS[operation][0]} failed, as the test asked for"
    )
    assert y.tolist() == [0, 3, 6, 9, 12, 15], "what failed can be asked for again"


def test_memory_runs_out_as_on_other_devices(fake: FakeBackend) -> None:
    fake.fail("allocate")
    with pytest.raises(MemoryError) as caught:
        jf.asarray(X, device="fake")
    assert isinstance(caught.value, OutOfMemoryError)
    assert caught.value.suggestions == ("delete some", "work on parts", "choose another device")


def test_counts_and_predicates(fake: FakeBackend) -> None:
    fake.fail("upload", after=1, times=2)
    fake.fail("upload", times=None, when=lambda call: call.nbytes > 1000)
    outcomes = []
    for size in (1, 1, 1, 1, 300, 1, 300):
        try:
            jf.asarray(np.zeros(size, np.float32), device="fake")
            outcomes.append(True)
        except BackendError:
            outcomes.append(False)
    assert outcomes == [True, False, False, True, False, True, False]


def test_errors_of_ones_own(fake: FakeBackend) -> None:
    fake.fail("upload", error=lambda call: OSError(f"{call.nbytes} bytes are too many"))
    with pytest.raises(OSError, match="24 bytes are too many"):
        jf.asarray(X, device="fake")


def test_a_device_that_cannot_be_opened(fake: FakeBackend) -> None:
    fake.fail("open")
    with pytest.raises(BackendUnavailableError, match="opening it failed"):
        jf.asarray(X, device="fake")
    assert jf.asarray(X, device="fake").sum().item() == 15


def test_late_failures_come_with_the_next_wait(fake: FakeBackend) -> None:
    x = jf.asarray(X, device="fake")
    fake.fail("launch", late=True)
    backend = jf.backends.get("fake")
    y = jf.compute(x + 1)[0]
    with pytest.raises(BackendError, match="launching failed"):
        backend.synchronize()
    backend.synchronize()
    assert y.tolist() == [1, 2, 3, 4, 5, 6]


def test_a_lost_device_is_opened_again(fake: FakeBackend) -> None:
    x = jf.asarray(X, device="fake")
    fake.lose("launch")
    with pytest.raises(DeviceLostError, match="fake device was lost with all that it held"):
        (x + 1).numpy()
    with pytest.raises(BackendError, match="make it anew"):
        x.numpy()
    again = jf.asarray(X, device="fake")
    assert (again + 1).tolist() == [1, 2, 3, 4, 5, 6] and fake.count("open") == 2


def test_one_of_several_is_lost() -> None:
    with jf.backends.fake(devices=2) as made:
        x, y = jf.asarray(X, device="fake"), jf.asarray(X, device="fake:1")
        made.lose("download", number=1)
        assert x.tolist() == X.tolist()
        with pytest.raises(DeviceLostError):
            y.numpy()
        assert x.tolist() == X.tolist()


def test_slow_copies(fake: FakeBackend, monkeypatch: pytest.MonkeyPatch) -> None:
    waits: list[float] = []
    monkeypatch.setattr("jitframe.backends.fakes.faults.time.sleep", waits.append)
    x = jf.asarray(np.zeros(25_000, np.float32), device="fake")
    x.numpy()
    assert waits == []
    fake.slow(1e6)
    x.numpy()
    assert waits == [0.1]
    with pytest.raises(ArgumentError, match="bytes_per_second=0: a speed is more than 0"):
        fake.slow(0)
    fake.clear()
    x.numpy()
    assert waits == [0.1]


def test_nothing_leaks_when_things_fail(fake: FakeBackend) -> None:
    device = jf.backends.get("fake").device
    x = jf.asarray(X, device="fake")
    (x + 2).numpy()
    live = device.statistics().live
    for operation in ("allocate", "launch", "compile", "download"):
        y = x * 5 if operation != "compile" else x - 7
        fake.fail(operation)
        with pytest.raises(BackendError):
            y.numpy()
        del y
        jf.compute(x + 1)
    assert device.statistics().live == live


# Products by a library -------------------------------------------------------------------------------
def test_products_of_a_library_are_noted_and_fail() -> None:
    a, b = (np.arange(40, dtype=np.float32).reshape(shape) for shape in ((2, 20), (20, 2)))
    with jf.backends.fake(library_products=True) as fake:
        x, y = jf.asarray(a, device="fake"), jf.asarray(b, device="fake")
        assert (x @ y).tolist() == (a @ b).tolist()
        assert [call.nbytes for call in fake.calls if call.operation == "multiply"] == [2 * 2 * 4]
        live = jf.backends.get("fake").device.statistics().live
        fake.fail("multiply")
        with pytest.raises(BackendError, match="a matrix product failed, as the test asked for"):
            (x @ y).numpy()
        assert (x @ y).tolist() == (a @ b).tolist()
        assert jf.backends.get("fake").device.statistics().live == live
        fake.fail("multiply", late=True)
        with pytest.raises(BackendError, match="a matrix product failed"):
            (x @ y + 1).numpy()
        stacked = jf.asarray(np.stack([a, a]), device="fake") @ jf.asarray(np.stack([b, b]), device="fake")
        stacked.numpy()
        assert [call.nbytes for call in fake.calls if call.operation == "multiply"][-1] == 2 * 2 * 2 * 4
        fake.lose("multiply")
        with pytest.raises(DeviceLostError):
            (x @ y).numpy()


# Memory that is short --------------------------------------------------------------------------------
def test_garbage_makes_room_on_a_full_device() -> None:
    with jf.backends.fake(memory_bytes=1 << 16) as fake:
        backend = jf.backends.get("fake")
        circle: list[object] = [backend.alloc(40_000)]
        circle.append(circle)
        del circle
        held = backend.alloc(40_000)
        assert backend.statistics().failures == 0
        with pytest.raises(OutOfMemoryError, match="no memory for"):
            backend.alloc(40_000)
        assert backend.statistics().failures == 1
        held.free()
        fake.clear()
        with pytest.raises(OutOfMemoryError, match="at most"):
            backend.device.driver.allocate(1 << 17)
        assert fake.count("synchronize") == 0, "no room can be made for what never fits"
