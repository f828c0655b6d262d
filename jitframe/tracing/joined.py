"""`np.r_` and `np.c_` of a traced program: arrays, numbers and ranges joined by what stands in brackets."""

from __future__ import annotations

from typing import Any

import numpy

from .. import public
from ..errors import UnsupportedError
from ..promotion import NUMBERS


class Joined:
    """Stands for `np.r_`, or with columns for `np.c_`."""

    __slots__ = ("_columns", "_name")

    def __init__(self, columns: bool) -> None:
        self._columns = columns
        self._name = "np.c_" if columns else "np.r_"

    def __getitem__(self, index: Any) -> Any:
        parts = index if index.__class__ is tuple else (index,)
        arrays = [self._array(part) for part in parts]
        # Numbers take the dtype of the arrays beside them, as weak ones do.
        strong = [each for each in arrays if each.__class__ not in NUMBERS]
        dtype = numpy.result_type(
            *(each.dtype for each in strong), *(n for n in arrays if n.__class__ in NUMBERS)
        )
        made = [public.movement.atleast_1d(public.creation.asarray(each, dtype=dtype)) for each in arrays]
        if self._columns:
            made = [each[:, None] if len(each.shape) == 1 else each for each in made]
        return public.movement.concat(made, axis=-1 if self._columns else 0)

    def _array(self, part: Any) -> Any:
        if isinstance(part, str):
            raise UnsupportedError(
                f"{self._name}[{part!r}, ...]; write np.concatenate or np.stack with axis="
            )
        if part.__class__ in NUMBERS:
            return part
        if part.__class__ is not slice:
            return public.creation.asarray(part)
        start, step = part.start or 0, 1 if part.step is None else part.step
        if isinstance(step, complex):
            return public.creation.linspace(start, part.stop, int(abs(step)))
        return public.creation.arange(start, part.stop, step)

    def __repr__(self) -> str:
        return f"<traced {self._name}>"


JOINED: dict[int, Joined] = {id(numpy.r_): Joined(False), id(numpy.c_): Joined(True)}
