"""The dtypes for users, `jf.float32` and others: dtypes, and functions that cast, as NumPy's are."""

from __future__ import annotations

from typing import Any

import numpy

from ..base.importing import load


class ScalarType(type):
    """A dtype wherever one is taken, equal to NumPy's and of the same hash; called, it casts.

    A lazy array or a traced value becomes an array of the dtype; for other values it returns NumPy's scalar
    or array of that type. NumPy's scalars of the type are instances.

    >>> jf.float32 == np.dtype("float32"), jf.float32(3), isinstance(np.float32(3), jf.float32)
    (True, np.float32(3.0), True)
    """

    dtype: numpy.dtype[Any]

    def __call__(cls, *values: Any, **options: Any) -> Any:
        # A program that imports jitframe loads no frame yet.
        if load("jitframe.api.frame").holds_lazy(values):
            made: Any = load("jitframe.api.creation.constructors").asarray(*values, **options)
            return made.astype(cls.dtype)
        return cls.dtype.type(*values, **options)

    def __instancecheck__(cls, instance: Any) -> bool:
        return isinstance(instance, cls.dtype.type)

    def __subclasscheck__(cls, subclass: type) -> bool:
        return subclass is cls or issubclass(subclass, cls.dtype.type)

    def __eq__(cls, other: object) -> bool:
        return other is not None and bool(cls.dtype == other)  # None is NumPy's float64

    def __hash__(cls) -> int:
        return hash(cls.dtype)

    def __repr__(cls) -> str:
        return f"jitframe.{cls.__name__}"

    def __getattr__(cls, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(f"type object {cls.__name__!r} has no attribute {name!r}")
        return getattr(cls.dtype, name)


_NAMES = (
    "bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float16", "float32",
    "float64", "complex64", "complex128",
)  # fmt: skip


def _made(name: str) -> ScalarType:
    return ScalarType(name, (), {"dtype": numpy.dtype(name), "__module__": "jitframe"})


SCALAR_TYPES: dict[str, ScalarType] = {name: _made(name) for name in _NAMES}
"""The dtypes by their names in `jitframe`."""
