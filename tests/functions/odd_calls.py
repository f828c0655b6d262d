"""Calls of every public function, with arguments that fit, and with odd ones in their places."""

from __future__ import annotations

import math
import random
import tempfile
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

from tests.functions.crawl_subjects import Subject, matrix


class WithArray:
    """An object that NumPy converts."""

    def __array__(self, dtype: Any = None, copy: Any = None) -> np.ndarray:
        return np.array([1.0, 2.0, 3.0], dtype)


class WithIndex:
    def __index__(self) -> int:
        return 1


class Subclass(np.ndarray):
    """A class of arrays that changes nothing."""


def made(shape: tuple[int, ...], kind: str, form: str = "") -> np.ndarray:
    """The array that stands as `A(shape, kind, form)` in a call."""
    size = math.prod(shape)
    values = (np.arange(size) * 7 % 5 % (2 if kind == "?" else 9)).astype(kind)
    if form == "special" and values.dtype.kind in "?biufc":
        values = np.resize(special(values.dtype), size)
    array: np.ndarray = values.reshape(shape)
    return FORMS[form](array)


def special(dtype: np.dtype[Any]) -> np.ndarray:
    """The numbers at the ends of a dtype."""
    if dtype.kind in "iu":
        limits = np.iinfo(dtype)
        return np.array([limits.max, limits.min, 1, limits.max - 1, 0], dtype)
    if dtype.kind == "b":
        return np.array([True, False])
    real = dtype if dtype.kind == "f" else np.dtype(f"f{dtype.itemsize // 2}")
    found = np.array([np.nan, -0.0, np.finfo(real).smallest_subnormal, np.inf, -np.inf], real)
    return found if dtype.kind == "f" else (found + 1j * found[::-1]).astype(dtype)


def _spaced(array: np.ndarray) -> np.ndarray:
    """The same elements with one between every two of them, along every axis."""
    room = np.ones([2 * extent for extent in array.shape], array.dtype)
    found = room[(slice(None, None, 2),) * array.ndim + (Ellipsis,)]
    found[...] = array
    return found


def _reversed(array: np.ndarray) -> np.ndarray:
    return np.array(np.flip(array))[(slice(None, None, -1),) * array.ndim + (Ellipsis,)]


def _spread(array: np.ndarray) -> np.ndarray:
    first = array[:1] if array.ndim else array
    return np.broadcast_to(first, array.shape)


def _locked(array: np.ndarray) -> np.ndarray:
    array.flags.writeable = False
    return array


def _mapped(array: np.ndarray) -> np.ndarray:
    """In a file, which goes with the array."""
    if not array.size or array.dtype.hasobject:
        return array
    file = tempfile.TemporaryFile()  # noqa: SIM115 - the array closes it
    found = np.memmap(file, array.dtype, "w+", shape=array.shape)
    found[...] = array
    return found


FORMS: dict[str, Callable[[np.ndarray], np.ndarray]] = {
    "": lambda array: array, "special": lambda array: array, "spaced": _spaced, "reversed": _reversed,
    "transposed": lambda array: np.array(array.T, order="C").T, "spread": _spread, "locked": _locked,
    "subclass": lambda array: array.view(Subclass),
    "swapped": lambda array: array.astype(array.dtype.newbyteorder(">")),
    "mapped": _mapped,
    "masked": lambda array: np.ma.masked_array(array, np.arange(array.size).reshape(array.shape) % 2 == 1),
    "matrix": lambda array: np.asmatrix(array) if array.ndim < 3 else array,
}  # fmt: skip
"""Of arrays: how they lie in memory, and of which class they are."""
LAYOUTS = ("special", "special", "spaced", "reversed", "transposed", "spread", "locked")
CLASSES = ("subclass", "swapped", "mapped", "masked", "matrix")
SHAPES = ((), (3,), (3,), (1,), (0,), (2, 3), (2, 3), (3, 3), (2, 1, 3), (2, 0), (4, 2, 3))
KINDS = ("f8", "f8", "f4", "i8", "i4", "u1", "?")
RARER = ("c8", "c16", "f2", "i1", "i2", "u2", "u4", "u8")
FOREIGN = ("M8[D]", "m8[s]", "S3", "U3", "O", "i4,f8", "g", ">f8", ">i4")
"""Dtypes that jitframe has not."""
ARRAYS = [f"A({shape}, {kind!r})" for shape in SHAPES for kind in KINDS]
LISTS = [
    "[A((3,), 'f8'), A((3,), 'f4')]", "[A((2, 3), 'f8'), A((2, 3), 'i8')]", "(A((3,), 'f8'), A((1,), 'f8'))",
    "[A((2, 3), 'f8'), A((3,), 'f8')]", "[]", "[A((), 'f8'), 1.5]", "[1, 2, 3]", "[[1.0, 2.0], [3.0, 4.0]]",
    "[A((3,), '?'), A((3,), '?')]",
]  # fmt: skip
ODD = [
    "None", "True", "False", "-1", "0", "1", "2", "3", "5", "-3", "1.5", "2.0", "float('nan')",
    "float('inf')",
    "-0.0", "2**31", "2**62", "2**64", "-(2**70)", "'x'", "'C'", "'f4'", "'raise'", "b'x'", "()", "(1,)",
    "(0, 1)",
    "(1, 1)", "[0]", "[-1, 0]", "(1.5,)", "('a',)", "((0,),)", "(0, 1, 2)", "np.int64(1)", "np.float32(1)",
    "np.array(1)", "np.array([0, 1])", "np.array(1.0)", "np.array(['a'])", "np.bool_(True)", "object()",
    "slice(1)", "Ellipsis", "{}", "{1: 2}", "{0, 1}", "range(2)", "(lambda *a: a[0])", "int", "np.float32",
    "np.dtype('i4')", "1 + 2j", "Fraction(1, 2)", "Decimal(1)", "WithArray()", "WithIndex()", "A((), 'i8')",
    "A((), 'f8')", "A((3,), 'i8')", "A((2,), '?')", "[1, 'a']", "[[1, 2], [3]]",
    "np.datetime64('2000-01-01')",
    "np.empty(2, object)", "np.ones(2, 'c8')", "np.ones((2, 3), '>f8')", "iter([1, 2])", "(2**31, 2**31)",
    "(2**62, 2**62)", "(-1, 2)", "(0,)", "[None]",
    "np.zeros(2, 'i4,f8')", "np.zeros(3, 'm8[s]')", "np.zeros(3, 'M8[D]')", "np.array(['a', 'b', 'c'])",
    "np.array([b'a', b'b', b'c'])", "np.array([1, 2.5, None], object)", "made((3,), 'f8', 'masked')",
    "made((3,), 'f8', 'matrix')", "made((3,), 'f8', 'subclass')", "made((3,), 'i4', 'swapped')",
]  # fmt: skip
GOOD = {
    "axis": ["None", "0", "1", "-1", "(0, 1)", "np.int64(0)"], "axes": ["None", "(1, 0)", "1", "(0, 1)", "2"],
    "keepdims": ["True", "False", "1", "0", "None"],
    "dtype": ["None", "'f4'", "np.int32", "float", "bool", "'i8'", "'c8'", "'u1'", "'f2'", "complex"],
    "shape": ["(2, 3)", "3", "()", "(0, 2)", "[2, 2]", "np.array([2, 3])", "(-1,)"],
    "order": ["'C'", "'F'", "'K'", "'A'"],
    "casting": ["'same_kind'", "'unsafe'", "'safe'", "'no'"],
    "mode": ["'raise'", "'wrap'", "'clip'", "'full'", "'edge'"],
    "out": ["None", "A((3,), 'f8')", "A((2, 3), 'f8')"], "where": ["True", "A((3,), '?')", "A((2, 3), '?')"],
    "subscripts": ["'ij,jk->ik'", "'i->'", "'ij'", "'i,i'"], "obj": ["0", "[0, 1]", "slice(1, 3)", "-1"],
    "condition": ["A((3,), '?')", "A((2, 3), '?')"], "condlist": ["[A((3,), '?')]"],
    "choicelist": ["[A((3,), 'f8')]"],
    "funclist": ["[1.0]", "[(lambda v: v)]"], "side": ["'left'", "'right'"], "indexing": ["'ij'", "'xy'"],
    "ord": ["None", "1", "2", "'fro'"], "like": ["None"], "device": ["None", "'cpu'"],
    "copy": ["True", "False", "None"],
    "initial": ["0", "1.5"], "indices": ["0", "[0, 1]", "A((2,), 'i8')", "A((2, 3), 'i8')"], "kind": ["None"],
    "sorter": ["None"], "weights": ["None", "A((3,), 'f8')"], "range": ["None", "(0, 4)"],
    "bins": ["3", "[0, 1, 2]"],
    "varargs": ["1.0"], "extobj": ["None"],
}  # fmt: skip
GOOD |= dict.fromkeys(("newshape", "new_shape", "dims", "dimensions", "reps", "window_shape"), GOOD["shape"])
GOOD |= dict.fromkeys(("choices", "arrays", "tup"), LISTS)
ARRAY_NAMES = frozenset((
    "a", "b", "x", "y", "x1", "x2", "arr", "array", "ary", "m", "v", "A", "z", "p", "f", "val", "values",
    "element",
    "test_elements", "a1", "a2", "y1", "object", "prototype", "filt", "fp", "xp", "q", "e", "operands",
    "xi", "args",
    "arrays", "vals", "dst", "src", "mask", "ind", "nan", "multi_index", "fill_value", "prepend", "append",
    "to_end",
    "to_begin", "c", "S", "mean", "x3",
))  # fmt: skip
SMALL = ["0", "1", "2", "3", "-1"]
NAMES = {
    "A": None, "np": np, "WithArray": WithArray, "WithIndex": WithIndex, "Fraction": Fraction,
    "Decimal": Decimal, "sample": None, "matrix": matrix, "made": made,
}  # fmt: skip


class Call(NamedTuple):
    subject: Subject
    given: list[str]
    options: dict[str, str]
    argument: str = ""
    """Which is odd."""

    def __str__(self) -> str:
        named = [f"{name}={text}" for name, text in self.options.items()]
        return f"{self.subject.name}({', '.join([*self.given, *named])})"


class Maker:
    """Writes calls."""

    def __init__(
        self,
        seed: int,
        found: list[Subject],
        enormous: bool = True,
        foreign: bool = False,
    ) -> None:
        self.forms = (*LAYOUTS, *CLASSES) if foreign else LAYOUTS
        self.rarer = (*RARER, *FOREIGN) if foreign else RARER
        self.odd = [each for each in ODD if enormous or "2**31" not in each]
        self.random = random.Random(seed)
        self.subjects = found
        self.shape: tuple[int, ...] = ()
        """That most arrays of a call have."""

    def good(self, name: str) -> str:
        """An argument of the kind that its name tells."""
        pick = self.random.choice
        if name in ("out", "where"):
            return pick((GOOD[name][0], self.array(self.shape, "?" if name == "where" else self.kind("f8"))))
        if name in GOOD:
            return pick(GOOD[name])
        if name in ARRAY_NAMES:
            shape = self.shape if self.random.random() < 0.85 else pick(SHAPES)
            return self.array(shape, self.kind(pick(KINDS)))
        return pick(SMALL)

    def kind(self, usual: str) -> str:
        return self.random.choice(self.rarer) if self.random.random() < 0.25 else usual

    def array(self, shape: tuple[int, ...], kind: str) -> str:
        form = self.random.choice(self.forms) if self.random.random() < 0.25 else ""
        return f"A({shape}, {kind!r}{f', {form!r}' * bool(form)})"

    def spoiled(self, call: Call) -> Call:
        """The same call with an odd argument in the place of one, or with one more."""
        subject, given, options, _ = call
        given, options = list(given), dict(options)
        odd = self.random.choice(self.odd if self.random.random() < 0.85 else LISTS)
        while subject.name.startswith("operator") and odd == "np.dtype('i4')":
            odd = self.random.choice(self.odd)  # it compares itself with anything
        is_method = subject.name.startswith((".", "sparse")) or "item" in subject.name
        places = [*range(int(is_method), len(given)), *options]
        place = self.random.choice(places) if places and self.random.random() < 0.95 else None
        argument = str(place)
        if isinstance(place, int):
            given[place] = odd
            names = [name for name, kind in subject.parameters if kind < 3]
            argument = names[min(place, len(names) - 1)] if names else ""
        elif place is not None:
            options[place] = odd
        elif not subject.name.startswith("operator"):
            argument = self.random.choice(("axs", "out_", "keepdim", "sort"))
            options[argument] = odd
        return Call(subject, given, options, argument)

    def extra(self, subject: Subject) -> dict[str, str]:
        """Some of the arguments that a right call leaves out."""
        rest = subject.parameters[len(subject.fitting) :]
        return {
            name: self.good(name) for name, kind in rest if kind in (1, 3) and self.random.random() < 0.15
        }

    def call(self) -> Call:
        """A call whose arguments may fit."""
        subject = self.random.choice(self.subjects)
        self.shape = self.random.choice(SHAPES)
        given: list[str] = []
        options: dict[str, str] = {}
        by_name = False
        if subject.fitting and (subject.name.startswith("sparse") or self.random.random() < 0.7):
            return Call(subject, [*subject.fitting], self.extra(subject))
        for place, (name, kind) in enumerate(subject.parameters):
            needed = place == 0 or (kind < 2 and self.random.random() < 0.75) or self.random.random() < 0.25
            if kind == 2:
                given += [self.good(name) for _ in range(self.random.randrange(3)) if not by_name]
            elif not needed and kind == 0:
                break
            elif not needed or (kind == 0 and by_name):
                by_name = True
            elif kind == 3 or by_name or (kind == 1 and place and self.random.random() < 0.2):
                by_name = True
                options[name] = self.good(name)
            else:
                given.append(self.good(name))
        if subject.name.startswith("operator"):
            given += [self.good(name) for name, _ in subject.parameters[len(given) :]]
        return Call(subject, given, options)
