"""The arguments of a program's launch: memory for its buffers, bytes for its uniforms."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy

from ..arrays.promotion import check_fits
from ..codegen.plan.bind import scalar_bits
from ..errors import AliasError, ArgumentError, DTypeError, nearest
from ..ir.record import fresh, mutable
from ..ir.types import BOOL, INDEX, DType
from ..runtime.device import DeviceArray
from ..runtime.drivers.source_programs import Argument, Grid
from ..runtime.executor import View
from ..tensors.tensor import Tensor
from ..tensors.transfers import Value, moved, moved_unasked
from .buffers import Buffer, HostMemory
from .kernels.function import KernelFunction, Parameter

if TYPE_CHECKING:
    from .backend import Backend
    from .programs import Program


# Buffers ----------------------------------------------------------------------------------------------
class Memory(metaclass=mutable):
    """The buffers of a launch, and the actions that follow its submission."""

    views: list[View]
    retained: list[Any] = fresh(factory=list)
    """Values that the launch reads, and to which there may be no other reference."""
    after: list[Callable[[], object]] = fresh(factory=list)
    """Functions that copy written values to their arrays."""

    def settle(self) -> None:
        """Copies written values to their arrays; waits for the launch where one is an ndarray."""
        for give in self.after:
            give()


def memory_of(backend: Backend, program: Program, buffers: Sequence[Any]) -> Memory:
    """Returns the memory of a launch. Computes pending Tensors, which uses the device; copies arrays on other
    devices."""
    due = [each for each in program.parameters if each.is_buffer]
    if len(buffers) != len(due):
        names = ", ".join(map(str, due))
        raise ArgumentError(f"{program.name} takes {len(due)} buffers ({names}), not {len(buffers)}")
    pairs = list(zip(due, buffers, strict=True))
    for parameter, given in pairs:
        if isinstance(given, (Tensor, numpy.ndarray)):
            _check_array(parameter, given)
    for (first, one), (second, other) in combinations(pairs, 2):
        if (first.access != "in" or second.access != "in") and _overlap(one, other):
            raise AliasError(
                f"buffers {first.name} and {second.name} of {program.name} are given arrays that overlap, "
                "and one of them is written; give a copy of the one that is read"
            )
    for parameter, given in pairs:
        if isinstance(given, Buffer) and parameter.access != "in":
            given.prepare_write()
    written = {_elements(given) for parameter, given in pairs if parameter.access != "in"}
    memory, shown = Memory([]), dict[Any, View]()
    for parameter, given in pairs:
        if isinstance(given, (Tensor, numpy.ndarray)):
            key = _elements(given)
            if key not in shown:
                shown[key] = _of_array(backend, parameter, given, key in written, memory)
            memory.views.append(shown[key])
        else:
            memory.views.append(_of_memory(backend, parameter, given))
    return memory


def _of_memory(backend: Backend, parameter: Parameter, given: Any) -> View:
    """Returns the view of an argument that is memory of the backend already."""
    if isinstance(given, tuple) and len(given) == 2 and isinstance(given[1], int):
        memory, offset = given
    elif isinstance(given, Buffer):
        memory, offset = given.view(backend.device, writes=False)
    else:
        raise ArgumentError(
            f"buffer {parameter} is given a {type(given).__name__}; it takes a buffer of the backend, a "
            "Tensor, or an ndarray"
        )
    if offset < 0 or offset % parameter.dtype.itemsize:
        size = parameter.dtype.itemsize
        raise ArgumentError(f"buffer {parameter} begins at byte {offset}: multiples of {size} fit")
    return memory, offset


# Arrays -----------------------------------------------------------------------------------------------
def _check_array(parameter: Parameter, given: Tensor | numpy.ndarray) -> None:
    name, is_tensor = parameter.name, isinstance(given, Tensor)
    kind = "a Tensor" if is_tensor else "an ndarray"
    if given.dtype != numpy.dtype(parameter.dtype.numpy_name):
        raise DTypeError(f"buffer {parameter} is given {kind} of {given.dtype}")
    if isinstance(given, numpy.ndarray) and not (given.flags.c_contiguous and given.flags.aligned):
        raise ArgumentError(f"buffer {name}: give an ndarray in C order, numpy.ascontiguousarray(y)")
    writable = given._is_writable if isinstance(given, Tensor) else given.flags.writeable
    if parameter.access != "in" and not writable:
        raise ArgumentError(f"buffer {name} is written, and the {kind.split()[1]} is read-only")


def _elements(given: Any) -> tuple[int, int]:
    """Returns a key that is equal for arrays of the same elements."""
    return (given.ctypes.data, given.nbytes) if isinstance(given, numpy.ndarray) else (id(given), -1)


def _overlap(one: Any, other: Any) -> bool:
    """Whether two arrays, not of the same elements, overlap."""
    if _elements(one) == _elements(other):
        return False
    if isinstance(one, Tensor) and isinstance(other, Tensor):
        return (one if one.base is None else one.base) is (other if other.base is None else other.base)
    if isinstance(one, numpy.ndarray) and isinstance(other, numpy.ndarray):
        return numpy.may_share_memory(one, other)  # exact, as both are in C order
    return False


def _of_array(backend: Backend, parameter: Parameter, given: Any, is_written: bool, made: Memory) -> View:
    """Returns an array's elements where the backend's kernels reach them. A written array on another device,
    and a written Tensor, are replaced by a copy, which is assigned to the array afterwards."""
    device = backend.device
    on_host = getattr(device.driver, "host_memory", False)
    if isinstance(given, numpy.ndarray) and on_host:
        return _host_view(given)
    value: Value = given._evaluated() if isinstance(given, Tensor) else given
    if on_host and isinstance(value, numpy.ndarray):
        value = numpy.array(value, order="C") if is_written else numpy.ascontiguousarray(value)
        made.retained.append(value)
        if is_written:
            made.after.append(partial(_give_tensor, given, value))
        return _host_view(value)
    instead = f"jf.asarray(y, device={device.name!r}), or memory of the backend, for {parameter.name}"
    here = moved_unasked(value, device, instead)
    assert isinstance(here, DeviceArray)
    if is_written and here is value:
        here = device.copy(here)
    made.retained.append(here)
    if is_written:
        give = _give_tensor if isinstance(given, Tensor) else _give_array
        made.after.append(partial(give, given, here))
    return device.view_of(here)


def _host_view(array: numpy.ndarray) -> View:
    return HostMemory(array.ctypes.data, array.nbytes, array), 0


def _give_tensor(tensor: Tensor, value: Value) -> None:
    tensor._replace(moved(value, tensor._frame.device))


def _give_array(array: numpy.ndarray, value: DeviceArray) -> None:
    array[...] = value.download()


# Uniforms ---------------------------------------------------------------------------------------------
_RAW = (bytes, bytearray, memoryview, ctypes.Structure, numpy.void)


def is_raw(given: Any) -> bool:
    """Whether an argument is the bytes of uniforms, or a struct of them."""
    return isinstance(given, _RAW) or (isinstance(given, numpy.ndarray) and given.dtype.names is not None)


def uniform_bytes(program: Program | KernelFunction, uniforms: Any) -> list[bytes]:
    """Returns the bytes of each uniform in memory. Raw bytes, or a struct, are split where the program
    declares uniforms, and are one argument where it declares none."""
    due = [each for each in program.parameters if not each.is_buffer]
    if is_raw(uniforms):
        return _uniforms_of_bytes(program, due, uniforms)
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


def _uniforms_of_bytes(
    program: Program | KernelFunction, due: Sequence[Parameter], given: Any
) -> list[bytes]:
    """Splits raw bytes by uniform: packed in the order of the parameters, or in the layout of a C struct. The
    two layouts have different sizes wherever they differ."""
    names = getattr(getattr(given, "dtype", None), "names", None)
    if names is not None and due:
        if given.size != 1:
            raise ArgumentError(f"{program.name} takes the uniforms of one launch, not {given.size} structs")
        record = given.reshape(())[()] if isinstance(given, numpy.ndarray) else given
        return uniform_bytes(program, {name: record[name] for name in names})
    raw = given.tobytes() if isinstance(given, (numpy.void, numpy.ndarray)) else bytes(given)
    if not due and not isinstance(program, KernelFunction):
        return [raw]
    sizes = [parameter.dtype.itemsize for parameter in due]
    aligned, end = [], 0
    for size in sizes:
        aligned.append(-(-end // size) * size)
        end = aligned[-1] + size
    struct = -(-end // max(sizes, default=1)) * max(sizes, default=1)
    if len(raw) == sum(sizes):
        aligned = [sum(sizes[:number]) for number in range(len(sizes))]
    elif len(raw) != struct:
        described = ", ".join(map(str, due)) or "none"
        sizes_told = f"{sum(sizes)}" if struct == sum(sizes) else f"{sum(sizes)}, or {struct} as a C struct"
        raise ArgumentError(
            f"the uniforms of {program.name} ({described}) take {sizes_told} bytes, not {len(raw)}"
        )
    return [raw[start : start + size] for start, size in zip(aligned, sizes, strict=True)]


def packed(parameter: Parameter, value: Any) -> bytes:
    """Returns the bytes of a uniform, from a number or from as many bytes. Raises DTypeError for a value that
    is no number of its dtype, NumberError where it does not fit."""
    if isinstance(value, (bytes, bytearray, memoryview)):
        if len(raw := bytes(value)) != parameter.dtype.itemsize:
            raise ArgumentError(
                f"uniform {parameter} takes {parameter.dtype.itemsize} bytes, and is given {len(raw)}"
            )
        return raw
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
    """Returns the launch's slots of 8 bytes: indices, then the grid's numbers for the kernel, then
    scalars."""
    due = [each for each in function.parameters if not each.is_buffer]
    told = b"".join(extent.to_bytes(8, "little") for extent in function.grid_indices(grid))
    words = [each.ljust(8, b"\0") for each in uniform_bytes(function, uniforms)]
    pairs = list(zip(due, words, strict=True))
    sizes = [word for parameter, word in pairs if parameter.dtype is INDEX]
    return b"".join((*sizes, told, *(word for parameter, word in pairs if parameter.dtype is not INDEX)))


def arguments_of(program: Program, views: Sequence[View], uniforms: Any) -> list[Argument]:
    """Returns views and bytes in the order of the parameters; raw bytes that no parameter declares come
    last."""
    rest, values = iter(views), iter(uniform_bytes(program, uniforms))
    return [
        *(next(rest) if parameter.is_buffer else next(values) for parameter in program.parameters),
        *values,
    ]


def sorted_out(program: Program, arguments: Sequence[Any], named: Mapping[str, Any]) -> tuple[list[Any], Any]:
    """Sorts a call's arguments, in the order of the parameters and then by name, into buffers and uniforms;
    raw bytes of all uniforms may follow the buffers. Raises ArgumentError for arguments that the program does
    not take."""
    parameters = program.parameters
    takes = f"{program.name}({', '.join(map(str, parameters))}, grid=...)"
    count = sum(parameter.is_buffer for parameter in parameters)
    if len(arguments) == count + 1 and is_raw(arguments[-1]) and not named:
        return list(arguments[:-1]), arguments[-1] if len(parameters) != count + 1 else [arguments[-1]]
    given = dict(zip([parameter.name for parameter in parameters], arguments, strict=False))
    twice = sorted(set(given) & set(named))
    missing = [
        parameter.name
        for parameter in parameters
        if parameter.name not in given and parameter.name not in named
    ]
    unknown = sorted(set(named) - {parameter.name for parameter in parameters})
    if unknown:
        near = nearest(
            unknown[0], (*(parameter.name for parameter in parameters), "grid", "workgroup", "shared_bytes")
        )
        raise ArgumentError(f"{takes}: {unknown[0]} is no parameter of it{near}")
    for names, problem in ((twice, "given twice"), (missing, "missing")):
        if names:
            raise ArgumentError(f"{takes}: {', '.join(names)} {'is' if len(names) == 1 else 'are'} {problem}")
    if len(arguments) > len(parameters):
        raise ArgumentError(f"{takes} is called with {len(arguments)} arguments")
    given.update(named)
    buffers = [given[parameter.name] for parameter in parameters if parameter.is_buffer]
    return buffers, [given[parameter.name] for parameter in parameters if not parameter.is_buffer]
