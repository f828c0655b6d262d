"""Questions answered in child processes, so that a hang or crash there does not affect this process.

A child imports the modules of the question, answers, and writes the answer to a file. A child that exceeds
the time limit is killed with all its descendants.
"""

from __future__ import annotations

import os
import pickle
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from typing import Any

from ... import settings

_CODE = (
    "import sys; sys.path[:] = {path!r}; "
    "from jitframe.runtime.discovery.isolation import answer; answer({file!r})"
)
_POLL_SECONDS = 0.002
_LAST_LINES = 3
_KNOWN = frozenset({"builtins", "collections", "jitframe", "numpy"})
"""Packages whose objects an answer may contain: unpickling it loads no module that was to be kept out."""


class NoAnswer(Exception):
    """A child gave no answer; the message follows a name in a sentence."""


def can_ask() -> bool:
    """Whether this process can start children."""
    return bool(sys.executable) and not getattr(sys, "frozen", False)


def _isolation() -> tuple[str, ...]:
    """Returns the flags by which a child ignores code of the environment and of the user's folders, as this
    process does."""
    if sys.flags.isolated:
        return ("-I",)
    kept_out = (("-E", sys.flags.ignore_environment), ("-s", sys.flags.no_user_site))
    return tuple(option for option, is_set in kept_out if is_set)


class Child:
    """A process that computes `question(argument)`; the function is found by its name there.

    Raises OSError where the system starts no process.
    """

    def __init__(self, question: Callable[[Any], Any], argument: Any, limit_seconds: float) -> None:
        self._limit = limit_seconds
        self._folder = tempfile.TemporaryDirectory(prefix="jitframe-probe-", ignore_cleanup_errors=True)
        self._file = self._path("answer")
        with open(self._path("question"), "wb") as file:
            pickle.dump((settings.settings(), question, argument), file)
        code = _CODE.format(path=sys.path, file=self._file)
        try:
            with open(self._path("question"), "rb") as asked, open(self._path("errors"), "wb") as errors:
                self._process = subprocess.Popen(
                    [sys.executable, *_isolation(), "-c", code],
                    stdin=asked,
                    stdout=errors,
                    stderr=errors,
                    start_new_session=True,
                )
        except BaseException:
            self._folder.cleanup()
            raise
        self._end = time.monotonic() + limit_seconds

    def answer(self) -> Any:
        """Returns the answer. Raises NoAnswer where the child crashed, or took too long."""
        while self._process.poll() is None:
            if time.monotonic() >= self._end:
                self.close()
                raise NoAnswer(f"did not answer within {self._limit:g} s (JITFRAME_PROBE_SECONDS)")
            time.sleep(_POLL_SECONDS)
        try:
            with open(self._file, "rb") as file:
                return _Answer(file).load()
        except pickle.UnpicklingError as problem:
            raise NoAnswer(f"gave an answer that cannot be read ({problem})") from None
        except Exception:  # nothing, or half of an answer
            raise NoAnswer(f"ended the process that asked it ({self._end_of_process()})") from None

    def close(self) -> None:
        """Ends the process and its descendants."""
        if self._process.poll() is None:
            try:
                if os.name == "posix":
                    os.killpg(self._process.pid, signal.SIGKILL)
                else:
                    self._process.kill()
            except OSError:  # it ended meanwhile
                pass
        self._process.wait()
        self._folder.cleanup()

    def _end_of_process(self) -> str:
        status = self._process.returncode
        if status < 0:
            try:
                how = signal.Signals(-status).name
            except ValueError:
                how = f"signal {-status}"
        else:
            how = f"exit status {status}"
        with open(self._path("errors"), encoding="utf-8", errors="replace") as file:
            said = [line.strip() for line in file if line.strip()][-_LAST_LINES:]
        return ": ".join([how, *([" / ".join(said)] if said else [])])

    def _path(self, name: str) -> str:
        return os.path.join(self._folder.name, name)


class _Answer(pickle.Unpickler):
    """An unpickler of known classes."""

    def find_class(self, module: str, name: str) -> Any:
        if module.partition(".")[0] not in _KNOWN:
            raise pickle.UnpicklingError(f"it has a {module}.{name}")
        return super().find_class(module, name)


def answer(file: str) -> None:
    """Runs in the child: the question is on standard input."""
    record, question, argument = pickle.load(sys.stdin.buffer)
    settings.restore(record)
    found = question(argument)
    with open(file + ".part", "wb") as out:
        pickle.dump(found, out)
    os.replace(file + ".part", file)
    os._exit(0)  # drivers that crash at the end of a process have answered
