"""A backend's options from the environment and the configuration files."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

from ...base.project import configuration_files, read_tables
from ...errors import SettingError, listed, nearest
from ...settings import user_alone
from .backend_entry import BackendEntry

Given = dict[str, tuple[Any, str]]
"""Values by the option's name, each with its origin."""


def from_environment(entry: BackendEntry) -> Given:
    """Returns the values of JITFRAME_<BACKEND>_<OPTION>, as text."""
    found: Given = {}
    for option in entry.options:
        variable = option.variable_for(entry.name)
        text = os.environ.get(variable, "").strip()
        if text:
            found[option.name] = text, variable
    return found


def from_files(entry: BackendEntry) -> Given:
    """Returns the values of the configuration files, earlier files first. Raises SettingError for an
    unreadable file, and for a project's that sets an option of the user's alone."""
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
    """Returns the values of a file's table `[tool.jitframe.<backend>]` or `[<backend>]`. Raises SettingError
    where it has none."""
    table, whole = read_tables(path)
    return _values(path, (whole if table is None else table).get(entry.name), entry)


def _values(path: str, table: Any, entry: BackendEntry) -> Given:
    if not isinstance(table, dict):
        raise SettingError(f"{path} has no table [{entry.name}] or [tool.jitframe.{entry.name}]")
    return {name: (value, path) for name, value in table.items()}


def shared_values(entry: BackendEntry) -> Given:
    """Returns the checked values for the shared backend: the environment's, then files'.

    Raises SettingError, which names the origin, for unknown options and invalid values.
    """
    given = from_files(entry) | from_environment(entry)
    return checked(entry, given)


def checked(entry: BackendEntry, given: Given) -> Given:
    """Converts values to the options' kinds."""
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
    """Lists a backend's options in a message."""
    if not names:
        return "it has none"
    return f"there {'are' if len(names) > 1 else 'is'} {listed(names, 'and')}"


def shared_options(entry: BackendEntry) -> dict[str, Any]:
    """Returns keywords of the backend's `open` for the shared devices."""
    defaults = {option.name: option.default for option in entry.options}
    return {name: value for name, (value, _) in shared_values(entry).items() if value != defaults[name]}
