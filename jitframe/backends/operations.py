"""The operations of a backend: which public functions it computes on which dtypes, how, and the functions
bound to it.

There are no tables for single devices. A small call of a function answers a question: on arrays of a device
with the real one's facts, it makes the graph, which is lowered and rendered for the real device as usual; but
nothing is compiled or launched there. The processor computes values that a function needs on its way.
"""

from __future__ import annotations

import difflib
import inspect
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal

import numpy

from ..api.creation.constructors import asarray
from ..api.frame import entered
from ..api.namespace import FUNCTIONS
from ..api.samples import Sample
from ..arrays.promotion import from_numpy
from ..codegen.plan.peak import has_library_calls
from ..compilation.evaluate import prepare
from ..errors import ArgumentError, DTypeError, JitframeError, UnsupportedError, listed
from ..ir.node import Node, topological
from ..ir.types import DTYPES
from ..runtime.cpu.driver import CpuDriver
from ..runtime.cpu.facts import processor_facts
from ..runtime.cpu.kernels.target import host_target
from ..runtime.device import Device
from ..runtime.handling import unheard
from ..runtime.host_calls import host_calls
from ..tensors.tensor import Tensor, tensor_frame
from . import extending

if TYPE_CHECKING:
    from .backend import Backend
    from .extending import Extension

How = Literal["native", "library", "composed", "host"]
Arguments = tuple[Any, ...]


def families(backend: Backend) -> Mapping[str, tuple[str, ...]]:
    """Returns families of functions by name, each with its functions: by kind in the table of public
    functions ("reduction"), by subpackage ("convolution"), by namespace ("linalg"); and extensions, each a
    family of its operations.
    """
    found: dict[str, list[str]] = {}
    for name in _names():
        function = FUNCTIONS[name]
        namespace = name.rpartition(".")[0]
        part = "" if namespace else function.module.rpartition(".")[2]
        for family in dict.fromkeys((function.kind, function.module, part, namespace)):
            if family:
                found.setdefault(family, []).append(name)
    for extension in extending.extensions_of(backend).values():
        if extension.operations:
            found.setdefault(extension.name, []).extend(extension.operations)
    return MappingProxyType({name: tuple(functions) for name, functions in found.items()})


@dataclass(frozen=True, slots=True)
class OperationCapabilities:
    """The capabilities of one function on a backend."""

    name: str
    dtypes: tuple[str, ...]
    """NumPy's names of the dtypes that it takes there."""
    how: Mapping[str, How]
    """How it is computed on each of them: "native", one operation in one kernel; "library", a product by the
    vendor's library; "composed", several operations, fused into one kernel or more; "host", values pass
    through the host on the way, or nothing is computed on the device."""
    limits: Mapping[str, int]
    """Limits of its arrays: "max_rank" axes, "max_buffer_bytes" of each one."""
    refusals: Mapping[str, str]
    """The reason why each other dtype is refused."""


class _Trial:
    """A driver for such questions: kernels are checked for the device and run by the processor."""

    def __init__(self, backend: Backend) -> None:
        self.facts = backend.device.facts
        self.values_asked = False
        self._processor = CpuDriver(processor_facts(host_target()))
        self._backend = backend
        for name in ("allocate", "free", "upload", "copy", "trim", "statistics", "call", "mark", "elapsed"):
            setattr(self, name, getattr(self._processor, name))

    def check(self, kernel: Any) -> None:
        """Raises NotImplementedError for a kernel that the device cannot run."""
        with self._backend.device.using() as driver:
            check = getattr(driver, "check", None)
            if check is not None:
                check(kernel)

    def compile(self, kernel: Any) -> Any:
        self.check(kernel)
        return kernel

    def launch(self, kernel: Any, buffers: Any, values: bytes, groups: int) -> None:
        self._processor.launch(self._processor.compile(kernel), buffers, values, groups)

    def download(self, source: Any, out: memoryview) -> None:
        self.values_asked = True
        self._processor.download(source, out)

    def read(self, source: Any, nbytes: int) -> bytes:
        self.values_asked = True
        return self._processor.read(source, nbytes)

    def synchronize(self) -> None:
        pass


class Operations:
    """Answers questions about one device, and caches the answers."""

    def __init__(self, backend: Backend) -> None:
        self._backend = backend
        self._driver = _Trial(backend)
        self._device = Device(backend.name, backend.device.facts, lambda: self._driver)  # type: ignore[arg-type,return-value]
        self._known: dict[tuple[str, str, object], How | JitframeError] = {}
        """By name, dtype and, for an extension's function, its owner."""

    def how(self, name: str, dtype: str) -> How | JitframeError:
        """Returns how a function is computed on a dtype, or the error that refuses it."""
        added = None if name in FUNCTIONS else extending.operation(self._backend, name)
        key = name, dtype, added
        found = self._known.get(key)
        if found is None:
            try:
                with unheard():
                    found = self._tried(name, dtype, added)
            except JitframeError as refusal:
                found = refusal
            except (NotImplementedError, TypeError, ValueError) as refusal:  # of the code generator, of NumPy
                found = JitframeError(str(refusal))
            except Exception as refusal:
                if added is None:
                    raise
                found = JitframeError(f"{name} raised {type(refusal).__name__}: {refusal}")
            self._known[key] = found
        return found

    def _tried(self, name: str, dtype: str, added: Extension | None) -> How:
        device, driver = self._device, self._driver
        from_numpy(dtype)
        device.check(numpy.dtype(dtype))
        with warnings.catch_warnings(), entered(tensor_frame(device)):
            warnings.simplefilter("ignore")
            if added is None:
                function, given = FUNCTIONS[name].call, arguments(name, device, numpy.dtype(dtype))
            else:
                function = extending.used(added, self._backend).operations[name]
                make = added.samples.get(name)
                given = arguments_of(function, make, device, numpy.dtype(dtype))
            driver.values_asked = False
            result = function(*given)
            changed = [each for each in given if isinstance(each, Tensor)] if result is None else result
            nodes = _pending(changed)
            if not nodes or driver.values_asked:
                return "host"
            graph, roots = nodes[0][0], [node for _, node in nodes]
            ready = prepare(roots, [()] * len(graph.arrays), device=device)
            kernels = ready.template.lowered.plan.kernels
            for kernel in kernels:
                driver.check(kernel)
        if not device.is_host and any(host_calls(ready.bound, device.facts.library_functions)):
            return "host"
        if has_library_calls(ready.bound.steps):
            return "library"
        return "native" if _operations(roots) <= 1 and len(kernels) <= 1 else "composed"


def _pending(result: Any) -> list[tuple[Any, Node]]:
    """Returns graph and node of each pending array in a result."""
    if isinstance(result, Tensor):
        return [] if result._pending is None else [result._pending]
    if isinstance(result, (list, tuple)):
        return [found for each in result for found in _pending(each)]
    return []


def _operations(roots: Sequence[Node]) -> int:
    """Counts the operations that compute something, among all that the roots need."""
    return sum(1 for node in topological(roots) if node.op.family != "leaf" and node.op.family != "movement")


def available(backend: Backend) -> tuple[str, ...]:
    """Returns the functions, and the operations of extensions, that take some dtype there."""
    return tuple(name for name in _known(backend) if supports(backend, name))


def supports(backend: Backend, name: str, dtype: Any = None) -> bool:
    """Whether a function or a family takes a dtype there; without one, whether it takes any."""
    if not isinstance(name, str):
        raise DTypeError(f"an operation is given by its name, such as 'matmul', not by {name!r}")
    asked = None if dtype is None else _dtype_name(dtype)
    if name not in _known(backend):
        functions = families(backend).get(name, ())
        return bool(functions) and all(_takes(backend, function, asked) for function in functions)
    return _takes(backend, name, asked)


def _takes(backend: Backend, name: str, dtype: str | None) -> bool:
    """Whether a function takes a dtype; "" is a dtype that no array here has."""
    how = backend.operations.how
    if dtype is not None:
        return bool(dtype) and isinstance(how(name, dtype), str)
    # float32 is what most take
    names = sorted(backend.capabilities.dtypes, key=lambda each: each != "float32")
    return any(isinstance(how(name, each), str) for each in names)


def _dtype_name(dtype: Any) -> str:
    """Returns NumPy's name of a dtype; "" for one of NumPy's that no array here has. Raises DTypeError."""
    try:
        return from_numpy(dtype).numpy_name
    except UnsupportedError:
        return ""


def capabilities_of(backend: Backend, name: str) -> OperationCapabilities:
    """Returns the capabilities of one function there."""
    check(backend, name)
    asked, found = backend.operations, backend.capabilities
    answers = {dtype.numpy_name: asked.how(name, dtype.numpy_name) for dtype in DTYPES}
    how = {dtype: answer for dtype, answer in answers.items() if isinstance(answer, str)}
    refusals = {dtype: answer.message for dtype, answer in answers.items() if not isinstance(answer, str)}
    limits = {"max_rank": found.max_rank, "max_buffer_bytes": found.max_buffer_bytes}
    return OperationCapabilities(
        name, tuple(how), MappingProxyType(how), MappingProxyType(limits), MappingProxyType(refusals)
    )


def _names() -> list[str]:
    """Returns the functions that compute: all but those of dtypes only."""
    return [name for name, function in FUNCTIONS.items() if function.kind != "dtype"]


def _known(backend: Backend) -> list[str]:
    """Returns those, and the operations that extensions add to a backend."""
    return [*_names(), *extending.operation_names(backend)]


def check(backend: Backend, name: str) -> None:
    """Raises ArgumentError for an unknown function, with the nearest names."""
    names = _known(backend)
    if name in names:
        return
    family = families(backend).get(name)
    if family is not None:
        raise ArgumentError(f"{name!r} is a family of operations; ask for one of them: {listed(family)}")
    near = [each for each in difflib.get_close_matches(str(name), names, 3, 0.7) if each != name]
    advice = f"perhaps {listed(near)}" if near else "backend.available_operations() lists them"
    raise ArgumentError(f"there is no operation {name!r}; {advice}")


# The functions bound to a backend --------------------------------------------------------------------
class BoundFunctions:
    """The public array functions, computed by one backend: `backend.ops.add(x, y)`.

    Arrays on other devices and ndarrays are copied there first; results are Tensors of that device.
    """

    def __init__(self, backend: Backend) -> None:
        self._backend = backend

    def __getattr__(self, name: str) -> Any:
        backend = self._backend
        if name in FUNCTIONS:
            function = self.__dict__[name] = _bound(FUNCTIONS[name].call, name, backend)
            return function
        added = extending.operation(backend, name)
        if added is None:
            raise AttributeError(f"there is no operation {name!r}; dir(backend.ops) lists them")
        return _bound(extending.used(added, backend).operations[name], name, backend)

    def __dir__(self) -> list[str]:
        return [*(name for name in FUNCTIONS if "." not in name), *extending.operation_names(self._backend)]


def _bound(function: Any, name: str, backend: Backend) -> Any:
    """Binds a function's arrays to a backend."""

    def bound(*arguments: Any, **options: Any) -> Any:
        backend.check_open()
        with entered(tensor_frame(backend.device)):
            given = [_moved(argument, backend.device) for argument in arguments]
            named = {key: _moved(each, backend.device) for key, each in options.items()}
            return function(*given, **named)

    bound.__name__ = bound.__qualname__ = name
    bound.__doc__ = function.__doc__
    return bound


def _moved(value: Any, device: Device) -> Any:
    """Returns an argument with its arrays on a device."""
    if isinstance(value, Tensor):
        return value.to_device(device)
    if isinstance(value, numpy.ndarray):
        return tensor_frame(device).array(value, None) if value.ndim else value
    if isinstance(value, (list, tuple)) and any(isinstance(each, (Tensor, numpy.ndarray)) for each in value):
        return type(value)(_moved(each, device) for each in value)
    return value


def _sample(device: Device, dtype: numpy.dtype[Any]) -> Sample:
    return Sample(dtype, partial(asarray, device=device))


def arguments(name: str, device: Device, dtype: numpy.dtype[Any]) -> Arguments:
    """Returns arguments of a small call of a function, on arrays of a dtype. Raises the device's error for
    the dtype."""
    return FUNCTIONS[name].declared.sample(_sample(device, dtype))


def arguments_of(
    function: Callable[..., Any],
    make: Callable[[Callable[..., Any]], Any] | None,
    device: Device,
    dtype: numpy.dtype[Any],
) -> Arguments:
    """Returns arguments of a small call of an extension's function: the result of `make`, which gets the
    maker of arrays; else a matrix for each parameter without a default."""
    sample = _sample(device, dtype)
    if make is not None:
        return tuple(make(sample.array))
    required = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    return tuple(
        sample.x
        for parameter in inspect.signature(function).parameters.values()
        if parameter.kind in required and parameter.default is parameter.empty
    )
