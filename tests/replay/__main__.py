"""python -m tests.replay [REVISION]: what this working tree generates beside a revision (HEAD unless given).

Both record the corpus with their own code into a folder, REVISION in a work tree of its own; then the folders
are compared. Exits with 1 where a text differs. `--record FOLDER` only records this tree.
"""

from __future__ import annotations

import argparse
import difflib
import os
import shutil
import subprocess
import sys
import tempfile
import warnings
from collections.abc import Iterable
from pathlib import Path

ROOT = Path(__file__).parents[2]
SHOWN_LINES = 40


def record(folder: Path, random_programs: int) -> None:
    """One file for each program and level; kernels of one level stand one after the other."""
    from . import corpus, texts

    warnings.simplefilter("ignore")
    texts.generate_only()
    folder.mkdir(parents=True)
    for number, program in enumerate(corpus.programs(random_programs)):
        _write(folder, program.name, texts.texts_of(program.function, program.arguments))
        if program.text:
            (folder / f"{program.name}.py").write_text(program.text)
        if sys.stderr.isatty():
            print(f"\r{number + 1} programs", end="", file=sys.stderr)
    for name, kernel in corpus.kernels():
        _write(folder, f"kernel-{name}", texts.texts_of_kernel(kernel))


def _write(folder: Path, name: str, texts: Iterable[tuple[str, str]]) -> None:
    by_level: dict[str, list[str]] = {}
    for level, text in texts:
        by_level.setdefault(level, []).append(text)
    for level, parts in by_level.items():
        (folder / f"{name}.{level}").write_text("\n".join(parts))


def compare(before: Path, after: Path) -> list[str]:
    """A line for each file that differs, with the beginning of the difference below it."""
    lines = []
    names = sorted({path.name for folder in (before, after) for path in folder.iterdir()})
    for name in names:
        old, new = before / name, after / name
        if not old.exists() or not new.exists():
            lines.append(f"only {'after' if new.exists() else 'before'}: {name}")
        elif (x := old.read_text()) != (y := new.read_text()):
            lines.append(f"differs: {name}")
            difference = list(difflib.unified_diff(x.splitlines(), y.splitlines(), lineterm="", n=1))[2:]
            lines += [f"    {line}" for line in difference[:SHOWN_LINES]]
    return lines


def record_revision(revision: str, folder: Path, random_programs: int) -> None:
    """Records what a revision generates, by its own code, in a work tree that is removed afterwards."""
    tree = Path(tempfile.mkdtemp(prefix="jitframe-replay-"))
    git = ["git", "-C", str(ROOT), "worktree"]
    subprocess.run([*git, "add", "--quiet", "--detach", str(tree / "tree"), revision], check=True)
    try:
        command = [sys.executable, "-m", "tests.replay", "--record", str(folder)]
        command += ["--random", str(random_programs)]
        path = os.pathsep.join(filter(None, (str(tree / "tree"), os.environ.get("PYTHONPATH", ""))))
        subprocess.run(command, cwd=tree / "tree", env=os.environ | {"PYTHONPATH": path}, check=True)
    finally:
        subprocess.run([*git, "remove", "--force", str(tree / "tree")], check=True)
        shutil.rmtree(tree)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("revision", nargs="?", default="HEAD", help="what to compare with")
    parser.add_argument("--record", type=Path, help="only record this tree, into a new folder")
    parser.add_argument("--random", type=int, default=500, help="how many random programs")
    options = parser.parse_args()
    if options.record:
        record(options.record, options.random)
        return 0
    with tempfile.TemporaryDirectory(prefix="jitframe-replay-") as folder:
        before, after = Path(folder, "before"), Path(folder, "after")
        record_revision(options.revision, before, options.random)
        command = [sys.executable, "-m", "tests.replay", "--record", str(after)]
        subprocess.run([*command, "--random", str(options.random)], cwd=ROOT, check=True)
        lines = compare(before, after)
        count = sum(1 for _ in after.iterdir())
    print("\n".join(lines))
    differing = sum(not line.startswith(" ") for line in lines)
    print(f"{count} texts, {differing} of them differ from {options.revision}")
    return bool(lines)


if __name__ == "__main__":
    sys.exit(main())
