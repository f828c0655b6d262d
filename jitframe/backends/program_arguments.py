"""What a program of a backend is launched with: memory for its buffers, bytes for its uniforms."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy

from ..codegen.plan.bind import scalar_bits
from ..errors import ArgumentError, DTypeError
from ..ir.record import mutable
from ..ir.types import BOOL, INDEX, DType
from ..promotion import check_fits
from ..runtime.executor import View
from ..runtime.source_programs import Argument, Grid
from ..tensor import Tensor
from .buffers import Buffer
from .kernel_function import KernelFunction, Parameter

if TYPE_CHECKING:
    from .backend import Backend
    from .programs import Program


# Buffers ----------------------------------------------------------------------------------------------
class _Host(metaclass=mutable):
    """An ndarray's memory as the CPU's driver takes it."""

    address: int
    nbytes: int
    array: numpy.ndarray


def views_of(backend: Backend, program: Program, buffers: Sequence[Any]) -> list[View]:
    due = [each for each in program.parameters if each.is_buffer]
    if len(buffers) != len(due):
        names = ", ".join(map(str, due))
        raise ArgumentError(f"{program.name} takes {len(due)} buffers ({names}), not {len(buffers)}")
    return [_view(backend, parameter, given) for parameter, given in zip(due, buffers, strict=True)]


def _view(backend: Backend, parameter: Parameter, given: Any) -> View:
    name = backend.name
    if isinstance(given, Tensor):
        if parameter.access != "in":
            raise ArgumentError(
                f"buffer {parameter.name} is written, and a Tensor never is: give memory of the backend, or "
                "make a jf.custom_kernel of it"
            )
        if given._dtype is not parameter.dtype:
            raise DTypeError(f"buffer {parameter} is given a Tensor of {given._dtype.numpy_name}")
        found = given._evaluated()
        if isinstance(found, numpy.ndarray):
            given = found
        elif found.device is not backend.device:
            raise ArgumentError(
                f"buffer {parameter.name} is on {found.device.name}; write x.to_device({name!r})"
            )
        else:
            return backend.device.memory_of(found), 0
    if isinstance(given, numpy.ndarray):
        return _of_array(backend, parameter, given)
    if isinstance(given, tuple) and len(given) == 2 and isinstance(given[1], int):
        memory, offset = given
    elif isinstance(given, Buffer):
        memory, offset = given.view(backend.device)
    else:
        raise ArgumentError(
            f"buffer {parameter} is given a {type(given).__name__}; it takes a buffer of the backend, a "
            "Tensor that is read, or, on the CPU, an ndarray"
        )
    if offset < 0 or offset % parameter.dtype.itemsize:
        size = parameter.dtype.itemsize
        raise ArgumentError(f"buffer {parameter} begins at byte {offset}: multiples of {size} fit")
    return memory, offset


def _of_array(backend: Backend, parameter: Parameter, array: numpy.ndarray) -> View:
    if not getattr(backend.device.driver, "host_memory", False):
        raise ArgumentError(
            f"buffer {parameter.name}: {backend.name} does not reach an ndarray; give memory of the backend, "
            f"or jf.asarray(y, device={backend.name!r}) where it is only read"
        )
    if array.dtype != numpy.dtype(parameter.dtype.numpy_name):
        raise DTypeError(f"buffer {parameter} is given an ndarray of {array.dtype}")
    if not array.flags.c_contiguous or not array.flags.aligned:
        raise ArgumentError(
            f"buffer {parameter.name}: give an ndarray in C order, numpy.ascontiguousarray(y)"
        )
    if parameter.access != "in" and not array.flags.writeable:
        raise ArgumentError(f"buffer {parameter.name} is written, and the ndarray is read-only")
    return _Host(array.ctypes.data, array.nbytes, array), 0


# Uniforms ---------------------------------------------------------------------------------------------
def uniform_bytes(program: Program | KernelFunction, uniforms: Any) -> list[bytes]:
    """Each uniform as it lies in memory; raw bytes as they are."""
    due = [each for each in program.parameters if not each.is_buffer]
    if isinstance(uniforms, (bytes, bytearray, memoryview)):
        return [bytes(uniforms)]
    given = list(uniforms.values()) if isinstance(uniforms, Mapping) else list(uniforms)
    names = [each.name for each in due]
    if isinstance(uniforms, Mapping):
        if set(uniforms) != set(names):
            raise ArgumentError(f"{program.name} takes the uniforms {names}, not {list(uniforms)}")
        given = [uniforms[name] for name in names]
    if len(given) != len(due):
        described = ", ".join(map(str, due)) or "none"
        raise ArgumentError(f"{program.name} takes {len(due)} uniforms ({described}), not {len(given)}")
    return [packed(parameter, value) for parameter, value in zip(due, given, strict=True)]


def packed(parameter: Parameter, value: Any) -> bytes:
    """The bytes of a uniform. Raises DTypeError for what is no number of its dtype, NumberError where it does
    not fit."""
    number = value.item() if isinstance(value, numpy.generic) else value
    wanted = parameter.dtype
    if not isinstance(number, (bool, int, float)) or (isinstance(number, float) and not wanted.is_float):
        raise DTypeError(f"uniform {parameter} is given {value!r}")
    if wanted is INDEX:
        if not -(1 << 63) <= number < 1 << 63:
            raise ArgumentError(f"uniform {parameter} is given {value}, which takes more than 64 bits")
        return int(number).to_bytes(8, "little", signed=True)
    if not wanted.is_float and wanted is not BOOL:
        check_fits(number, wanted)
    return scalar_bits(_as(wanted, number), wanted).to_bytes(8, "little")[: wanted.itemsize]


def _as(dtype: DType, number: bool | int | float) -> bool | int | float:
    return float(number) if dtype.is_float else bool(number) if dtype is BOOL else int(number)


def slots(function: KernelFunction, uniforms: Any, grid: Grid) -> bytes:
    """The launch's slots of 8 bytes: indices, then what the kernel is told of its grid, then scalars."""
    due = [each for each in function.parameters if not each.is_buffer]
    told = b"".join(extent.to_bytes(8, "little") for extent in function.grid_indices(grid))
    count = sum(each.dtype is INDEX for each in due)
    if isinstance(uniforms, (bytes, bytearray, memoryview)):
        raw = bytes(uniforms)
        if len(raw) != 8 * len(due):
            raise ArgumentError(
                f"kernel {function.name} has {len(due)} uniforms of 8 bytes each, sizes first, not "
                f"{len(raw)} bytes"
            )
        return raw[: 8 * count] + told + raw[8 * count :]
    words = [each.ljust(8, b"\0") for each in uniform_bytes(function, uniforms)]
    pairs = list(zip(due, words, strict=True))
    sizes = [word for parameter, word in pairs if parameter.dtype is INDEX]
    return b"".join((*sizes, told, *(word for parameter, word in pairs if parameter.dtype is not INDEX)))


def arguments_of(program: Program, views: Sequence[View], uniforms: Any) -> list[Argument]:
    """Views and bytes in the order of the parameters; raw bytes stand last."""
    packed = uniform_bytes(program, uniforms)
    if isinstance(uniforms, (bytes, bytearray, memoryview)):
        if any(not each.is_buffer for each in program.parameters):
            raise ArgumentError(
                f"{program.name} declares its uniforms: give their values. Raw bytes are for a program that "
                "declares buffers alone"
            )
        return [*views, *packed]
    rest, numbers = iter(views), iter(packed)
    return [next(rest) if each.is_buffer else next(numbers) for each in program.parameters]
