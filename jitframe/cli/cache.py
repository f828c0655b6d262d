"""`jitframe cache …`: lists the kernel cache, its costs, its integrity, and reasons of compilation."""

from __future__ import annotations

import difflib
import sys
from collections.abc import Callable
from typing import Annotated, Any, Literal

import typer

from .. import cache
from ..cache.entry import Entry, Header
from ..cache.explain import Why, explain
from ..cache.inventory import StoredEntry
from ..cache.key import WRITTEN
from ..errors import CacheError, SettingError
from ..ir.record import replace
from ..runtime.cpu.kernels.compiled_kernels import processor_text
from ..runtime.cpu.kernels.target import host_target
from ..runtime.cpu.machine_code.compile import assembly
from ..runtime.cpu.machine_code.levels import LEVELS, is_x86_64, level_target
from ..settings import OPTIMIZATION_LEVELS, parse_size, settings
from .output import ago, duration, print_fields, print_json, print_table, say, size, terminal_width

app = typer.Typer(help="Look into the kernel cache.", no_args_is_help=True)
Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]
Key = Annotated[str, typer.Argument(help="A kernel's key, or as much of its start as is unique.")]
Level = Literal["kernel", "source", "asm"]
SHOWN_KEY_LENGTH = 12
WIDE = 100
"""The minimum terminal width at which a list shows the purpose of each kernel."""
Column = tuple[str, str, Callable[[StoredEntry], str]]
"""A title, an alignment, and the text of a kernel in this column."""


@app.command("ls")
def list_entries(json: Json = False) -> None:
    """List the kernels on disk, most recently used first."""
    entries = cache.entries()
    if json:
        print_json([_as_json(entry) for entry in entries])
        return
    if not entries:
        _say_empty()
        return
    width = terminal_width()
    shown = list(_SHOWN if width is None else _SHOWN_WIDE if width >= WIDE else _SHOWN_NARROW)
    print_table([column[:2] for column in shown], [[spell(each) for *_, spell in shown] for each in entries])
    say(f"\n{_count(len(entries))}, {size(sum(entry.file_bytes for entry in entries))} in {cache.path}")


def _start(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[: most - 1]}…"


def _end(text: str, most: int) -> str:
    """The end of a path and line, which identifies it best."""
    return text if len(text) <= most else f"…{text[1 - most :]}"


def _processor(target: str) -> str:
    """A target without what all processors of its kind share: system, features, compiler."""
    words = [each for each in target.split() if not each.startswith(("+", "llvmlite-"))]
    return " ".join(words[1:] if len(words) > 1 and words[0].count("-") > 1 else words)


_KEY = ("key", "left", lambda entry: entry.name[:SHOWN_KEY_LENGTH])
_COSTS = (
    ("size", "right", lambda entry: size(entry.file_bytes)),
    ("compiled in", "right", lambda entry: duration(entry.header.compile_ns / 1e9)),
    ("used", "right", lambda entry: ago(entry.used_s)),
)
_SHOWN: tuple[Column, ...] = (
    _KEY,
    ("kernel", "left", lambda entry: _shown_name(entry.header)),
    ("from", "left", lambda entry: entry.header.origin),
    ("target", "left", lambda entry: entry.header.key.target),
    *_COSTS,
)
_SHOWN_WIDE: tuple[Column, ...] = (
    _KEY,
    ("kernel", "left", lambda entry: _start(_shown_name(entry.header), 16)),
    ("from", "left", lambda entry: _end(entry.header.origin, 24)),
    ("target", "left", lambda entry: _start(_processor(entry.header.key.target), 12)),
    *_COSTS,
)
_SHOWN_NARROW: tuple[Column, ...] = (
    _KEY,
    ("kernel", "left", lambda entry: _start(_shown_name(entry.header), 11)),
    ("from", "left", lambda entry: _end(entry.header.origin, 16)),
    *_COSTS,
)


@app.command()
def show(
    key: Key,
    level: Annotated[
        Level | None, typer.Option(help="Print this text of the kernel instead of its summary.")
    ] = None,
    json: Json = False,
) -> None:
    """Show all about one kernel, or its text at one level."""
    stored = _find(key)
    entry = cache.load(stored.name)
    if level is not None:
        text = _text(entry, level)
        print_json({"key": stored.name, "level": level, "text": text}) if json else sys.stdout.write(
            text + "\n"
        )
        return
    if json:
        print_json(_as_json(stored) | {"texts": entry.texts})
        return
    header = entry.header
    kept = [f"{name} ({size(length)})" for name, length in header.text_bytes.items()]
    print_fields(
        [
            ("key", stored.name),
            ("kernel", _shown_name(header)),
            ("from", header.origin or "unknown"),
            ("target", header.key.target),
            ("generator", header.key.generator),
            ("options", ", ".join(f"{name}={value}" for name, value in header.key.options) or "none"),
            ("kernel text", header.key.kernel),
            ("compiled in", duration(header.compile_ns / 1e9)),
            ("compiled", ago(header.created_ns / 1e9)),
            ("used", ago(stored.used_s)),
            ("image", size(header.image_bytes)),
            ("file", size(stored.file_bytes)),
            ("texts", ", ".join(kept)),
        ]
    )
    levels = "|".join(entry.texts)
    say(f"\njitframe cache show {stored.name[:SHOWN_KEY_LENGTH]} --level {levels} prints a text.")


@app.command()
def stats(json: Json = False) -> None:
    """Sum up what is on disk; a process's own hits and misses are in `jitframe.cache.stats()`."""
    entries = cache.entries()
    record = settings()
    used_bytes = sum(entry.file_bytes for entry in entries)
    seconds = sum(entry.header.compile_ns for entry in entries) / 1e9
    targets = _tally(entry.header.key.target for entry in entries)
    generators = _tally(entry.header.key.generator for entry in entries)
    if json:
        print_json(
            {
                "path": str(cache.path),
                "enabled": record.cache,
                "entries": len(entries),
                "bytes": used_bytes,
                "limit_bytes": record.cache_size,
                "seconds_to_compile": seconds,
                "targets": targets,
                "generators": generators,
            }
        )
        return
    if not entries:
        _say_empty()
        return
    print_fields(
        [
            ("folder", str(cache.path)),
            ("kernels", str(len(entries))),
            ("size", f"{size(used_bytes)} of at most {size(record.cache_size)}"),
            ("time to compile all", duration(seconds)),
            *[("for target", f"{target}: {_count(number)}") for target, number in targets.items()],
            *[("by generator", f"{generator}: {_count(number)}") for generator, number in generators.items()],
            ("last used", ago(entries[0].used_s)),
        ]
    )


@app.command()
def verify(
    repair: Annotated[bool, typer.Option("--repair", help="Remove what is damaged.")] = False,
    json: Json = False,
) -> None:
    """Check every byte of every kernel; exit status 1 when something is damaged and stays."""
    whole, damaged = cache.verify()
    removed = {damage.name for damage in damaged if repair and cache.remove(damage.name)}
    if json:
        rows = [
            {"key": damage.name, "reason": damage.reason, "removed": damage.name in removed}
            for damage in damaged
        ]
        print_json({"whole": whole, "damaged": rows})
    elif not whole and not damaged:
        _say_empty()
    else:
        say(f"{_count(whole)} whole, {len(damaged)} damaged")
        for damage in damaged:
            say(f"  {damage.name}: {damage.reason}{' (removed)' if damage.name in removed else ''}")
    if len(removed) < len(damaged):
        raise typer.Exit(1)


@app.command()
def clear(json: Json = False) -> None:
    """Remove every kernel from disk."""
    removed = cache.clear()
    print_json({"removed": removed}) if json else say(f"{_count(removed)} removed from {cache.path}")


@app.command()
def prune(
    to: Annotated[
        str, typer.Option("--to", metavar="SIZE", help="How much to leave, such as 100MB, 1GiB or 0.")
    ],
    json: Json = False,
) -> None:
    """Remove the least recently used kernels until at most SIZE of disk is left."""
    try:
        to_bytes = parse_size(to)
    except ValueError as problem:
        raise SettingError(f"--to: {problem}") from None
    result = cache.prune(to_bytes)
    if json:
        print_json(result._asdict())
        return
    say(
        f"{_count(result.removed)} removed ({size(result.removed_bytes)}), "
        f"{result.kept} kept ({size(result.kept_bytes)} of disk)"
    )


@app.command()
def why(
    key: Annotated[str | None, typer.Argument(help="One kernel's key, or its start.")] = None,
    json: Json = False,
) -> None:
    """Say why each kernel was compiled: the entry that came nearest then, and what differed."""
    entries = sorted(cache.entries(), key=lambda entry: entry.header.created_ns)
    chosen = _find(key).name if key is not None else None
    reasons = [
        _why(entry, entries[:place])
        for place, entry in enumerate(entries)
        if chosen is None or entry.name == chosen
    ]
    if json:
        print_json([_why_as_json(reason, differences=chosen is not None) for reason in reasons])
        return
    if not reasons:
        _say_empty()
        return
    if chosen is None:
        print_table(
            [("key", "left"), ("kernel", "left"), ("from", "left"), ("compiled because", "wrap")],
            [[each.key[:SHOWN_KEY_LENGTH], each.name, each.origin, each.reason] for each in reasons],
        )
        return
    say(str(reasons[0]))
    for field, here, there in reasons[0].differing:
        say(f"  {field}: {there} -> {here}")
    for line in _text_difference(reasons[0]):
        say(f"  {line}")


def _why(entry: StoredEntry, earlier: list[StoredEntry]) -> Why:
    return explain(entry.header.key, entry.header.name, entry.header.origin, earlier)


def _why_as_json(reason: Why, *, differences: bool) -> dict[str, Any]:
    fields = [{"field": field, "here": here, "there": there} for field, here, there in reason.differing]
    row: dict[str, Any] = {
        "key": reason.key, "name": reason.name, "origin": reason.origin, "reason": reason.reason,
        "nearest": reason.nearest, "differing": fields,
    }  # fmt: skip
    return row | {"text_difference": _text_difference(reason)} if differences else row


def _text_difference(reason: Why) -> list[str]:
    """The kernels' texts compared, in unified form; empty if only other fields differ."""
    if reason.nearest is None or all(field != "kernel" for field, _, _ in reason.differing):
        return []
    before, after = (cache.load(name).texts["kernel"].splitlines() for name in (reason.nearest, reason.key))
    return list(difflib.unified_diff(before, after, reason.nearest[:12], reason.key[:12], n=1, lineterm=""))


def _find(key: str) -> StoredEntry:
    matches = [entry for entry in cache.entries() if entry.name.startswith(key.lower())]
    if not matches:
        raise CacheError(
            f"the cache at {cache.path} holds no kernel whose key starts with {key!r}; see jitframe cache ls"
        )
    if len(matches) > 1:
        shown = ", ".join(entry.name[:SHOWN_KEY_LENGTH] for entry in matches[:5])
        raise CacheError(
            f"{len(matches)} kernels' keys start with {key!r}: {shown}{', …' if len(matches) > 5 else ''}"
        )
    return matches[0]


def _text(entry: Entry, level: str) -> str:
    if level in entry.texts:
        return entry.texts[level]
    assembled = _assembled(entry) if level == "asm" else None
    if assembled is not None:
        return assembled
    kept = ", ".join(entry.texts)
    raise CacheError(f"the level {level!r} of this kernel was not kept; there is {kept}")


def _assembled(entry: Entry) -> str | None:
    """Assembly regenerated from the LLVM IR of a CPU kernel; None for other devices."""

    is_written = entry.header.key.generator == WRITTEN
    for each in [level_target(level) for level in LEVELS] if is_x86_64() else [host_target()]:
        for level in OPTIMIZATION_LEVELS:
            target = replace(each, optimization_level=int(level))
            if entry.header.key.target.startswith(f"{processor_text(target)} "):
                return assembly(entry.texts["source"], target, optimize=is_written)
    return None


def _as_json(entry: StoredEntry) -> dict[str, Any]:
    header = entry.header
    return {
        "key": entry.name,
        "name": header.name,
        "origin": header.origin,
        "kernel": header.key.kernel,
        "generator": header.key.generator,
        "target": header.key.target,
        "options": dict(header.key.options),
        "created": header.created_ns / 1e9,
        "used": entry.used_s,
        "seconds_to_compile": header.compile_ns / 1e9,
        "bytes": entry.file_bytes,
        "image_bytes": header.image_bytes,
        "text_bytes": header.text_bytes,
    }


def _shown_name(header: Header) -> str:
    return f"{header.name} (source)" if header.key.generator == WRITTEN else header.name


def _tally(values: Any) -> dict[str, int]:
    counts: dict[str, int] = {}
    for value in values:
        counts[value] = counts.get(value, 0) + 1
    return dict(sorted(counts.items(), key=lambda row: -row[1]))


def _count(number: int) -> str:
    return f"{number} kernel{'' if number == 1 else 's'}"


def _say_empty() -> None:
    if not settings().cache:
        say("The disk cache is off (JITFRAME_CACHE=off): kernels are kept in memory only, for one process.")
        return
    say(
        f"No kernels in {cache.path} yet. "
        "They appear when a function under @jitframe.jit, or a Tensor, first runs."
    )
