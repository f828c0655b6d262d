"""Generators of random numbers and their distributions."""

from ...base.importing import submodules

__getattr__ = submodules(__name__)
