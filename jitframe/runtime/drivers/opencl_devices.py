"""The OpenCL devices of this machine, and the language that each has."""

from __future__ import annotations

import ctypes
import re
from functools import cache
from typing import Any

from ...codegen.c_family import Dialect
from ...codegen.c_family.opencl_variants import opencl_dialect
from ...errors import BackendUnavailableError
from ...ir.record import replace
from ..driver import package

_INSTALL = "install the device's OpenCL driver (on Debian without a GPU: apt-get install pocl-opencl-icd)"
_DIVIDE_EXACTLY = "-cl-fp32-correctly-rounded-divide-sqrt"
_SUBGROUP_SIZES_INTEL = 0x4108


@cache
def pyopencl() -> Any:
    """The package. Raises BackendError where it is not installed."""
    return package("pyopencl", "OpenCL", "pip install pyopencl")


def reason(problem: Any) -> str:
    """The name that OpenCL has for an error."""
    code = getattr(problem, "code", None)
    return str(problem) if code is None else pyopencl().status_code.to_string(code, "error %d")


def found_devices() -> list[Any]:
    """The devices of all platforms: GPUs, then accelerators, then processors, else in platforms' order."""
    cl = pyopencl()
    try:
        platforms = cl.get_platforms()
    except cl.Error as problem:
        raise BackendUnavailableError(f"no OpenCL platform answers ({reason(problem)}): {_INSTALL}") from None
    devices: list[Any] = []
    silent = ""
    for platform in platforms:
        try:
            devices += platform.get_devices()
        except cl.Error as problem:  # one without its hardware must not hide the others
            silent += f" ({platform.name.strip()} says {reason(problem)})"
    if not devices:
        raise BackendUnavailableError(f"no OpenCL platform has a device{silent}: {_INSTALL}")
    return sorted(devices, key=rank)


def rank(device: Any) -> int:
    """0 of GPUs, 1 of accelerators, 2 of processors."""
    types = pyopencl().device_type
    return 0 if device.type & types.GPU else 2 if device.type & types.CPU else 1


def dialect_of(device: Any) -> Dialect:
    """The language as a device has it."""
    extensions = device.extensions.split()
    version, features = _version(device.opencl_c_version), []
    if _version(device.version) >= (3, 0):
        # From 3.0 on, opencl_c_version is what programs that ask for none get.
        versions = [each.version for each in device.opencl_c_all_versions]
        version = max((bits >> 22, bits >> 12 & 0x3FF) for bits in versions)
        features = [opencl_c_feature.name for opencl_c_feature in device.opencl_c_features]
    sizes = _subgroup_sizes(device) if "cl_intel_required_subgroup_size" in extensions else ()
    dialect = opencl_dialect(version, extensions, features, sizes)
    if not device.single_fp_config & pyopencl().device_fp_config.CORRECTLY_ROUNDED_DIVIDE_SQRT:
        dialect = replace(dialect, options=tuple(o for o in dialect.options if o != _DIVIDE_EXACTLY))
    return dialect


def _subgroup_sizes(device: Any) -> tuple[int, ...]:
    """What pyopencl has no name for, asked of the library that it is linked with; () where that hides it."""
    ask = getattr(ctypes.CDLL(pyopencl()._cl.__file__), "clGetDeviceInfo", None)
    sizes, written = (ctypes.c_size_t * 32)(), ctypes.c_size_t()
    where = ctypes.c_void_p(device.int_ptr), _SUBGROUP_SIZES_INTEL, ctypes.c_size_t(ctypes.sizeof(sizes))
    if ask is None or ask(*where, sizes, ctypes.byref(written)) != 0:
        return ()
    return tuple(sizes[: written.value // ctypes.sizeof(ctypes.c_size_t)])


def _version(text: str) -> tuple[int, int]:
    """Out of "OpenCL 3.0 PoCL" or "OpenCL C 1.2"."""
    major, minor = re.findall(r"\d+", text)[:2]
    return int(major), int(minor)
