"""A stand-in for PyObjC's Metal, its matrix products, Foundation and objc: the calls that the driver makes.

It holds callers to Metal's rules (encoders end before a commit, copies are of words, launch blocks small). It
runs nothing before somebody waits: then kernels, compiled from their MSL as C++, are run by the shim, in the
order in which they were committed.
"""

from __future__ import annotations

import re
import sys
import threading
import time
import weakref
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

import numpy as np
import pytest

from jitframe.codegen.c_family import Source
from jitframe.codegen.kernel.nodes import Buffer
from jitframe.ir.types import U8
from tests.shim.harness import Program, ShimError

from . import fake_products

COMPLETED, FAILED = 4, 5
LIMIT_IN_FLIGHT = 64


class Size(NamedTuple):
    width: int
    height: int
    depth: int


@dataclass
class Problem:
    """An NSError."""

    number: int
    text: str

    def code(self) -> int:
        return self.number

    def localizedDescription(self) -> str:
        return self.text


class Made:
    """A class of Objective-C: `Class.alloc().init()`."""

    @classmethod
    def alloc(cls) -> Any:
        return cls()

    def init(self) -> Any:
        return self


class Variable:
    """What `contents()` gives."""

    def __init__(self, content: np.ndarray) -> None:
        self.content = content

    def as_buffer(self, count: int) -> memoryview:
        return memoryview(self.content[:count])


class FakeBuffer:
    def __init__(self, device: FakeDevice, nbytes: int) -> None:
        self.content = np.zeros(nbytes, np.uint8)
        device.allocated += nbytes
        weakref.finalize(self, device.forget, nbytes)

    def contents(self) -> Variable:
        return Variable(self.content)

    def length(self) -> int:
        return len(self.content)


# Compiling -------------------------------------------------------------------------------------------
class CompileOptions(Made):
    def __init__(self) -> None:
        self.fast = True

    def languageVersion(self) -> int:
        return (3 << 16) + 2

    def setFastMathEnabled_(self, value: bool) -> None:
        self.fast = value


@dataclass
class Function:
    """A function of a library; its kernel is compiled when the pipeline is made."""

    text: str
    name: str


@dataclass
class Library:
    text: str

    def newFunctionWithName_(self, name: str) -> Function | None:
        return Function(self.text, name) if f"kernel void {name}(" in self.text else None


class PipelineDescriptor(Made):
    def __init__(self) -> None:
        self.function: Function | None = None
        self.threads = 0
        self.archives: list[Archive] = []

    def setComputeFunction_(self, function: Function) -> None:
        assert function is not None
        self.function = function

    def setMaxTotalThreadsPerThreadgroup_(self, threads: int) -> None:
        self.threads = threads

    def setBinaryArchives_(self, archives: list[Archive]) -> None:
        self.archives = archives


class Url:
    def __init__(self, path: str) -> None:
        self.path = Path(path)

    @staticmethod
    def fileURLWithPath_(path: str) -> Url:
        return Url(path)


class ArchiveDescriptor(Made):
    def __init__(self) -> None:
        self.url: Url | None = None

    def setUrl_(self, url: Url | None) -> None:
        self.url = url


@dataclass
class Archive:
    """The texts of the functions in it."""

    texts: set[str] = field(default_factory=set)

    def addComputePipelineFunctionsWithDescriptor_error_(
        self, description: PipelineDescriptor, _: None
    ) -> tuple[bool, None]:
        assert description.function is not None
        self.texts.add(description.function.text)
        return True, None

    def serializeToURL_error_(self, url: Url, _: None) -> tuple[bool, None]:
        url.path.write_text("archive\0" + "\0".join(self.texts))
        return True, None


@dataclass
class Pipeline:
    source: Source
    program: Program
    width: int

    def threadExecutionWidth(self) -> int:
        return self.width

    def run(self, buffers: dict[int, tuple[FakeBuffer, int]], block: bytes, groups: int) -> None:
        arrays = [memory.content[offset:] for _, (memory, offset) in sorted(buffers.items())]
        self.program.run(self.source, arrays, block, groups)


# Commands --------------------------------------------------------------------------------------------
class Encoder:
    def __init__(self, commands: Commands) -> None:
        assert commands.encoder is None, "one encoder at a time"
        self.commands = commands
        commands.encoder = self

    def endEncoding(self) -> None:
        assert self.commands.encoder is self
        self.commands.encoder = None

    def work(self, task: Callable[[], None]) -> None:
        assert self.commands.encoder is self, "the encoder has ended"
        self.commands.tasks.append(task)


class ComputeEncoder(Encoder):
    def __init__(self, commands: Commands) -> None:
        super().__init__(commands)
        self.pipeline: Pipeline | None = None
        self.buffers: dict[int, tuple[FakeBuffer, int]] = {}
        self.block = (b"", -1)

    def setComputePipelineState_(self, pipeline: Pipeline) -> None:
        self.pipeline = pipeline

    def setBuffer_offset_atIndex_(self, buffer: FakeBuffer, offset: int, number: int) -> None:
        assert 0 <= number < 31 and 0 <= offset <= buffer.length()
        self.buffers[number] = buffer, offset

    def setBytes_length_atIndex_(self, data: bytes, length: int, number: int) -> None:
        assert length == len(data) <= 4096
        self.block = bytes(data), number

    def dispatchThreadgroups_threadsPerThreadgroup_(self, groups: Size, threads: Size) -> None:
        pipeline, (block, number) = self.pipeline, self.block
        assert pipeline is not None and threads == (pipeline.source.threads, 1, 1)
        assert groups.height == groups.depth == 1 <= groups.width
        count = len(pipeline.source.buffers)
        assert f"&launch [[buffer({number})]]" in pipeline.source.text and number >= count
        bound = {place: self.buffers[place] for place in range(count)}
        self.work(lambda: pipeline.run(bound, block, groups.width))


class BlitEncoder(Encoder):
    def copyFromBuffer_sourceOffset_toBuffer_destinationOffset_size_(
        self, source: FakeBuffer, start: int, target: FakeBuffer, to: int, nbytes: int
    ) -> None:
        assert (start | to | nbytes) % 4 == 0, "macOS copies whole words"
        assert start + nbytes <= source.length() and to + nbytes <= target.length()

        def copy() -> None:
            target.content[to : to + nbytes] = source.content[start : start + nbytes]

        self.work(copy)


class Commands:
    """A command buffer, run when it is waited for."""

    def __init__(self, queue: Queue) -> None:
        self.queue = queue
        self.tasks: list[Callable[[], None]] = []
        self.encoder: Encoder | None = None
        self.state = 0
        self.problem: Problem | None = None
        self.times = (0.0, 0.0)

    def computeCommandEncoder(self) -> ComputeEncoder:
        return ComputeEncoder(self)

    def blitCommandEncoder(self) -> BlitEncoder:
        return BlitEncoder(self)

    def encodeSignalEvent_value_(self, event: Event, value: int) -> None:
        assert self.encoder is None, "between encoders"

        def signal() -> None:
            event.value = value

        event.queue = self.queue
        self.tasks.append(signal)

    def encodeWaitForEvent_value_(self, event: Event, value: int) -> None:
        assert self.encoder is None, "between encoders"
        signalling = event.queue
        assert signalling is not None, "nobody signals it"
        self.tasks.append(lambda: signalling.reach(event, value))

    def commit(self) -> None:
        assert self.state == 0 and self.encoder is None, "a commit with an open encoder ends the process"
        self.state = 2
        self.queue.pending.append(self)

    def waitUntilCompleted(self) -> None:
        assert self.state, "waiting for what was not committed takes for ever"
        with self.queue.device.lock:
            while self.state < COMPLETED:
                self.queue.pending.pop(0).execute()

    def execute(self) -> None:
        start = time.perf_counter()
        self.problem = self.queue.device.fault
        self.queue.device.fault = None
        if self.problem is not None:
            self.tasks.clear()
        for task in self.tasks:
            task()
        self.queue.device.executed += 1
        self.times = start, time.perf_counter()
        self.tasks.clear()
        self.state = COMPLETED if self.problem is None else FAILED

    def status(self) -> int:
        return self.state

    def error(self) -> Problem | None:
        return self.problem

    def GPUStartTime(self) -> float:
        return self.times[0]

    def GPUEndTime(self) -> float:
        return self.times[1]


class Event:
    """An MTLEvent."""

    def __init__(self) -> None:
        self.value = 0
        self.queue: Queue | None = None
        """Which signals it."""


class Queue:
    def __init__(self, device: FakeDevice) -> None:
        self.device = device
        self.pending: list[Commands] = []

    def reach(self, event: Event, value: int) -> None:
        """Runs what comes before an event has a value."""
        while event.value < value:
            self.pending.pop(0).execute()

    def commandBuffer(self) -> Commands:
        with self.device.lock:
            while len(self.pending) >= LIMIT_IN_FLIGHT:
                self.pending.pop(0).execute()
        return Commands(self)


# Devices ---------------------------------------------------------------------------------------------
class FakeDevice:
    def __init__(self, title: str = "Fake M1", low_power: bool = False, number: int = 7) -> None:
        self.title, self.low_power, self.number = title, low_power, number
        self.memory_bytes, self.largest = 1 << 30, 1 << 28
        self.allocated = self.executed = self.compiled = self.from_archives = 0
        self.archives = True
        self.families = {1007}
        self.width = 32
        """Threads of a SIMD-group, as pipelines tell."""
        self.lock = threading.RLock()
        self.fault: Problem | None = None
        """What the next command buffer fails with."""

    def forget(self, nbytes: int) -> None:
        self.allocated -= nbytes

    def name(self) -> str:
        return self.title

    def isLowPower(self) -> bool:
        return self.low_power

    def registryID(self) -> int:
        return self.number

    def hasUnifiedMemory(self) -> bool:
        return True

    def supportsFamily_(self, family: int) -> bool:
        return family in self.families

    def recommendedMaxWorkingSetSize(self) -> int:
        return self.memory_bytes

    def maxBufferLength(self) -> int:
        return self.largest

    def maxThreadsPerThreadgroup(self) -> Size:
        return Size(1024, 1024, 1024)

    def maxThreadgroupMemoryLength(self) -> int:
        return 32768

    def currentAllocatedSize(self) -> int:
        return self.allocated

    def newCommandQueue(self) -> Queue:
        return Queue(self)

    def newEvent(self) -> Event:
        return Event()

    def newBufferWithLength_options_(self, nbytes: int, options: int) -> FakeBuffer | None:
        assert options == 0 and nbytes > 0
        if nbytes > self.largest or self.allocated + nbytes > self.memory_bytes:
            return None
        return FakeBuffer(self, nbytes)

    def newLibraryWithSource_options_error_(
        self, text: str, options: CompileOptions, _: None
    ) -> tuple[Library | None, Problem | None]:
        assert not options.fast, "fast math forgets NaN"
        found = re.search(r"kernel void (\w+)\(", text)
        if found is None:
            return None, Problem(3, "expected a kernel function")
        try:
            _program(text, found[1], 1)
        except ShimError as problem:
            return None, Problem(3, str(problem))
        return Library(text), None

    def newBinaryArchiveWithDescriptor_error_(
        self, description: ArchiveDescriptor, _: None
    ) -> tuple[Archive | None, Problem | None]:
        if not self.archives:
            return None, Problem(4, "no archives here")
        if description.url is None:
            return Archive(), None
        head, *texts = description.url.path.read_text().split("\0")
        if head != "archive":
            return None, Problem(1, "no archive")
        return Archive(set(texts)), None

    def newComputePipelineStateWithDescriptor_options_reflection_error_(
        self, description: PipelineDescriptor, options: int, _reflection: None, _error: None
    ) -> tuple[Pipeline | None, None, Problem | None]:
        function = description.function
        assert function is not None and options == 0 and description.threads
        if any(function.text in archive.texts for archive in description.archives):
            self.from_archives += 1
        else:
            self.compiled += 1
        source, program = _program(function.text, function.name, description.threads)
        return Pipeline(source, program, self.width), None, None


def _program(text: str, entry: str, threads: int) -> tuple[Source, Program]:
    count = len(set(re.findall(r"\bb\d+ \[\[buffer\(\d+\)\]\]", text)))
    source = Source(text, entry, threads, (), 64, tuple(Buffer(U8, "global") for _ in range(count)), 0, 0)
    return source, Program("metal", [source])


# Modules ---------------------------------------------------------------------------------------------
@dataclass
class Fake:
    """What a test sees of the stand-in."""

    devices: list[FakeDevice]
    owned: dict[bytes, dict[str, Any]] = field(default_factory=dict)
    """Metadata registered for selectors."""


@contextmanager
def _pool() -> Iterator[None]:
    yield


def install(patch: pytest.MonkeyPatch, devices: Sequence[FakeDevice], products: bool = True) -> Fake:
    """Put the stand-in where `import Metal` finds it."""
    fake = Fake(list(devices))
    metal = _module(
        "Metal",
        MTLCopyAllDevices=lambda: list(fake.devices),
        MTLCreateSystemDefaultDevice=lambda: fake.devices[0] if fake.devices else None,
        MTLCompileOptions=CompileOptions,
        MTLComputePipelineDescriptor=PipelineDescriptor,
        MTLBinaryArchiveDescriptor=ArchiveDescriptor,
        MTLSizeMake=Size,
        MTLResourceStorageModeShared=0,
        MTLGPUFamilyApple7=1007,
        MTLCommandBufferStatusCompleted=COMPLETED,
        MTLCommandBufferStatusError=FAILED,
        MTLCommandBufferErrorOutOfMemory=8,
    )
    objc = _module(
        "objc",
        autorelease_pool=_pool,
        registerMetaDataForSelector=lambda of, selector, metadata: fake.owned.update({selector: metadata}),
    )
    shaders = _module(
        "MetalPerformanceShaders",
        MPSSupportsMTLDevice=lambda device: True,
        MPSDataTypeFloat32=np.dtype(np.float32),
        MPSDataTypeFloat16=np.dtype(np.float16),
        MPSMatrixDescriptor=fake_products.MatrixDescriptor,
        MPSMatrix=fake_products.Matrix,
        MPSMatrixMultiplication=fake_products.Multiplication,
    )
    for module in (metal, objc, _module("Foundation", NSURL=Url)):
        patch.setitem(sys.modules, module.__name__, module)
    patch.setitem(sys.modules, "MetalPerformanceShaders", shaders if products else None)  # type: ignore[arg-type]
    return fake


def _module(name: str, **content: Any) -> ModuleType:
    module = ModuleType(name)
    module.__dict__.update(content)
    return module
