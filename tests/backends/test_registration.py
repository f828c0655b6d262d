"""Backends added and taken back, what is known of them, all of them started and ended; their
configuration."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import jitframe as jf
from jitframe.backends import lifecycle
from jitframe.base.project import forget_files
from jitframe.errors import ArgumentError, BackendError, BackendUnavailableError, SettingError
from jitframe.runtime.discovery import registry
from jitframe.runtime.discovery.options import Option
from jitframe.runtime.discovery.probe import forget_probed
from tests.backends import drivers
from tests.backends.conftest import Register
from tests.devices import interpreter


def message(kind: type[BaseException], action: Any) -> str:
    with pytest.raises(kind) as caught:
        action()
    return str(getattr(caught.value, "message", caught.value))


# Registration ---------------------------------------------------------------------------------------------
def test_what_is_known_without_loading(register: Register) -> None:
    entry = jf.backends.register(
        "abacus", "no_such_package.driver", priority=7, aliases=("soroban",), title="beads on rods",
        version="2.1", author="A. Counter", license="MIT", kinds=("other",), platforms=(sys.platform,),
        jitframe=">=0.1", optional=("package:beads",),
    )  # fmt: skip
    try:
        assert jf.backends.metadata("soroban") is entry
        assert (entry.version, entry.author, entry.license, entry.kinds) == (
            "2.1",
            "A. Counter",
            "MIT",
            ("other",),
        )
        assert jf.backends.obstacles("abacus") == ()
        assert jf.backends.has("soroban") and "abacus" in jf.backends.names()
        assert not jf.backends.is_available("abacus")
        assert "no_such_package" not in sys.modules
        count = jf.backends.count()
    finally:
        jf.backends.unregister("abacus")
    assert jf.backends.count() == count - 1
    assert not jf.backends.has("abacus")


def test_modules_names_and_functions(register: Register) -> None:
    register("module", interpreter)
    register("name", "tests.devices.interpreter")
    register("function", drivers.fine)
    for name in ("module", "name", "function"):
        assert (jf.asarray(np.ones(2, np.float32), device=name) + 1).tolist() == [2, 2]


def test_what_cannot_be_registered(register: Register) -> None:
    register("abacus", drivers.fine, aliases=("soroban",))
    names = ", ".join(jf.backends.names())
    for name in ("abacus", "soroban", "cuda", "rocm"):
        said = message(BackendError, lambda name=name: jf.backends.register(name, drivers.fine))
        assert said.startswith(
            f"there is a backend {name!r} already; there are {names}; give it another name, or "
        )
    for name in ("auto", "Abacus", "2", "a b", ""):
        said = message(ArgumentError, lambda name=name: jf.backends.register(name, drivers.fine))
        assert said.startswith(f"{name!r} cannot be a backend's name; ")
    elsewhere: tuple[tuple[dict[str, Any], str], ...] = (
        ({"platforms": ("plan9",)}, f"it runs on plan9, and this is {sys.platform}"),
        ({"architectures": ("pdp11",)}, "it runs on pdp11 processors, and this is "),
        ({"jitframe": ">=9,<10"}, f"it fits jitframe >=9,<10, and this is {jf.__version__}"),
        ({"required": ("package:beads",)}, "it needs the Python package beads, which is not installed"),
        ({"required": ("library:beads",)}, "it needs the library beads, which is not installed"),
    )
    for metadata, reason in elsewhere:
        said = message(
            BackendError, lambda more=metadata: jf.backends.register("other", drivers.fine, **more)
        )
        assert said.startswith(f"the backend 'other' cannot run here: {reason}")
        assert said.endswith(f"; there are {names}")
    said = message(ArgumentError, lambda: jf.backends.register("other", 3))  # type: ignore[arg-type]
    assert said.endswith("by a module, its name, or a function that gives it, not by a int")
    said = message(ArgumentError, lambda: jf.backends.register("other", drivers.fine, colour="red"))
    assert said.startswith(
        "nothing that is known of a backend is called 'colour'; there are name, priority, "
    )
    said = message(ArgumentError, lambda: jf.backends.register("other", drivers.fine, required=("beads",)))
    assert said == (
        "the backend other needs 'beads'; write package:NAME for a Python package, or library:NAME for a "
        "library of the system"
    )
    said = message(ArgumentError, lambda: jf.backends.register("other", drivers.fine, jitframe="new"))
    assert said == "'new' bounds no version; write bounds such as '>=0.1,<0.3'"
    assert not jf.backends.has("other")


def test_what_cannot_be_taken_back() -> None:
    names = ", ".join(jf.backends.names())
    said = message(BackendUnavailableError, lambda: jf.backends.unregister("abacus"))
    assert said == f"there is no backend 'abacus'; there are {names}"
    said = message(BackendError, lambda: jf.backends.unregister("cpu"))
    assert said.startswith("the backend cpu is jitframe's own and stays; others are ")


def test_taking_back_shuts_down_first(register: Register) -> None:
    register("abacus", drivers.fine)
    shared, own = jf.backends.get("abacus"), jf.backends.create("abacus", device=1)
    shared.initialize()
    own.initialize()
    idle = jf.backends.create("abacus")
    jf.backends.unregister("abacus")
    assert not shared.is_initialized and not own.is_initialized and not idle.is_initialized
    assert message(BackendError, shared.synchronize).startswith("the backend abacus was shut down")
    assert message(BackendError, shared.initialize).startswith("there is no backend 'abacus'")
    assert message(BackendError, lambda: jf.zeros(2, device="abacus")).startswith(
        "there is no device 'abacus'"
    )
    register("abacus", drivers.gpu)
    assert jf.backends.get("abacus") is not shared
    assert jf.backends.get("abacus").info.title == "fast beads"


def test_a_backend_is_no_subclass() -> None:
    """The message says what to write, and that works."""

    def subclass() -> None:
        class Beads(jf.backends.Backend):
            def alloc(self, nbytes: int) -> int:  # type: ignore[override]
                return nbytes

    said = message(ArgumentError, subclass)
    assert said.startswith("class Beads(jf.backends.Backend): a backend is not written as a subclass; ")
    assert 'jf.backends.register("beads", Beads)' in said and "enumerate()" in said and "open(number)" in said

    class Beads:
        def enumerate(self) -> Any:
            return interpreter.FACTS[:1]

        def open(self, number: int) -> Any:
            return interpreter.open(number)

    jf.backends.register("beads", Beads, isolated=False)
    try:
        assert (jf.asarray([1.0], dtype="float32", device="Beads") + 1).tolist() == [2]
    finally:
        jf.backends.unregister("beads")


# All at once ------------------------------------------------------------------------------------------------
def test_all_are_started_and_ended_in_reverse(register: Register, monkeypatch: pytest.MonkeyPatch) -> None:
    jf.backends.shutdown_all()
    for name in ("first", "second", "third"):
        register(name, drivers.fine)
    never = jf.backends.get("third")
    made = jf.backends.initialize_all(["first", "second"])
    assert [each.name for each in made] == ["first", "second"]
    assert lifecycle.initialized() == tuple(made)
    ended: list[str] = []
    plain = type(made[0]).shutdown

    def shutdown(backend: Any) -> None:
        ended.append(backend.name)
        plain(backend)

    monkeypatch.setattr(type(made[0]), "shutdown", shutdown)
    jf.backends.shutdown_all()
    assert ended == ["second", "first"]
    assert lifecycle.initialized() == ()
    assert not never._is_shut
    jf.backends.shutdown_all()
    assert ended == ["second", "first"]


def test_failures_come_together(register: Register, monkeypatch: pytest.MonkeyPatch) -> None:
    jf.backends.shutdown_all()
    register("closed", drivers.closed)
    register("fine", drivers.fine)
    with pytest.raises(BackendError) as caught:
        jf.backends.initialize_all(["closed", "abacus", "fine"])
    problem = caught.value
    assert problem.message.startswith(
        "2 of 3 backends could not be initialized: closed: closed (busy beads) cannot be opened (somebody "
        "else has it); start the process anew, or choose another device; abacus: there is no device 'abacus'"
    )
    assert list(problem.context["failed"]) == ["closed", "abacus"]
    assert isinstance(problem.__cause__, ExceptionGroup)
    assert len(problem.__cause__.exceptions) == 2
    fine = jf.backends.get("fine")
    assert fine.is_initialized

    def fail() -> None:
        raise RuntimeError("the last bead is stuck")

    other = jf.backends.create("fine", device=1)
    other.initialize()
    monkeypatch.setattr(other, "synchronize", fail)
    with pytest.raises(
        BackendError, match="1 of 2 backends could not be shut down: fine:1: the last bead is stuck"
    ):
        jf.backends.shutdown_all()
    assert not fine.is_initialized


def test_every_available_backend_can_be_initialized() -> None:
    made = {each.name for each in jf.backends.initialize_all()}
    assert made == {name for name, info in jf.backends.discover().items() if info.is_available}
    jf.backends.shutdown_all()


# Entry points -----------------------------------------------------------------------------------------------
class Point:
    """An entry point."""

    def __init__(self, name: str, value: object) -> None:
        self.name, self.value = name, f"package:{name}"
        self._loaded = value

    def load(self) -> object:
        if isinstance(self._loaded, Exception):
            raise self._loaded
        return self._loaded


def test_entry_points_that_are_wrong_stop_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    points = [
        Point("good", registry.BackendEntry("good", 3, factory=drivers.fine)),
        Point("raising", ImportError("no beads")),
        Point("other", 17),
        Point("cuda", registry.BackendEntry("cuda", 9)),
    ]
    monkeypatch.setattr("importlib.metadata.entry_points", lambda group: points)
    monkeypatch.setattr(registry, "_offered", None)
    before = jf.settings.configure(probe_seconds=0)  # here: these are not installed
    with pytest.warns(jf.errors.JitframeWarning) as told:
        names = jf.backends.names()
    assert [str(each.message) for each in told] == [
        "the backend of the entry point cuda = package:cuda is not used: there is a backend 'cuda' already"
    ]
    assert {"good", "raising", "other"} <= set(names)
    found = jf.backends.discover()
    assert found["good"].device_count == 2
    assert found["raising"].problem == (
        "offered by package:raising: its entry point package:raising cannot be loaded: ImportError: no beads"
    )
    assert found["other"].problem.endswith("TypeError: package:other is a int, not a BackendEntry")
    assert jf.backends.obstacles("raising")
    jf.backends.unregister("good")
    assert not jf.backends.has("good"), "for this process"
    jf.settings.restore(before)
    forget_probed()


# Configuration ----------------------------------------------------------------------------------------------
def test_where_values_come_from(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("JITFRAME_SIMD", "JITFRAME_NUM_THREADS"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(tmp_path)
    forget_files()
    of = jf.backends.configuration_of
    assert str(of("cpu")) == "cpu:\n  simd     automatic  default\n  threads  automatic  default"
    project = tmp_path / "pyproject.toml"
    project.write_text('[tool.jitframe.cpu]\nthreads = 3\nsimd = "avx2"\n[tool.jitframe]\n', encoding="utf-8")
    file = tmp_path / "own.toml"
    file.write_text("[cpu]\nthreads = 5\n", encoding="utf-8")
    (tmp_path / "inner").mkdir()
    monkeypatch.chdir(tmp_path / "inner")
    assert of("cpu").threads is None, "the file is looked for once"
    forget_files()
    assert (of("cpu").threads, of("cpu").source("threads")) == (3, str(project))
    assert of("webgpu").source("limits") == "default"
    monkeypatch.setenv("JITFRAME_NUM_THREADS", "4")
    assert (of("cpu").threads, of("cpu").source("threads")) == (4, "JITFRAME_NUM_THREADS")
    assert (of("cpu", file).threads, of("cpu", str(file)).source("threads")) == (5, str(file))
    assert of("cpu", {"threads": "6"}).source("threads") == "mapping"
    made = of("cpu", file, threads=7)
    assert str(made) == f"cpu:\n  simd     'avx2'  {project}\n  threads  7       keyword"
    assert jf.backends.get("cpu").configuration.mapping() == {"simd": "avx2", "threads": 4}
    forget_files()


def test_configurations_and_mappings() -> None:
    of = jf.backends.configuration_of
    made = of("cpu", simd="SSE2", threads=2)
    assert made.mapping() == {"simd": "sse2", "threads": 2} == {name: made[name] for name in made}
    assert of("cpu", made.mapping()).mapping() == made.mapping()
    assert of("cpu", made, threads=3).mapping() == {"simd": "sse2", "threads": 3}
    assert made.merged(of("cpu", threads=9)).mapping() == {"simd": "sse2", "threads": 9}
    assert made.merged({"simd": None}).changed() == {"threads": 2}
    assert repr(made) == "configuration_of('cpu', simd='sse2', threads=2)"
    assert eval(repr(made), {"configuration_of": of}).mapping() == made.mapping()
    said = message(SettingError, lambda: made.merged(of("webgpu")))
    assert said.startswith("a configuration of webgpu is not for cpu: their options have nothing to do")
    assert message(SettingError, lambda: of("cpu", of("opencl"))).startswith(
        "a configuration of opencl is not"
    )


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"threads": 0}, "cpu, mapping: threads cannot be 0; it is a whole number from 1 to 1024"),
        ({"threads": "many"}, "cpu, mapping: threads cannot be 'many'; it is a whole number"),
        ({"threads": 1.5}, "cpu, mapping: threads cannot be 1.5; it is a whole number"),
        ({"threads": True}, "cpu, mapping: threads cannot be True; it is a whole number"),
        ({"simd": "mmx"}, "cpu, mapping: simd cannot be 'mmx'; it is one of off, sse2, avx2, avx512"),
        ({"simd": 2}, "cpu, mapping: simd cannot be 2; it is text"),
        ({"colour": 1}, "the backend cpu has no option 'colour' (mapping); there are simd, and threads"),
    ],
)
def test_values_that_do_not_fit(given: dict[str, Any], said: str) -> None:
    assert message(SettingError, lambda: jf.backends.configuration_of("cpu", given)) == said


def test_files_that_do_not_fit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "own.toml"
    of = jf.backends.configuration_of
    assert message(SettingError, lambda: of("cpu", file)).startswith(f"{file} cannot be read as TOML: ")
    file.write_text("[opencl]\n", encoding="utf-8")
    assert message(SettingError, lambda: of("cpu", file)) == (
        f"{file} has no table [cpu] or [tool.jitframe.cpu]"
    )
    file.write_text("[tool.jitframe.cpu]\nthreads = -1\n", encoding="utf-8")
    assert message(SettingError, lambda: of("cpu", file)).startswith(f"cpu, {file}: threads cannot be -1; ")
    assert message(ArgumentError, lambda: of("cpu", 3)).startswith("config is a Configuration, a mapping or ")
    monkeypatch.setenv("JITFRAME_NUM_THREADS", "none")
    assert message(SettingError, lambda: of("cpu")).startswith("cpu, JITFRAME_NUM_THREADS: threads cannot be")


class Tuned(drivers.Interface):
    """Takes options."""

    def open(self, number: int, beads: int = 10, colour: str = "red") -> Any:
        driver = super().open(number)
        driver.opened = beads, colour
        return driver


def tuned() -> Tuned:
    return Tuned(lambda: interpreter.FACTS[:1])


def test_options_of_others_reach_their_driver(register: Register, monkeypatch: pytest.MonkeyPatch) -> None:
    options = (Option("beads", int, 10, least=1), Option("colour", str, "red", choices=("red", "blue")))
    register("tuned", tuned, options=options)
    monkeypatch.setenv("JITFRAME_TUNED_COLOUR", "Blue")
    backend = jf.backends.create("tuned", beads=12)
    assert backend.device.driver.opened == (12, "blue")  # type: ignore[attr-defined]
    assert backend.configuration.source("colour") == "JITFRAME_TUNED_COLOUR"
    assert (jf.asarray(np.ones(2, np.float32), device=backend.device) + 1).tolist() == [2, 2]
    shared = jf.backends.get("tuned")
    assert shared.device.driver.opened == (10, "blue"), "the environment's, for everybody"  # type: ignore[attr-defined]
    assert shared.configuration.mapping() == {"beads": 10, "colour": "blue"}
    with pytest.raises(SettingError, match="beads cannot be 0; it is a whole number of 1 or more"):
        jf.backends.create("tuned", beads=0)


@pytest.mark.parametrize(
    "options", [{"simd": "off"}, {"threads": 1}, {"simd": "avx2", "threads": 2}], ids=str
)
def test_switches_of_the_cpu_change_no_result(options: dict[str, Any]) -> None:
    try:
        backend = jf.backends.create("cpu", **options)
    except ArgumentError as lack:
        pytest.skip(lack.message)
    x = np.random.default_rng(0).normal(size=(100, 300)).astype(np.float32)

    def f(a: Any) -> Any:
        b = np.exp(a) / np.sqrt(1 + a * a)
        return b.sum(axis=1), np.cumsum(b, axis=1), b @ b.T

    expected = jf.jit(f)(x)
    found = jf.jit(f, device=backend.device)(x)
    for one, other in zip(found, expected, strict=True):
        np.testing.assert_allclose(one, other, rtol=2e-6, atol=1e-4)
    facts = backend.device.facts
    assert facts.units == options.get("threads", facts.units)
    assert facts.architecture == {"off": "sse2"}.get(
        options.get("simd", ""), options.get("simd", facts.architecture)
    )
    assert not backend.device.is_host and backend.device.name == "cpu"


@pytest.mark.parametrize(
    ("device", "options"),
    [("webgpu", {"limits": "default"}), ("opencl", {"build_options": "-cl-mad-enable"})],
)
def test_switches_of_devices(device: str, options: dict[str, Any]) -> None:
    if not jf.backends.is_available(device):
        pytest.skip(f"{device} is not here")
    backend = jf.backends.create(device, **options)
    x = jf.asarray(np.arange(1000, dtype=np.float32), device=backend.device)
    assert (x * 2 + 1).sum().item() == 1000 * 1000
    assert backend.configuration.changed() == options
    if device == "webgpu":
        assert backend.device.facts.most_buffers == 8


def test_options_that_the_compiler_refuses() -> None:
    if not jf.backends.is_available("opencl"):
        pytest.skip("opencl is not here")
    broken = jf.backends.create("opencl", build_options="-no-such-option")
    x = jf.asarray(np.ones(3, np.float32), device=broken.device) * 3.25
    with pytest.raises(jf.errors.CompileError):
        x.numpy()


def test_one_error_names_all() -> None:
    """`for_each` goes on, whatever is raised."""
    done: list[int] = []

    def act(number: int) -> None:
        done.append(number)
        if number % 2:
            raise ValueError(f"{number} is odd")

    said = message(BackendError, lambda: lifecycle.for_each(range(4), act, "count"))
    assert done == [0, 1, 2, 3]
    assert said.startswith("2 of 4 backends could not count: 1: 1 is odd; 3: 3 is odd; look at each one")
