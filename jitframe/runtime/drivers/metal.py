"""Apple GPUs through PyObjC: Metal, and MetalPerformanceShaders for matrix products.

Memory is shared with the processor, so host copies are plain ones, once the GPU is through with its work.
Work is encoded into one command buffer, which goes to the GPU after `hints.batch_size` launches, copies
and products, or when somebody waits.

No Apple hardware has run this yet: its tests drive it on Linux, against a fake of the calls that it makes.
"""

from __future__ import annotations

import platform
import sys
import tempfile
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from ...codegen.c_family import Dialect, Source
from ...codegen.c_family.atomics import atomic_dtypes
from ...codegen.c_family.metal import LAUNCH_BINDING, METAL, METAL_3_2, with_simd_groups
from ...errors import BackendError, BackendUnavailableError
from ...ir.record import mutable
from ..discovery.backend_entry import has
from ..driver import DeviceFacts, numbered_device
from ..executor import View
from ..memory.allocators import check_object
from ..memory.pool import NoMemory, Pool
from ..memory.transfer import copy_bytes
from .forms import Form
from .metal_programs import MetalPrograms
from .metal_queues import MetalQueues
from .queued import MOST_QUEUES
from .sources import Compiled

_PACKAGES, _PYOBJC = ("Metal", "Foundation", "objc"), "10.0"
_FAMILIES, _LAST_FAMILY = 1000, 20
"""MTLGPUFamilyApple1 is 1001, and so on; families that do not exist yet are supported by no GPU."""
_RESULT, _OUT = {"retval": {"already_retained": True}}, {"type_modifier": b"o"}
# Metal gives the caller what `new…` returns; PyObjC (12.1) takes it for borrowed, and never frees it.
_OWNED: dict[bytes, dict[int, Any]] = {
    b"newCommandQueue": {},
    b"newEvent": {},
    b"newBufferWithLength:options:": {},
    b"newLibraryWithSource:options:error:": {4: _OUT},
    b"newFunctionWithName:": {},
    b"newBinaryArchiveWithDescriptor:error:": {3: _OUT},
    b"newComputePipelineStateWithDescriptor:options:reflection:error:": {4: _OUT, 5: _OUT},
}


def enumerate() -> Sequence[DeviceFacts]:
    """The GPUs, those with the most power first. Raises BackendError: what is missing and what to install."""
    return [_facts(device) for device in _devices()]


def open(number: int) -> MetalDriver:
    """The driver of one of them."""
    return MetalDriver(numbered_device("metal", number, _devices()))


@cache
def _frameworks() -> SimpleNamespace:
    try:
        import Foundation
        import Metal
        import objc
    except ImportError as lack:
        raise BackendUnavailableError(_lack(lack)) from None
    try:
        import MetalPerformanceShaders as products
    except ImportError:
        products = None
    for selector, arguments in _OWNED.items():
        objc.registerMetaDataForSelector(b"NSObject", selector, {"arguments": arguments, **_RESULT})
    return SimpleNamespace(metal=Metal, foundation=Foundation, objc=objc, products=products)


def _lack(problem: ImportError) -> str:
    """Why Metal is not here: the system, and which of the packages there are."""
    system = f"macOS {platform.mac_ver()[0]}" if sys.platform == "darwin" else platform.system()
    there = [name for name in _PACKAGES if has(f"package:{name}")]
    lacking = [name for name in _PACKAGES if name not in there]
    looked = f"looked for the packages {', '.join(_PACKAGES)} of PyObjC {_PYOBJC} or later"
    found = f"{', '.join(there)} is here" if there else "none is here"
    if lacking and there:
        found += f" and {', '.join(lacking)} is not"
    return (
        f"Metal needs macOS and PyObjC (pip install 'jitframe[metal]'): this is {system}; {looked}: {found} "
        f"({problem})"
    )


def _devices() -> list[Any]:
    metal = _frameworks().metal
    found = list(metal.MTLCopyAllDevices() or ()) or [metal.MTLCreateSystemDefaultDevice()]
    if found == [None]:
        raise BackendUnavailableError("this Mac has no GPU that Metal reaches; choose another device")
    return sorted(found, key=lambda device: (bool(device.isLowPower()), device.registryID()))


def free_bytes(number: int) -> int:
    """What this process may still have of a GPU's memory without slowing down."""
    device = numbered_device("metal", number, _devices())
    return max(int(device.recommendedMaxWorkingSetSize() - device.currentAllocatedSize()), 0)


def _language() -> tuple[int, int]:
    """The newest version of MSL that the system compiles."""
    version = _frameworks().metal.MTLCompileOptions.alloc().init().languageVersion()
    return version >> 16, version & 0xFFFF


def _has_simd_groups(device: Any) -> bool:
    """Whether it is one of Apple's own GPUs, whose SIMD-groups shuffle and reduce."""
    return bool(device.supportsFamily_(_frameworks().metal.MTLGPUFamilyApple7))


def _architecture(device: Any) -> str:
    """What macOS 14 and later call it ("applegpu_g13g"), else the newest of Apple's families that it is of
    ("apple7"); "" of GPUs that are none of Apple's."""
    if hasattr(device, "architecture"):
        return str(device.architecture().name())
    families = (each for each in range(_LAST_FAMILY, 0, -1) if device.supportsFamily_(_FAMILIES + each))
    return next((f"apple{family}" for family in families), "")


def _dialect(device: Any) -> Dialect:
    dialect = METAL_3_2 if _language() >= (3, 2) else METAL
    return with_simd_groups(dialect) if _has_simd_groups(device) else dialect


def _facts(device: Any) -> DeviceFacts:
    frameworks, (major, minor), dialect = _frameworks(), _language(), _dialect(device)
    most = device.maxThreadsPerThreadgroup()
    products, system = frameworks.products, f"macOS {platform.mac_ver()[0]}"
    return DeviceFacts(
        title=device.name(),
        api=f"Metal, MSL {major}.{minor}, {system}",
        kind="gpu",
        dtypes=frozenset(dialect.types),
        version=f"{device.name()}, {system}, MSL {major}.{minor}",
        memory_bytes=device.recommendedMaxWorkingSetSize(),
        largest_buffer=device.maxBufferLength(),
        most_threads=most.width,
        most_lanes=(most.width, most.height, most.depth),
        most_buffers=METAL.buffer_limit,
        shared_bytes=device.maxThreadgroupMemoryLength(),
        subgroup=dialect.subgroup_lanes,
        subgroup_lanes=dialect.subgroup_lanes,
        fma=METAL.fma,
        alignment=256,
        asynchronous=True,
        streams=MOST_QUEUES,
        keeps_binaries=True,
        atomics=atomic_dtypes(dialect),
        matrix_units=_has_simd_groups(device),
        unified=bool(device.hasUnifiedMemory()),
        architecture=_architecture(device),
        driver=system,
        library_products=products is not None and bool(products.MPSSupportsMTLDevice(device)),
    )


class _Block(metaclass=mutable):
    """A buffer, and its bytes as the host sees them; nothing once it is released."""

    buffer: Any
    content: memoryview


class MetalDriver(MetalPrograms, MetalQueues):
    """One GPU."""

    def __init__(self, device: Any) -> None:
        self._frameworks = _frameworks()
        self._metal = self._frameworks.metal
        self._device = device
        facts = _facts(device)
        super().__init__(facts.title, facts, _dialect(device), ())
        self._url = self._frameworks.foundation.NSURL.fileURLWithPath_
        self._pool = Pool(self.name, self._fresh, _release, largest_bytes=facts.largest_buffer)
        self._open_first()

    def _do(self, doing: str, work: Any, *arguments: Any) -> Any:
        with self._guard, self._frameworks.objc.autorelease_pool():
            return super()._do(doing, work, *arguments)

    # Memory -------------------------------------------------------------------------------------------
    def _upload(self, target: View, data: memoryview) -> None:
        self._pass()
        _bytes(target, data.nbytes)[:] = data

    def _download(self, source: View, out: memoryview) -> None:
        self._pass()
        out[:] = _bytes(source, out.nbytes)

    def _nbytes(self, memory: _Block) -> int:
        return len(memory.content)

    def _copy(self, target: View, source: View, nbytes: int) -> None:
        (there, to), (here, start) = target, source
        if (to | start | nbytes) % 4:  # macOS has no such copies
            copy_bytes(self, target, source, nbytes, 4, lambda memory, nbytes: memory)
            return
        blit = self._open("blitCommandEncoder")
        blit.copyFromBuffer_sourceOffset_toBuffer_destinationOffset_size_(
            here.buffer, start, there.buffer, to, nbytes
        )

    def adopt(self, buffer: Any, nbytes: int) -> _Block:
        """Somebody else's MTLBuffer, in memory that the host shares. Raises ArgumentError for another
        object."""
        check_object(buffer, "MTLBuffer", buffer.length() if hasattr(buffer, "contents") else None, nbytes)
        return _Block(buffer, memoryview(buffer.contents().as_buffer(nbytes)).cast("B"))

    def _fresh(self, nbytes: int) -> _Block:
        most = self.facts.memory_bytes
        make, shared = self._device.newBufferWithLength_options_, self._metal.MTLResourceStorageModeShared
        if self._device.currentAllocatedSize() + nbytes > most:
            self._settle_all()  # work under way holds memory that was given back
        there = self._device.currentAllocatedSize() + nbytes <= most
        buffer = make(nbytes, shared) if there else None
        if buffer is None:
            raise NoMemory("Metal would have to swap")
        return _Block(buffer, memoryview(buffer.contents().as_buffer(nbytes)).cast("B"))

    # Kernels ------------------------------------------------------------------------------------------
    def _launch(self, form: Form, buffers: Sequence[View], values: bytes, groups: int) -> None:
        block = form.block(0, groups, buffers, values)
        encoder = self._open("computeCommandEncoder")
        encoder.setComputePipelineState_(form.loaded)
        for number, (memory, offset) in zip(range(len(buffers)), buffers):
            encoder.setBuffer_offset_atIndex_(memory.buffer, offset, number)
        encoder.setBytes_length_atIndex_(block, len(block), LAUNCH_BINDING)
        grid, workgroup = (self._metal.MTLSizeMake(n, 1, 1) for n in (groups, form.source.threads))
        encoder.dispatchThreadgroups_threadsPerThreadgroup_(grid, workgroup)

    def _build(self, source: Source) -> bytes:
        """The pipeline's archive; nothing where the system makes none of it."""
        description = self._description(source)
        self._built[source.text] = self._made(description, source)
        archive = self._archive(None)
        add = archive and archive.addComputePipelineFunctionsWithDescriptor_error_
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "archive"
            good = add and add(description, None)[0]
            good = good and archive.serializeToURL_error_(self._url(str(path)), None)[0]
            return path.read_bytes() if good else b""

    def _load(self, compiled: Compiled) -> Any:
        """A pipeline made just now, or from its archive; anew where the system takes that no more."""
        built = self._built.pop(compiled.source.text, None)
        if built is not None:
            return built
        description = self._description(compiled.source)
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "archive"
            path.write_bytes(compiled.binary)
            archive = self._archive(self._url(str(path))) if compiled.binary else None
            if archive is not None:
                description.setBinaryArchives_([archive])
            return self._made(description, compiled.source)

    def _archive(self, url: Any) -> Any:
        description = self._metal.MTLBinaryArchiveDescriptor.alloc().init()
        description.setUrl_(url)
        return self._device.newBinaryArchiveWithDescriptor_error_(description, None)[0]

    def _description(self, source: Source) -> Any:
        options = self._metal.MTLCompileOptions.alloc().init()
        options.setFastMathEnabled_(False)
        library, problem = self._device.newLibraryWithSource_options_error_(source.text, options, None)
        if library is None:
            raise self.rejected(source, problem.localizedDescription())
        description = self._metal.MTLComputePipelineDescriptor.alloc().init()
        description.setComputeFunction_(library.newFunctionWithName_(source.entry))
        description.setMaxTotalThreadsPerThreadgroup_(source.threads)
        return description

    def _made(self, description: Any, source: Source) -> Any:
        make = self._device.newComputePipelineStateWithDescriptor_options_reflection_error_
        pipeline, *_, problem = make(description, 0, None, None)
        if pipeline is None:
            raise self.rejected(source, problem.localizedDescription())
        width = pipeline.threadExecutionWidth()
        if source.subgroup_lanes not in (0, width):
            raise BackendError(
                f"{self.name} runs {source.entry} in SIMD-groups of {width} threads, and it is written for "
                f"{source.subgroup_lanes}; choose another device"
            )
        return pipeline


def _release(block: _Block) -> None:
    """Whoever still holds the block holds no memory; command buffers under way hold theirs."""
    block.buffer, block.content = None, memoryview(b"")


def _bytes(view: View, nbytes: int) -> memoryview:
    memory, offset = view
    content: memoryview = memory.content[offset : offset + nbytes]
    return content
