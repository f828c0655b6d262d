"""What the environment and the configuration files say of a backend's options, for everybody who uses it."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

from ...base.project import configuration_files, read_tables
from ...errors import SettingError, listed, nearest
from ...settings import user_alone
from .backend_entry import BackendEntry

Given = dict[str, tuple[Any, str]]
"""Values by the option's name, each with the place that it came from."""


def from_environment(entry: BackendEntry) -> Given:
    """Those of JITFRAME_<BACKEND>_<OPTION>, as text."""
    found: Given = {}
    for option in entry.options:
        variable = option.variable_for(entry.name)
        text = os.environ.get(variable, "").strip()
        if text:
            found[option.name] = text, variable
    return found


def from_files(entry: BackendEntry) -> Given:
    """Those of the configuration files, the first before the next. Raises SettingError for a file that cannot
    be read, and for a project's that says what is the user's alone to choose."""
    kept_from_projects = {option.name: option for option in entry.options if not option.by_project}
    found: Given = {}
    for file in reversed(configuration_files()):
        said = _values(file.path, file.table.get(entry.name, {}), entry)
        for name in said if file.is_project else ():
            if name in kept_from_projects:
                variable = kept_from_projects[name].variable_for(entry.name)
                raise SettingError(
                    f"{file.path}: a project's file may not set {entry.name}.{name}, which is the user's "
                    f"alone to choose; {user_alone(variable)}"
                )
        found |= said
    return found


def from_file(path: str, entry: BackendEntry) -> Given:
    """Those of a file's table `[tool.jitframe.<backend>]` or `[<backend>]`. Raises SettingError where it has
    none."""
    table, whole = read_tables(path)
    return _values(path, (whole if table is None else table).get(entry.name), entry)


def _values(path: str, table: Any, entry: BackendEntry) -> Given:
    if not isinstance(table, dict):
        raise SettingError(f"{path} has no table [{entry.name}] or [tool.jitframe.{entry.name}]")
    return {name: (value, path) for name, value in table.items()}


def shared_values(entry: BackendEntry) -> Given:
    """What holds for the backend that all of the program shares, checked: the environment's, then files'.

    Raises SettingError, which names the place, for options that there are not and values that do not fit.
    """
    given = from_files(entry) | from_environment(entry)
    return checked(entry, given)


def checked(entry: BackendEntry, given: Given) -> Given:
    """The same, as the options' kinds."""
    options = {option.name: option for option in entry.options}
    for name, (_, source) in given.items():
        if name not in options:
            there = there_are(list(options))
            near = nearest(name, options)
            raise SettingError(f"the backend {entry.name} has no option {name!r} ({source}){near}; {there}")
    return {
        name: (options[name].checked(value, f"{entry.name}, {source}"), source)
        for name, (value, source) in given.items()
    }


def there_are(names: Sequence[str]) -> str:
    """The options that a backend has."""
    if not names:
        return "it has none"
    return f"there {'are' if len(names) > 1 else 'is'} {listed(names, 'and')}"


def shared_options(entry: BackendEntry) -> dict[str, Any]:
    """Keywords of the backend's `open` for the devices that all of the program shares."""
    defaults = {option.name: option.default for option in entry.options}
    return {name: value for name, (value, _) in shared_values(entry).items() if value != defaults[name]}
