"""Memory limits of control groups: read in every shape they have, kept by the pool, in real groups too."""

from __future__ import annotations

import gc
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

import jitframe as jf
from jitframe.errors import OutOfMemoryError
from jitframe.runtime.cpu.execution import room
from jitframe.runtime.cpu.execution.runtime import runtime
from jitframe.runtime.memory import control_groups, host_memory
from jitframe.runtime.memory.control_groups import GroupMemory, limited_groups
from jitframe.runtime.memory.pool import NoMemory, Pool

from .groups import MIB, limited_group

ROOT = Path(jf.__file__).parents[1]
UNLIMITED = "9223372036854771712\n"


def write(root: Path, files: dict[str, str]) -> str:
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return str(root)


def second(folder: str, limit: str, used: int, statistics: str = "", high: str = "max") -> dict[str, str]:
    """The files of a group of version 2."""
    return {
        f"{folder}/memory.max": f"{limit}\n",
        f"{folder}/memory.high": f"{high}\n",
        f"{folder}/memory.current": f"{used}\n",
        f"{folder}/memory.stat": statistics,
    }


def first(folder: str, limit: str, used: int, statistics: str = "") -> dict[str, str]:
    """The same of version 1."""
    return {
        f"{folder}/memory.limit_in_bytes": f"{limit}\n",
        f"{folder}/memory.usage_in_bytes": f"{used}\n",
        f"{folder}/memory.stat": statistics,
    }


V1, V2 = "sys/fs/cgroup/memory", "sys/fs/cgroup"
FILES = "anon 500\ninactive_file 30\nactive_file 20\nslab_reclaimable 10\n"
TOTALS = "cache 1\ninactive_file 1\ntotal_inactive_file 30\ntotal_active_file 20\n"


def test_groups_of_version_2_within_each_other(tmp_path: Path) -> None:
    """All limits count, whichever group has them; the outermost group has no such files."""
    root = write(
        tmp_path,
        {"proc/self/cgroup": "0::/kube/pod/container\n"}
        | second(f"{V2}/kube", "4000", 3500)
        | second(f"{V2}/kube/pod", "max", 3000)
        | second(f"{V2}/kube/pod/container", "2000", 700, FILES),
    )
    assert limited_groups(root) == [GroupMemory(2000, 640), GroupMemory(4000, 3500)]
    assert [group.room_bytes for group in limited_groups(root)] == [1360, 500]


def test_a_group_in_a_container_that_sees_it_as_the_outermost(tmp_path: Path) -> None:
    for path in ("/", "/../../other", "/docker/0123"):
        root = write(tmp_path, {"proc/self/cgroup": f"0::{path}\n"} | second(V2, "2000", 2100))
        assert limited_groups(root) == [GroupMemory(2000, 2100)]
        assert limited_groups(root)[0].room_bytes == 0


def test_memory_high_counts_as_a_limit(tmp_path: Path) -> None:
    root = write(tmp_path, {"proc/self/cgroup": "0::/\n"} | second(V2, "2000", 100, high="1500"))
    assert limited_groups(root) == [GroupMemory(1500, 100)]


def test_groups_of_version_1(tmp_path: Path) -> None:
    lines = "12:cpu,cpuacct:/elsewhere\n4:memory:/slice/one\n1:name=systemd:/slice\n0::/slice\n"
    root = write(
        tmp_path,
        {"proc/self/cgroup": lines}
        | first(V1, UNLIMITED, 9000)
        | first(f"{V1}/slice", "5000", 4000, TOTALS)
        | first(f"{V1}/slice/one", UNLIMITED, 10),
    )
    assert limited_groups(root) == [GroupMemory(5000, 3950)]


def test_a_container_of_version_1_hears_of_limits_around_it(tmp_path: Path) -> None:
    root = write(
        tmp_path,
        {"proc/self/cgroup": "4:memory:/docker/0123\n"}
        | first(V1, UNLIMITED, 500, f"hierarchical_memory_limit 3000\n{TOTALS}"),
    )
    assert limited_groups(root) == [GroupMemory(3000, 450)]


@pytest.mark.parametrize("lines", ["", "0::/\n", "4:memory:/\n", "nonsense\n:::\n4:memory\n"])
def test_without_limits_or_files_there_are_none(tmp_path: Path, lines: str) -> None:
    assert limited_groups(str(tmp_path)) == []
    assert limited_groups(write(tmp_path, {"proc/self/cgroup": lines})) == []
    assert limited_groups(write(tmp_path, first(V1, UNLIMITED, 1) | second(V2, "max", 1))) == []
    assert limited_groups(write(tmp_path, first(V1, "much", 1) | second(V2, "-1", 1))) == []


@pytest.fixture
def groups(monkeypatch: pytest.MonkeyPatch) -> list[GroupMemory]:
    """The groups that this process is in."""
    found: list[GroupMemory] = []
    monkeypatch.setattr(host_memory, "limited_groups", lambda: found)
    return found


def test_a_limit_is_the_machines_memory(groups: list[GroupMemory]) -> None:
    assert host_memory.group_room() is None
    groups += [GroupMemory(1 << 40, 0), GroupMemory(300 * MIB, 200 * MIB), GroupMemory(900 * MIB, 850 * MIB)]
    assert (host_memory.total_bytes(), host_memory.free_bytes()) == (300 * MIB, 50 * MIB)
    assert jf.backends.get("cpu").room().nbytes is not None
    assert 0 <= jf.backends.get("cpu").room().nbytes - 50 * MIB <= runtime().statistics()["kept_bytes"]
    assert host_memory.room_for(SimpleNamespace(kind="cpu"))() == 50 * MIB  # type: ignore[arg-type]
    assert host_memory.room_for(SimpleNamespace(kind="gpu"))() is None  # type: ignore[arg-type]


def test_limits_of_addresses_bound_what_is_free(monkeypatch: pytest.MonkeyPatch) -> None:
    resource = pytest.importorskip("resource")
    used = host_memory.process_bytes(0)
    monkeypatch.setattr(resource, "getrlimit", lambda _: (used + 64 * MIB, resource.RLIM_INFINITY))
    assert 32 * MIB < host_memory.free_bytes() < 96 * MIB


def test_pools_of_other_drivers_ask_too() -> None:
    left = [1000]
    pool = Pool("device", lambda nbytes: object(), lambda block: None, room=lambda: left[0])
    pool.give(pool.take(64))
    left[0] = 0
    pool.take(64)  # a block that the pool has already
    with pytest.raises(OutOfMemoryError, match=r"\(0 bytes are left of what this process may have\)"):
        pool.take(64)
    with pytest.raises(NoMemory):
        pool._asked(1)


@pytest.fixture
def asking(groups: list[GroupMemory]) -> Iterator[list[GroupMemory]]:
    """The pool asks for its next block."""
    gc.collect()
    runtime().trim()
    kept = runtime().statistics()["kept_limit"]
    jf.jit(lambda x: x + 1)(np.ones(3))  # a run has ended
    room._write("unasked_bytes", 0)
    room._write("wanted_bytes", 0)
    yield groups
    room._bound = False
    runtime().set_kept_limit(kept)
    room._write("unasked_bytes", 1 << 62)
    room._write("wanted_bytes", 0)


def test_the_pool_takes_what_there_is_and_no_more(asking: list[GroupMemory]) -> None:
    asking.append(GroupMemory(400 * MIB, 240 * MIB))
    doubled = jf.jit(lambda x: x * 2)
    x = np.ones(40 * MIB // 8)
    kept = [doubled(x)]
    for group in (GroupMemory(400 * MIB, 380 * MIB), GroupMemory(400 * MIB, 399 * MIB)):
        asking[:] = [group]
        room._write("unasked_bytes", 0)
        with pytest.raises(OutOfMemoryError) as caught:
            kept.append(doubled(x))
        assert caught.value.message.startswith(
            "41,943,040 bytes are asked for, and of the 419,430,400 that this process may have (a limit of "
            f"its control group) {group.room_bytes:,} are left, 16,777,216 of them for Python's own objects"
        )
        assert caught.value.context["total_bytes"] == 400 * MIB
    assert runtime().statistics()["kept_limit"] == 100 * MIB, "a quarter of the memory"
    asking[:] = [GroupMemory(400 * MIB, 300 * MIB)]
    kept.append(doubled(x))
    assert [each[0] for each in kept] == [2, 2]


def test_blocks_that_nobody_has_written_to_count(asking: list[GroupMemory]) -> None:
    """A group is not told of them: what it has in use is the same after each."""
    asking.append(GroupMemory(400 * MIB, 250 * MIB))
    held = [runtime().allocate(50 * MIB), runtime().allocate(50 * MIB)]
    with pytest.raises(MemoryError):
        held.append(runtime().allocate(50 * MIB))
    del held[0]
    runtime().trim()
    held.append(runtime().allocate(50 * MIB))


def test_without_limits_the_pool_asks_once(
    asking: list[GroupMemory], monkeypatch: pytest.MonkeyPatch
) -> None:
    held = [runtime().allocate(8 * MIB)]
    monkeypatch.setattr(host_memory, "group_room", lambda: pytest.fail("asked again"))
    held += [runtime().allocate(8 * MIB) for _ in range(20)]


IN_A_GROUP = """
import os, sys
with open(os.path.join(sys.argv[1], "cgroup.procs"), "w") as file:
    file.write(str(os.getpid()))
import numpy as np
import jitframe as jf
from jitframe.runtime.memory import host_memory

assert host_memory.total_bytes() == 400 << 20, host_memory.total_bytes()
assert host_memory.free_bytes() < 400 << 20
cpu = jf.backends.get("cpu")
assert cpu.device.facts.memory_bytes == 400 << 20 and cpu.room().nbytes < 400 << 20
refused = 0
outer = jf.jit(lambda x: x[:, None] * x)  # one array of twice the limit
several = jf.jit(lambda x: (x + 1, x * 2, x * x))  # which fit one by one, and not together
for function, x in ((outer, np.ones(10_000)), (several, np.ones(15 << 20))):
    try:
        function(x)
    except jf.errors.OutOfMemoryError as problem:
        assert "a limit of its control group" in str(problem)
        refused += 1
del x
many, square = [], jf.jit(lambda x: x[:, None] + x)
try:
    for number in range(100):  # until there is no more
        many.append(square(np.full(1500, float(number))))
except jf.errors.OutOfMemoryError:
    refused += 1
assert 10 < len(many) < 22, len(many)
assert all(each[0, 0] == 2 * number for number, each in enumerate(many))
del many
assert len([square(np.ones(1500)) for _ in range(10)]) == 10  # what was given back can be had again
print(refused, "refused")
"""


@pytest.mark.more
def test_in_a_real_group_nobody_is_killed() -> None:
    """Some seconds: a process that uses 400 MiB, with control groups of the machine it runs on."""
    with limited_group(400 * MIB) as folder:
        done = subprocess.run(
            [sys.executable, "-c", IN_A_GROUP, str(folder)],
            capture_output=True, text=True, cwd=ROOT, check=False, timeout=300,
            env=os.environ | {"PYTHONPATH": str(ROOT)},
        )  # fmt: skip
    assert (done.returncode, done.stdout) == (0, "3 refused\n"), done.stderr


def test_this_machines_own_groups_can_be_read() -> None:
    for group in control_groups.limited_groups():
        assert group.limit_bytes > 0 and group.used_bytes >= 0
