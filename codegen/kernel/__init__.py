"""The kernel IR: see `nodes`."""

REDUCTION_LANES = 32
"""Accumulators of a reduction (see `nodes`)."""
