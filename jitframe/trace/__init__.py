"""Tracing jitted functions. `jf.trace` is also a function, the sum of a diagonal: this package is called."""

import sys
from types import ModuleType
from typing import Any


class _Package(ModuleType):
    """Importing a package puts it in the place of a function of that name."""

    def __call__(self, *arguments: Any, **options: Any) -> Any:
        from ..public.arranging import trace

        return trace(*arguments, **options)


sys.modules[__name__].__class__ = _Package
