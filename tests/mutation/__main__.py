"""python -m tests.mutation [K/N] [WORD ...]: breaks one thing after the other in a copy; which of them tests
find.

WORDs pick those whose names have one of them, K/N the K-th of N parts of all. Exits with 1 where one is not
found. The tests of a mutation are those of `make test` that are about what it breaks: the whole set takes
minutes for each.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pytest

from .table import MUTATIONS, Mutation

ROOT = Path(__file__).parents[2]
LIMIT_S = 1200
PYTEST = ("-m", "pytest", "-n", "0", "-q", "-x", "-m", "not more and not slow", "-p", "no:cacheprovider")


def copy_of_sources(folder: Path) -> None:
    """The files that git tracks or would, as they are here."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT, check=True, capture_output=True, text=True,
    )  # fmt: skip
    for name in listed.stdout.split("\0"):
        source, target = ROOT / name, folder / name
        if name and (source.is_file() or source.is_symlink()):
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(source, target, follow_symlinks=False)


def run(folder: Path, program: list[str]) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": str(folder)}
    return subprocess.run(
        [sys.executable, *program], cwd=folder, env=environment, capture_output=True, text=True,
        check=False, timeout=LIMIT_S,
    )  # fmt: skip


def is_found(folder: Path, mutation: Mutation) -> bool:
    """Whether tests fail with the mutation; the file is as before afterwards."""
    path = folder / mutation.path
    before = path.read_text()
    assert before.count(mutation.before) == 1, mutation
    path.write_text(before.replace(mutation.before, mutation.after))
    try:
        done = run(folder, [*PYTEST, *mutation.tests.split()])
    except subprocess.TimeoutExpired:
        return True
    finally:
        path.write_text(before)
    said = f"{mutation.name}: {done.stdout[-2000:]}{done.stderr[-2000:]}"
    assert done.returncode not in (pytest.ExitCode.USAGE_ERROR, pytest.ExitCode.NO_TESTS_COLLECTED), said
    return done.returncode != 0  # a process that crashes has found it too


def chosen_by(arguments: list[str]) -> list[Mutation]:
    """The mutations of a part, 2/4 the second quarter, whose names have one of the words."""
    part = re.fullmatch(r"(\d+)/(\d+)", arguments[0]) if arguments else None
    words = arguments[part is not None :] or [""]
    chosen = [each for each in MUTATIONS if any(word in each.name for word in words)]
    return chosen[int(part[1]) - 1 :: int(part[2])] if part else chosen


def main() -> int:
    missed, chosen = 0, chosen_by(sys.argv[1:])
    with tempfile.TemporaryDirectory(prefix="jitframe-mutation-") as name:
        folder = Path(name)
        copy_of_sources(folder)
        where = run(folder, ["-c", "import jitframe; print(jitframe.__file__)"]).stdout
        assert where.startswith(str(folder.resolve())), f"{where.strip()} is imported, not the copy"
        for mutation in chosen:
            begin = time.monotonic()
            found = is_found(folder, mutation)
            missed += not found
            print(
                f"{'found ' if found else 'MISSED'} {time.monotonic() - begin:6.0f} s  {mutation.name}",
                flush=True,
            )
    print(f"{len(chosen) - missed} of {len(chosen)} are found")
    return int(missed > 0)


if __name__ == "__main__":
    sys.exit(main())
