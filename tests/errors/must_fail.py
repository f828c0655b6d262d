"""Programs that must fail under strict settings: each runs, and its error is compared with what its last
comment says.

A program's file ends in lines `#: Kind` and `#: message`; the message may go on over several lines, which
are joined
by spaces. The comment `# here` stands on the line that the error names.
"""

from __future__ import annotations

import runpy
from pathlib import Path
from typing import NamedTuple

import jitframe as jf

PROGRAMS = Path(__file__).parent / "programs"
MARK = "  # here"


class Expected(NamedTuple):
    kind: str
    message: str
    line: int


def expected_of(program: Path) -> Expected:
    lines = program.read_text().splitlines()
    kind, *message = [line.removeprefix("#: ") for line in lines if line.startswith("#: ")]
    (here,) = [number for number, line in enumerate(lines, 1) if line.endswith(MARK)]
    return Expected(kind, " ".join(message), here)


def error_of(program: Path) -> Exception:
    """The error that a program ends in."""
    before = jf.settings.configure(strict=True)
    try:
        runpy.run_path(str(program), run_name="must_fail")
    except Exception as error:
        return error
    finally:
        jf.settings.restore(before)
    raise AssertionError(f"{program.name} did not fail")
