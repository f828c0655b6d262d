"""A profile as a table, and as a trace of events."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .session import KernelStatistics, Profile

_HEAD = ("device", "kernel", "count", "total ms", "mean us", "share", "GB/s", "Gop/s", "of peak")
_HOST = 1
"""The host's process id in a trace; devices follow."""


def table(
    rows: Sequence[KernelStatistics], seconds: float, compilations: Sequence[KernelStatistics] = ()
) -> str:
    """The table of a profile, longest first; shares are of the total device time, without drivers'
    compilations."""
    total = sum(row.seconds for row in rows)
    lines: list[tuple[str, ...]] = [_HEAD]
    for row in rows:
        mark = "" if row.exact else "~"
        lines.append(
            (
                *_times(row, row.name),
                f"{100 * row.seconds / total:.1f} %" if total else "",
                mark + f"{row.bandwidth / 1e9:.2f}" if row.bandwidth is not None else "",
                mark + f"{row.arithmetic / 1e9:.2f}" if row.arithmetic is not None else "",
                mark + f"{100 * row.peak_share:.0f} %" if row.peak_share is not None else "",
            )
        )
    lines += [(*_times(row, f"compile {row.name}"), "", "", "", "") for row in compilations]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    shown = [
        "  ".join(
            text.ljust(width) if number < 2 else text.rjust(width)
            for number, (text, width) in enumerate(zip(line, widths, strict=True))
        ).rstrip()
        for line in lines
    ]
    shown.insert(1, "-" * max(map(len, shown)))
    shown.append(f"{1e3 * total:.3f} ms on devices in {1e3 * seconds:.3f} ms; ~ is an estimate")
    if not any(row.peak_share is not None for row in rows):
        shown.append("of peak: measure the device once, jf.backends.get(name).measure()")
    return "\n".join(shown) + "\n"


def _times(row: KernelStatistics, name: str) -> tuple[str, ...]:
    total, mean = f"{1e3 * row.seconds:.3f}", f"{1e6 * row.seconds / row.count:.1f}"
    return row.device, name, f"{row.count:,}", total, mean


def trace(profile: Profile) -> dict[str, Any]:
    """Complete events ("X") with times in microseconds since the profile's start, and names ("M")."""
    events: list[dict[str, Any]] = []
    devices = {
        name: _HOST + 1 + number
        for number, name in enumerate(sorted({each.device for each in profile.launches}))
    }
    threads = _numbered([*profile.spans, *profile.launches])
    _named(events, _HOST, "host", f"process {os.getpid()}")
    for thread, number in threads.items():
        _metadata(events, "thread_name", _HOST, number, f"thread {thread}")
    for name, process in devices.items():
        _named(events, process, f"device {name}", "its orders of work")
    rows: dict[tuple[str, str], int] = {}
    """Row numbers by device and stream."""
    for launch in sorted(profile.launches, key=lambda each: (each.device, each.stream)):
        key = launch.device, launch.stream
        if key not in rows:
            rows[key] = 1 + sum(device == launch.device for device, _ in rows)
            _metadata(events, "thread_name", devices[launch.device], rows[key], launch.stream or "queue")
    for span in profile.spans:
        place = _HOST, threads[span.thread]
        events.append(
            _event(profile, span.name, "host", span.begin, span.end - span.begin, place, span.facts)
        )
    for launch in profile.launches:
        facts: dict[str, Any] = {"kind": launch.kind}
        if launch.work is not None:
            facts["operations"], facts["bytes"], facts["exact"] = launch.work()
        asked = launch.host_end - launch.host_begin
        place = _HOST, threads[launch.thread]
        name = f"launch {launch.name}"
        events.append(_event(profile, name, "launch", launch.host_begin, asked, place, {}))
        place = devices[launch.device], rows[launch.device, launch.stream]
        if launch.compile_seconds:
            begin, name = launch.begin - launch.compile_seconds, f"compile {launch.name}"
            events.append(_event(profile, name, "compilation", begin, launch.compile_seconds, place, {}))
        events.append(_event(profile, launch.name, launch.kind, launch.begin, launch.seconds, place, facts))
    return {"traceEvents": events, "displayTimeUnit": "ms"}


def _numbered(noted: Sequence[Any]) -> dict[int, int]:
    return {thread: number + 1 for number, thread in enumerate(dict.fromkeys(each.thread for each in noted))}


def _event(
    profile: Profile,
    name: str,
    category: str,
    begin: float,
    seconds: float,
    place: tuple[int, int],
    facts: dict[str, Any],
) -> dict[str, Any]:
    return {
        "name": name,
        "cat": category,
        "ph": "X",
        "ts": round(1e6 * (begin - profile.begin), 3),
        "dur": round(1e6 * seconds, 3),
        "pid": place[0],
        "tid": place[1],
        "args": facts,
    }


def _named(events: list[dict[str, Any]], process: int, name: str, label: str) -> None:
    _metadata(events, "process_name", process, 0, name)
    metadata = {"name": "process_labels", "ph": "M", "pid": process, "tid": 0, "args": {"labels": label}}
    events.append(metadata)
    order = {
        "name": "process_sort_index",
        "ph": "M",
        "pid": process,
        "tid": 0,
        "args": {"sort_index": process},
    }
    events.append(order)


def _metadata(events: list[dict[str, Any]], kind: str, process: int, thread: int, name: str) -> None:
    events.append({"name": kind, "ph": "M", "pid": process, "tid": thread, "args": {"name": name}})
