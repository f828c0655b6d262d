"""Awaitable work: in a thread of the event loop's executor, with Tensors there or on their device."""

from __future__ import annotations

import contextvars
import logging
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

from ..compilation.evaluate import compute
from ..errors import JitframeError, SourceLine, user_line
from .lazy import LazyGraph

if TYPE_CHECKING:
    from asyncio import Future

    from .tensor import Tensor

T = TypeVar("T")
_log = logging.getLogger("jitframe.backends")


def placed(line: SourceLine | None, function: Callable[..., T], *arguments: Any) -> T:
    """Returns the function's result; its errors name the line of the request, not one of this thread."""
    try:
        return function(*arguments)
    except JitframeError as problem:
        problem.move(line)
        raise


async def in_thread(function: Callable[..., T], *arguments: Any) -> T:
    """What the function gives, run in a thread of the event loop's executor; errors name the caller's line.

    Where the awaiting task is cancelled, the function still runs to its end, and its result is dropped: the
    device is never left in the middle of something.
    """
    import asyncio  # an awaiting program has loaded it; others need not

    context, line = contextvars.copy_context(), user_line()
    loop = asyncio.get_running_loop()
    running = loop.run_in_executor(None, context.run, placed, line, function, *arguments)
    try:
        return await asyncio.shield(running)
    except asyncio.CancelledError:
        running.add_done_callback(_dropped)
        raise


def _dropped(running: Future[Any]) -> None:
    """Logs the error of a task that is not awaited any more."""
    if not running.cancelled() and running.exception() is not None:
        _log.debug("work of a cancelled task failed", exc_info=running.exception())


async def ready(tensor: Tensor) -> Tensor:
    """The tensor, once its value is there. Errors name the line that awaits it.

    Where the awaiting task is cancelled, the tensor stays as it was; what runs already runs to its end.
    """
    device = tensor._frame.device
    if not device.is_host:
        tensor._evaluated()  # asks the device, and does not wait
        await in_thread(device.synchronize)
        return tensor
    if tensor._value is None:
        # Graphs belong to a thread: the other one gets a copy of the operands.
        graph = tensor._frame.begin()
        node = tensor._operand(graph)
        tensor._frame.end(graph)
        if node not in graph.known:
            program = LazyGraph(device)
            output = program.take(graph, [node])[node]
            (value,) = await in_thread(compute, program, [output], program.arrays)
            if tensor._value is None:
                graph.known.setdefault(node, value)
        if tensor._value is None and tensor._pending is not None and tensor._pending[0] is graph:
            tensor._settle(graph.known[node])
    return tensor if tensor._value is not None else await ready(tensor)
