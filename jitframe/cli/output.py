"""The command line's output: tables for people, JSON for programs, errors on stderr."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterable, Sequence
from typing import Any

from rich.console import Console
from rich.markup import escape
from rich.table import Table
from rich.text import Text

# A pipe has no width: there a table may be as wide as it needs, and nothing is truncated.
_PIPE_WIDTH = 400


def console() -> Console:
    """Standard output, looked up anew so that a redirected one is used."""
    return Console(highlight=False, width=None if sys.stdout.isatty() else _PIPE_WIDTH)


def terminal_width() -> int | None:
    """Columns of the terminal; None for a pipe, where nothing has to be omitted."""
    return console().width if sys.stdout.isatty() else None


def complain(message: str) -> None:
    Console(stderr=True, highlight=False, soft_wrap=True).print(f"[bold red]error:[/] {escape(message)}")


def say(message: str) -> None:
    console().print(Text(message), soft_wrap=True)


def print_json(value: Any) -> None:
    """One JSON document on standard output."""
    sys.stdout.write(json.dumps(value, indent=2, ensure_ascii=True) + "\n")


def print_table(columns: Sequence[tuple[str, str]], rows: Iterable[Sequence[str]]) -> None:
    """Rows under columns given as (title, "left" | "right" | "wrap")."""
    table = Table(box=None, header_style="bold", pad_edge=False)
    for title, kind in columns:
        table.add_column(
            title,
            justify="right" if kind == "right" else "left",
            no_wrap=kind != "wrap",
            overflow="fold" if kind == "wrap" else "ellipsis",
        )
    for row in rows:
        table.add_row(*[Text(cell) for cell in row])
    console().print(table)


def print_fields(fields: Iterable[tuple[str, str]]) -> None:
    """A name and a value on each line."""
    table = Table(box=None, show_header=False, pad_edge=False)
    table.add_column(style="bold", no_wrap=True)
    table.add_column(overflow="fold")
    for name, value in fields:
        table.add_row(Text(name), Text(value))
    console().print(table)


def size(size_bytes: float) -> str:
    """`812 B`, `9.1 KiB`, `1.0 GiB`."""
    if size_bytes < 1024:
        return f"{size_bytes:.0f} B"
    for unit in ("KiB", "MiB", "GiB"):
        size_bytes /= 1024
        if size_bytes < 1023.95 or unit == "GiB":
            break
    return f"{size_bytes:.1f} {unit}"


def duration(seconds: float) -> str:
    """`340 µs`, `7.2 ms`, `1.3 s`, `2.5 min`."""
    if seconds < 0.9995e-3:
        return f"{seconds * 1e6:.0f} µs"
    if seconds < 0.99995:
        return f"{seconds * 1e3:.1f} ms"
    return f"{seconds:.1f} s" if seconds < 60 else f"{seconds / 60:.1f} min"


def ago(unix_s: float) -> str:
    """`now`, `12 min ago`, `5 h ago`, `3 d ago`."""
    passed_s = time.time() - unix_s
    if passed_s < 60:
        return "now"
    for unit, unit_s, below in (("min", 60, 60), ("h", 3600, 48), ("d", 86400, float("inf"))):
        if passed_s / unit_s < below:
            return f"{passed_s / unit_s:.0f} {unit} ago"
    raise AssertionError("unreachable: the last unit has no upper bound")
