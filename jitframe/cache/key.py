"""The key of a kernel: all fields that its binary depends on, readable, and the digest that names it."""

from __future__ import annotations

from collections.abc import Mapping

from ..ir.record import record
from .digest import digest

WRITTEN = "none: a program as it was written"
"""The generator of programs written in a device's own language."""


class CacheKey(metaclass=record):
    """A kernel's identity: never a path, a time, or a compiler's output."""

    kernel: str
    """Digest of the kernel's canonical text, in hexadecimal."""
    generator: str
    """Version of the code generator."""
    target: str
    """The target: instruction set, or device architecture with driver and compiler version."""
    options: tuple[tuple[str, str], ...] = ()
    """Compiler options by name, sorted."""

    def digest(self) -> bytes:
        """The digest that names this key."""
        fields = [self.kernel, self.generator, self.target]
        for name, value in self.options:
            fields += (name, value)
        return digest(*[field.encode("utf-8", "surrogatepass") for field in fields])

    def differing(self, other: CacheKey) -> tuple[tuple[str, str, str], ...]:
        """(field, value here, value there) for each field that differs; each option is a field."""
        rows = [
            (name, getattr(self, name), getattr(other, name))
            for name in ("kernel", "generator", "target")
            if getattr(self, name) != getattr(other, name)
        ]
        here, there = dict(self.options), dict(other.options)
        for name in sorted(here.keys() | there.keys()):
            if here.get(name) != there.get(name):
                rows.append((f"option {name}", here.get(name, "(none)"), there.get(name, "(none)")))
        return tuple(rows)


def make_key(
    kernel_text: str, generator: str, target: str, options: Mapping[str, object] | None = None
) -> CacheKey:
    """The key of a kernel given as canonical text; option values are converted by `str`."""
    return CacheKey(
        kernel=digest(kernel_text.encode("utf-8", "surrogatepass")).hex(),
        generator=generator,
        target=target,
        options=tuple(sorted((name, str(value)) for name, value in (options or {}).items())),
    )
