"""Memory estimates before a run: of a jitted function, from its plan; of a language model, from its
shapes."""

from __future__ import annotations

import math
import mmap
from collections.abc import Callable
from typing import Any

import numpy

from ..arrays.promotion import from_numpy
from ..base.boundary import guarded
from ..codegen.plan.nodes import Plan
from ..codegen.plan.peak import estimate_peak_bytes, has_library_calls
from ..errors import ArgumentError, DTypeError
from ..ir.record import record
from ..runtime.cpu.execution.bounds import block_bytes
from ..runtime.cpu.execution.runtime import runtime
from ..runtime.device import CPU, Block, Device, DeviceArray, named
from ..runtime.discovery.options import named_fields
from ..runtime.memory.pool import size_class
from ..tensors.tensor import Tensor
from ..tracing.arguments.signature import Call
from ..tracing.jit import JittedFunction, jit
from ..tracing.programs.program import Program
from ..tracing.programs.results import NewArray, NewScalar
from .stores import host_bytes

_MIB = 1 << 20
_STACK_FRAME_WORDS = 512
_LIBRARY_BYTES: dict[str, int | None] = {"cuda": 32 * _MIB, "hip": 128 * _MIB, "metal": None}
"""The workspace of a library of products, once for each device that uses it. cuBLAS: 32 MiB on Hopper and
later, less before (its API reference, cublasSetWorkspace, recommends 32 and 4 MiB). rocBLAS: 128 MiB on MI300
and later, 32 MiB before (its handle.hpp, DEFAULT_DEVICE_MEMORY_SIZE and ..._EXTENDED); other functions than
the products used here may make it grow (its reference, Device memory allocation). Metal's is unknown."""
_OPENBLAS_BYTES = 32 * _MIB
"""The buffer of each thread: BUFFER_SIZE of OpenBLAS on x86-64, 32 << 20 unless built otherwise (its
Makefile.rule, BUFFERSIZE)."""


@named_fields
class ArraySpec(metaclass=record):
    """A description of an array without memory: `estimate_memory` takes it in place of one.

    It represents an ndarray, or a Tensor where `device` names its device.
    """

    shape: int | tuple[int, ...]
    dtype: Any
    device: str | None = None


class MemoryEstimate(metaclass=record):
    """The memory of a call on one device, in bytes of the blocks that its pool allocates."""

    device: str
    input_bytes: int
    """Arguments that are already on the device; ndarrays on the host."""
    peak_bytes: int
    """The most memory of the call itself there at one time: arguments that it moves there, temporaries and
    results. On the host of a call that runs elsewhere: the ndarrays that it returns."""
    library_bytes: int | None
    """An upper bound on the memory of libraries of matrix products beside that, once; None where unknown."""

    @property
    def total_bytes(self) -> int:
        """The sum, with libraries as far as they are known."""
        return self.input_bytes + self.peak_bytes + (self.library_bytes or 0)


@guarded
def estimate_memory(
    function: Callable[..., Any], /, *specs: Any, **named_specs: Any
) -> dict[str, MemoryEstimate]:
    """Estimates the memory of a call of a jitted function, by device, from its plan, without allocating or
    running anything.

    The arguments are arrays, `ArraySpec`s in their place, and other arguments of the function; a function
    that is not jitted is treated as if it were. Kernels that the call needs are compiled, where no cache has
    them.

    `peak_bytes` is exact for jitframe's allocations: it is the rise of the pool's peak. Of a branch on values
    the larger side counts. (With CUDA's recorded work, runs of many short launches keep freed blocks until
    their end and may hold more.) Libraries have a bound of their own.

    Raises the errors of tracing the function, ArgumentError and DTypeError for a spec that no array can have.

    >>> import numpy as np, jitframe as jf
    >>> def norm(x):
    ...     return x / np.sqrt((x * x).sum())
    >>> jf.estimate_memory(norm, jf.ArraySpec((1 << 20,), "float32"))["cpu"].total_bytes
    8388672
    """
    jitted = function if isinstance(function, JittedFunction) else jit(function)
    arguments = [_stand_in(spec) for spec in specs]
    keywords = {name: _stand_in(each) for name, each in named_specs.items()}
    call = jitted._jit.bind(tuple(arguments), keywords)
    program = jitted._jit.inspected(call)
    device = program.device
    here = sum(_nbytes(leaf) for leaf in call.leaves if _is_on(leaf, device))
    if device.is_host:
        return {device.name: MemoryEstimate(device.name, here, _processor_peak(program), _library(program))}
    host = sum(_nbytes(leaf) for leaf in call.leaves if _is_on(leaf, CPU))
    return {
        device.name: MemoryEstimate(device.name, here, _device_peak(program, call), _library(program)),
        CPU.name: MemoryEstimate(CPU.name, host, _returned_bytes(program, call), 0),
    }


def _processor_peak(program: Program) -> int:
    if program.ready is None:
        return 0
    bound, template = program.ready.bound, program.ready.template
    encoded = program.ready.binding.program or runtime().encode(bound, template.addresses)
    words = encoded.frame_words
    frame = block_bytes(8 * words) if words > _STACK_FRAME_WORDS else 0
    return frame + estimate_peak_bytes(bound, block_bytes)


def _device_peak(program: Program, call: Call) -> int:
    """Returns the peak on a device: arguments that are moved there stay until the run has ended."""
    device, moved = program.device, 0
    for source in program.inputs:
        leaf = source.array if source.leaf is None else call.leaves[source.leaf]
        if leaf is not None and not _is_on(leaf, device):
            moved += device_block_bytes(device, _nbytes(leaf))
    if program.ready is None:
        return moved
    return moved + estimate_peak_bytes(
        program.ready.bound, lambda nbytes: device_block_bytes(device, nbytes), keeps_faults=True
    )


def device_block_bytes(device: Device, nbytes: int) -> int:
    """Returns the bytes of the block for a request on a device that is not the host; CuPy's are the requested
    bytes, as in its statistics."""
    if device.name.partition(":")[0] == "cuda":
        return max(nbytes, 1)
    return min(size_class(nbytes), max(device.facts.largest_buffer, nbytes))


def _returned_bytes(program: Program, call: Call) -> int:
    """Returns the bytes of the ndarrays that a call on another device returns."""
    if call.tensors or program.ready is None:
        return 0
    outputs = {leaf.output for leaf in program.results.leaves if isinstance(leaf, (NewArray, NewScalar))} | {
        output for _, output in program.results.writes
    }
    return sum(
        math.prod(map(int, program.outputs[output].shape)) * program.outputs[output].dtype.itemsize
        for output in outputs
    )


def _library(program: Program) -> int | None:
    """Returns the bound on the memory of libraries of products."""
    bound: Plan | None = None if program.ready is None else program.ready.bound
    if bound is None or not has_library_calls(bound.steps):
        return 0
    if program.device.is_host:
        return _OPENBLAS_BYTES * runtime().threads
    return _LIBRARY_BYTES.get(program.device.name.partition(":")[0])


# Arguments -------------------------------------------------------------------------------------------------
class _Nobody:
    """A driver whose memory does not exist."""


_NOBODY: Any = _Nobody()


def _stand_in(given: Any) -> Any:
    """Returns an array without memory of its own for a spec; other arguments unchanged."""
    if not isinstance(given, ArraySpec):
        return given
    shape = (given.shape,) if isinstance(given.shape, int) else tuple(given.shape)
    if any(isinstance(extent, bool) or not isinstance(extent, int) or extent < 0 for extent in shape):
        raise ArgumentError(f"shape={given.shape!r}: an extent is a whole number from 0 on")
    try:
        dtype = numpy.dtype(given.dtype)
    except TypeError:
        raise DTypeError(f"dtype={given.dtype!r} is no dtype; give one such as 'float32'") from None
    from_numpy(dtype)
    device = None if given.device is None else named(given.device)
    if device is not None and not device.is_host:
        device.check(dtype)
        return Tensor._of(DeviceArray(Block(device, None, _NOBODY), shape, dtype))
    array = _reserved(shape, dtype)
    return array if device is None else Tensor._of(array)


def _reserved(shape: tuple[int, ...], dtype: numpy.dtype) -> numpy.ndarray:
    """Makes an array of reserved addresses without memory: it reads as zeros, and a trace writes nothing."""
    nbytes = math.prod(shape) * dtype.itemsize
    flags = getattr(mmap, "MAP_NORESERVE", 0) | getattr(mmap, "MAP_PRIVATE", 0)
    if not nbytes or not hasattr(mmap, "MAP_PRIVATE"):
        return numpy.zeros(shape, dtype)
    try:
        pages = mmap.mmap(-1, nbytes, flags=flags | mmap.MAP_ANONYMOUS, prot=mmap.PROT_READ)
    except (OSError, OverflowError, ValueError) as problem:
        raise ArgumentError(
            f"an array {dtype.name}{list(shape)} of {nbytes:,} bytes has no place in this process's "
            f"addresses ({problem}); estimate a part of it"
        ) from problem
    resident = numpy.frombuffer(pages, numpy.uint8)
    # Functions that write to their arguments are traced with ones that can be written to.
    return numpy.ndarray(shape, dtype, host_bytes(resident.ctypes.data, nbytes, resident))


def _is_on(leaf: Any, device: Device) -> bool:
    """Whether a value is an array in a device's memory."""
    if isinstance(leaf, Tensor):
        return leaf._frame.device is device
    if isinstance(leaf, DeviceArray):
        return leaf.device is device
    return isinstance(leaf, numpy.ndarray) and device.is_host


def _nbytes(leaf: Any) -> int:
    if isinstance(leaf, Tensor):
        return math.prod(map(int, leaf.shape)) * leaf._dtype.itemsize
    return int(leaf.nbytes)


# Language models -------------------------------------------------------------------------------------------
class InferenceMemory(metaclass=record):
    """The memory of a decoder of the Llama kind, in bytes."""

    parameters: int
    """The number of weights."""
    weights: int
    kv_cache: int
    """Keys and values of every position of every sequence."""
    activations: int
    """The live values while all positions are computed at once."""

    @property
    def total_bytes(self) -> int:
        return self.weights + self.kv_cache + self.activations

    def total_gb(self) -> float:
        """The sum in units of 10⁹ bytes."""
        return self.total_bytes / 1e9


@guarded
def estimate_inference_memory(
    hidden: int,
    intermediate: int,
    layers: int,
    vocab: int,
    heads: int,
    kv_heads: int,
    seq_len: int,
    bytes_per_weight: float,
    batch: int = 1,
    kv_bytes: float | None = None,
) -> InferenceMemory:
    """Estimates the memory to run a decoder of the Llama kind (Touvron et al. 2023, arXiv:2307.09288, section
    2).

    Weights: an embedding and an output matrix of their own, [vocab, hidden] each; in each layer queries and
    output [hidden, hidden], keys and values [hidden, hidden / heads * kv_heads], three matrices
    [hidden, intermediate] and two norms; one norm at the end. `bytes_per_weight` may be a fraction: 0.5 for
    4 bits. The cache has keys and values of `batch` sequences of `seq_len` positions, `kv_bytes` each; unless
    given, as wide as weights are, 2 bytes at least. Activations are of that width too, and counted for all
    positions at once with attention in blocks (no array of scores): the residual with its norm, and either
    queries, keys, values and attention's result, or the two halves of the gated layer; and float32 logits of
    one position for each sequence. What programs and libraries take beside that is not in it.

    Raises ArgumentError for numbers that no model has.

    >>> llama_7b = jf.estimate_inference_memory(
    ...     4096, 11008, 32, 32000, 32, 32, seq_len=4096, bytes_per_weight=2
    ... )
    >>> llama_7b.parameters, llama_7b.weights, llama_7b.kv_cache
    (6738415616, 13476831232, 2147483648)
    >>> round(llama_7b.total_gb(), 2)
    15.87
    """
    counts = {
        "hidden": hidden, "intermediate": intermediate, "layers": layers, "vocab": vocab, "heads": heads,
        "kv_heads": kv_heads, "seq_len": seq_len, "batch": batch,
    }  # fmt: skip
    for name, value in counts.items():
        if isinstance(value, bool) or not isinstance(value, int) or value < 1:
            raise ArgumentError(f"{name}={value!r}; it is a whole number from 1 on")
    if hidden % heads:
        raise ArgumentError(f"hidden={hidden} is no multiple of heads={heads}: each has the same share")
    if heads % kv_heads:
        raise ArgumentError(f"heads={heads} is no multiple of kv_heads={kv_heads}: they share those evenly")
    value_bytes = max(bytes_per_weight, 2) if kv_bytes is None else kv_bytes
    for name, width in (("bytes_per_weight", bytes_per_weight), ("kv_bytes", value_bytes)):
        if not 0 < width <= 16:
            raise ArgumentError(f"{name}={width!r}; a number has up to 16 bytes, such as 2 or 0.5")
    kv_width = hidden // heads * kv_heads
    layer = 2 * hidden * hidden + 2 * hidden * kv_width + 3 * hidden * intermediate + 2 * hidden
    parameters = 2 * vocab * hidden + layers * layer + hidden
    cache = 2 * layers * kv_width * seq_len * batch
    alive = 2 * hidden + max(2 * hidden + 2 * kv_width, 2 * intermediate)
    return InferenceMemory(
        parameters,
        math.ceil(parameters * bytes_per_weight),
        math.ceil(cache * value_bytes),
        math.ceil(batch * seq_len * alive * value_bytes) + 4 * batch * vocab,
    )
