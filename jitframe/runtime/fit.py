"""Whether arrays and dtypes fit a device, and the machine that its plans are made for."""

from __future__ import annotations

from typing import TYPE_CHECKING, NoReturn

from ..codegen.lower.machine import MANY_WRITERS, TEAM, Machine, machine_for, processor_for
from ..errors import BackendError, OutOfMemoryError, UnsupportedDTypeError
from ..ir.types import ARRAY_DTYPES, C64, C128, F32, F64, I32, I64, PART_OF, U32, U64, DType

if TYPE_CHECKING:
    from .device import Device
    from .driver import DeviceFacts


def machine_of(name: str, facts: DeviceFacts) -> Machine:
    """The machine that a device with these facts is. Raises BackendError for one that is none."""
    try:
        if facts.execution == "simd":
            return processor_for(facts.most_buffers, facts.library_products, facts.fma)
        return machine_for(
            min(facts.most_threads, max(facts.hints.preferred_workgroup, TEAM)),
            facts.shared_bytes,
            facts.most_buffers,
            facts.library_products,
            facts.fma,
            facts.subgroup_lanes,
            facts.atomics,
            MANY_WRITERS if facts.kind == "gpu" else 1,
            facts.most_iterations,
            fast_shared=facts.kind != "cpu",
        )
    except ValueError as problem:
        raise BackendError(f"{name} ({facts.title}) cannot be used: {problem}") from None


def narrows_of(dtypes: frozenset[str]) -> dict[DType, DType]:
    """What stands for the dtypes of 64 bits that a device lacks; complex128 is two of them."""
    wides = ((I64, I32), (U64, U32), (F64, F32), (C128, C64))
    return {wide: narrow for wide, narrow in wides if PART_OF.get(wide, wide).name not in dtypes}


_MEANT = {I64: "int", F64: "float"}
"""Python's types, where they are given as dtypes."""


def refuse_dtype(device: Device, dtype: DType) -> NoReturn:
    """Raises the error for a dtype that a device does not compute in."""
    there = ", ".join(each.numpy_name for each in ARRAY_DTYPES if device.has(each))
    instead = device.narrows.get(dtype)
    advice = f"cast to {instead.numpy_name} first" if instead is not None else "cast first"
    if dtype in _MEANT:
        advice += f" (as a dtype, {_MEANT[dtype]} is {dtype.numpy_name})"
    _raise(
        UnsupportedDTypeError(
            f"{device.name} ({device.facts.title}) has no {dtype.numpy_name}; it has {there}",
            device=device.name,
            context={"dtype": dtype.numpy_name},
            suggestions=(advice, "choose another device"),
        )
    )


def refuse_size(device: Device, nbytes: int, what: str) -> NoReturn:
    """Raises the error for a buffer that is larger than a device has any."""
    limit = device.facts.largest_buffer
    _raise(
        OutOfMemoryError(
            f"{what} takes {nbytes:,} bytes, and a buffer of {device.name} ({device.facts.title}) has at "
            f"most {limit:,}",
            device=device.name,
            context={"asked_bytes": nbytes, "largest_buffer_bytes": limit},
            suggestions=("work on parts", "choose another device"),
        )
    )


def _raise(problem: BackendError) -> NoReturn:
    from .handling import raise_handled  # 12 ms

    raise_handled(problem)
