"""Kernel IR to LLVM IR text, one form for each level of vector instructions."""

from .generate import generate
from .target import LEVELS, UnsupportedKernel, VectorTarget, vector_target

__all__ = ["LEVELS", "UnsupportedKernel", "VectorTarget", "generate", "vector_target"]
