"""WebGPU's objects in a browser, with the methods that wgpu gives them: to the driver they are alike.

Calls are collected, and sent where an answer is needed: when a kernel is compiled or memory is read.
"""

from __future__ import annotations

import re
import threading
from collections import deque
from typing import Any

import wgpu

from .chromium import Browser

_ERRORS = {
    "GPUOutOfMemoryError": wgpu.GPUOutOfMemoryError,
    "GPUValidationError": wgpu.GPUValidationError,
}
_LARGEST_BATCH_BYTES = 1 << 24


def camel(name: str) -> str:
    return re.sub(r"[_-]([a-z])", lambda found: found[1].upper(), name)


def dashed(name: str) -> str:
    """A limit's name as wgpu writes it."""
    return re.sub(r"[A-Z]", lambda found: "-" + found[0].lower(), name)


class Connection:
    """The calls that wait to be sent to one page."""

    def __init__(self, browser: Browser) -> None:
        self.browser = browser
        self.batches = 0
        self._calls: list[Any] = []
        self._parts: list[bytes] = []
        self._bytes = 0
        self._names = 0
        self._dropped: deque[str] = deque()
        self._lock = threading.RLock()

    def call(self, target: str, method: str, *parameters: Any, name: str | None = None) -> None:
        with self._lock:
            self._calls.append([target, camel(method), [self._spelled(each) for each in parameters], name])
            if self._bytes > _LARGEST_BATCH_BYTES:
                self.send()

    def make(self, kind: type[Remote], target: str, method: str, *parameters: Any) -> Any:
        """The object that a call gives."""
        with self._lock:
            self._names += 1
            name = f"{method}{self._names}"
        self.call(target, method, *parameters, name=name)
        return kind(self, name)

    def drop(self, name: str) -> None:
        self._dropped.append(name)

    def send(self) -> tuple[list[Any], memoryview]:
        """What the waiting calls gave: plain values, and bytes. Raises the error that the browser found."""
        with self._lock:
            dropped = [self._dropped.popleft() for _ in range(len(self._dropped))]
            header = {"calls": self._calls, "dropped": dropped}
            parts, self._calls, self._parts, self._bytes = self._parts, [], [], 0
            self.batches += 1
            answer, data = self.browser.ask(header, parts)
        if answer["problem"] is not None:
            kind, message = answer["problem"]
            raise _ERRORS.get(kind, wgpu.GPUError)(message)
        return answer["values"], data

    def _spelled(self, value: Any) -> Any:
        match value:
            case Remote():
                return {"$object": value.name}
            case bytes() | memoryview():
                self._parts.append(bytes(value))
                start, self._bytes = self._bytes, self._bytes + len(self._parts[-1])
                return {"$bytes": [start, self._bytes]}
            case dict():
                return {camel(key): self._spelled(each) for key, each in value.items()}
            case list() | tuple():
                return [self._spelled(each) for each in value]
        return value


class Remote:
    """One object there, as long as it is held here."""

    def __init__(self, connection: Connection, name: str) -> None:
        self._connection = connection
        self.name = name

    def __del__(self) -> None:
        self._connection.drop(self.name)

    def _call(self, method: str, *parameters: Any) -> None:
        self._connection.call(self.name, method, *parameters)

    def _make(self, kind: type[Remote], method: str, *parameters: Any) -> Any:
        return self._connection.make(kind, self.name, method, *parameters)


class RemoteAdapter:
    """The page's adapter."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        hello = connection.browser.hello
        self.info = {
            **hello["info"],
            "device": hello["info"]["device"] or "browser",
            "adapter_type": "CPU",
            "backend_type": "Chromium",
        }
        self.features = set(hello["features"])
        self.limits = {dashed(name): limit for name, limit in hello["limits"].items()}

    def request_device_sync(self, required_features: list[str], required_limits: dict[str, int]) -> Any:
        """With subgroups too, for the tests that ask for them."""
        features = sorted({*required_features, "subgroups"} & self.features)
        wanted = {"required_features": features, "required_limits": required_limits}
        self._connection.call("adapter", "request_device", wanted, name="device")
        return RemoteDevice(self._connection, "device", features)


class RemoteDevice(Remote):
    def __init__(self, connection: Connection, name: str, features: list[str]) -> None:
        super().__init__(connection, name)
        self.features = features
        self.queue = self._make(RemoteQueue, "queue")

    def create_buffer(self, **descriptor: Any) -> Any:
        return self._make(RemoteBuffer, "create_buffer", descriptor)

    def create_query_set(self, **descriptor: Any) -> Any:
        return self._make(Remote, "create_query_set", descriptor)

    def create_bind_group_layout(self, **descriptor: Any) -> Any:
        return self._make(Remote, "create_bind_group_layout", descriptor)

    def create_pipeline_layout(self, **descriptor: Any) -> Any:
        return self._make(Remote, "create_pipeline_layout", descriptor)

    def create_bind_group(self, **descriptor: Any) -> Any:
        return self._make(Remote, "create_bind_group", descriptor)

    def create_command_encoder(self) -> Any:
        return self._make(RemoteEncoder, "create_command_encoder")

    def create_shader_module(self, **descriptor: Any) -> Any:
        """A module; raises where Tint finds an error in it, with all its messages."""
        module = self._make(Remote, "create_shader_module", descriptor)
        self._connection.call(module.name, "get_compilation_info")
        messages: list[Any] = []
        try:
            (messages,), _ = self._connection.send()
        finally:
            self.messages = messages
        return module

    def create_compute_pipeline(self, **descriptor: Any) -> Any:
        pipeline = self._make(Remote, "create_compute_pipeline", descriptor)
        self._connection.send()
        return pipeline


class RemoteQueue(Remote):
    def write_buffer(self, buffer: Remote, offset: int, data: bytes | memoryview) -> None:
        self._call("write_buffer", buffer, offset, data)

    def submit(self, commands: list[Remote]) -> None:
        self._call("submit", commands)


class RemoteBuffer(Remote):
    _mapped = memoryview(b"")

    def map_sync(self, mode: int, offset: int, nbytes: int) -> None:
        self._call("map_async", mode, offset, nbytes)
        self._call("get_mapped_range", offset, nbytes)
        _, self._mapped = self._connection.send()

    def read_mapped(self, offset: int, nbytes: int, copy: bool) -> memoryview:
        return self._mapped

    def unmap(self) -> None:
        self._call("unmap")

    def destroy(self) -> None:
        self._call("destroy")


class RemoteEncoder(Remote):
    def begin_compute_pass(self, **descriptor: Any) -> Any:
        return self._make(RemotePass, "begin_compute_pass", descriptor)

    def copy_buffer_to_buffer(self, *parameters: Any) -> None:
        self._call("copy_buffer_to_buffer", *parameters)

    def clear_buffer(self, *parameters: Any) -> None:
        self._call("clear_buffer", *parameters)

    def resolve_query_set(self, *parameters: Any) -> None:
        self._call("resolve_query_set", *parameters)

    def finish(self) -> Any:
        return self._make(Remote, "finish")


class RemotePass(Remote):
    def set_pipeline(self, pipeline: Remote) -> None:
        self._call("set_pipeline", pipeline)

    def set_bind_group(self, number: int, group: Remote, offsets: list[int]) -> None:
        self._call("set_bind_group", number, group, offsets)

    def dispatch_workgroups(self, *counts: int) -> None:
        self._call("dispatch_workgroups", *counts)

    def end(self) -> None:
        self._call("end")
