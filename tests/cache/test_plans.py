"""Plans on disk: what a later process lowers nothing for, and what has to bring it back to lowering."""

from __future__ import annotations

import marshal
import math
import os
import subprocess
import sys
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import jitframe as jf
from jitframe import cache
from jitframe.cache import generator
from jitframe.cache.folder import PLAN_SUFFIX, SUFFIX
from jitframe.codegen.lower import program
from jitframe.codegen.plan.nodes import Plan
from jitframe.codegen.plan.stored import PackedError, packed, unpacked
from jitframe.compilation import stored_plans
from jitframe.errors import BoundsError
from jitframe.ir.expr import ceil_div, minimum, symbol, total
from jitframe.ir.record import replace
from jitframe.ir.structure import structure_text
from jitframe.ir.types import F32, F64, I32, Bits
from jitframe.settings import configure, restore, settings

X = np.arange(12, dtype=np.float32).reshape(3, 4)


class Counted:
    """How many graphs were lowered."""

    def __init__(self) -> None:
        self.lowered = 0


@pytest.fixture
def counted(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Counted]:
    """A cache folder of this test's own, no program known, every lowering counted."""
    made, lower = Counted(), program.lower_program

    def counting(*arguments: Any) -> Any:
        made.lowered += 1
        return lower(*arguments)

    monkeypatch.setattr(program, "lower_program", counting)
    before = settings()
    configure(cache_dir=str(folder))
    jf.clear()
    yield made
    restore(before)
    jf.clear()


def files(folder: Path, suffix: str = PLAN_SUFFIX) -> list[Path]:
    return sorted((folder / "v1").glob(f"*{suffix}"))


def later(function: Callable[..., Any], *arguments: Any) -> np.ndarray:
    """The call as a later process makes it."""
    jf.clear()
    return np.asarray(function(*arguments))


def softmax(x: Any) -> Any:
    e = np.exp(x - x.max(axis=1, keepdims=True))
    return e / e.sum(axis=1, keepdims=True)


PROGRAMS: dict[str, tuple[Callable[..., Any], tuple[Any, ...]]] = {
    "map": (lambda x: np.sqrt(x) * 2 + x.shape[0], (X,)),
    "scalar": (lambda x, s: x * s, (X, 2.5)),
    "softmax": (softmax, (X,)),
    "product": (lambda x: x @ x.T + 1, (X,)),
    "long": (lambda x: x.sum(), (np.arange(300_000, dtype=np.float64),)),
    "scan": (lambda x: np.cumsum(x, axis=1), (X,)),
    "positions": (lambda x, i: x[i] * 2, (X, np.array([2, 0, -1]))),
    "loop": (lambda x: jf.fori_loop(0, 3, lambda i, y: y * 2 + i, x), (X,)),
    "while": (lambda x: jf.while_loop(lambda y: y.sum() < 1e4, lambda y: y * 3, x), (X,)),
    "strided": (lambda x: x[:, ::-1] + x, (X[:, ::2],)),
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_process_that_finds_the_kernels_keeps_the_plan(name: str, counted: Counted, folder: Path) -> None:
    function, arguments = PROGRAMS[name]
    jitted = jf.jit(function)
    expected = np.asarray(jitted(*arguments))
    first = counted.lowered
    assert first > 0
    kernels = files(folder, SUFFIX)
    again = later(jitted, *arguments)
    assert counted.lowered == 2 * first and files(folder)
    found = later(jitted, *arguments)
    assert counted.lowered == 2 * first
    assert expected.tobytes() == again.tobytes() == found.tobytes()
    assert files(folder, SUFFIX) == kernels


CALL = "jf.jit(lambda x: np.sqrt(x) * 2 + x.shape[0])(np.ones(3, np.float32))"
PROCESS = """
import os, sys
import numpy as np, jitframe as jf

{call}
print("jitframe.codegen.lower.program" in sys.modules, flush=True)
"""


def lowers(folder: Path, end: str = "", call: str = CALL) -> bool:
    """Whether a process that makes a call, and then does what `end` says, lowers its graph."""
    done = subprocess.run(
        [sys.executable, "-c", PROCESS.format(call=call) + end],
        env={**os.environ, "JITFRAME_CACHE_DIR": str(folder)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert not done.stderr, done.stderr
    return done.stdout == "True\n"


def test_the_process_that_compiled_keeps_the_plan_at_its_end(folder: Path) -> None:
    assert lowers(folder) and len(files(folder)) == 1
    assert not lowers(folder)


def test_plans_of_one_structure_are_kept_together_at_the_end(folder: Path) -> None:
    short_and_long = "for n in (1_000, 1_000_000): jf.jit(lambda x: x.sum())(np.ones(n))"
    assert lowers(folder, call=short_and_long) and len(files(folder)) == 1
    assert not lowers(folder, call=short_and_long)


def test_without_an_end_the_next_process_keeps_it(folder: Path) -> None:
    assert lowers(folder, "os._exit(0)") and not files(folder)
    assert lowers(folder) and len(files(folder)) == 1
    assert not lowers(folder)


@pytest.mark.parametrize(
    "end", ["jf.cache.clear()", "import shutil; shutil.rmtree(os.environ['JITFRAME_CACHE_DIR'])"]
)
def test_no_plan_is_kept_without_its_kernels(end: str, folder: Path) -> None:
    assert lowers(folder, end)
    assert not files(folder) and not files(folder, SUFFIX)


def kept_program(name: str) -> Any:
    function, arguments = PROGRAMS[name]
    jitted = jf.jit(function)
    jitted(*arguments)
    later(jitted, *arguments)
    return jitted


def test_other_sizes_use_the_plan(counted: Counted) -> None:
    jitted = kept_program("softmax")
    before = counted.lowered
    other = np.linspace(0, 1, 70, dtype=np.float32).reshape(7, 10)
    np.testing.assert_allclose(later(jitted, other), softmax(other), rtol=1e-6)
    assert counted.lowered == before


def test_sizes_that_fail_its_guards_get_a_plan_of_their_own(counted: Counted, folder: Path) -> None:
    jitted = jf.jit(lambda x: x.sum())
    short, long = np.arange(1000, dtype=np.float64), np.arange(1_000_000, dtype=np.float64)
    for _ in range(2):
        later(jitted, short)
        later(jitted, long)
    before = counted.lowered
    assert later(jitted, short) == short.sum() and later(jitted, long) == long.sum()
    assert counted.lowered == before
    assert len(files(folder)) == 1


def test_explain_lowers_on_demand(counted: Counted) -> None:
    jitted = kept_program("softmax")
    text = str(jitted.explain(X))
    later(jitted, X)
    before = counted.lowered
    assert str(jitted.explain(X)) == text
    assert counted.lowered == before + 1


def test_statistics_count_its_kernels(counted: Counted) -> None:
    jitted = kept_program("softmax")
    jf.clear()
    before, kernels = cache.stats(), jitted.stats()["kernels"]
    jitted(X)
    after = cache.stats()
    assert jitted.stats()["kernels"] == kernels + 1
    assert after["disk_hits"] == before["disk_hits"] + 1 and after["misses"] == before["misses"]


def test_a_position_out_of_bounds_is_still_told(counted: Counted) -> None:
    jitted = kept_program("positions")
    before = counted.lowered
    with pytest.raises(BoundsError, match="index 7 is out of bounds for axis 0 with size 3"):
        later(jitted, X, np.array([1, 7, 0]))
    assert counted.lowered == before


def test_a_kernel_that_is_gone_is_made_again(counted: Counted, folder: Path) -> None:
    jitted = kept_program("map")
    for each in files(folder, SUFFIX):
        if b"native_runtime" not in each.read_bytes():
            each.unlink()
    compiled = cache.stats()["compiled"]
    np.testing.assert_array_equal(later(jitted, X), np.sqrt(X) * 2 + 3)
    assert cache.stats()["compiled"] == compiled + 1


@pytest.mark.parametrize(
    "damage",
    [
        lambda data: b"",
        lambda data: data[:-3],
        lambda data: data[:40] + bytes([data[40] ^ 1]) + data[41:],
        lambda data: data[:-1] + bytes([data[-1] ^ 1]),
    ],
)
def test_damage_brings_back_lowering(
    damage: Callable[[bytes], bytes], counted: Counted, folder: Path
) -> None:
    jitted = kept_program("map")
    (file,) = files(folder)
    file.write_bytes(damage(file.read_bytes()))
    before = counted.lowered
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", jf.errors.CacheWarning)
        np.testing.assert_array_equal(later(jitted, X), np.sqrt(X) * 2 + 3)
    assert counted.lowered == before + 1
    later(jitted, X)  # it was written anew
    assert counted.lowered == before + 1


@pytest.mark.parametrize(
    "content", [marshal.dumps(7), marshal.dumps(((1, 2),)), marshal.dumps((((), (99, 1)),)), b"\xff" * 9]
)
def test_other_content_is_not_taken(content: bytes, counted: Counted, folder: Path) -> None:
    jitted = kept_program("map")
    (file,) = files(folder)
    disk = cache.kernel_cache().disk
    assert disk is not None
    disk.put_plan(bytes.fromhex(file.stem), content)
    before = counted.lowered
    np.testing.assert_array_equal(later(jitted, X), np.sqrt(X) * 2 + 3)
    assert counted.lowered == before + 1


@pytest.mark.parametrize("what", ["sources_stamp", "target_text"])
def test_other_sources_and_targets_have_other_plans(
    what: str, counted: Counted, monkeypatch: pytest.MonkeyPatch
) -> None:
    jitted = kept_program("map")
    monkeypatch.setattr(stored_plans, what, lambda *_: "other")
    before = counted.lowered
    later(jitted, X)
    assert counted.lowered == before + 1


def test_the_stamp_of_the_sources_tells_every_change(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "folder").mkdir()
    sources = [tmp_path / "alone.py", tmp_path / "folder" / "a.py", tmp_path / "folder" / "b.py"]
    for source in sources:
        source.write_text("x = 1")
    monkeypatch.setattr(generator, "STAMPED_SOURCES", ("alone.py", "folder"))
    monkeypatch.setattr(jf, "__file__", str(tmp_path / "__init__.py"))
    seen: list[str] = []

    def changed() -> bool:
        seen.append(generator.sources_stamp.__wrapped__())
        return seen[-1] not in seen[:-1]

    assert changed() and not changed()
    (tmp_path / "folder" / "notes.txt").write_text("no source")
    assert not changed()
    for source in sources:
        status = source.stat()
        source.write_text("x = 22")
        assert changed()
        source.write_text("x = 33")  # as long, and as old
        os.utime(source, ns=(status.st_atime_ns, status.st_mtime_ns))
        assert changed()
    sources[1].rename(tmp_path / "folder" / "c.py")
    assert changed()
    sources[2].unlink()
    assert changed()
    sources[0].unlink()
    assert generator.sources_stamp.__wrapped__() == ""


def test_every_folder_that_makes_plans_is_stamped() -> None:
    root = Path(str(jf.__file__)).parent
    for top in ("ir", "codegen/kernel", "codegen/lower", "codegen/plan", "codegen/llvm", "codegen/math"):
        for folder in {path.parent for path in (root / top).resolve().rglob("*.py")}:
            inner = folder.relative_to((root / top).resolve()).as_posix()
            assert f"{top}/{inner}".removesuffix("/.") in generator.STAMPED_SOURCES


def test_fastmath_has_plans_of_its_own(counted: Counted) -> None:
    kept_program("map")
    before = counted.lowered
    later(jf.jit(PROGRAMS["map"][0], fastmath=True), X)
    assert counted.lowered == before + 1


def test_without_a_disk_nothing_is_kept(counted: Counted, folder: Path) -> None:
    configure(cache=False)
    jitted = kept_program("map")
    before = counted.lowered
    later(jitted, X)
    assert counted.lowered == before + 1 and not folder.exists()


def test_plans_are_cleared_and_swept_with_the_kernels(counted: Counted, folder: Path) -> None:
    kept_program("map")
    kernels = len(files(folder, SUFFIX))
    assert len(cache.entries()) == kernels and cache.verify() == (kernels, [])
    assert cache.prune(0).removed == kernels + 1
    assert not files(folder)
    jf.clear()
    kept_program("map")
    assert files(folder)
    cache.clear()
    assert not files(folder)


# Text and packing -------------------------------------------------------------------------------------
def test_structures_differ_in_their_text() -> None:
    keys: list[Any] = [
        (), ((),), (1,), (True,), (1.0,), ("1",), (Bits(1),), (Bits(1.0),), (None,), ("None",), (F32,),
        ("f32",),
        (F64,), (0.0,), (-0.0,), (math.nan,), (math.inf,), ((1,), 2), (1, (2,)), (1, 2), (12,), ("a", "b"),
        ("a' 'b",), ("ab",),
    ]  # fmt: skip
    texts = [structure_text(key) for key in keys]
    assert None not in texts and len(set(texts)) == len(keys)
    assert structure_text((1, [2])) is None and structure_text((np.float32(1),)) is None


@pytest.mark.parametrize("name", PROGRAMS)
def test_packed_plans_come_back(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    plans: list[Plan] = []
    lower = program.lower_program

    def noting(*arguments: Any) -> Any:
        lowered = lower(*arguments)
        plans.append(lowered.plan)
        return lowered

    monkeypatch.setattr(program, "lower_program", noting)
    monkeypatch.setattr(stored_plans.kernel_cache(), "disk", None)
    jf.clear()
    function, arguments = PROGRAMS[name]
    jf.jit(function)(*arguments)
    assert plans
    for plan in plans:
        data = marshal.dumps(packed(plan))
        assert unpacked(marshal.loads(data)) == replace(plan, kernels=())


def test_packed_expressions_are_the_same_ones() -> None:
    expr = minimum(ceil_div(symbol(0) * 3 + 1, symbol("device.threads")), symbol(1))
    found = unpacked(marshal.loads(marshal.dumps(packed((expr, ((True, I32), "x", None, 2.5))))))
    assert found == (expr, ((True, I32), "x", None, 2.5)) and found[0] is expr


def test_a_long_sum_is_packed() -> None:
    """The elements that a long loop moves are such a sum."""
    expr = total(symbol(number) for number in range(2_000))
    assert unpacked(marshal.loads(marshal.dumps(packed(expr)))) is expr


@pytest.mark.parametrize(
    "given", [1, (), (((),), ()), ((), (99,)), ((("%", (0, 0), None),), ()), ((), (-2, "f31"))]
)
def test_what_was_not_packed_is_refused(given: Any) -> None:
    with pytest.raises(PackedError, match="no stored plan"):
        unpacked(given)
