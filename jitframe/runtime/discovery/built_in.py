"""This package's own backends."""

from __future__ import annotations

from typing import Literal

from ...base.version import VERSION
from ...ir.record import replace
from ...settings import MAXIMUM_THREADS, SIMD_LEVELS, WEBGPU_LIMITS
from .backend_entry import BackendEntry
from .options import Option

_PC = ("linux", "win32")
_ANY: tuple[Literal["gpu", "cpu", "other"], ...] = ("gpu", "cpu", "other")

_ENTRIES = (
    BackendEntry(
        "cuda",
        600,
        title="NVIDIA GPUs through CuPy and NVRTC",
        dlpack=2,
        kinds=("gpu",),
        platforms=_PC,
        required=("package:cupy",),
    ),
    BackendEntry(
        "hip",
        500,
        ("rocm",),
        "AMD GPUs through hiprtc",
        dlpack=10,
        kinds=("gpu",),
        platforms=_PC,
        optional=("library:rocblas",),
    ),
    BackendEntry(
        "metal",
        400,
        title="Apple GPUs through PyObjC",
        kinds=("gpu",),
        platforms=("darwin",),
        required=("package:Metal",),
        optional=("package:MetalPerformanceShaders",),
    ),
    BackendEntry(
        "opencl",
        300,
        title="OpenCL devices through pyopencl",
        kinds=_ANY,
        required=("package:pyopencl",),
        options=(
            Option("build_options", str, "", "more for the device's compiler, such as -cl-fast-relaxed-math"),
        ),
    ),
    BackendEntry(
        "webgpu",
        200,
        ("wgpu",),
        "WebGPU adapters through wgpu",
        apis=(("vulkan", "Vulkan"), ("dx12", "D3D12"), ("opengl", "OpenGL")),
        kinds=_ANY,
        required=("package:wgpu",),
        options=(
            Option(
                "limits",
                str,
                "adapter",
                "the adapter's own, or those of every browser",
                WEBGPU_LIMITS,
                by_project=True,
            ),
        ),
    ),
    BackendEntry(
        "cpu",
        100,
        title="this machine's processors through LLVM",
        module="jitframe.runtime.cpu.driver",
        dlpack=1,
        kinds=("cpu",),
        required=("package:llvmlite",),
        isolated=False,
        options=(
            Option(
                "simd",
                str,
                None,
                "the widest vectors to use",
                SIMD_LEVELS,
                variable="JITFRAME_SIMD",
                by_project=True,
            ),
            Option(
                "threads",
                int,
                None,
                "threads to use; one for each core that this process may use unless given",
                least=1,
                most=MAXIMUM_THREADS,
                variable="JITFRAME_NUM_THREADS",
                by_project=True,
            ),
        ),
    ),
)
BUILT_IN = tuple(
    replace(entry, version=VERSION, author="jitframe developers", license="MIT") for entry in _ENTRIES
)
