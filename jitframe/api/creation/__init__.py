"""New arrays, and what is asked of arrays and dtypes: ranges, grids, windows, memory order."""

from ...base.importing import submodules

__getattr__ = submodules(__name__)
