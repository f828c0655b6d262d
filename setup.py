"""What a wheel is told beside pyproject.toml: modules that hold what jitframe reads of its own sources.

Byte-compiled without them, in an archive or frozen, it finds there the digests that name the kernels in its
cache, and the text of the native runtime, which is compiled from its sources.
"""

from __future__ import annotations

import runpy
from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py

NATIVE = "runtime/cpu/native"


class BuildWithNotes(build_py):
    """Copies the modules, and writes the two that hold what others say."""

    def run(self) -> None:
        super().run()
        if not self.editable_mode:
            write_notes(Path(self.build_lib) / "jitframe")


def write_notes(package: Path) -> None:
    """Writes `built_digests.py` and `built_texts.py` into a package."""
    digest = runpy.run_path(str(package / "cache/digest.py"))["digest"]
    contents = {path.relative_to(package).as_posix(): path.read_bytes() for path in package.rglob("*.py")}
    files = {name: contents[name] for name in sorted(contents) if not name.startswith("built_")}
    texts = {name: text.decode() for name, text in files.items() if name.startswith(f"{NATIVE}/")}
    digests = {name: digest(text).hex() for name, text in files.items()}
    for name, says, held in (
        ("DIGESTS", "The digest of each source of this package", digests),
        ("TEXTS", "What the native runtime's sources say", texts),
    ):
        lines = "".join(f"    {path!r}: {value!r},\n" for path, value in held.items())
        text = f'"""{says}, by path; written when its wheel was built."""\n\n{name} = {{\n{lines}}}\n'
        (package / f"built_{name.lower()}.py").write_text(text, encoding="utf-8")


setup(cmdclass={"build_py": BuildWithNotes})
