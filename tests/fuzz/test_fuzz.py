"""Some random programs of the whole op set on every device; an hour of them is `python -m tests.fuzz`."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import jitframe as jf
from jitframe.api.namespace import FUNCTIONS
from tests.fuzz import control, control_check, overwritten, state, state_check
from tests.fuzz.check import Tally, difference, run, shortest
from tests.fuzz.families import RECIPES, UNSPOKEN
from tests.fuzz.programs import FLOATS, INTEGERS, Maker, Program

pytestmark = pytest.mark.filterwarnings("ignore")  # NumPy's, on means of nothing and the like
EVERY = ("bool", *INTEGERS, *FLOATS)


@pytest.mark.parametrize(("device", "programs"), [("cpu", 150), ("opencl", 6), ("webgpu", 30)])
def test_programs_mean_what_numpy_means(device: str, programs: int) -> None:
    there = {each.name: each.dtypes for each in jf.devices() if each.available}
    if device not in there:
        pytest.skip(f"no {device} here")
    dtypes = [name for name in EVERY if name in there[device]]
    tally = Tally()
    for seed in range(programs):
        run(Maker(seed, dtypes, writes=seed % 2 == 0).make(), device, tally)
    assert not tally.wrong, "\n".join(map("\n".join, [(str(s), t, w) for s, t, w in tally.wrong]))
    assert all("has no int64" in refusal for refusal in tally.unsupported)
    assert device not in ("cpu", "opencl") or not tally.unsupported


@pytest.mark.parametrize(("device", "programs"), [("cpu", 12), ("opencl", 2), ("webgpu", 2)])
def test_control_flow_means_what_python_means(device: str, programs: int) -> None:
    """A few; `python -m tests.fuzz --control` runs as many as there is time for."""
    if device not in {each.name for each in jf.devices() if each.available}:
        pytest.skip(f"no {device} here")
    before = jf.settings.configure(strict=True)  # Python answers nothing
    try:
        for seed in range(programs):
            text = control.Maker(seed).text()
            found = control_check.Compared(text, str(seed), device).difference(seed)
            assert not found, f"seed {seed}: {found}\n{text}"
    finally:
        jf.settings.restore(before)


@pytest.mark.parametrize(("device", "programs"), [("cpu", 100), ("opencl", 6), ("webgpu", 6)])
def test_what_is_read_before_a_write_is_what_was_there(device: str, programs: int) -> None:
    if device not in {each.name for each in jf.devices() if each.available}:
        pytest.skip(f"no {device} here")
    wrong = [found for seed in range(programs) if (found := overwritten.difference(seed, device))]
    assert not wrong, "\n".join(wrong)


def test_every_function_is_spoken() -> None:
    names = {each.numpy[0] for each in FUNCTIONS.values() if each.numpy}
    assert not names - RECIPES.keys() - UNSPOKEN
    assert not UNSPOKEN & RECIPES.keys()


def test_a_fault_is_found_and_shown_short(monkeypatch: pytest.MonkeyPatch) -> None:
    def lying(function: Any, **options: Any) -> Any:
        def called(*arguments: Any) -> Any:
            results = function(*arguments)
            return tuple(each + 1 if np.asarray(each).dtype.kind == "f" else each for each in results)

        return called

    monkeypatch.setattr(jf, "jit", lying)
    program = Program(
        0,
        [np.arange(5.0)],
        ["v0 = np.flip(a0)", "v1 = np.sin(a0)", "v2 = v1 + a0"],
        ["v0", "v2"],
        {"a0": True, "v0": True, "v2": False},
    )
    assert difference(program, "cpu").startswith("call 0, v0: ")
    assert shortest(program, "cpu").text == "def program(a0):\n    v0 = np.flip(a0)\n    return v0,\n"


@pytest.mark.parametrize(
    "seeds", [range(4), pytest.param(range(4, 200), marks=[pytest.mark.more, pytest.mark.timeout(600)])]
)
def test_state_means_what_python_means(seeds: range) -> None:
    """A few; `python -m tests.fuzz --state` runs as many as there is time for."""
    for seed in seeds:
        text = state.Maker(seed).text()
        kind, found = state_check.Compared(text, str(seed)).difference()
        assert kind in ("", "type"), f"seed {seed}, {kind}: {found}\n{text}"


def test_a_fault_of_state_is_found_and_shown_short(monkeypatch: pytest.MonkeyPatch) -> None:
    def forgetful(function: Any) -> Any:
        def called(*arguments: Any) -> Any:
            results = function(*arguments)
            arguments[2].n = 0
            return results

        return called

    monkeypatch.setattr(jf, "jit", forgetful)
    text = next(
        text for text in (state.Maker(seed).text() for seed in range(20))
        if state_check.Compared(text, "forgetful").difference()[0] == "value"
    )  # fmt: skip
    short = state_check.shortest(text)
    assert state_check.Compared(short, "forgetful").difference()[0] == "value"
    assert len(short.splitlines()) < len(text.splitlines()) / 2
