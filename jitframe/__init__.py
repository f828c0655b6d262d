"""jitframe: NumPy code in, fused native kernels out."""

__version__ = "0.1.0"
