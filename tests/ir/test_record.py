"""Records: fields, defaults, equality, and initializers that report mistakes as Python's own do."""

from __future__ import annotations

import pytest

from jitframe.ir.record import fresh, identity_record, mutable, record, replace


class Point(metaclass=record):
    type: str
    """A field may be called as a builtin that initializers use."""
    x: int
    y: int = 0


class Bag(metaclass=mutable):
    name: str
    items: list[int] = fresh(factory=list)
    seen: dict[int, int] = fresh(factory=dict)


class Token(metaclass=identity_record):
    text: str


class Empty(metaclass=record):
    pass


def test_values_are_equal_by_their_fields() -> None:
    assert Point("a", 1) == Point("a", 1, 0) == Point(x=1, type="a") != Point("a", 1, 2)
    assert hash(Point("a", 1)) == hash(Point("a", 1, 0)) and Empty() == Empty()
    assert (Point("a", 1) == ("a", 1, 0)) is False
    assert replace(Point("a", 1), y=5) == Point("a", 1, 5)
    assert repr(Point("a", 1)) == "Point(type='a', x=1, y=0)"


def test_each_object_gets_fresh_defaults() -> None:
    one, other = Bag("one"), Bag("other", [1])
    one.items.append(2)
    assert (one.items, other.items, Bag("third").items) == ([2], [1], [])
    assert one.seen is not other.seen and one != Bag("one")


def test_tokens_are_themselves_only() -> None:
    assert Token("a") != Token("a")


def test_fields_take_no_room_for_others() -> None:
    with pytest.raises(AttributeError):
        Bag("one").other = 1  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((), "missing 2 required positional arguments: 'type' and 'x'"),
        ((1, 2, 3, 4), "positional arguments but 5"),
    ],
)
def test_mistakes_name_the_fields(arguments: tuple[int, ...], message: str) -> None:
    with pytest.raises(TypeError, match=message):
        Point(*arguments)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match=r"^Point\(\) got an unexpected keyword argument 'z'"):
        Point("a", 1, z=3)  # type: ignore[call-arg]
    with pytest.raises(TypeError, match="Point has no field 'z'; it has type, x, y"):
        replace(Point("a", 1), z=3)


def test_a_field_without_a_default_after_one_with_is_refused() -> None:
    with pytest.raises(AssertionError, match="without a default"):

        class Wrong(metaclass=record):
            x: int = 0
            y: int  # type: ignore[misc]


def test_a_class_is_made_once_and_is_a_plain_class():
    made = []

    class Base:
        __slots__ = ()

        def __init_subclass__(cls):
            made.append(cls)

        def own(self):
            return "base"

    class Point(Base, metaclass=record):
        x: int

        def own(self):
            return super().own(), __class__

    assert made == [Point] and type(Point) is type
    assert Point(1).own() == ("base", Point)
    assert not hasattr(Point(1), "__dict__")
