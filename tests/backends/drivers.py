"""Backends of others, as they go wrong; each is made by a function, which another process can find."""

from __future__ import annotations

import ctypes
import os
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from typing import Any

from jitframe.ir.record import replace
from jitframe.runtime.driver import DeviceFacts
from tests.devices import interpreter


class Interface:
    """A backend whose devices interpret kernels, but for how it tells them."""

    def __init__(self, tell: Callable[[], Sequence[DeviceFacts]], free: int = 0) -> None:
        self._tell = tell
        self._free = free

    def enumerate(self) -> Sequence[DeviceFacts]:
        return self._tell()

    def open(self, number: int) -> Any:
        return interpreter.open(number)

    def free_bytes(self, number: int) -> int:
        return self._free


def raises() -> Interface:
    def tell() -> Sequence[DeviceFacts]:
        raise ZeroDivisionError("the beads are loose")

    return Interface(tell)


def hangs() -> Interface:
    """With a process of its own, that must go too."""

    def tell() -> Sequence[DeviceFacts]:
        child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(300)"])
        print(child.pid, flush=True)
        if "HANGING_CHILD" in os.environ:
            with open(os.environ["HANGING_CHILD"], "w", encoding="ascii") as file:
                file.write(str(child.pid))
        time.sleep(300)
        return ()

    return Interface(tell)


def sleeps() -> Interface:
    def tell() -> Sequence[DeviceFacts]:
        time.sleep(300)
        return ()

    return Interface(tell)


def segfaults() -> Interface:
    def tell() -> Sequence[DeviceFacts]:
        print("about to fail", file=sys.stderr, flush=True)
        ctypes.string_at(0)
        return ()

    return Interface(tell)


def exits() -> Interface:
    def tell() -> Sequence[DeviceFacts]:
        os._exit(3)

    return Interface(tell)


def chats() -> Interface:
    """Prints where its answer must not be disturbed, and crashes once it has answered."""

    def tell() -> Sequence[DeviceFacts]:
        print("hello from a driver")
        os.write(1, b"and from C\n")
        return interpreter.FACTS[:1]

    return Interface(tell, free=12345)


def lies() -> Any:
    """No backend at all."""
    return 17


def fine() -> Interface:
    return Interface(lambda: interpreter.FACTS[:2])


def gpu() -> Interface:
    """A real device."""
    return Interface(lambda: [replace(interpreter.FACTS[0], title="fast beads", kind="gpu", units=8)])


def pair() -> Interface:
    """Two real devices, the second of them faster."""
    slow = replace(interpreter.FACTS[0], title="slow beads", kind="gpu", units=2)
    return Interface(lambda: [slow, replace(slow, title="fast beads", units=64)])


def mixed() -> Interface:
    """Devices that are reached in two ways."""
    one = replace(interpreter.FACTS[0], kind="gpu", title="old beads", api="Glass 2")
    return Interface(
        lambda: [one, replace(one, title="beads", api="Wood 1.3"), replace(one, title="new beads")]
    )


def software() -> Interface:
    return Interface(lambda: [replace(interpreter.FACTS[0], title="soft beads", kind="cpu", memory_bytes=0)])


def crowded() -> Interface:
    return Interface(lambda: [replace(interpreter.FACTS[0], kind="gpu")], free=1000)


class Closed(Interface):
    def open(self, number: int) -> Any:
        raise RuntimeError("somebody else has it")


def closed() -> Interface:
    return Closed(lambda: [replace(interpreter.FACTS[0], title="busy beads", kind="gpu")])
