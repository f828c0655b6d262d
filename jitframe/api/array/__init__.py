"""The array object: operators and protocols, methods, ufuncs' methods."""

from ...base.importing import submodules

__getattr__ = submodules(__name__)
