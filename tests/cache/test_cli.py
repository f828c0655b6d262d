"""The command line over a cache with known kernels: what it prints, for people and for programs."""

from __future__ import annotations

import io
import json
import os
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from jitframe import cache, settings
from jitframe.cache.entry import new_entry
from jitframe.cache.key import CacheKey, make_key
from jitframe.cache.store import DiskStore
from jitframe.cli import main
from jitframe.cli.cache import _processor
from jitframe.runtime.cpu.kernels.compiled_kernels import target_text
from jitframe.runtime.cpu.kernels.target import host_target

ROOT = Path(cache.__file__).parents[2]
SOFTMAX = "kernel softmax\n  %b = exp %a\n  store %b"
SECOND_NS = 1_000_000_000
ORIGIN = "/home/ann/[bold]model.py:31"


@dataclass(frozen=True)
class Result:
    returncode: int
    stdout: str
    stderr: str


def run(folder: Path, *arguments: str, **variables: str) -> Result:
    """The command line as the script starts it, in this process."""
    out, err = io.StringIO(), io.StringIO()
    status = 0
    before = settings.configure()
    try:
        with pytest.MonkeyPatch.context() as patched:
            for name, value in {"JITFRAME_CACHE_DIR": str(folder), **variables}.items():
                patched.setenv(name, value)
            patched.setattr(sys, "argv", ["jitframe", *arguments])
            patched.setattr(sys, "stdout", out)
            patched.setattr(sys, "stderr", err)
            settings.restore(None)
            try:
                main()
            except SystemExit as end:
                status = end.code if isinstance(end.code, int) else bool(end.code)
    finally:
        settings.restore(before)
    return Result(status, out.getvalue(), err.getvalue())


def output(folder: Path, *arguments: str, **variables: str) -> str:
    result = run(folder, *arguments, **variables)
    assert (result.returncode, result.stderr) == (0, "")
    return "\n".join(line.rstrip() for line in result.stdout.splitlines())


def error(folder: Path, *arguments: str, **variables: str) -> str:
    result = run(folder, *arguments, **variables)
    assert (result.returncode, result.stdout) == (2, "")
    return result.stderr.strip()


@pytest.fixture
def filled(folder: Path) -> Path:
    """Three kernels: one, the same with another option, another text from the same line."""
    faults: list[str] = []
    store = DiskStore(str(folder), 1 << 30, faults.append)
    kernels = [
        (SOFTMAX, {"fastmath": False}, 7_200_000),
        (SOFTMAX, {"fastmath": True}, 8_000_000),
        (SOFTMAX.replace("exp", "exp2"), {"fastmath": False}, 900_000),
    ]
    for number, (text, options, compile_ns) in enumerate(kernels):
        texts = {"kernel": text, "source": f"define void @softmax() ; {number}"}
        key = make_key(text, "0.1+abc", "x86_64 avx2", options)
        store.put(new_entry(key, "softmax", ORIGIN, compile_ns, bytes(2048), texts, (number + 1) * SECOND_NS))
        path = folder / "v1" / f"{key.digest().hex()}.kernel"
        os.utime(path, (1000 + number, 1000 + number))
    assert faults == []
    return folder


def keys() -> list[CacheKey]:
    return [
        make_key(SOFTMAX, "0.1+abc", "x86_64 avx2", {"fastmath": False}),
        make_key(SOFTMAX, "0.1+abc", "x86_64 avx2", {"fastmath": True}),
        make_key(SOFTMAX.replace("exp", "exp2"), "0.1+abc", "x86_64 avx2", {"fastmath": False}),
    ]


def names() -> list[str]:
    return [key.digest().hex() for key in keys()]


EMPTY = (
    "No kernels in {folder} yet. They appear when a function under @jitframe.jit, or a Tensor, first runs."
)


@pytest.mark.parametrize("command", ["ls", "stats", "why", "verify"])
def test_an_empty_cache_says_so(folder: Path, command: str) -> None:
    assert output(folder, "cache", command) == EMPTY.format(folder=folder)


def test_an_empty_cache_in_json(folder: Path) -> None:
    assert json.loads(output(folder, "cache", "ls", "--json")) == []
    assert json.loads(output(folder, "cache", "why", "--json")) == []
    assert json.loads(output(folder, "cache", "verify", "--json")) == {"whole": 0, "damaged": []}
    assert json.loads(output(folder, "cache", "clear", "--json")) == {"removed": 0}
    assert json.loads(output(folder, "cache", "stats", "--json"))["entries"] == 0
    assert not folder.exists()


def test_a_cache_that_is_off_says_so(filled: Path) -> None:
    said = "The disk cache is off (JITFRAME_CACHE=off): kernels are kept in memory only, for one process."
    assert output(filled, "cache", "ls", JITFRAME_CACHE="off") == said


def test_ls(filled: Path) -> None:
    first, second, third = (name[:12] for name in names())
    lines = output(filled, "cache", "ls").splitlines()
    assert lines[0].split() == ["key", "kernel", "from", "target", "size", "compiled", "in", "used"]
    assert [line.split()[0] for line in lines[1:4]] == [third, second, first], "most recently used first"
    assert lines[3].split()[1:5] == ["softmax", ORIGIN, "x86_64", "avx2"]
    assert "7.2 ms" in lines[3]
    assert "900 µs" in lines[1]
    total = sum(path.stat().st_size for path in (filled / "v1").glob("*.kernel"))
    assert lines[4:] == ["", f"3 kernels, {total / 1024:.1f} KiB in {filled}"]


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize("width", [80, 160])
def test_ls_in_a_terminal(filled: Path, width: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Keys stay whole, as `cache show` wants them."""
    monkeypatch.setattr(io, "StringIO", Terminal)
    result = run(filled, "cache", "ls", COLUMNS=str(width), TERM="xterm")
    found = re.sub(r"\x1b\[[\d;]*m", "", result.stdout).splitlines()
    assert all(len(line) <= width for line in found[:4]) and found[3].endswith("ago")
    assert [line.split()[0] for line in found[1:4]] == [name[:12] for name in reversed(names())]
    assert ("target" in found[0].split()) is (width == 160)
    assert "7.2 ms" in found[3] and "model.py:31" in found[3]


@pytest.mark.parametrize(
    ("target", "shown"),
    [
        ("x86_64-unknown-linux-gnu x86-64-v4 +avx512f,+fma llvmlite-0.50.0", "x86-64-v4"),
        ("x86_64 avx2", "x86_64 avx2"),
        ("opencl", "opencl"),
    ],
)
def test_a_target_in_a_terminal(target: str, shown: str) -> None:
    assert _processor(target) == shown


def test_ls_in_json(filled: Path) -> None:
    rows = json.loads(output(filled, "cache", "ls", "--json"))
    path = filled / "v1" / f"{names()[1]}.kernel"
    assert rows[1] == {
        "key": names()[1],
        "name": "softmax",
        "origin": ORIGIN,
        "kernel": keys()[1].kernel,
        "generator": "0.1+abc",
        "target": "x86_64 avx2",
        "options": {"fastmath": "True"},
        "created": 2.0,
        "used": 1001,
        "seconds_to_compile": 0.008,
        "bytes": path.stat().st_size,
        "image_bytes": 2048,
        "text_bytes": {"kernel": len(SOFTMAX), "source": 26},
    }


def test_ls_to_a_closed_pipe_is_no_mistake(filled: Path) -> None:
    command = f"{sys.executable} -m jitframe cache ls | true"
    environment = os.environ | {"PYTHONPATH": str(ROOT), "JITFRAME_CACHE_DIR": str(filled)}
    result = subprocess.run(command, shell=True, env=environment, capture_output=True, text=True, check=False)
    assert result.stderr == ""


def test_show(filled: Path) -> None:
    said = output(filled, "cache", "show", names()[0][:8])
    fields = dict(line.split("  ", 1) for line in said.split("\n\n")[0].splitlines())
    fields = {name: value.strip() for name, value in fields.items()}
    assert fields["key"] == names()[0]
    assert fields["from"] == ORIGIN
    assert fields["options"] == "fastmath=False"
    assert fields["compiled in"] == "7.2 ms"
    assert fields["image"] == "2.0 KiB"
    assert fields["texts"] == f"kernel ({len(SOFTMAX)} B), source (26 B)"


@pytest.mark.parametrize(("level", "text"), [("kernel", SOFTMAX), ("source", "define void @softmax() ; 0")])
def test_show_a_text(filled: Path, level: str, text: str) -> None:
    assert output(filled, "cache", "show", names()[0], "--level", level) == text
    shown = json.loads(output(filled, "cache", "show", names()[0], "--level", level, "--json"))
    assert shown == {"key": names()[0], "level": level, "text": text}
    assert json.loads(output(filled, "cache", "show", names()[0], "--json"))["texts"][level] == text


def test_show_makes_assembly_again_from_the_source(folder: Path) -> None:
    key = make_key("kernel add", "0.1+abc", target_text(host_target()))
    source = "define i64 @add(i64 %a, i64 %b) {\n  %sum = add i64 %a, %b\n  ret i64 %sum\n}\n"
    store = DiskStore(str(folder), 1 << 30, pytest.fail)
    store.put(new_entry(key, "add", ORIGIN, 1, b"image", {"kernel": "kernel add", "source": source}, 1))
    said = output(folder, "cache", "show", key.digest().hex(), "--level", "asm")
    assert "add:" in said
    assert "ret" in said


def test_a_text_that_cannot_be_had_is_an_error(filled: Path) -> None:
    assert error(filled, "cache", "show", names()[0], "--level", "asm") == (
        "error: the level 'asm' of this kernel was not kept; there is kernel, source"
    )


def test_show_refuses_with_a_reason(filled: Path) -> None:
    assert error(filled, "cache", "show", "zz") == (
        f"error: the cache at {filled} holds no kernel whose key starts with 'zz'; see jitframe cache ls"
    )
    shown = ", ".join(name[:12] for name in reversed(names()))
    assert error(filled, "cache", "show", "") == f"error: 3 kernels' keys start with '': {shown}"


def test_show_of_a_damaged_kernel_is_an_error(filled: Path) -> None:
    path = filled / "v1" / f"{names()[0]}.kernel"
    path.write_bytes(path.read_bytes()[:-1] + b"?")
    assert error(filled, "cache", "show", names()[0]) == (
        "error: the kernel cache cannot be used: its checksum does not match"
    )


def test_stats(filled: Path) -> None:
    used_bytes = sum(path.stat().st_size for path in (filled / "v1").glob("*.kernel"))
    assert json.loads(output(filled, "cache", "stats", "--json")) == {
        "path": str(filled),
        "enabled": True,
        "entries": 3,
        "bytes": used_bytes,
        "limit_bytes": 1 << 30,
        "seconds_to_compile": pytest.approx(0.0161),
        "targets": {"x86_64 avx2": 3},
        "generators": {"0.1+abc": 3},
    }
    said = output(filled, "cache", "stats", JITFRAME_CACHE_SIZE="500MB")
    assert f"{used_bytes / 1024:.1f} KiB of at most 476.8 MiB" in said
    assert "16.1 ms" in said


def test_verify_finds_names_and_removes_damage(filled: Path) -> None:
    assert output(filled, "cache", "verify") == "3 kernels whole, 0 damaged"
    path = filled / "v1" / f"{names()[1]}.kernel"
    path.write_bytes(path.read_bytes()[:100])
    result = run(filled, "cache", "verify")
    reason = f"{names()[1]}: it has 100 bytes instead of"
    assert (result.returncode, result.stdout.splitlines()[0]) == (1, "2 kernels whole, 1 damaged")
    assert reason in result.stdout
    assert json.loads(run(filled, "cache", "verify", "--json").stdout)["damaged"][0]["key"] == names()[1]
    assert output(filled, "cache", "verify", "--repair").splitlines()[1].endswith("(removed)")
    assert output(filled, "cache", "verify") == "2 kernels whole, 0 damaged"


def test_clear(filled: Path) -> None:
    assert output(filled, "cache", "clear") == f"3 kernels removed from {filled}"
    assert output(filled, "cache", "ls") == EMPTY.format(folder=filled)


def test_prune_removes_the_least_recently_used(filled: Path) -> None:
    assert (
        output(filled, "cache", "prune", "--to", "8KiB")
        == "1 kernel removed (4.0 KiB), 2 kept (8.0 KiB of disk)"
    )
    left = [row["key"] for row in json.loads(output(filled, "cache", "ls", "--json"))]
    assert left == [names()[2], names()[1]]
    pruned = json.loads(output(filled, "cache", "prune", "--to", "0", "--json"))
    assert pruned == {"removed": 2, "removed_bytes": 8192, "kept": 0, "kept_bytes": 0}


def test_prune_refuses_what_is_no_size(filled: Path) -> None:
    assert error(filled, "cache", "prune", "--to", "3xx") == (
        "error: --to: '3xx' is no size; write bytes or a unit, such as 500MB, 1GiB or 1048576"
    )


def test_why(filled: Path) -> None:
    first, second, third = (name[:12] for name in names())
    lines = output(filled, "cache", "why").splitlines()
    assert [line.split(ORIGIN)[1].strip() for line in lines[1:]] == [
        "first time: the cache held no kernel like it",
        f"the same kernel is there as {first}, but option fastmath differs",
        f"the kernel's text differs from {first} of the same line",
    ]
    assert output(filled, "cache", "why", second).splitlines()[1:] == ["  option fastmath: False -> True"]
    assert output(filled, "cache", "why", third).splitlines()[2:] == [
        f"  --- {first}",
        f"  +++ {third}",
        "  @@ -1,3 +1,3 @@",
        "   kernel softmax",
        "  -  %b = exp %a",
        "  +  %b = exp2 %a",
        "     store %b",
    ]
    [row] = json.loads(output(filled, "cache", "why", second, "--json"))
    assert row["differing"] == [{"field": "option fastmath", "here": "True", "there": "False"}]
    assert row["nearest"] == names()[0]


@pytest.mark.parametrize(
    ("variables", "said"),
    [
        (
            {"JITFRAME_CACHE_SIZE": "3"},
            "error: JITFRAME_CACHE_SIZE=3: smaller than 1MiB, the least that is useful; "
            "JITFRAME_CACHE=off turns the cache off",
        ),
        (
            {"JITFRAME_CACHE": "maybe"},
            "error: JITFRAME_CACHE=maybe: neither on nor off; write on, off, 1 or 0",
        ),
    ],
)
def test_a_setting_that_does_not_fit_is_named(folder: Path, variables: dict[str, str], said: str) -> None:
    assert error(folder, "cache", "ls", **variables) == said


def test_a_folder_that_cannot_be_trusted_is_named(folder: Path) -> None:
    folder.mkdir()
    folder.chmod(0o777)
    assert error(folder, "cache", "ls") == (
        f"error: the kernel cache cannot be used: others have rights on {folder} (mode 777); take them away "
        f"(chmod go-w '{folder}') or set JITFRAME_CACHE_DIR to a folder of your own"
    )


def test_a_missing_argument_is_status_2(folder: Path) -> None:
    result = run(folder, "cache", "show")
    assert result.returncode == 2
    assert "Missing argument" in result.stderr
