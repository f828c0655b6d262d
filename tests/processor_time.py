"""The processor time of each test file, child processes included: `pytest -p tests.processor_time`.

A clock on the wall tells little of tests that share a machine.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Generator

import pytest

NAME = "processor seconds"
_totals: Counter[str] = Counter()


def _now() -> float:
    return sum(os.times()[:4])


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, bool, bool]:
    item.stash[_BEGUN] = _now()
    return (yield)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    if call.when == "teardown":
        report.user_properties.append((NAME, _now() - item.stash[_BEGUN]))
    return report


_BEGUN = pytest.StashKey[float]()


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    if report.when == "teardown":
        _totals[report.nodeid.partition("::")[0]] += dict(report.user_properties).get(NAME, 0)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """The files that take most, and the sum."""
    terminalreporter.section(f"{NAME}: {sum(_totals.values()):.1f}")
    for path, seconds in _totals.most_common(60):
        terminalreporter.line(f"{seconds:8.2f}  {path}")
