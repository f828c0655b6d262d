"""Elements by index: read, taken, written."""

from ...base.importing import submodules

__getattr__ = submodules(__name__)
