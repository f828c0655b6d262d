"""Fail when a source file is longer than 500 lines, or when an agreed exception no longer needs to be one."""

from __future__ import annotations

import sys
from pathlib import Path

LIMIT_LINES = 500
FOLDERS = ("codegen", "examples", "ir", "jitframe", "tests", "tools")
SUFFIXES = (".py", ".sh")
AGREED: dict[str, str] = {
    "jitframe/api/index.py": "a line for each public function, written by a tool",
}
"""Files that may be longer, each with its reason."""


def too_long(root: Path) -> list[str]:
    """A line for each file that breaks the rule."""
    problems, lengths = [], {}
    for folder in FOLDERS:
        for path in sorted((root / folder).rglob("*")):
            # The links jitframe/ir and jitframe/codegen show the same files again.
            linked = any(
                (root / folder / part).is_symlink() for part in path.relative_to(root / folder).parts[:1]
            )
            if path.suffix in SUFFIXES and path.is_file() and not linked:
                lengths[path.relative_to(root).as_posix()] = len(
                    path.read_text(encoding="utf-8").splitlines()
                )
    for name, length in lengths.items():
        if length > LIMIT_LINES and name not in AGREED:
            problems.append(
                f"{name}: {length} lines, {LIMIT_LINES} are allowed; split it by reason to change"
            )
    for name in AGREED:
        if lengths.get(name, 0) <= LIMIT_LINES:
            problems.append(f"{name}: is on the agreed list and need not be; take it off")
    return problems


if __name__ == "__main__":
    found = too_long(Path(__file__).resolve().parents[1])
    for line in found:
        print(line, file=sys.stderr)
    sys.exit(bool(found))
