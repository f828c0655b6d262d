"""Other arrangements of elements: joined, repeated, padded, cut, by diagonals, along an axis, as bits."""

from ...base.importing import submodules

__getattr__ = submodules(__name__)
