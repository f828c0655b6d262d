"""The configuration of a backend: typed, checked values, and their sources.

Keywords take precedence over a given file, that over environment variables, those over configuration files
(see `jitframe.base.project`), and those over defaults.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from typing import Any

from ..errors import ArgumentError, SettingError, nearest
from ..ir.record import record
from ..runtime.discovery import configured, registry
from ..runtime.discovery.configured import Given
from ..runtime.discovery.options import Option
from ..settings import UNSET, without_unset


class Configuration(metaclass=record):
    """The values of a backend's options, as attributes and as `configuration["name"]`, and their sources.

    >>> made = jf.backends.configuration_of("cpu", threads=2)
    >>> made.threads, made["threads"], made.source("threads"), made.source("simd")
    (2, 2, 'keyword', 'default')
    """

    backend: str
    entries: tuple[tuple[Option, Any, str], ...]
    """Each option with its value and source."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        return self[name]

    def __getitem__(self, name: str) -> Any:
        """Returns a value. Raises SettingError, with the known names."""
        return self._entry(name)[1]

    def __iter__(self) -> Iterator[str]:
        return (option.name for option, _, _ in self.entries)

    def source(self, name: str) -> str:
        """Returns the source of a value: "keyword", a variable's name, a file's path, "default".

        Raises SettingError for an unknown option.
        """
        return self._entry(name)[2]

    def changed(self) -> dict[str, Any]:
        """Returns the values that are not defaults."""
        return {option.name: value for option, value, _ in self.entries if value != option.default}

    def mapping(self) -> dict[str, Any]:
        """Returns all values by name; `configuration_of(backend, mapping)` is the inverse.

        >>> jf.backends.configuration_of("webgpu", limits="default").mapping()
        {'limits': 'default'}
        """
        return {option.name: value for option, value, _ in self.entries}

    def merged(self, other: Configuration | Mapping[str, Any]) -> Configuration:
        """Returns these values, overridden by those of a mapping or by another configuration's values but its
        defaults.

        Raises SettingError for a configuration of another backend, and for invalid values.

        >>> first = jf.backends.configuration_of("cpu", threads=2)
        >>> first.merged({"simd": "avx2"}).changed() == {"simd": "avx2", "threads": 2}
        True
        """
        if isinstance(other, Configuration):
            if other.backend != self.backend:
                raise SettingError(
                    f"a configuration of {other.backend} is not for {self.backend}: their options have "
                    "nothing to do with each other; merge configurations of one backend"
                )
            given = {
                option.name: (value, source) for option, value, source in other.entries if source != _DEFAULT
            }
        else:
            given = {name: (value, "mapping") for name, value in other.items()}
        return _with(self, given)

    def __str__(self) -> str:
        rows = [(option.name, _text(value), source) for option, value, source in self.entries]
        widths = [max(map(len, column)) for column in zip(*rows)] if rows else []
        lines = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip() for row in rows]
        return "\n".join([f"{self.backend}:", *(f"  {line}" for line in lines or ["no options"])])

    def __repr__(self) -> str:
        given = "".join(f", {name}={value!r}" for name, value in self.mapping().items())
        return f"configuration_of({self.backend!r}{given})"

    def _entry(self, name: str) -> tuple[Option, Any, str]:
        for entry in self.entries:
            if entry[0].name == name:
                return entry
        raise _unknown(self.backend, name, [option.name for option, _, _ in self.entries])


_DEFAULT = "default"


def configuration_of(
    backend: str,
    config: Configuration | Mapping[str, Any] | str | os.PathLike[str] | None = None,
    /,
    *,
    threads: int | None = UNSET,
    simd: str | None = UNSET,
    limits: str = UNSET,
    build_options: str = UNSET,
    **options: Any,
) -> Configuration:
    """Returns the configuration of a backend, by precedence: `options`, `config`, the environment,
    configuration files, defaults.

    `threads` and `simd` are options of the CPU, `limits` of WebGPU, `build_options` of OpenCL; registered
    backends have their own.

    `config` is a Configuration of that backend, a mapping of names to values, or the path of a TOML file with
    a table `[<backend>]` or `[tool.jitframe.<backend>]`. An option is read from the environment as
    `JITFRAME_<BACKEND>_<OPTION>`, those of the CPU as JITFRAME_SIMD and JITFRAME_NUM_THREADS.

    Raises BackendUnavailableError for an unknown backend; SettingError, which names the place, for unknown
    options, invalid values, unreadable files, and a configuration of another backend.

    >>> print(jf.backends.configuration_of("cpu", {"threads": 2}, simd="sse2"))
    cpu:
      simd     'sse2'  keyword
      threads  2       mapping
    """
    entry = registry.named_entry(backend.partition(":")[0])
    configuration = shared_configuration(entry.name)
    if isinstance(config, (str, os.PathLike)):
        configuration = _with(configuration, configured.from_file(os.fspath(config), entry))
    elif isinstance(config, (Configuration, Mapping)):
        configuration = configuration.merged(config)
    elif config is not None:
        raise ArgumentError(
            f"config is a Configuration, a mapping or the path of a TOML file, not a {type(config).__name__}"
        )
    options |= without_unset(threads=threads, simd=simd, limits=limits, build_options=build_options)
    return _with(configuration, {name: (value, "keyword") for name, value in options.items()})


def shared_configuration(backend: str) -> Configuration:
    """Returns the configuration of the shared backend: the environment's values, then configuration files'.

    Raises SettingError.

    >>> shared_configuration("webgpu").limits
    'adapter'
    """
    entry = registry.named_entry(backend)
    defaults = tuple((option, option.default, _DEFAULT) for option in entry.options)
    return _with(Configuration(entry.name, defaults), configured.shared_values(entry))


def _with(made: Configuration, given: Given) -> Configuration:
    """Returns a configuration with other values, checked, each with its source."""
    found = configured.checked(registry.named_entry(made.backend), given)
    return Configuration(
        made.backend,
        tuple((option, *found.get(option.name, (value, source))) for option, value, source in made.entries),
    )


def _unknown(backend: str, name: str, names: list[str]) -> SettingError:
    near, there = nearest(name, names), configured.there_are(names)
    return SettingError(f"the backend {backend} has no option {name!r}{near}; {there}")


def _text(value: Any) -> str:
    return (
        {True: "on", False: "off", None: "automatic"}[value]
        if value is None or value.__class__ is bool
        else repr(value)
    )
