"""`x.flags` of lazy arrays: what NumPy tells about the memory of such an array. It is not set here."""

from __future__ import annotations

from typing import Any, NoReturn

import numpy

from ...errors import UnsupportedError

_ALIASES = {
    "C": "c_contiguous", "CONTIGUOUS": "c_contiguous", "F": "f_contiguous", "FORTRAN": "f_contiguous",
    "O": "owndata", "W": "writeable", "A": "aligned", "X": "writebackifcopy", "B": "behaved",
    "CA": "carray", "FA": "farray",
}  # fmt: skip
"""Names by which items are asked for, beside the attributes' own in capitals."""


class Flags:
    """NumPy's flags of an array, by attributes and by items: `x.flags.c_contiguous`, `x.flags["C"]`."""

    __slots__ = ("_flags", "writeable")

    _flags: Any
    writeable: bool
    aligned = True
    writebackifcopy = False

    def __init__(
        self, shape: tuple[int, ...], strides: tuple[int, ...], dtype: numpy.dtype, writeable: bool
    ) -> None:
        """`strides`: in bytes."""
        room = numpy.empty(1, dtype)
        shown = numpy.lib.stride_tricks.as_strided(room, shape, strides, writeable=False)
        object.__setattr__(self, "_flags", shown.flags)  # of which nothing but the order is told
        object.__setattr__(self, "writeable", writeable)

    @property
    def owndata(self) -> NoReturn:
        from .lazy_array import MissingAttributeError  # libraries ask whether there is such an attribute

        raise MissingAttributeError(
            "whether an array owns its memory is not known here; ask `x.base` of a Tensor"
        )

    @property
    def c_contiguous(self) -> bool:
        return bool(self._flags.c_contiguous)

    @property
    def f_contiguous(self) -> bool:
        return bool(self._flags.f_contiguous)

    contiguous, fortran = c_contiguous, f_contiguous

    @property
    def fnc(self) -> bool:
        return self.f_contiguous and not self.c_contiguous

    @property
    def forc(self) -> bool:
        return self.f_contiguous or self.c_contiguous

    @property
    def behaved(self) -> bool:
        return self.aligned and self.writeable

    @property
    def carray(self) -> bool:
        return self.behaved and self.c_contiguous

    @property
    def farray(self) -> bool:
        return not self.c_contiguous  # which is what NumPy tells, for any one of three properties

    def __getitem__(self, name: str) -> bool:
        known = _ALIASES.get(name) or (name.lower() if name.isupper() else "")
        if not isinstance(getattr(self, known, None), bool):
            raise KeyError("Unknown flag")
        return bool(getattr(self, known))

    def __setattr__(self, name: str, value: Any) -> None:
        if name != "writeable" or bool(value) is not self.writeable:
            self._refuse(name)

    def __setitem__(self, name: str, value: Any) -> None:
        if _ALIASES.get(name, name.lower()) != "writeable" or bool(value) is not self.writeable:
            self._refuse(name)

    def _refuse(self, name: str) -> NoReturn:
        raise UnsupportedError(
            f"the flag {name!r} of an array is not changed here; change that of the ndarray before or after "
            "the call"
        )

    def __repr__(self) -> str:
        names = ("c_contiguous", "f_contiguous", "writeable", "aligned", "writebackifcopy")
        return "".join(f"  {name.upper()} : {getattr(self, name)}\n" for name in names)
