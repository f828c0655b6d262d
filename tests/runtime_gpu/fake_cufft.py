"""A stand-in for CuPy's binding of cuFFT: plans of one axis, by NumPy, on memory of the stand-in for CuPy."""

from __future__ import annotations

from types import ModuleType
from typing import Any

import numpy as np

_TYPES = {
    "C2C": (np.complex64, np.complex64), "R2C": (np.float32, np.complex64), "C2R": (np.complex64, np.float32),
    "Z2Z": (np.complex128, np.complex128), "D2Z": (np.float64, np.complex128),
    "Z2D": (np.complex128, np.float64),
}  # fmt: skip
_NUMBERS = {"C2C": 0x29, "R2C": 0x2A, "C2R": 0x2C, "Z2Z": 0x69, "D2Z": 0x6A, "Z2D": 0x6C}


class CuFFTError(RuntimeError):
    pass


def module(gpus: Any) -> ModuleType:
    made = ModuleType("fake")
    plans: list[Any] = []

    class PlanNd:
        def __init__(
            self, shape: Any, inembed: Any, istride: int, idist: int, onembed: Any, ostride: int, odist: int,
            fft_type: int, batch: int, order: str, last_axis: int, last_size: Any,
        ) -> None:  # fmt: skip
            (self.points,), self.batch = shape, batch
            assert order == "C" and inembed is not None and onembed is not None, "strides are used"
            assert all(type(n) is int and 0 < n < 1 << 31 for n in (istride, idist, ostride, odist, batch))
            (self.name,) = [name for name, number in _NUMBERS.items() if number == fft_type]
            self.strides = (istride, idist), (ostride, odist)
            self.device = gpus.current
            plans.append(self)

        def fft(self, a: Any, out: Any, direction: int) -> None:
            """On the current stream; places are aligned as their elements, nothing is scaled."""
            assert direction in (-1, 1) and not gpus.capturing
            gpus.require(self.device)
            source, target = a.data.ptr, out.data.ptr
            gpus.bytes_at(source), gpus.bytes_at(target)
            gpus.local.stream.add(lambda: self._run(source, target, direction))

        def _run(self, source: int, target: int, direction: int) -> None:
            from_, to = _TYPES[self.name]
            half = self.points // 2 + 1
            given = self._array(source, from_, half if self.name in ("C2R", "Z2D") else self.points, 0)
            result = self._array(target, to, half if self.name in ("R2C", "D2Z") else self.points, 1)
            rows = np.array(given)
            if self.name in ("C2R", "Z2D"):
                assert direction == 1
                real = [0] if self.points % 2 else [0, -1]
                assert not rows[:, real].imag.any(), "what is real has no imaginary part"
                result[...] = np.fft.irfft(rows, self.points, norm="forward")
                given[...] = np.nan  # it may be overwritten
            elif self.name in ("R2C", "D2Z"):
                assert direction == -1
                result[...] = np.fft.rfft(rows)
            else:
                result[...] = np.fft.fft(rows) if direction == -1 else np.fft.ifft(rows, norm="forward")

        def _array(self, address: int, dtype: type, extent: int, side: int) -> np.ndarray:
            step = np.dtype(dtype).itemsize
            assert address % step == 0
            stride, distance = self.strides[side]
            memory = gpus.bytes_at(address)
            return np.ndarray((self.batch, extent), dtype, memory, 0, (distance * step, stride * step))

    made.__dict__.update(
        CuFFTError=CuFFTError, PlanNd=PlanNd, plans=plans,
        **{f"CUFFT_{name}": number for name, number in _NUMBERS.items()},
    )  # fmt: skip
    return made
