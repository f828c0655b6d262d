"""All settings in one frozen record, read once from the environment and checked there."""

from __future__ import annotations

import os
import re
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, TypeVar

from .base.folders import absolute_path, cache_folder
from .base.project import ConfigurationFile, configuration_files, forget_files, refused_files, user_file
from .errors import SettingError, SettingWarning, listed, nearest, warn_user
from .ir.record import record, replace

DEFAULT_CACHE_SIZE_BYTES = 1 << 30
MINIMUM_CACHE_SIZE_BYTES = 1 << 20
MAXIMUM_THREADS = 1024
MINIMUM_TRACE_LIMIT = 100
MAXIMUM_PROBE_SECONDS = 600
SIMD_LEVELS = ("off", "sse2", "avx2", "avx512")
OPTIMIZATION_LEVELS = ("0", "1", "2", "3")
WEBGPU_LIMITS = ("adapter", "default")
OWN_DEVICES = ("cpu", "opencl", "webgpu", "wgpu", "cuda", "hip", "rocm", "metal", "auto")
"""The names of jitframe's own backends, and the one that stands for whichever device is best."""

_UNITS = {
    "": 1, "b": 1,
    "k": 1 << 10, "kib": 1 << 10, "kb": 10**3,
    "m": 1 << 20, "mib": 1 << 20, "mb": 10**6,
    "g": 1 << 30, "gib": 1 << 30, "gb": 10**9,
    "t": 1 << 40, "tib": 1 << 40, "tb": 10**12,
}  # fmt: skip
# Compiled where used: nobody's start should pay for a variable that is not set.
_SIZE = r"(\d{1,18}(?:\.\d{1,18})?)\s*([a-z]*)"
_DEVICE = r"[a-z][a-z0-9_.-]*(?::\d+)?"
_TRUE = frozenset({"1", "on", "true", "yes"})
_FALSE = frozenset({"0", "off", "false", "no"})

Value = TypeVar("Value")


class Unset:
    """The default of parameters for which None, or whatever else is no choice, is one."""

    def __repr__(self) -> str:
        return "unset"


UNSET: Any = Unset()


def without_unset(**arguments: Any) -> dict[str, Any]:
    """The arguments that are set."""
    return {name: value for name, value in arguments.items() if value is not UNSET}


class Settings(metaclass=record):
    """What the user can set, each with the environment variable `JITFRAME_<NAME>` it is read from.

    What the environment leaves out may be in a configuration file (see `jitframe.base.project`) under the
    same name; options of backends (`simd`, `num_threads`, `webgpu_limits`) are in the backend's table.
    """

    cache: bool = True
    """`JITFRAME_CACHE=off` keeps kernels in memory only."""
    cache_dir: str | None = None
    """`JITFRAME_CACHE_DIR`: an absolute path; None is the platform's cache folder, see `cache_folder`."""
    cache_size: int = DEFAULT_CACHE_SIZE_BYTES
    """`JITFRAME_CACHE_SIZE`: the most bytes kept on disk, such as `500MB`, `1GiB` or a number of bytes."""
    simd: str | None = None
    """`JITFRAME_SIMD`: `off`, `sse2`, `avx2` or `avx512`; None is the widest that this CPU has."""
    optimization_level: int = 2
    """`JITFRAME_OPTIMIZATION_LEVEL`: what LLVM does for kernels, 0 (compiled soonest) to 3."""
    num_threads: int | None = None
    """`JITFRAME_NUM_THREADS`: 1 or more; None is one per core that this process may use."""
    device: str | None = None
    """`JITFRAME_DEVICE`: where Tensors are made unless the program says it: `opencl`, `cuda:1`, `auto`."""
    strict: bool = False
    """`JITFRAME_STRICT=1` forbids fallbacks, implicit transfers and library detours."""
    trace_limit: int = 50_000
    """`JITFRAME_TRACE_LIMIT`: the most operations in one trace; a Python loop that makes more is refused."""
    webgpu_limits: str = "adapter"
    """`JITFRAME_WEBGPU_LIMITS=default` keeps to what every WebGPU device has, and so every browser."""
    compile_in_background: bool = True
    """`JITFRAME_COMPILE_IN_BACKGROUND=off` compiles in first calls and never runs them op by op."""
    probe_seconds: int = 30
    """`JITFRAME_PROBE_SECONDS`: how long a driver may take to tell its devices; 0 asks in this process."""

    def cache_folder(self) -> str | None:
        """The folder that holds the kernel cache; None where none is named and no home folder is known."""
        return self.cache_dir if self.cache_dir is not None else cache_folder()


NAMES = tuple(Settings.__annotations__)
_DEFAULTS = Settings()


def parse_size(text: str) -> int:
    """Bytes from `1GiB`, `500 MB`, `1.5g` or `1048576`; units are case-blind. Raises ValueError."""
    match = re.fullmatch(_SIZE, text.strip().lower())
    if match is None or match[2] not in _UNITS:
        raise ValueError(f"{text!r} is no size; write bytes or a unit, such as 500MB, 1GiB or 1048576")
    whole, _, fraction = match[1].partition(".")
    unit_bytes = _UNITS[match[2]]
    fraction_bytes: int = int(fraction or 0) * unit_bytes // 10 ** len(fraction)
    return int(whole) * unit_bytes + fraction_bytes


def read_settings(environment: Mapping[str, str], files: Sequence[ConfigurationFile] = ()) -> Settings:
    """The settings in `environment`, then in files, the first before the next; an unset or empty variable is
    the default.

    Raises SettingError.
    """
    chosen: dict[str, Any] = {}
    for file in reversed(files):
        chosen |= _of_file(file)
    for name in NAMES:
        variable = f"JITFRAME_{name.upper()}"
        given = environment.get(variable, "").strip()
        if given:
            chosen[name] = _checked(SETTINGS[name].parse, variable, given)
    return Settings(**chosen)


def _of_file(file: ConfigurationFile) -> dict[str, Any]:
    """What a file says, checked. Tables of other backends are theirs."""
    by_key = {setting.key or name: name for name, setting in SETTINGS.items()}
    backends = {key.partition(".")[0] for key in by_key if "." in key}
    chosen: dict[str, Any] = {}
    for key, value in file.table.items():
        if isinstance(value, dict):
            for option, given in value.items() if key in backends else ():
                name = by_key.get(f"{key}.{option}")
                if name is None:
                    there = [known.partition(".")[2] for known in by_key if known.startswith(f"{key}.")]
                    raise SettingError(
                        f"{file.path}: the backend {key} has no option {option!r}; there is {listed(there)}"
                    )
                chosen[name] = _said(file, f"{key}.{option}", name, given)
        elif key in by_key:
            chosen[key] = _said(file, key, key, value)
        else:
            where = f"; write it as {SETTINGS[key].key}" if key in SETTINGS else ""
            names = ", ".join(name for name, setting in SETTINGS.items() if not setting.key)
            where = where or nearest(key, SETTINGS)
            raise SettingError(f"{file.path}: no setting is called {key!r}{where}; there are {names}")
    return chosen


def _said(file: ConfigurationFile, key: str, name: str, value: Any) -> Any:
    setting = SETTINGS[name]
    if file.is_project and not setting.by_project:
        raise SettingError(
            f"{file.path}: a project's file may not set {key}, which is the user's alone to choose; "
            f"{user_alone(f'JITFRAME_{name.upper()}')}"
        )
    if not isinstance(value, (bool, int, float, str)):
        raise SettingError(f"{file.path}: {key} = {value!r} is no setting's value")
    text = {True: "on", False: "off"}[value] if isinstance(value, bool) else str(value)
    try:
        if file.is_project and setting.check_project is not None:
            setting.check_project(text.strip())
        if setting.is_path and not (os.path.isabs(text) or text.startswith("~")):
            raise ValueError("relative; write an absolute path, or one that begins with ~/")
        return setting.parse(text.strip())
    except ValueError as problem:
        raise SettingError(f"{file.path}: {key} = {value!r}: {problem}") from None


def user_alone(variable: str) -> str:
    """Where a user sets what a project may not."""
    own = user_file()
    return f"set {variable}{'' if own is None else f', or write it in {own}'}"


def settings() -> Settings:
    """The settings in force: those of the environment and the configuration files at first use, as changed
    by `configure`.

    >>> jf.settings.settings().strict
    False
    """
    global _current, _given_device
    if _current is None:
        _current = read_settings(os.environ, configuration_files())
        _given_device = _current.device if os.environ.get("JITFRAME_DEVICE", "").strip() else None
        _warn_of_misspelt(os.environ)  # last: a warning may be an error
        for why in refused_files():
            warn_user(why, SettingWarning)
    return _current


def _warn_of_misspelt(names: Iterable[str]) -> None:
    """Variables of backends and tools begin like settings: only what is nearly a setting's name is told."""
    known = [f"JITFRAME_{name.upper()}" for name in NAMES]
    unknown = [name for name in names if name.startswith("JITFRAME_") and name not in known]
    if not unknown:
        return
    import difflib

    for name in unknown:
        for meant in difflib.get_close_matches(name, known, 1, 0.85):
            warnings.warn(f"{name} sets nothing; is {meant} meant?", SettingWarning, stacklevel=3)


def chosen_device() -> str | None:
    """The device of `JITFRAME_DEVICE`, which goes before the program's own default, or that default."""
    current = _current if _current is not None else settings()
    return _given_device if _given_device is not None else current.device


def configure(
    *,
    cache: bool = UNSET,
    cache_dir: str | None = UNSET,
    cache_size: int | str = UNSET,
    simd: str | None = UNSET,
    optimization_level: int = UNSET,
    num_threads: int | None = UNSET,
    device: str | None = UNSET,
    strict: bool = UNSET,
    trace_limit: int = UNSET,
    webgpu_limits: str = UNSET,
    compile_in_background: bool = UNSET,
    probe_seconds: int = UNSET,
    **unknown: Any,
) -> Settings:
    """Change settings for this process, checked like the environment's; returns the record before the change.

    Each is a field of `Settings`. Raises SettingError for others, and for a value that does not fit.

    >>> before = configure(strict=True)
    >>> settings().strict
    True
    >>> restore(before)
    """
    global _current
    before = settings()
    changes = without_unset(
        cache=cache, cache_dir=cache_dir, cache_size=cache_size, simd=simd,
        optimization_level=optimization_level, num_threads=num_threads, device=device, strict=strict,
        trace_limit=trace_limit, webgpu_limits=webgpu_limits, compile_in_background=compile_in_background,
        probe_seconds=probe_seconds,
    )  # fmt: skip
    checked: dict[str, Any] = {}
    for name, value in (changes | unknown).items():
        if name not in NAMES:
            near = nearest(name, NAMES)
            raise SettingError(f"no setting is called {name!r}{near}; there are {', '.join(NAMES)}")
        if value is None and getattr(_DEFAULTS, name) is not None:
            raise SettingError(f"configure({name}=None): this setting has no automatic choice")
        text = {True: "on", False: "off"}[value] if isinstance(value, bool) else str(value)
        checked[name] = None if value is None else _checked(SETTINGS[name].parse, f"configure {name}", text)
    _current = replace(before, **checked)
    return before


def restore(record: Settings | None) -> None:
    """Put a record back in force; None reads the environment and the files again at the next use."""
    global _current
    _current = record
    if record is None:
        forget_files()


_current: Settings | None = None
_given_device: str | None = None
"""What `JITFRAME_DEVICE` said when the environment was read."""


def _checked(parse: Callable[[str], Value], variable: str, given: str) -> Value:
    try:
        return parse(given)
    except ValueError as problem:
        raise SettingError(f"{variable}={given}: {problem}") from None


def _switch(text: str) -> bool:
    if text.lower() in _TRUE:
        return True
    if text.lower() in _FALSE:
        return False
    raise ValueError("neither on nor off; write on, off, 1 or 0")


def _cache_dir(text: str) -> str:
    folder = absolute_path(text)
    if os.path.exists(folder) and not os.path.isdir(folder):
        raise ValueError("this is a file; name a folder (it is made when missing)")
    return folder


def _cache_size(text: str) -> int:
    size = parse_size(text)
    if size < MINIMUM_CACHE_SIZE_BYTES:
        raise ValueError(
            "smaller than 1MiB, the least that is useful; JITFRAME_CACHE=off turns the cache off"
        )
    return size


def _simd(text: str) -> str:
    if text.lower() not in SIMD_LEVELS:
        raise ValueError(f"no such level; there are {', '.join(SIMD_LEVELS)}")
    return text.lower()


def _webgpu_limits(text: str) -> str:
    if text.lower() not in WEBGPU_LIMITS:
        raise ValueError(f"no such limits; there are {', '.join(WEBGPU_LIMITS)}")
    return text.lower()


def _optimization_level(text: str) -> int:
    if text not in OPTIMIZATION_LEVELS:
        raise ValueError(f"no such level; there are {', '.join(OPTIMIZATION_LEVELS)}")
    return int(text)


def _num_threads(text: str) -> int:
    if not (text.isascii() and text.isdigit() and 1 <= int(text) <= MAXIMUM_THREADS):
        raise ValueError(f"not a number of threads; write a whole number from 1 to {MAXIMUM_THREADS}")
    return int(text)


def _trace_limit(text: str) -> int:
    if not (text.isascii() and text.isdigit() and int(text) >= MINIMUM_TRACE_LIMIT):
        raise ValueError(f"not a number of operations; write a whole number of {MINIMUM_TRACE_LIMIT} or more")
    return int(text)


def _probe_seconds(text: str) -> int:
    if not (text.isascii() and text.isdigit() and int(text) <= MAXIMUM_PROBE_SECONDS):
        raise ValueError(f"not a number of seconds; write a whole number from 0 to {MAXIMUM_PROBE_SECONDS}")
    return int(text)


def _device(text: str) -> str:
    if re.fullmatch(_DEVICE, text.lower()) is None:
        raise ValueError(
            "not a device name; write a name and perhaps a number, such as cpu, opencl or cuda:1"
        )
    return text.lower()


def _own_device(text: str) -> None:
    backend = text.lower().partition(":")[0]
    if backend not in OWN_DEVICES:
        raise ValueError(
            f"a project's file may name {listed(OWN_DEVICES)}; backends of other packages are code that is "
            f"the user's alone to choose: {user_alone('JITFRAME_DEVICE')}"
        )


class Setting(metaclass=record):
    """How a setting is read, and who may set it."""

    parse: Callable[[str], Any]
    by_project: bool
    """Whether a project's file may set it: only what decides neither which code runs, by whose compiler and
    libraries, nor where code is kept, nor how much of the user's folders is. Such a file may have come with
    anything that was unpacked here."""
    key: str = ""
    """Its name in a file where that is another one: "cpu.simd", an option of a backend."""
    check_project: Callable[[str], None] | None = None
    """Raises ValueError for what a project may not say."""
    is_path: bool = False
    """Whether it is a path, which depends on no working folder where a file says it."""


SETTINGS: dict[str, Setting] = {
    "cache": Setting(_switch, False),
    "cache_dir": Setting(_cache_dir, False, is_path=True),
    "cache_size": Setting(_cache_size, False),
    "simd": Setting(_simd, True, "cpu.simd"),
    "optimization_level": Setting(_optimization_level, True),
    "num_threads": Setting(_num_threads, True, "cpu.threads"),
    "device": Setting(_device, True, check_project=_own_device),
    "strict": Setting(_switch, True),
    "trace_limit": Setting(_trace_limit, True),
    "webgpu_limits": Setting(_webgpu_limits, True, "webgpu.limits"),
    "compile_in_background": Setting(_switch, True),
    "probe_seconds": Setting(_probe_seconds, False),
}
