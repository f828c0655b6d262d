"""Running generated sources for real: OpenCL through pyopencl, WGSL through wgpu on a Vulkan adapter."""

from __future__ import annotations

import os
import tempfile
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
import pytest

from jitframe.codegen.c_family import OPENCL, WGSL, Dialect, Source, launch_block, opencl_dialect
from jitframe.codegen.c_family.wgsl_subgroups import with_subgroups
from jitframe.codegen.kernel.scalars import from_number, storage_dtype, to_storage
from jitframe.ir.types import DType

from ..pocl import UNOPTIMIZED

Arrays = Sequence[np.ndarray]


@dataclass(frozen=True)
class Device:
    """One device that tests run on: its language, and how a source is run in place on arrays."""

    dialect: Dialect
    run: Callable[[Source, Arrays, bytes, int], None]
    reason: str
    """Why it is not there; empty where it is."""

    def require(self) -> None:
        if self.reason:
            pytest.skip(self.reason)


def scalar_bits(value: Any, dtype: DType) -> int:
    held = np.asarray(to_storage(from_number(value, dtype), dtype), storage_dtype(dtype))
    return int.from_bytes(held.tobytes().ljust(8, b"\0"), "little")


def launch(
    device: Device,
    source: Source,
    arrays: Arrays,
    indices: Sequence[int] = (),
    scalar_words: Sequence[int] = (),
    groups: range = range(1),
) -> None:
    """Run workgroups `groups`, in place."""
    block = launch_block(source, groups.start, groups.stop, indices, scalar_words)
    device.run(source, arrays, block, len(groups))


# OpenCL ----------------------------------------------------------------------------------------------
@cache
def _opencl() -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        import pyopencl

    devices = [device for platform in pyopencl.get_platforms() for device in platform.get_devices()]
    context = pyopencl.Context(devices[:1])
    return pyopencl, context, pyopencl.CommandQueue(context)


@cache
def _built(text: str, options: tuple[str, ...]) -> Any:
    pyopencl, context, _ = _opencl()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the compiler's notes
        return pyopencl.Program(context, text).build(list(options))


def _whole_opencl() -> Dialect:
    """The dialect with all that the device tells of itself."""
    if _missing_opencl():
        return OPENCL
    _, context, _ = _opencl()
    (device,) = context.devices
    major, minor = device.opencl_c_version.split()[2].split(".")[:2]
    features = getattr(device, "opencl_c_features", None) or ()
    version = (3, 0) if features else (int(major), int(minor))
    extensions = device.extensions.split()
    sizes = (32,) if "cl_intel_required_subgroup_size" in extensions else ()
    return opencl_dialect(version, extensions, [f.name for f in features], sizes)


def _run_opencl(source: Source, arrays: Arrays, block: bytes, groups: int) -> None:
    pyopencl, context, queue = _opencl()
    flags = pyopencl.mem_flags.READ_WRITE | pyopencl.mem_flags.COPY_HOST_PTR
    buffers = [pyopencl.Buffer(context, flags, hostbuf=array) for array in arrays]
    options = source.options
    if source.threads > 1 and context.devices[0].type & pyopencl.device_type.CPU:
        options = (*options, UNOPTIMIZED)
    kernel = pyopencl.Kernel(_built(source.text, options), source.entry)
    for number, buffer in enumerate(buffers):
        kernel.set_arg(number, buffer)
    kernel.set_arg(len(buffers), np.frombuffer(block, np.uint8))
    pyopencl.enqueue_nd_range_kernel(queue, kernel, (groups * source.threads,), (source.threads,))
    for array, buffer in zip(arrays, buffers, strict=True):
        pyopencl.enqueue_copy(queue, array, buffer)
    queue.finish()


# WebGPU ----------------------------------------------------------------------------------------------
@cache
def webgpu() -> Any:
    """A device with WebGPU's default limits: what every browser can run. With subgroups where it has them."""
    os.environ.setdefault("XDG_RUNTIME_DIR", tempfile.gettempdir())
    import wgpu

    adapters = [a for a in wgpu.gpu.enumerate_adapters_sync() if a.info["backend_type"] == "Vulkan"]
    return wgpu, adapters[0].request_device_sync(
        required_features={"subgroup"} & set(adapters[0].features),
        required_limits={
            "max-storage-buffers-per-shader-stage": 8,
            "max-compute-invocations-per-workgroup": 256,
            "max-compute-workgroup-storage-size": 16384,
            "max-storage-buffer-binding-size": 128 << 20,
        },
    )


@cache
def _pipeline(text: str, entry: str) -> Any:
    _, device = webgpu()
    module = device.create_shader_module(code=text)
    return device.create_compute_pipeline(layout="auto", compute={"module": module, "entry_point": entry})


def _run_webgpu(source: Source, arrays: Arrays, block: bytes, groups: int) -> None:
    wgpu, device = webgpu()
    usage = wgpu.BufferUsage
    pipeline = _pipeline(source.text, source.entry)
    storage = usage.STORAGE | usage.COPY_SRC | usage.COPY_DST
    unit = source.binding_bytes
    words = [array.tobytes().ljust(-(-max(array.nbytes, 1) // unit) * unit, b"\0") for array in arrays]
    buffers = [device.create_buffer_with_data(data=data, usage=storage) for data in words]
    uniform = device.create_buffer_with_data(data=block, usage=usage.UNIFORM)
    used = [n for n in range(len(buffers)) if _uses(source.text, f"b{n}")]
    entries = [{"binding": n, "resource": {"buffer": buffers[n]}} for n in used]
    entries.append({"binding": len(buffers), "resource": {"buffer": uniform}})
    group = device.create_bind_group(layout=pipeline.get_bind_group_layout(0), entries=entries)
    encoder = device.create_command_encoder()
    compute = encoder.begin_compute_pass()
    compute.set_pipeline(pipeline)
    compute.set_bind_group(0, group)
    columns = min(groups, 3)  # a grid of two axes, with a ragged end
    compute.dispatch_workgroups(columns, -(-groups // columns), 1)
    compute.end()
    device.queue.submit([encoder.finish()])
    for array, buffer in zip(arrays, buffers, strict=True):
        data = bytes(device.queue.read_buffer(buffer))
        array[:] = np.frombuffer(data[: array.nbytes], array.dtype)


def _uses(text: str, name: str) -> bool:
    """An automatic layout has the bindings that the shader uses."""
    return f"{name}[" in text


def _missing_opencl() -> str:
    try:
        _opencl()
    except ImportError:
        return "pyopencl is not installed"
    except Exception as error:
        return f"no OpenCL platform (apt-get install pocl-opencl-icd): {error}"
    return ""


def _missing_webgpu() -> str:
    try:
        webgpu()
    except ImportError:
        return "wgpu is not installed"
    except IndexError:
        return "no Vulkan adapter (apt-get install mesa-vulkan-drivers)"
    return ""


def _missing_subgroups() -> str:
    return _missing_webgpu() or ("" if "subgroup" in webgpu()[1].features else "the adapter has no subgroups")


DEVICES: dict[str, Device] = {
    "opencl": Device(OPENCL, _run_opencl, _missing_opencl()),
    "webgpu": Device(WGSL, _run_webgpu, _missing_webgpu()),
}
WHOLE = DEVICES | {"opencl, all it has": Device(_whole_opencl(), _run_opencl, _missing_opencl())}
"""The same, and OpenCL with the version and the extensions of the device at hand."""
SHUFFLING = {
    f"webgpu, {n}": Device(with_subgroups(WGSL, n), _run_webgpu, _missing_subgroups()) for n in (4, 32)
}
SHUFFLING |= {name: device for name, device in WHOLE.items() if device.dialect.shuffle_down}
"""Devices with shuffles. lavapipe's subgroups have 8 lanes: teams of 4 shuffle there, teams of 32 cannot."""
