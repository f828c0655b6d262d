"""The available devices as a table for people, as wide as the terminal."""

from __future__ import annotations

import shutil
import textwrap
from collections.abc import Sequence

from ..ir.types import DTYPES
from ..runtime.discovery.automatic import Candidate, candidates
from .discovery import DeviceInfo

_GAP = "  "
_LEAST_TITLE = 16


class Table(str):
    """Text that prints as it is, also in Python's prompt."""

    __slots__ = ()

    def __repr__(self) -> str:
        return str(self)


def summary(width: int | None = None) -> Table:
    """Returns the available devices as a table of `width` columns (by default the terminal's), with a `*` at
    the one that "auto" takes; below it the backends without devices, and why.

    >>> print(jf.backends.summary(80).splitlines()[0])  # doctest: +ELLIPSIS
    device ...name ...
    """
    from .devices import devices

    return table(devices(), width)


def recommended() -> str:
    """Returns the name of the device that "auto" takes, without opening it.

    >>> jf.backends.is_available(jf.backends.recommended())
    True
    """
    return next(each.name for each in candidates() if isinstance(each, Candidate))


def table(found: Sequence[DeviceInfo], width: int | None = None) -> Table:
    """Returns records of devices as a table."""
    if width is None:
        width = shutil.get_terminal_size((120, 24)).columns
    best = recommended()
    there = [device_info for device_info in found if device_info.available]
    rows: list[tuple[str, ...]] = [
        ("device", "name", "kind", "free", "memory", "through", "driver", "dtypes")
    ]
    rows += [_row(device_info, device_info.name == best) for device_info in there]
    lines = _aligned(rows, width)
    said = [
        f"{device_info.name}: {device_info.problem}" for device_info in found if not device_info.available
    ]
    if any(device_info.name == best for device_info in there):
        said.insert(0, f'* is recommended: what device="auto" takes here (JITFRAME_DEVICE={best} names it)')
    for text in said:
        lines += textwrap.wrap(text, max(width, 40), subsequent_indent="  ", break_on_hyphens=False)
    return Table("\n".join(lines))


def memory_text(nbytes: int | None) -> str:
    """Returns `7.8 GiB`, `512 MiB`; `?` where unknown."""
    if nbytes is None:
        return "?"
    return f"{nbytes / 2**30:.1f} GiB" if nbytes >= 2**30 else f"{nbytes / 2**20:.0f} MiB"


def dtypes_text(dtypes: Sequence[str]) -> str:
    """Returns `all`, `all but float64 int64`, or the dtypes themselves, whichever is shortest."""
    lacking = [dtype.numpy_name for dtype in DTYPES if dtype.numpy_name not in dtypes]
    if not lacking:
        return "all"
    return min(f"all but {' '.join(lacking)}", " ".join(dtypes), key=len)


def _row(each: DeviceInfo, is_best: bool) -> tuple[str, ...]:
    kind = "software" if each.is_software else each.kind
    return (
        each.name + (" *" if is_best else ""), each.title, kind, memory_text(each.free_bytes),
        memory_text(each.total_bytes), each.api, each.driver, dtypes_text(each.dtypes),
    )  # fmt: skip


def _aligned(rows: list[tuple[str, ...]], width: int) -> list[str]:
    """Aligns columns; puts the last three below the others where the width is too small."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    if sum(widths) + len(_GAP) * (len(widths) - 1) <= width:
        return [_line(row, widths) for row in rows]
    first = len(rows[0]) - 3
    taken = sum(widths[:first]) - widths[1] + len(_GAP) * (first - 1)
    widths[1] = min(widths[1], max(width - taken, _LEAST_TITLE))
    indent = " " * (widths[0] + len(_GAP))
    lines = [_line(rows[0][:first], widths)]
    for row in rows[1:]:
        lines.append(_line(row[:first], widths))
        through, driver, dtypes = row[first:]
        # Many drivers say their version in the name of the interface too.
        said = [
            through,
            *([f"driver {driver}"] if driver and driver not in through else []),
            f"dtypes: {dtypes}",
        ]
        lines += textwrap.wrap(
            "; ".join(said), width, initial_indent=indent, subsequent_indent=indent, break_on_hyphens=False
        )
    return lines


def _line(row: Sequence[str], widths: Sequence[int]) -> str:
    cells = [
        _cut(cell, width).rjust(width) if number in (3, 4) else _cut(cell, width).ljust(width)
        for number, (cell, width) in enumerate(zip(row, widths))
    ]
    return _GAP.join(cells).rstrip()


def _cut(text: str, width: int) -> str:
    return text if len(text) <= width else text[: width - 1] + "…"
