"""What takes the place of an object that a trace cannot handle: any use raises, with the user's line."""

from __future__ import annotations

from typing import Any, NoReturn

from jitframe.errors import TraceError


class Refused:
    """Stands for an unsupported object that may never be used; the first use raises its TraceError."""

    __slots__ = ("_message",)

    def __init__(self, message: str) -> None:
        object.__setattr__(self, "_message", message)

    def _refuse(self, *_: Any, **__: Any) -> NoReturn:
        raise TraceError(object.__getattribute__(self, "_message"))

    __getattr__ = __setattr__ = __delattr__ = _refuse
    __call__ = __iter__ = __next__ = __len__ = __contains__ = __getitem__ = __setitem__ = __delitem__ = (
        _refuse
    )
    __bool__ = __int__ = __float__ = __complex__ = __index__ = __str__ = __format__ = __enter__ = _refuse
    __add__ = __sub__ = __mul__ = __truediv__ = __floordiv__ = __mod__ = __pow__ = __matmul__ = _refuse
    __radd__ = __rsub__ = __rmul__ = __rtruediv__ = __rfloordiv__ = __rmod__ = __rpow__ = __rmatmul__ = (
        _refuse
    )
    __and__ = __or__ = __xor__ = __lshift__ = __rshift__ = __rand__ = __ror__ = __rxor__ = _refuse
    __neg__ = __pos__ = __abs__ = __invert__ = __eq__ = __ne__ = __lt__ = __le__ = __gt__ = __ge__ = _refuse
    __array__ = __array_ufunc__ = __array_function__ = _refuse

    __hash__ = object.__hash__

    def __repr__(self) -> str:
        return f"Refused({object.__getattribute__(self, '_message')!r})"
