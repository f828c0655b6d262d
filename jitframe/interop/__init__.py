"""Adapters for other libraries, one module for each; a module needs the library of its name."""
