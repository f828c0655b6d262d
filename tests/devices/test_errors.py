"""What a device cannot do: each a sentence that names it, after which all goes on, and nothing is held."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import jitframe as jf
from jitframe.ir.record import replace
from jitframe.runtime.discovery import registry
from jitframe.runtime.drivers import sources
from tests.devices import interpreter
from tests.devices.conftest import live_bytes
from tests.threads import at_once

NARROW = (
    "interpreter:1 (narrow interpreter) has no {}; it has bool, int32, uint8, float32, complex64; cast to {} "
    "first (as a dtype, {} is {}), or choose another device"
)
SMALL = "small"
SIDES = (200_000, 1), (1, 200_000)
"""Of what has more elements than any device here."""


@pytest.fixture
def small() -> Iterator[None]:
    """A device with hardly any memory."""
    with jf.backends.fake(SMALL, memory_bytes=1 << 16, largest_buffer=1 << 15):
        yield


def message(action: Callable[[], Any], kind: type[Exception]) -> str:
    with pytest.raises(kind) as caught:
        action()
    assert isinstance(caught.value, jf.errors.JitframeError)
    # The interpreter's errors name its own line: it stands outside the package, as the user does.
    assert f"  at {__file__}:" in str(caught.value) or interpreter.__file__ in str(caught.value)
    return caught.value.message


def test_names_that_are_none() -> None:
    names = ", ".join(entry.name for entry in registry.backends())
    for name in ("abacus", "cuda:x", "opencl:-1", ""):
        for use in (
            lambda name=name: jf.zeros(2, device=name),
            lambda name=name: jf.asarray([1]).to_device(name),
            lambda name=name: jf.device(name),
            lambda name=name: jf.jit(lambda x: x, device=name),
        ):
            assert message(use, jf.errors.BackendError) == (
                f"there is no device {name!r}; a name is one of {names}, perhaps with a number (cuda:1)"
            )
    assert message(lambda: jf.zeros(2, device=3), jf.errors.KindError) == (
        "a device is given by its name, such as 'opencl', not by 3"
    )


def test_a_backend_without_its_library() -> None:
    entry = registry.BackendEntry("nowhere", 0, title="devices of nowhere", module="no_such_library.nowhere")
    registry.register(entry)
    problem = "devices of nowhere: ModuleNotFoundError: No module named 'no_such_library'"
    assert message(lambda: jf.zeros(2, device="nowhere:1"), jf.errors.BackendError) == (
        f"device 'nowhere:1' is not available: {problem}"
    )
    (found,) = [each for each in jf.devices() if each.name == "nowhere"]
    assert (found.available, found.problem) == (False, problem)
    # A function for it can be written down where it is not there.
    function = jf.jit(lambda x: x + 1, device="nowhere")
    assert message(lambda: function(np.zeros(2)), jf.errors.BackendError) == (
        f"device 'nowhere' is not available: {problem}"
    )


def test_dtypes_that_the_device_lacks() -> None:
    x = jf.asarray([1.0, 2.0], device="interpreter:1")
    wide = np.ones(2)
    before = live_bytes(registry.device("interpreter:1"))
    for action in (
        lambda: jf.asarray(wide, device="interpreter:1"),
        lambda: jf.asarray(wide).to_device("interpreter:1"),
        lambda: jf.zeros(2, dtype="f8", device="interpreter:1"),
        lambda: jf.full_like(wide, 2, device="interpreter:1"),
        lambda: x.astype(np.float64),
        lambda: x.sum(dtype=np.float64),
        lambda: jf.zeros(2, dtype=float, device="interpreter:1"),
        lambda: x + wide,
        lambda: x * np.float64(2),
        lambda: jf.arange(3, dtype="f8", device="interpreter:1"),
        lambda: jf.jit(lambda y: y.astype(np.float64))(x),
    ):
        assert message(action, TypeError) == NARROW.format("float64", "float32", "float", "float64")
    double = jf.jit(lambda a: a * 2, device="interpreter:1")
    assert message(lambda: double(wide), TypeError) == "the argument 'a': " + NARROW.format(
        "float64", "float32", "float", "float64"
    )
    assert message(lambda: double(np.int64(2)), TypeError) == (
        "the argument 'a': " + NARROW.format("int64", "int32", "int", "int64")
    )
    assert jf.asarray(wide, dtype="f4", device="interpreter:1").tolist() == [1, 1]
    assert jf.asarray(jf.asarray(wide), dtype="f4", device="interpreter:1").tolist() == [1, 1]
    assert (x + wide.astype(np.float32)).tolist() == [2, 3]
    assert live_bytes(registry.device("interpreter:1")) == before


def test_buffers_that_are_too_large(small: None) -> None:
    before = live_bytes(registry.device(SMALL))
    limit = "a buffer of small (small device) has at most 32,768; work on parts, or choose another device"
    assert message(lambda: jf.asarray(np.zeros(5000), device=SMALL), jf.errors.BackendError) == (
        f"an array float64[5000] takes 40,000 bytes, and {limit}"
    )
    assert message(lambda: jf.zeros(5000, device=SMALL).numpy(), jf.errors.BackendError) == (
        f"a result takes 40,000 bytes, and {limit}"
    )
    assert jf.ones(4000, device=SMALL).sum().item() == 4000
    assert live_bytes(registry.device(SMALL)) == before


def test_memory_that_runs_out(small: None) -> None:
    device = registry.device(SMALL)
    with device.using() as driver:
        driver.trim()
    before = live_bytes(device)
    held = [jf.asarray(np.full(3000, k, np.float64), device=SMALL) for k in range(2)]
    said = message(lambda: jf.asarray(np.zeros(3000), device=SMALL), jf.errors.BackendError)
    assert said == (
        "small device has no memory for 24,576 bytes: 49,152 bytes of 65,536 are in live arrays (the device "
        "has no more); delete some, work on parts, or choose another device\n"
        "  held by float64[3000], 24,000 bytes\n"
        "  held by float64[3000], 24,000 bytes\n"
        "  (jf.backends.get('small').monitor() notes the lines that make what is held)"
    )
    # Halfway through a plan: what it had taken is free again, and its inputs are as they were.
    result = held[0] + held[1]
    assert "has no memory for" in message(result.numpy, jf.errors.BackendError)
    assert live_bytes(device) == before + 2 * 24576
    assert result.shape == (3000,)
    del held[1], result
    assert (held[0] + 1)[:2].tolist() == [1, 1]
    del held
    assert live_bytes(device) == before


def test_a_kernel_that_is_rejected() -> None:
    with jf.backends.fake() as fake:
        device = registry.device("fake")
        x = jf.asarray(np.ones(3, np.float32), device="fake")
        before = live_bytes(device)
        fake.fail("compile", times=2)  # of the value, and of the call
        y = jf.sqrt(x + 3)
        said = message(y.numpy, jf.errors.CompileError)
        assert said == "fake device: compiling failed, as the test asked for"
        message(lambda: jf.jit(lambda y: np.sqrt(y))(x), jf.errors.CompileError)
        assert live_bytes(device) == before
        assert (x + 3).tolist() == [4, 4, 4]
        assert y.tolist() == [2, 2, 2], "what failed can be asked for again"


@pytest.mark.parametrize("name", ["opencl", "webgpu"])
def test_what_a_real_device_refuses_holds_nothing(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    try:
        device = registry.device(name)
    except jf.errors.BackendError as absent:
        pytest.skip(absent.message)
    x = jf.asarray(np.ones(1000, np.float32), device=device)
    column, row = (jf.asarray(np.ones(shape, np.float32), device=device) for shape in SIDES)
    before = live_bytes(device)
    for too_large in (lambda: (column + row).numpy(), lambda: jf.jit(lambda a, b: a + b)(column, row)):
        assert f"takes 160,000,000,000 bytes, and a buffer of {name} (" in message(
            too_large, jf.errors.OutOfMemoryError
        )
        assert live_bytes(device) == before
    spell = sources.generate

    def broken(*arguments: Any, **options: Any) -> Any:
        made = spell(*arguments, **options)
        return replace(made, text=made.text + "oops")

    fresh: list[Callable[[], Any]] = [
        lambda: (jf.tanh(x * 3.140625) + jf.cosh(x) - 7).numpy(),
        lambda: jf.jit(lambda a: np.cumsum(a * 1.40625))(x),
    ]
    with monkeypatch.context() as patch:
        patch.setattr(sources, "generate", broken)
        for compiled in fresh * 2:
            said = message(compiled, jf.errors.CompileError)
            assert said.startswith(device.facts.title)
            assert "choose another device" in said and "oops" in said
            assert live_bytes(device) == before
    for compiled in fresh:
        compiled()
    assert (x + 1).tolist() == [2.0] * 1000


def test_blocks_die_with_their_tensors(device: str) -> None:
    found = registry.device(device)
    before = live_bytes(found)
    x = jf.asarray(np.ones(1000, np.float32), device=device)
    one = live_bytes(found) - before
    assert one >= 4000
    y = (x + 1).to_device(device)
    y.numpy()
    z = y[10:20]
    z.numpy()
    assert live_bytes(found) > before + 2 * one
    del x
    y += 1
    y.numpy()
    del y
    assert z.tolist() == [3] * 10, "a view outlives the name of its memory"
    del z
    assert live_bytes(found) == before


def test_memory_in_a_cycle_is_given_back_in_the_middle_of_work(device: str, nothing_leaks: None) -> None:
    """Garbage is collected whenever it pleases, also while the driver is at work."""
    import gc

    class Node:
        pass

    before = gc.get_threshold()
    gc.set_threshold(5)
    try:
        for _ in range(30):
            node = Node()
            node.self, node.tensor = node, jf.asarray(np.ones(64, np.float32), device=device)  # type: ignore[attr-defined]
            assert (node.tensor + 1).sum().item() == 128  # type: ignore[attr-defined]
    finally:
        gc.set_threshold(*before)


def test_several_threads(device: str, nothing_leaks: None) -> None:
    shared = jf.asarray(np.arange(100, dtype=np.float32), device=device)
    pending = shared * 2

    def work(number: int) -> None:
        with jf.device(device if number % 2 else "cpu"):
            assert jf.zeros(1).device == (device if number % 2 else "cpu")
        for step in range(10):
            x = shared * number + step
            total = (x.sum() + pending[number]).item()
            assert total == 4950 * number + 100 * step + 2 * number

    at_once(work, 4)


@pytest.mark.more
def test_a_program_that_names_no_device_loads_no_driver() -> None:
    program = (
        "import sys, numpy as np, jitframe as jf\n"
        "jf.jit(lambda x: x + 1)(np.zeros(3)); (jf.asarray([1.0]) + 1).numpy()\n"
        "names = {'pyopencl', 'wgpu', 'cupy', 'objc', 'logging', 'jitframe.runtime.discovery.registry',\n"
        "         'jitframe.runtime.drivers.opencl', 'jitframe.runtime.drivers.sources'}\n"
        "print(sorted(names & set(sys.modules)), [m for m in sys.modules if 'c_family' in m])\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == "[] []\n"


@pytest.mark.more
def test_tensors_may_outlive_the_program(device: str) -> None:
    if device.startswith("interpreter"):
        pytest.skip("known to this process only")
    program = (
        f"import jitframe as jf; x = jf.asarray([1.0], device={device!r}) + 1\n"
        "print(x.item()); y = [x]; y.append(y)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert (done.stdout, done.stderr) == ("2.0\n", "")
