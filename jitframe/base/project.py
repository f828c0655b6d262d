"""Configuration files: the one that JITFRAME_CONFIG names, else the project's and the user's own.

The project's is the nearest pyproject.toml, from the working folder upwards. It may have come with an
unpacked archive, so it sets only what decides neither which code runs nor where code is kept (see
`settings.Setting`), and files that other users could have written are passed over. They are looked for once,
when the first setting is needed; a pyproject.toml is read as TOML only where it speaks of jitframe: any other
costs a look at its bytes.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from typing import Any

from ..errors import SettingError
from ..ir.record import record
from .folders import absolute_path, configuration_folder

VARIABLE = "JITFRAME_CONFIG"
USER_FILE = "config.toml"
"""The name of the user's own file in `configuration_folder()`."""
_OFF = frozenset({"off", "0", "no", "false"})
_SIGNS = (b"\n[tool.jitframe", b"\ntool.jitframe", b"\n[tool]", b"\ntool=")
"""Every file with a table tool.jitframe contains one of these, ignoring spaces and quotes."""
_MOST_BYTES = 1 << 20
_OPEN = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)


class ConfigurationFile(metaclass=record):
    """A configuration file and its settings of jitframe."""

    path: str
    table: dict[str, Any]
    """Settings by name, and a table for each backend."""
    is_project: bool
    """Whether it was found in or above the working folder, rather than named or owned by the user."""


class _Looked(metaclass=record):
    """The configuration files that were found."""

    files: tuple[ConfigurationFile, ...]
    """In order of precedence."""
    refused: tuple[str, ...]
    """Messages about files that are ignored."""


_looked: _Looked | None = None


def configuration_files() -> tuple[ConfigurationFile, ...]:
    """The configuration files in order of precedence. Raises SettingError for one that cannot be read."""
    return _found().files


def refused_files() -> tuple[str, ...]:
    """Messages about files that configure jitframe and are ignored, since others could have written them."""
    return _found().refused


def forget_files() -> None:
    """Makes the next access search again."""
    global _looked
    _looked = None


def read_tables(path: str) -> tuple[dict[str, Any] | None, dict[str, Any]]:
    """The table `[tool.jitframe]` of a TOML file, or None, and the whole file.

    Raises SettingError for a file that cannot be read.
    """
    try:
        with open(path, "rb") as file:
            content = file.read()
    except OSError as problem:
        raise SettingError(f"{path} cannot be read as TOML: {problem}") from None
    return _tables(path, content)


def _tables(path: str, content: bytes) -> tuple[dict[str, Any] | None, dict[str, Any]]:
    import tomllib  # only if there is such a file

    try:
        whole = tomllib.loads(content.decode())
        _check_integers(whole)
    except (ValueError, RecursionError) as problem:
        raise SettingError(f"{path} cannot be read as TOML: {problem}") from None
    tool = whole.get("tool")
    table = tool.get("jitframe") if isinstance(tool, dict) else None
    if table is not None and not isinstance(table, dict):
        raise SettingError(f"{path}: tool.jitframe is a table, not {table!r}")
    return table, whole


def _check_integers(value: Any) -> None:
    """Raises ValueError for an integer of more than 64 bits, which TOML does not allow (1.0.0, "Integer")."""
    if isinstance(value, int) and value.bit_length() > 63:
        raise ValueError("an integer has more than 64 bits")
    for each in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        _check_integers(each)


def user_file() -> str | None:
    """The path of the user's own file, whether it exists or not; None if no home folder is known."""
    folder = configuration_folder()
    return None if folder is None else os.path.join(folder, USER_FILE)


def _found() -> _Looked:
    global _looked
    if _looked is None:
        _looked = _look()
    return _looked


def _look() -> _Looked:
    named = os.environ.get(VARIABLE, "").strip()
    if named.lower() in _OFF:
        return _Looked((), ())
    if named:
        try:
            path = absolute_path(named)
        except ValueError as problem:
            raise SettingError(f"{VARIABLE}={named}: {problem}") from None
        return _Looked((_of_user(path, read_tables(path)),), ())
    files: list[ConfigurationFile] = []
    refused: list[str] = []
    for path in _project_paths():
        content, why = _read(path)
        speaks = _may_speak_of_us(content)
        if why:
            refused += [why] if speaks else []
            continue  # a file that is not the user's is no project file: the project may be further up
        table = _tables(path, content)[0] if speaks else None
        if table is not None:
            files.append(ConfigurationFile(path, table, True))
        break
    own = user_file()
    if own is not None and os.path.lexists(own):
        content, why = _read(own)
        if why:
            refused.append(why)
        else:
            files.append(_of_user(own, _tables(own, content)))
    return _Looked(tuple(files), tuple(refused))


def _of_user(path: str, tables: tuple[dict[str, Any] | None, dict[str, Any]]) -> ConfigurationFile:
    """A file of the user's choice, in which the table `tool.jitframe` may be omitted."""
    table, whole = tables
    return ConfigurationFile(path, whole if table is None else table, False)


def _project_paths() -> Iterator[str]:
    """Each pyproject.toml of the working folder and its parents, the nearest first."""
    try:
        folder = os.getcwd()
    except OSError:  # it was removed
        return
    above = ""
    while folder != above:
        path = os.path.join(folder, "pyproject.toml")
        if os.path.isfile(path):
            yield path
        folder, above = os.path.dirname(folder), folder


def _read(path: str) -> tuple[bytes, str]:
    """The content of a file, and why it is ignored: empty if only the user or the administrator can have
    written it."""
    content, why = b"", ""
    try:
        descriptor = os.open(path, _OPEN)
        try:
            status = os.fstat(descriptor)
            if not stat.S_ISREG(status.st_mode):
                why = "it is no plain file"
            else:
                why = _distrusted(status)
                content = os.read(descriptor, min(status.st_size, _MOST_BYTES) + 1)
        finally:
            os.close(descriptor)
    except OSError as problem:
        why = str(problem.strerror)
    if len(content) > _MOST_BYTES:
        why = why or f"it is larger than {_MOST_BYTES:,} bytes"
    return content, why and f"{path} is not used: {why}"


def _distrusted(status: os.stat_result) -> str:
    if not hasattr(os, "geteuid"):  # Windows: the user's profile protects its content
        return ""
    remedy = f"where you trust it, name it ({VARIABLE})"
    own = os.geteuid()
    if status.st_uid not in (own, 0):
        return f"it belongs to user {status.st_uid}, not to you ({own}); {remedy}"
    if status.st_mode & stat.S_IWOTH:
        return f"every user may write to it (mode {stat.S_IMODE(status.st_mode):o}); {remedy}"
    return ""


def _may_speak_of_us(content: bytes) -> bool:
    if b"jitframe" not in content:
        return False
    bare = b"\n" + content.translate(None, b" \t\"'")
    return any(sign in bare for sign in _SIGNS)
