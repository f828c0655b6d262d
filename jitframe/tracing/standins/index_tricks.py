"""Stand-ins for `np.r_` and `np.c_`, which join arrays, numbers and ranges, and for `np.mgrid` and
`np.ogrid`, coordinates along axes."""

from __future__ import annotations

from typing import Any

import numpy

from ... import api
from ...api.frame import LazyValue, current_frame
from ...arrays.promotion import NUMBERS
from ...base.arguments import shown
from ...errors import DTypeError, UnsupportedError
from ..values.concrete import is_of_mask


class Joined:
    """The stand-in for `np.r_`, or with columns for `np.c_`."""

    __slots__ = ("_columns", "_name")

    def __init__(self, columns: bool) -> None:
        self._columns = columns
        self._name = "np.c_" if columns else "np.r_"

    def __getitem__(self, index: Any) -> Any:
        parts = index if index.__class__ is tuple else (index,)
        arrays = [self._array(part) for part in parts]
        # Numbers take the dtype of the arrays among the operands, as weak ones do.
        kinds: list[Any] = [array if array.__class__ in NUMBERS else array.dtype for array in arrays]
        dtype = numpy.result_type(*kinds)
        if any(map(is_of_mask, arrays)):
            return self._joined_open(arrays, dtype)
        made = [
            api.movement.atleast_1d(api.creation.constructors.asarray(array, dtype=dtype)) for array in arrays
        ]
        if self._columns:
            made = [each[:, None] if len(each.shape) == 1 else each for each in made]
        return api.movement.concat(made, axis=-1 if self._columns else 0)

    def _joined_open(self, arrays: list[Any], dtype: Any) -> Any:
        """Joins arrays of which some have an open length."""
        made = [
            array.astype(dtype)
            if is_of_mask(array)
            else api.movement.atleast_1d(api.creation.constructors.asarray(array, dtype=dtype))
            for array in arrays
        ]
        from ..values.masked import chosen  # programs without masks do not load these
        from ..values.masked_functions import called

        join: Any = numpy.column_stack if self._columns else numpy.concatenate
        found = called(join, (made,), {})
        return join(chosen(made)) if found is NotImplemented else found

    def _array(self, part: Any) -> Any:
        if is_of_mask(part):
            return part
        if isinstance(part, str):
            raise UnsupportedError(
                f"{self._name}[{part!r}, ...]; write np.concatenate or np.stack with axis="
            )
        if part.__class__ in NUMBERS:
            return part
        if part.__class__ is not slice:
            return api.creation.constructors.asarray(part)
        start, step = part.start or 0, 1 if part.step is None else part.step
        if isinstance(step, complex):
            return api.creation.ranges.linspace(start, part.stop, int(abs(step)))
        return api.creation.ranges.arange(start, part.stop, step)

    def __repr__(self) -> str:
        return f"<traced {self._name}>"


class Grid:
    """The stand-in for `np.mgrid`, or where `sparse` for `np.ogrid`."""

    __slots__ = ("_name", "_original", "_sparse")

    def __init__(self, original: Any, sparse: bool) -> None:
        self._original = original
        self._sparse = sparse
        self._name = "np.ogrid" if sparse else "np.mgrid"

    def __getitem__(self, index: Any) -> Any:
        several = index.__class__ in (tuple, list)
        ranges = index if several else (index,)
        for each in ranges:
            if each.__class__ is not slice:
                raise DTypeError(f"{self._name} takes slices, start:stop:step, not {shown(each)}")
        ends = [end for each in ranges for end in (each.start, each.stop, each.step)]
        if not any(isinstance(end, LazyValue) for end in ends):
            made = self._original[index]
            if not isinstance(made, tuple):
                return current_frame().array(made, False)
            return tuple(current_frame().array(each, False) for each in made)
        axes = [self._coordinates(each) for each in ranges]
        if not several:
            return axes[0]
        dtype = numpy.result_type(*(axis.dtype for axis in axes))
        axes = [api.creation.constructors.astype(axis, dtype) for axis in axes]
        made = api.creation.ranges.meshgrid(*axes, sparse=self._sparse, indexing="ij")
        return made if self._sparse else api.movement.stack(made)

    def _coordinates(self, part: slice) -> Any:
        start = 0 if part.start is None else part.start
        step = 1 if part.step is None else part.step
        if part.stop is None:
            raise DTypeError(f"{self._name}: a slice without its end; write start:stop:step")
        if not isinstance(step, complex):
            return api.creation.ranges.arange(start, part.stop, step)
        count = int(abs(step))
        positions = api.creation.ranges.arange(float(count))
        return positions * ((part.stop - start) / float(count - 1) if count != 1 else 1.0) + start

    def __repr__(self) -> str:
        return f"<traced {self._name}>"


JOINED: dict[int, Joined | Grid] = {
    id(numpy.r_): Joined(False), id(numpy.c_): Joined(True),
    id(numpy.mgrid): Grid(numpy.mgrid, False), id(numpy.ogrid): Grid(numpy.ogrid, True),
}  # fmt: skip
