"""Which tests `make test` leaves to `make test-more`.

A test belongs to the second set where it is marked `more`, where its file or folder is listed here, where it
runs on one of DEVICES, or on WebGPU and is not of ON_WEBGPU.
`tests/processor_time.py` says what each file takes.
"""

from __future__ import annotations

from functools import cache

import pytest

CHILD_PROCESSES = (
    "backends/test_choice.py", "backends/test_configuration_file.py", "backends/test_discovery.py",
    "backends/test_template.py", "cache/test_cli.py", "cache/test_plans.py", "cache/test_torture.py",
    "docs", "examples", "explain/test_command.py", "extending/test_composed.py",
    "foundations/test_compiling_threads.py",
    "foundations/test_backlog.py", "foundations/test_interrupts_and_forks.py", "foundations/test_loading.py",
    "foundations/test_threads_and_signals.py", "foundations/test_warm_start.py", "jit/test_pending.py",
    "runtime_cpu/test_address_limits.py", "runtime_cpu/test_code_memory.py", "runtime_cpu/test_start.py",
    "runtime_cpu/test_workers.py", "shim",
)  # fmt: skip
"""Fresh processes: each takes half a second to start."""

TOOLS = (
    "browser", "capture/test_page.py", "gpu_sources", "oclgrind", "packaging/test_plugin.py",
    "packaging/test_stubs.py", "packaging/test_wheel.py", "profiling/test_trace_engine.py", "replay",
    "runtime_gpu/test_opencl.py",
)  # fmt: skip
"""Compilers of GPUs, browsers, wheels, type checkers, a page that is written anew."""

SWEEPS = (
    "c_family/test_random_kernels.py", "complex/test_functions.py", "conformance/test_random_graphs.py",
    "devices/test_views.py", "foundations/test_sums.py", "functions/test_distributions.py",
    "functions/test_linear_algebra.py", "fuzz", "kernel/test_exits.py", "kernel/test_random_kernels.py",
    "llvm/test_aarch64.py", "llvm/test_objects.py", "llvm/test_random_kernels.py", "lower/test_buffers.py",
    "lower/test_random_graphs.py", "lower/test_random_machines.py", "lower/test_random_nests.py",
    "math/test_accuracy.py", "math/test_evaluate.py", "math/test_references.py", "onnx/test_node_cases.py",
    "test_collector.py",
)  # fmt: skip
"""Random programs, accuracy over whole ranges, code for other processors."""

UNOPTIMIZED = (
    "capture/", "complex/", "conformance/test_attention.py", "conformance/test_compositions.py",
    "conformance/test_linear_algebra.py", "conformance/test_movement.py", "conformance/test_selection.py",
    "conformance/test_sorting.py", "errors/", "explain/", "extending/", "functions/", "fuzz/", "interop/",
    "jit/", "nn/", "onnx/", "tensor/", "trace/",
)  # fmt: skip
"""Tests whose subject is the graph that a program becomes, or which element stands where: LLVM compiles their
kernels at level 0, which takes it less than half the time. Tests of code generation, of the values of
functions and of sums have the level that users have, as have all tests of `make test-all`."""

DEVICES = ("opencl", "template", "webgpu-default-limits")
"""PoCL takes a third of the time of all tests to compile what the first set runs on WebGPU and interpreters;
the others are the processor and WebGPU once more."""

ON_WEBGPU = (
    "backends/", "c_family/", "devices/", "kernel/", "lower/", "packaging/", "profiling/", "runtime_gpu/",
    "test_",
)  # fmt: skip
"""Where the first set runs tests on WebGPU: those of backends and of what is made for devices. What runs on
the processor and once more on WebGPU takes the driver's compiler long: 11 s of processor time for Fourier
transforms, 93 s for conformance, where it kept none of its kernels."""


def second_set(*values: object) -> list[object]:
    """Parameters of a test, or tuples of them, with which `make test-more` runs it."""
    rows = (value if isinstance(value, tuple) else (value,) for value in values)
    return [pytest.param(*row, marks=pytest.mark.more) for row in rows]


@cache
def is_listed(path: str) -> bool:
    """Whether `make test-more` runs all tests of a file, or of all files in a folder."""
    places = (*CHILD_PROCESSES, *TOOLS, *SWEEPS)
    return any(path == place or path.startswith(f"{place}/") for place in places)


def in_second_set(item: pytest.Item) -> bool:
    """Whether `make test-more` runs a test."""
    path = item.nodeid.partition("::")[0].removeprefix("tests/")
    if is_listed(path):
        return True
    parameters = f"-{item.nodeid.partition('[')[2].rstrip(']')}-"
    devices = DEVICES if path.startswith(ON_WEBGPU) else (*DEVICES, "webgpu")
    return any(f"-{device}-" in parameters for device in devices)
