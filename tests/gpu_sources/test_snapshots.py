"""Every source under review is read by a compiler of its language, as it stands in its file."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from pathlib import Path

import pytest

from jitframe.codegen.c_family import CUDA, HIP, OPENCL
from jitframe.errors import BackendError

from ..shim.harness import ShimError, check_address_spaces
from ..shim.harness import missing as clang_missing
from .compilers import Rejected, compile_cuda, compile_hip, hip_missing, nvrtc

SNAPSHOTS = Path(__file__).parents[1] / "c_family" / "snapshots"
TEXTS = {path.name: path.read_text() for path in sorted(SNAPSHOTS.iterdir())}


def in_cuda(text: str) -> None:
    """By NVRTC, to machine code of two generations."""
    if nvrtc() is None:
        pytest.skip("no NVRTC (pip install nvidia-cuda-nvrtc-cu12, or 'jitframe[gpu-tests]')")
    for target in ("sm_80", "sm_90"):
        content, _ = compile_cuda(text, (*CUDA.options, f"--gpu-architecture={target}"))
        assert content[:4] == b"\x7fELF"


def in_hip(text: str) -> None:
    """By hiprtc, to code objects of two generations, in processes of their own."""
    if hip_missing():
        pytest.skip(hip_missing())
    for target in ("gfx90a", "gfx1030"):
        assert compile_hip(text, HIP.options, target)[:4] == b"\x7fELF"


def in_opencl(text: str) -> None:
    """By the first platform there is, without a warning."""
    cl = pytest.importorskip("pyopencl")
    platforms = cl.get_platforms()
    if not platforms:
        pytest.skip("no OpenCL platform (apt-get install pocl-opencl-icd)")
    context = cl.Context(platforms[0].get_devices()[:1])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        try:
            cl.Program(context, text).build(options=list(OPENCL.options), cache_dir=False)
        except cl.RuntimeError as problem:
            raise Rejected(str(problem)) from None


def in_webgpu(text: str) -> None:
    """By naga, and by the driver that it hands its translation to."""
    wgpu = pytest.importorskip("wgpu")
    webgpu = pytest.importorskip("jitframe.runtime.drivers.webgpu")
    try:
        device = webgpu.open(0)._device
    except BackendError as absent:
        pytest.skip(absent.message)
    try:
        module = device.create_shader_module(code=text)
        entry = text.split("fn jf_")[1].partition("(")[0]
        device.create_compute_pipeline(
            layout="auto", compute={"module": module, "entry_point": f"jf_{entry}"}
        )
    except wgpu.GPUError as problem:
        raise Rejected(str(problem)) from None


def in_metal(text: str) -> None:
    """By clang, with the address spaces of MSL."""
    if clang_missing():
        pytest.skip(clang_missing())
    try:
        check_address_spaces([], [text])
    except ShimError as problem:
        raise Rejected(str(problem)) from None


COMPILERS: dict[str, Callable[[str], None]] = {
    ".cu": in_cuda,
    ".hip": in_hip,
    ".cl": in_opencl,
    ".wgsl": in_webgpu,
    ".metal": in_metal,
}


@pytest.mark.parametrize("name", TEXTS)
def test_snapshots_compile(name: str) -> None:
    COMPILERS[Path(name).suffix](TEXTS[name])


@pytest.mark.parametrize("suffix", COMPILERS)
def test_a_broken_one_would_not(suffix: str) -> None:
    text = TEXTS[f"sum{suffix}"]
    broken = text.replace("shared1[lane] = ", "shared2[lane] = ", 1)
    assert broken != text
    with pytest.raises(Rejected, match="shared2"):
        COMPILERS[suffix](broken)
