"""Which tests `make test` leaves to `make test-more`.

A test belongs to the second set where it is marked `more`, where its file or folder is listed here, or where
it is one of OpenCL.
`tests/processor_time.py` says what each file takes.
"""

from __future__ import annotations

import pytest

CHILD_PROCESSES = (
    "backends/test_choice.py", "backends/test_configuration_file.py", "backends/test_discovery.py",
    "backends/test_template.py", "cache/test_cli.py", "cache/test_plans.py", "cache/test_torture.py",
    "docs", "examples", "explain/test_command.py", "foundations/test_compiling_threads.py",
    "foundations/test_interrupts_and_forks.py", "foundations/test_loading.py",
    "foundations/test_threads_and_signals.py", "foundations/test_warm_start.py", "jit/test_pending.py",
    "runtime_cpu/test_address_limits.py", "runtime_cpu/test_code_memory.py", "runtime_cpu/test_start.py",
    "runtime_cpu/test_workers.py", "shim",
)  # fmt: skip
"""Fresh processes: each takes half a second to start."""

TOOLS = (
    "browser", "gpu_sources", "oclgrind", "packaging/test_plugin.py", "packaging/test_stubs.py",
    "packaging/test_wheel.py", "profiling/test_trace_engine.py", "replay", "runtime_gpu/test_opencl.py",
)  # fmt: skip
"""Compilers of GPUs, browsers, wheels, type checkers."""

OPENCL = "opencl"
"""PoCL takes a third of the time of all tests for what the first set runs on WebGPU and interpreters."""


def in_second_set(item: pytest.Item) -> bool:
    """Whether `make test-more` runs a test."""
    path = item.nodeid.partition("::")[0].removeprefix("tests/")
    if _lies_in(path, CHILD_PROCESSES) or _lies_in(path, TOOLS):
        return True
    identifiers = item.nodeid.partition("[")[2].rstrip("]").split("-")
    return OPENCL in identifiers


def _lies_in(path: str, places: tuple[str, ...]) -> bool:
    return any(path == place or path.startswith(f"{place}/") for place in places)
