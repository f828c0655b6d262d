"""The user's own folders: home, caches, configuration. None of them depends on the working folder."""

from __future__ import annotations

import os
import sys

_HAS_PLATFORMS_OWN = sys.platform in ("darwin", "win32")


def home_folder() -> str | None:
    """The user's home: HOME if it is absolute, else the entry of the system's user database; None if neither
    is known."""
    if sys.platform == "win32":
        found = os.path.expanduser("~")
        return found if os.path.isabs(found) else None
    found = os.environ.get("HOME", "")
    if not os.path.isabs(found):
        import pwd

        try:
            found = pwd.getpwuid(os.getuid()).pw_dir
        except KeyError:
            return None
    return found if os.path.isabs(found) else None


def cache_folder() -> str | None:
    """The platform's cache folder for jitframe, as platformdirs gives it; None without a home."""
    if _HAS_PLATFORMS_OWN:
        import platformdirs

        return _absolute(platformdirs.user_cache_dir("jitframe", appauthor=False))
    return _xdg("XDG_CACHE_HOME", ".cache")


def configuration_folder() -> str | None:
    """The folder of the user's own configuration of jitframe; None without a home."""
    if _HAS_PLATFORMS_OWN:
        import platformdirs

        return _absolute(platformdirs.user_config_dir("jitframe", appauthor=False))
    return _xdg("XDG_CONFIG_HOME", ".config")


def absolute_path(text: str) -> str:
    """The absolute path for one that a person wrote, with ~ expanded. Raises ValueError if it cannot be
    resolved."""
    if "\0" in text:
        raise ValueError("a path holds no zero byte")
    path = text
    if text == "~" or text.startswith(("~/", "~" + os.sep)):
        home = home_folder()
        if home is None:
            raise ValueError("no home folder is known for ~; write an absolute path")
        path = home + text[1:]
    elif text.startswith("~"):
        path = os.path.expanduser(text)
        if path == text:
            raise ValueError(f"there is no user {text.split(os.sep)[0][1:]!r}; write an absolute path")
    try:
        return os.path.abspath(path)
    except OSError:
        raise ValueError("it is relative, and the working folder is gone; write an absolute path") from None


def _xdg(variable: str, folder: str) -> str | None:
    """platformdirs' rule for XDG systems, without the 4 ms that importing it adds to every warm start.

    Relative paths are invalid and ignored: XDG Base Directory Specification 0.8, "Basics".
    """
    base = os.environ.get(variable, "").strip()
    if not os.path.isabs(base):
        home = home_folder()
        if home is None:
            return None
        base = os.path.join(home, folder)
    return os.path.join(base, "jitframe")


def _absolute(path: str) -> str | None:
    return path if os.path.isabs(path) else None
