"""A reader of the Trace Event Format (JSON object form), as strict as the viewers that open such files.

Source: the "Trace Event Format" document of the Chromium project (2016), and Perfetto's importer of it.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

_METADATA = {"process_name", "process_labels", "process_sort_index", "thread_name", "thread_sort_index"}


@dataclass
class Slice:
    name: str
    category: str
    begin_us: float
    duration_us: float
    arguments: dict[str, Any]

    @property
    def end_us(self) -> float:
        return self.begin_us + self.duration_us


@dataclass
class Thread:
    name: str = ""
    slices: list[Slice] = field(default_factory=list)


@dataclass
class Process:
    name: str = ""
    labels: str = ""
    sort_index: int = 0
    threads: dict[int, Thread] = field(default_factory=dict)

    def thread(self, number: int) -> Thread:
        return self.threads.setdefault(number, Thread())


def read(path: Path) -> list[Process]:
    """The processes in the order of their rows; fails for what a viewer drops or misplaces."""
    document = json.loads(path.read_text(encoding="utf-8"))
    assert isinstance(document, dict) and isinstance(document["traceEvents"], list)
    assert document.get("displayTimeUnit", "ms") in ("ms", "ns")
    processes: dict[int, Process] = {}
    for event in document["traceEvents"]:
        assert type(event["pid"]) is int and type(event["tid"]) is int, event
        process = processes.setdefault(event["pid"], Process())
        if event["ph"] == "M":
            _note(process, event)
            continue
        assert event["ph"] == "X", f"no complete event: {event}"
        assert isinstance(event["name"], str) and event["name"] and isinstance(event["cat"], str), event
        assert isinstance(event["args"], dict), event
        begin, duration = event["ts"], event["dur"]
        assert all(isinstance(each, (int, float)) and each == each for each in (begin, duration)), event
        assert duration >= 0, event
        made = Slice(event["name"], event["cat"], begin, duration, event["args"])
        process.thread(event["tid"]).slices.append(made)
    for process in processes.values():
        assert process.name, "a process without a name"
        for thread in process.threads.values():
            _check_nesting(thread)
    return sorted(processes.values(), key=lambda process: process.sort_index)


def _note(process: Process, event: dict[str, Any]) -> None:
    kind, arguments = event["name"], event["args"]
    assert kind in _METADATA, event
    if kind == "process_name":
        process.name = arguments["name"]
    elif kind == "process_labels":
        process.labels = arguments["labels"]
    elif kind == "process_sort_index":
        process.sort_index = int(arguments["sort_index"])
    elif kind == "thread_name":
        process.thread(event["tid"]).name = arguments["name"]


def _check_nesting(thread: Thread) -> None:
    """Slices of a thread lie in one another or apart; viewers cut off those that overlap otherwise."""
    open_ones: list[Slice] = []
    for each in sorted(thread.slices, key=lambda slice: (slice.begin_us, -slice.duration_us)):
        while open_ones and each.begin_us >= open_ones[-1].end_us - 0.01:
            open_ones.pop()
        if open_ones:
            assert each.end_us <= open_ones[-1].end_us + 0.01, (each, open_ones[-1])
        open_ones.append(each)
