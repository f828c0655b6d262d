"""Kernel IR to the C-like languages of GPUs: one generator, a dialect value for each language."""

from .dialect import Dialect, UnsupportedKernel
from .generate import Source, generate, launch_block
from .opencl import OPENCL
from .wgsl import WGSL

__all__ = ["OPENCL", "WGSL", "Dialect", "Source", "UnsupportedKernel", "generate", "launch_block"]
