"""The array API's inspection of a namespace: `jf.__array_namespace_info__()`.

The standard: https://data-apis.org/array-api/2025.12/API_specification/inspection.html
"""

from __future__ import annotations

from typing import Any

from ..api.creation.dtypes import isdtype
from ..api.frame import current_frame
from ..api.scalar_types import SCALAR_TYPES
from ..arrays.promotion import from_numpy
from ..base.arguments import shown
from ..errors import ArgumentError
from ..ir.types import C64, C128, F32, F64, I32, I64
from ..runtime.device import Device, named
from .devices import devices

_MAX_DIMENSIONS = 64
"""The most axes of an ndarray, which every value can become."""
_KINDS = (
    "bool", "signed integer", "unsigned integer", "integral", "real floating", "complex floating", "numeric",
)  # fmt: skip


class NamespaceInfo:
    """The dtypes, devices and optional features of `jitframe`."""

    __module__ = "jitframe"

    def capabilities(self) -> dict[str, Any]:
        """Returns whether there is boolean indexing, whether shapes may depend on values, and the most axes.

        >>> jf.__array_namespace_info__().capabilities()["boolean indexing"]
        True
        """
        return {
            "boolean indexing": True,
            "data-dependent shapes": True,
            "max dimensions": _MAX_DIMENSIONS,
        }

    def default_device(self) -> str:
        """Returns the device of new arrays without an explicit one: that of the innermost `with
        jf.device(...)`, or of the settings.

        >>> jf.__array_namespace_info__().default_device()
        'cpu'
        """
        return current_frame().device.name

    def default_dtypes(self, *, device: Any = None) -> dict[str, Any]:
        """Returns the dtypes of arrays made of Python numbers: of 64 bits, where the device has these.

        >>> jf.__array_namespace_info__().default_dtypes()["real floating"]
        jitframe.float64
        """
        found = _device(device)
        integers = I64 if found.has(I64) else I32
        chosen = {
            "real floating": F64 if found.has(F64) else F32,
            "complex floating": C128 if found.has(C128) else C64,
            "integral": integers,
            "indexing": integers,
        }
        return {kind: SCALAR_TYPES[dtype.numpy_name] for kind, dtype in chosen.items()}

    def dtypes(self, *, device: Any = None, kind: Any = None) -> dict[str, Any]:
        """Returns the standard's dtypes that a device has, by name: all, or those of a kind or of several
        kinds.

        Raises ArgumentError for an unknown kind.

        >>> list(jf.__array_namespace_info__().dtypes(kind="real floating"))
        ['float32', 'float64']
        """
        kinds = kind if isinstance(kind, tuple) else (kind,)
        for each in kinds:
            if each is not None and each not in _KINDS:
                names = ", ".join(map(repr, _KINDS))
                raise ArgumentError(f"dtypes: {shown(each)} is no kind of dtype; the kinds are {names}")
        found = _device(device)
        return {
            name: dtype
            for name, dtype in SCALAR_TYPES.items()
            if name != "float16"  # no dtype of the standard
            and found.has(from_numpy(dtype))
            and (kind is None or isdtype(dtype, kinds))
        }

    def devices(self) -> tuple[str, ...]:
        """Returns the names of the available devices, for `device=`.

        >>> jf.__array_namespace_info__().devices()[0]
        'cpu'
        """
        return tuple([device_info.name for device_info in devices() if device_info.available])


def _device(device: Any) -> Device:
    return current_frame().device if device is None else named(device)


_INFO = NamespaceInfo()


def __array_namespace_info__() -> NamespaceInfo:
    """Returns the array API's inspection: `capabilities`, `default_device`, `default_dtypes`, `dtypes`,
    `devices`.

    >>> jf.__array_namespace_info__().dtypes(kind="bool")
    {'bool': jitframe.bool}
    """
    return _INFO
