"""Histograms and order statistics."""

from ...base.importing import submodules

__getattr__ = submodules(__name__)
