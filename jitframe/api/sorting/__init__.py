"""Sorting, searching, sets, counting."""

from ...base.importing import submodules

__getattr__ = submodules(__name__)
