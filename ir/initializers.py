"""Initializers of up to nine fields, for `record` to take: compiling one takes as long as 300 calls of it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


def _0(self: Any) -> None:
    pass


def _1(self: Any, field0: Any) -> None:
    self.field0 = field0


def _2(self: Any, field0: Any, field1: Any) -> None:
    self.field0 = field0
    self.field1 = field1


def _3(self: Any, field0: Any, field1: Any, field2: Any) -> None:
    self.field0 = field0
    self.field1 = field1
    self.field2 = field2


def _4(self: Any, field0: Any, field1: Any, field2: Any, field3: Any) -> None:
    self.field0 = field0
    self.field1 = field1
    self.field2 = field2
    self.field3 = field3


def _5(self: Any, field0: Any, field1: Any, field2: Any, field3: Any, field4: Any) -> None:
    self.field0 = field0
    self.field1 = field1
    self.field2 = field2
    self.field3 = field3
    self.field4 = field4


def _6(self: Any, field0: Any, field1: Any, field2: Any, field3: Any, field4: Any, field5: Any) -> None:
    self.field0 = field0
    self.field1 = field1
    self.field2 = field2
    self.field3 = field3
    self.field4 = field4
    self.field5 = field5


def _7(
    self: Any, field0: Any, field1: Any, field2: Any, field3: Any, field4: Any, field5: Any, field6: Any
) -> None:
    self.field0 = field0
    self.field1 = field1
    self.field2 = field2
    self.field3 = field3
    self.field4 = field4
    self.field5 = field5
    self.field6 = field6


def _8(
    self: Any,
    field0: Any,
    field1: Any,
    field2: Any,
    field3: Any,
    field4: Any,
    field5: Any,
    field6: Any,
    field7: Any,
) -> None:
    self.field0 = field0
    self.field1 = field1
    self.field2 = field2
    self.field3 = field3
    self.field4 = field4
    self.field5 = field5
    self.field6 = field6
    self.field7 = field7


def _9(
    self: Any,
    field0: Any,
    field1: Any,
    field2: Any,
    field3: Any,
    field4: Any,
    field5: Any,
    field6: Any,
    field7: Any,
    field8: Any,
) -> None:
    self.field0 = field0
    self.field1 = field1
    self.field2 = field2
    self.field3 = field3
    self.field4 = field4
    self.field5 = field5
    self.field6 = field6
    self.field7 = field7
    self.field8 = field8


INITIALIZERS: tuple[Callable[..., None], ...] = (
    _0, _1, _2, _3, _4, _5, _6, _7, _8, _9,
)  # fmt: skip
"""By the number of fields."""
