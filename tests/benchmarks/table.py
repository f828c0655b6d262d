"""The measured lines as Markdown, and the description of the machine that they were measured on."""

from __future__ import annotations

import argparse
import os
import platform
import subprocess
from collections.abc import Iterable, Sequence
from pathlib import Path

from .lines import Line
from .peers import MODULES, THREADS


def quantity(value: float, unit: str) -> str:
    """Three significant digits in the unit that suits."""
    if unit != "seconds":
        return f"{value:.3g}"
    for limit, scale, symbol in ((1e-6, 1e9, "ns"), (1e-3, 1e6, "µs"), (1.0, 1e3, "ms")):
        if value < limit:
            return f"{value * scale:.3g} {symbol}"
    return f"{value:.3g} s"


def _rows(header: Sequence[str], body: Iterable[Sequence[str]]) -> str:
    lines = [header, ["---"] * len(header), *body]
    return "\n".join("| " + " | ".join(cells) + " |" for cells in lines)


def _by_peer(titles: Sequence[str], cells: Sequence[dict[str, str]]) -> str:
    names = [name for name in MODULES if any(name in row for row in cells)]
    body = [[title, *(row.get(name, "") for name in names)] for title, row in zip(titles, cells, strict=True)]
    return _rows(["", *names], body)


def reached(lines: Sequence[Line]) -> str:
    """What was to be reached, and how far jitframe is from it."""
    body = []
    for line in lines:
        for text, allowed in line.allowed.items():
            share = line.share(text)
            if share is None:
                measured, verdict = "", "not measured"
            else:
                measured = quantity(line.values["jitframe"], line.unit)
                verdict = "reached" if share <= 1 else f"missed: {share:.2f} of the allowed"
            body.append((line.title, text, quantity(allowed, line.unit), measured, verdict))
    return _rows(("what", "to reach", "allowed", "jitframe", "verdict"), body)


def medians(lines: Sequence[Line]) -> str:
    """Every peer's value on every line that has one."""
    lines = [line for line in lines if line.values]
    cells = [{name: quantity(value, line.unit) for name, value in line.values.items()} for line in lines]
    return _by_peer([line.title for line in lines], cells)


def errors(lines: Sequence[Line]) -> str:
    """Largest error against float64, relative to the largest value of the result."""
    lines = [line for line in lines if line.errors]
    cells = [{name: f"{error:.1e}" for name, error in line.errors.items()} for line in lines]
    return _by_peer([line.title for line in lines], cells)


def processor() -> str:
    """The processor's name as the system gives it."""
    information = Path("/proc/cpuinfo")
    if information.exists():
        for line in information.read_text().splitlines():
            if line.startswith("model name"):
                return line.split(":", 1)[1].strip()
    return platform.processor() or platform.machine()


def machine() -> str:
    return f"{processor()}, {os.cpu_count()} cores, {platform.system()}, Python {platform.python_version()}"


def commit() -> str:
    """What of jitframe is measured, as git names it; without git, its version says it."""
    asked = ["git", "describe", "--always", "--dirty", "--abbrev=7", "--match", ""]
    folder = Path(__file__).parent
    done = subprocess.run(asked, cwd=folder, capture_output=True, text=True, check=False)
    return f", commit {done.stdout.strip()}" if done.returncode == 0 else ""


def others() -> str:
    """How busy the machine is before anything is measured; a load above some tenths blurs every figure."""
    if not hasattr(os, "getloadavg"):
        return "load average unknown"
    return f"load average {os.getloadavg()[0]:.1f} before the first row"


def document(
    lines: Sequence[Line],
    versions: dict[str, str],
    made_of: str,
    absent: dict[str, str],
    load: str,
    columns: str,
) -> str:
    """A whole generated part of docs/performance.md; `made_of` says what each figure is of, `columns`
    explains peers that are no libraries."""
    described = ", ".join(f"{name} {version}" for name, version in versions.items())
    parts = [
        f"Measured on {machine()}{commit()}; {load}.",
        f"{THREADS} threads, {made_of}.",
        f"Versions: {described}.",
        reached(lines),
        f"Medians ({columns}):",
        medians(lines),
        "Largest error against the same formula in float64, relative to the largest value of the result:",
        errors(lines),
    ]
    remarks = [f"- {name} not measured: {text}" for name, text in absent.items()]
    for line in lines:
        remarks += [f"- {line.title}: {name} left out: {text}" for name, text in line.failures.items()]
    return "\n\n".join(part for part in (*parts, "\n".join(remarks)) if part)


class Page:
    """A file whose text between two markers is generated; as the type of a command's argument it is refused
    before anything is measured."""

    def __init__(self, path: str, name: str = "measured") -> None:
        self.path = Path(path)
        self.begin, self.end = f"<!-- {name}: begin -->", f"<!-- {name}: end -->"
        try:
            self._around()
        except (OSError, ValueError) as error:
            raise argparse.ArgumentTypeError(str(error)) from None

    def _around(self) -> tuple[str, str]:
        before, begin, rest = self.path.read_text(encoding="utf-8").partition(self.begin)
        _, end, after = rest.partition(self.end)
        if not (begin and end):
            raise ValueError(f"{self.path} has no {self.begin} … {self.end}")
        return before, after

    def put(self, generated: str) -> None:
        """Replaces the text."""
        before, after = self._around()
        self.path.write_text(f"{before}{self.begin}\n{generated}\n{self.end}{after}", encoding="utf-8")
