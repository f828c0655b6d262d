"""The program's configuration file: what JITFRAME_CONFIG names, else the nearest pyproject.toml.

It is looked for once, when the first setting is needed, from the working folder upwards, and read as TOML
only where it speaks of jitframe: any other costs a look at its bytes.
"""

from __future__ import annotations

import os
from typing import Any

from .errors import SettingError
from .ir.record import record

VARIABLE = "JITFRAME_CONFIG"
_OFF = frozenset({"off", "0", "no", "false"})
_SIGNS = (b"\n[tool.jitframe", b"\ntool.jitframe", b"\n[tool]", b"\ntool=")
"""What one of them is in every file with a table tool.jitframe, but for spaces and quotes."""


class ConfigurationFile(metaclass=record):
    """A file and what it says to jitframe."""

    path: str
    table: dict[str, Any]
    """Settings by name, and a table for each backend."""


_found: ConfigurationFile | None = None
_looked = False


def configuration_file() -> ConfigurationFile | None:
    """The file, where there is one. Raises SettingError for one that cannot be read."""
    global _found, _looked
    if not _looked:
        _found = _look()
        _looked = True
    return _found


def forget_file() -> None:
    """Looks for it again when it is next needed."""
    global _found, _looked
    _found, _looked = None, False


def read_tables(path: str) -> tuple[dict[str, Any] | None, dict[str, Any]]:
    """The table `[tool.jitframe]` of a TOML file, None where there is none, and all of the file.

    Raises SettingError for a file that cannot be read.
    """
    import tomllib  # only where there is such a file

    try:
        with open(path, "rb") as file:
            content = tomllib.load(file)
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as problem:
        raise SettingError(f"{path} cannot be read as TOML: {problem}") from None
    tool = content.get("tool")
    table = tool.get("jitframe") if isinstance(tool, dict) else None
    if table is not None and not isinstance(table, dict):
        raise SettingError(f"{path}: tool.jitframe is a table, not {table!r}")
    return table, content


def _look() -> ConfigurationFile | None:
    named = os.environ.get(VARIABLE, "").strip()
    if named.lower() in _OFF:
        return None
    if named:
        path = os.path.abspath(os.path.expanduser(named))
        table, whole = read_tables(path)
        return ConfigurationFile(path, whole if table is None else table)
    path = _project_path()
    if not path or not _may_speak_of_us(path):
        return None
    table, _ = read_tables(path)
    return None if table is None else ConfigurationFile(path, table)


def _project_path() -> str:
    """The pyproject.toml of the working folder, or the nearest one above it; nothing where there is none."""
    try:
        folder = os.getcwd()
    except OSError:  # it was removed
        return ""
    while True:
        path = os.path.join(folder, "pyproject.toml")
        if os.path.isfile(path):
            return path
        above = os.path.dirname(folder)
        if above == folder:
            return ""
        folder = above


def _may_speak_of_us(path: str) -> bool:
    try:
        with open(path, "rb") as file:
            content = file.read()
    except OSError:
        return False
    if b"jitframe" not in content:
        return False
    bare = b"\n" + content.translate(None, b" \t\"'")
    return any(sign in bare for sign in _SIGNS)
