"""The memory of Tensors for other libraries, and synchronization with the device."""

from __future__ import annotations

import sys
from abc import abstractmethod
from collections.abc import Sequence
from typing import Any, Self

import numpy

from ..api.frame import entered_frame
from ..base.boundary import guarded
from ..errors import ArgumentError, SourceLine
from ..ir.types import BF16
from ..runtime.device import Device, DeviceArray, named
from .by_numpy import WRITERS, answer
from .shared import SharedArray
from .transfers import Value

MANY = 32
"""In a list of more Tensors, all are computed before an array is made of it."""


class ExportedArray(SharedArray):
    """A shared array whose value other libraries can read."""

    __slots__ = ("_handed_over", "_line")
    _line: SourceLine | None
    """The line that made it; set only on devices that are monitored."""

    @classmethod
    def _gathered(cls, values: Sequence[Any]) -> Self | None:
        """Returns a list of many Tensors of one kind as an array joined by NumPy: a program for that would
        have a segment for each of them."""
        first = values[-1]
        if len(values) < MANY or entered_frame() is not None or first.__class__ is not cls:
            return None
        kind = first._frame, first._known_shape, first._dtype
        if not first._frame.device.is_host or any(
            value.__class__ is not cls or (value._frame, value._known_shape, value._dtype) != kind
            for value in values
        ):
            return None
        made: Self = cls._of(numpy.array([value._evaluated() for value in values]))
        return made

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> numpy.ndarray:
        is_dense = self._base is None and self._order is None
        if not is_dense and sys._getframe(1).f_code is numpy.lib.stride_tricks.as_strided.__code__:
            return self._in_memory()
        return self.numpy() if dtype is None and not copy else super().__array__(dtype, copy)

    def _in_memory(self) -> numpy.ndarray:
        """Returns the value with the memory layout of `strides`, for NumPy's `as_strided`."""
        self._settle_path()
        if self._base is not None:
            return self._path.show(self._base._in_memory())
        value = self.numpy()
        if self._order is None or value.strides == self.strides:
            return value
        order = sorted(range(value.ndim), key=self._order.__getitem__, reverse=True)
        laid = numpy.ascontiguousarray(value.transpose(order)).transpose(numpy.argsort(order))
        laid.setflags(write=False)
        return laid

    @abstractmethod
    def numpy(self) -> numpy.ndarray:
        """The value as a read-only ndarray."""

    def __array_function__(self, function: Any, types: Any, arguments: Any, options: Any) -> Any:
        if function in WRITERS and arguments and arguments[0].__class__ is numpy.ndarray:
            return self._by_numpy(f"np.{function.__name__}", function, arguments, options)
        return super().__array_function__(function, types, arguments, options)

    def _by_numpy(self, name: str, function: Any, arguments: Any, options: Any) -> Any:
        return answer(self._frame, name, function, arguments, options)

    def tofile(self, file: Any, sep: str = "", format: str = "%s") -> None:
        """Writes the values to a file, given open or by its name, in C order: as bytes, or with `sep` as text
        of that `format`. Raises what `numpy.ndarray.tofile` raises.

        >>> import tempfile
        >>> with tempfile.TemporaryFile() as file:
        ...     jf.asarray([1.0, 2.0]).tofile(file)
        ...     file.tell()
        16
        """
        self.numpy().tofile(file, sep, format)

    def _destination(self, device: Any, stream: Any, copy: bool | None) -> Device:
        """The device that `to_device` names. Raises where it cannot do what it is asked."""
        if stream is not None:
            raise ArgumentError(f"to_device: stream={stream!r}; each device works in one order, pass None")
        wanted = named(device)
        if copy is False and wanted is not self._frame.device:
            raise ArgumentError(
                f"to_device: from {self.device} to {wanted.name} needs a copy; copy=False was given"
            )
        return wanted

    @guarded
    def block_until_ready(self) -> Self:
        """Computes the value and waits until the device is done with it; gives the tensor itself.

        Raises what computing it did wrong.

        >>> (jf.asarray([1.0, 2.0]) + 1).block_until_ready()
        Tensor(shape=(2,), dtype=float64, device=cpu, [2., 3.])
        """
        self._evaluated()
        self._frame.device.synchronize()
        return self

    def __dlpack__(
        self,
        *,
        stream: Any = None,
        max_version: tuple[int, int] | None = None,
        dl_device: tuple[Any, int] | None = None,
        copy: bool | None = None,
    ) -> Any:
        options = {"stream": stream, "max_version": max_version, "dl_device": dl_device, "copy": copy}
        value = self._evaluated()
        if not isinstance(value, numpy.ndarray) and self.__dlpack_device__() != (1, 0):
            from ..runtime.memory.interchange import dlpack_capsule

            return dlpack_capsule(value, **options)
        array = self.numpy()
        if self._dtype is BF16:
            from ..runtime.memory.interchange import host_capsule

            return host_capsule(array, **options)
        try:
            return array.__dlpack__(**options)
        except BufferError:  # the reader knows no read-only arrays
            if copy is False:
                raise
            return array.copy().__dlpack__(**options)

    def __buffer__(self, flags: int, /) -> memoryview:
        """The value as a read-only buffer: `memoryview(x)`, from Python 3.12 on."""
        return self.numpy().data

    def _repr_html_(self) -> str:
        """What notebooks show."""
        from .shown import as_html  # 3 ms with what other libraries are told, which few ask for

        return as_html(self)

    def __dlpack_device__(self) -> tuple[int, int]:
        return self._frame.device.dlpack_device()

    @property
    def __cuda_array_interface__(self) -> dict[str, Any]:
        """The memory itself for CuPy, Numba or PyTorch, who must not write to it; of some GPUs only."""
        from ..runtime.memory.interchange import array_interface, has_addresses

        if not has_addresses(self._frame.device):
            raise AttributeError(f"a Tensor on {self.device} is not in memory that other libraries read")
        value = self._evaluated()
        assert isinstance(value, DeviceArray)
        # Who reads it keeps the tensor alive, whose value may become another one meanwhile.
        before: tuple[Value, ...] = getattr(self, "_handed_over", ())
        self._handed_over = before if value in before else (*before, value)
        return array_interface(value)
