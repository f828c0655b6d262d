"""Kernel IR to the C-like languages of GPUs: one generator, a dialect value for each language."""

from .cuda import CUDA
from .dialect import Dialect, UnsupportedKernel
from .generate import Source, generate, launch_block
from .hip import HIP
from .metal import METAL, METAL_3_2
from .opencl import OPENCL
from .opencl_variants import OPENCL_2, OPENCL_3, opencl_dialect
from .wgsl import WGSL

__all__ = [
    "CUDA",
    "HIP",
    "METAL",
    "METAL_3_2",
    "OPENCL",
    "OPENCL_2",
    "OPENCL_3",
    "WGSL",
    "Dialect",
    "Source",
    "UnsupportedKernel",
    "generate",
    "launch_block",
    "opencl_dialect",
]
