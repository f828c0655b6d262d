"""Random programs with Python state, as source text, from a seed: objects and their methods, properties,
dunders, inheritance, dataclasses, dicts, lists and tuples, closures, defaults, globals, generators, contexts,
handlers.

`program` is called with what `arguments(call)` makes, after `change(call)` has changed objects, classes,
globals and defaults between the calls. Floats are multiples of a half: sums are exact in any order.
"""

from __future__ import annotations

from typing import Any

from tests.fuzz.state_expressions import Expressions, Scope

STATEMENTS = 18
LENGTHS = ("0", "1", "3", "8", "9", "64", "70", "300")
"""Of loops: limits at which other code is made are between them."""
GLOBALS = ("COUNT", "RATE", "LIMITS", "TABLE", "OBJECT", "OTHER", "POINT")
"""What `change` changes, and what a program may change, beside its arguments."""

_DEFINITIONS = '''
import dataclasses
import functools
import itertools
import numpy as np

COUNT, RATE = 2, 0.5
LIMITS = [1, 4, 2.5, 7]
TABLE = {"a": 1, "b": 2.0, 3: 4}


@dataclasses.dataclass
class Point:
    a: float
    b: int = 1
    c: list = dataclasses.field(default_factory=list)

    def moved(self, by):
        return dataclasses.replace(self, a=(self.a + by) % 16)

    def __add__(self, other):
        return Point((self.a + other.a) % 16, max(self.b, other.b), self.c)


class Meter:
    """A context that counts, and may hold exceptions back."""

    def __init__(self, holds=()):
        self.entered, self.left, self.holds = 0, 0, holds

    def __enter__(self):
        self.entered += 1
        return self

    def __exit__(self, kind, error, trace):
        self.left += 1
        return kind is not None and issubclass(kind, self.holds)


class Refusal(Exception):
    pass


def keep(value, seen=[]):
    seen.append(value)
    return len(seen)


def weighted(value, weight=2, *more, offset=0, **named):
    return (value * weight + offset + sum(more) + named.get("extra", 0)) % 16


def running(values):
    total = 0
    for value in values:
        total = (total + value) % 16
        yield total
'''.strip()


class Maker(Expressions):
    """Writes one program."""

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        self.lines: list[str] = []
        self.count = self.loops = 0
        self.is_heavy = False
        """Whether a loop of many iterations is around."""

    def text(self) -> str:
        self.lines = [*_DEFINITIONS.splitlines(), "", ""]
        self._base()
        self._derived()
        self._write(0, "OBJECT, OTHER, POINT = Base(np.arange(8.0)), Derived(np.ones(8)), Point(1.5)")
        self._change()
        self._arguments()
        self._program()
        return "\n".join(self.lines) + "\n"

    # Frames -------------------------------------------------------------------------------------------
    def _base(self) -> None:
        write = self._write
        write(0, "class Base:")
        write(1, "scale, shared = 2, []")
        write(1, "def __init__(self, u):")
        write(2, "self.n, self.s, self.u, self.flag = 1, 0.5, u, False")
        write(2, "self.mix, self.best, self.items = 0, None, [1, 2]")
        self._methods(("add", "step"))
        write(1, "@property")
        write(1, "def level(self):")
        write(2, f"return {self._inside(self._number)}")
        write(1, "@level.setter")
        write(1, "def level(self, value):")
        self._body(2, 2)
        write(1, "def __call__(self, value, *more, by=1, **named):")
        self._body(2, 1)
        write(2, f"return (value * by + len(more)) % 16 + {self._inside(self._number)}")
        write(1, "def __len__(self):")
        write(2, self._pick("return len(self.items)", "return self.n % 9", "return len(self.u)"))
        write(1, "def __getitem__(self, place):")
        write(2, self._pick("return self.u[place]", "return self.items[place]", "return self.u[place] + 1"))
        write(1, "def __setitem__(self, place, value):")
        write(2, self._pick("self.u[place] = value", "self.items[place] = value", "self.s = value % 16"))
        write(1, "def __iter__(self):")
        write(2, self._pick("return iter(self.items)", "yield from self.u", "yield self.n; yield self.s"))
        write(1, "def __contains__(self, value):")
        write(
            2, self._pick("return value > self.s", "self.n = (self.n + 1) % 16; return value in self.items")
        )
        write(1, "def __eq__(self, other):")
        write(2, self._pick("return self.n == other.n", "return self is other"))
        write(1, "__hash__ = object.__hash__")

    def _derived(self) -> None:
        self._write(0, "class Derived(Base):")
        self._write(1, f"scale = {self._pick('3', '1.5')}")
        self._write(1, "def add(self, value, *more, by=2):")
        self._body(2, 1)
        self._write(
            2, self._pick("return super().add(value, *more, by=by)", "return super().add(value) + by")
        )
        if self._chance(0.5):
            self._write(1, "def __len__(self):")
            self._write(2, "return 3")
        if self._chance(0.3):
            self._write(1, "@classmethod")
            self._write(1, "def step(cls, value=1):")
            self._write(2, "cls.scale = (cls.scale + value) % 8")
            self._write(2, "return cls.scale")

    def _methods(self, names: tuple[str, ...]) -> None:
        for name in names:
            more = "*more, by=1" if name == "add" else "**named"
            self._write(1, f"def {name}(self, value=1, {more}):")
            self._body(2, 3)
            self._write(2, f"return {self._inside(self._any)}")

    def _inside(self, make: Any) -> str:
        before, self.scope = self.scope, Scope("self")
        made = make()
        self.scope = before
        return str(made)

    def _body(self, depth: int, most: int) -> None:
        """Statements of a method, without long loops."""
        before, count, heavy = self.scope, self.count, self.is_heavy
        self.scope, self.count, self.is_heavy = Scope("self"), STATEMENTS - 4, True
        for _ in range(self.random.randint(1, most)):
            self._statement(depth, 0)
        self.scope, self.count, self.is_heavy = before, count, heavy

    def _change(self) -> None:
        """Between calls."""
        choices = (
            "OBJECT.n = 3 + call", "OBJECT.n = 2.5", "OBJECT.s = call * 1.5", "OBJECT.s = np.float64(2)",
            "OBJECT.u = np.arange(8.0)[::-1]", "OBJECT.u = OTHER.u", "OBJECT.u = np.arange(8)",
            "OBJECT.flag = not OBJECT.flag", "OBJECT.best = None if OBJECT.best else 4", "OBJECT.mix = True",
            "OBJECT.items.append(call)", "OBJECT.items = [3]", "OBJECT.items = (1, 2)",
            "OBJECT.__class__ = Derived if type(OBJECT) is Base else Base", "OBJECT.scale = call",
            "OBJECT.add = OTHER.add", "Base.scale = call + 1", "Derived.scale = 2.5", "Base.add = Base.step",
            "Base.__len__ = lambda self: 4", "Derived.__call__ = lambda self, value, **named: value",
            "Base.level = 5", "Base.shared.append(call)", "COUNT = call + 3", "COUNT = 1.5", "RATE = call",
            "RATE = np.float64(1.5)", "LIMITS[0] = call * 2", "LIMITS.append(call)", "LIMITS = (5, 3, 2, 1)",
            "TABLE['a'] = call + 0.5", "TABLE['c'] = call", "TABLE = {'a': call, 'b': True, 3: 0}",
            "keep.__defaults__ = ([call],)", "weighted.__defaults__ = (call,)",
            "weighted.__kwdefaults__['offset'] = call", "weighted.__code__ = other_weighted.__code__",
            "POINT.a = call", "POINT.b = 2.5", "POINT = OBJECT.point = Point(2.5, 3)", "POINT.c.append(call)",
            "OBJECT, OTHER = OTHER, OBJECT", "OTHER = OBJECT", "OBJECT = Base(np.ones(8))", "pass", "pass",
        )  # fmt: skip
        self._write(0, "def other_weighted(value, weight=3, *more, offset=1, **named):")
        self._write(1, "return (value + weight + offset) % 8")
        self._write(0, "def change(call):")
        self._write(1, "global COUNT, RATE, LIMITS, TABLE, OBJECT, OTHER, POINT")
        for call in (1, 2):
            self._write(1, f"if call == {call}:")
            for _ in range(self.random.randint(1, 3)):
                self._write(2, str(self._pick(*choices)))

    def _arguments(self) -> None:
        self._write(0, "def arguments(call):")
        self._write(1, "made = np.random.default_rng(call)")
        x = self._pick(
            "astype(float)", "astype(float)", "astype(np.float32)", "astype(np.int64)", "astype(np.uint8)"
        )
        self._write(1, f"x = made.integers(0, 12, 8).{x}")
        y = self._pick("made.integers(0, 9, (3, 8)) / 2", "np.zeros((3, 8))", "x.reshape(2, 4)")
        self._write(1, f"y = {y}")
        o = self._pick("OBJECT", "OBJECT", "Base(x)", "Derived(x.copy())", "Base(made.integers(0, 9, 8) / 2)")
        p = self._pick("OTHER", "o", "Derived(made.integers(0, 5, 8) * 1.0)", "Base(x[::-1])", "OTHER")
        self._write(1, f"o = {o}")
        self._write(1, f"p = {p}")
        u = self._pick("x", "x * 1.0", "o.u", "np.ones(8)")
        n = self._pick("call", "call + 1.5", "3", "call % 2 == 0", "np.int64(call + 2)", "np.float64(call)")
        self._write(1, f"d = {{'n': 2, 's': 3.5, 'u': {u}}}")
        self._write(1, f"l = [3, 1.5, {self._pick('None', 'x', '2', 'True')}]")
        self._write(1, f"return x, y, o, p, d, l, {n}")

    def _program(self) -> None:
        for _ in range(self.random.choice((0, 0, 1))):
            self._write(0, "def helper(value, self, by=COUNT):")
            self._body(1, 2)
            self._write(1, f"return {self._inside(self._any)}")
        self._write(0, "def program(x, y, o, p, d, l, n=1):")
        self._write(1, "i, j, f, h, z, g, best, kept = 1, len(l), 0.0, float(x[1]), False, 0, None, []")
        self._write(1, f"u = {self._pick('x * 2', 'np.zeros(8)', 'x', 'o.u', 'x[::-1]', 'y[0]')}")
        self._write(
            1, f"q = {self._pick('Point(x[0])', 'Point(1.5, 2, kept)', 'POINT', 'Point(0.5, c=[i])')}"
        )
        self._closures()
        for _ in range(self.random.randint(2, 5)):
            self._statement(1, 0)
        self._write(1, self._results())

    def _closures(self) -> None:
        self._write(1, f"def note(value, by={self._pick('1', 'i', 'n', 'h')}):")
        self._write(2, f"nonlocal i, g{self._pick('', ', f', ', z')}")
        self._write(2, f"i = (i + {self._pick('1', 'int(value)', 'by > 1')}) % 16")
        if self._chance(0.5):
            self._write(2, f"if value > {self.random.randint(0, 9)}:")
            self._write(3, self._pick("g = g + value if g < 9 else 0", "return by", "kept.append(value)"))
        self._write(2, f"return {self._pick('value', 'g', 'i', 'value > by')}")
        if self._chance(0.4):
            self._write(1, f"pick = {self._pick('lambda v, w=1: (v * w + i) % 16', 'lambda v: o.add(v)')}")
            self.scope.objects = [*self.scope.objects, "pick"]

    def _results(self) -> str:
        chosen = self.random.sample(
            ("i", "j", "f", "h", "z", "g", "best", "kept", "u", "q", "o.n", "o.s", "o.u[2]", "d", "l", "y[1]",
             "x.sum()", "f'{i} {f} {z} {best}'", "[i, f]", "str([i, f, g])",
             "{'i': i, 'f': f}", "(f, x)", "len(kept)"),
            5,
        )  # fmt: skip
        return f"return {', '.join(chosen)}"

    def _write(self, depth: int, line: str) -> None:
        self.lines.append("    " * depth + line)

    # Statements ---------------------------------------------------------------------------------------
    def _block(self, depth: int, inside: int, most: int = 2) -> None:
        for _ in range(self.random.randint(1, most)):
            self._statement(depth, inside)

    def _statement(self, depth: int, inside: int) -> None:
        self.count += 1
        roll = self.random.random()
        nested = depth <= 4 and self.count < STATEMENTS
        if roll < 0.15 and nested:
            self._condition(depth, inside)
        elif roll < 0.32 and nested:
            self._loop(depth, inside)
        elif roll < 0.38 and nested:
            self._handled(depth, inside)
        elif roll < 0.41 and nested:
            self._context(depth, inside)
        elif roll < 0.44:
            self._raising(depth)
        elif roll < 0.48 and inside:
            self._write(depth, f"if {self._test()}:")
            leave = "return self.n" if self.scope.owner else self._results()
            self._write(depth + 1, self._pick("break", "continue", "break", leave))
        else:
            self._write(depth, self._simple())

    def _simple(self) -> str:
        scope, number, integer = self.scope, self._number(), self._integer()
        array, other = self._pick(*scope.arrays), self._pick(*scope.arrays)
        begin, end = sorted(self.random.sample(range(9), 2))
        bound = self.random.randint(0, 8)
        optional, list_ = self._pick(*scope.optional), self._pick(*scope.lists)
        choices = [
            f"{self._pick(*scope.integers)} = {integer}",
            f"{self._pick(*scope.integers)} = int({number}) % 16",
            f"{self._pick(*scope.floats)} = {number}", f"{self._pick(*scope.floats)} = float({number}) % 16",
            f"{self._pick(*scope.floats)} = ({self._pick(*scope.floats)} + {number}) % 16",
            f"{self._pick(*scope.integers)} += {self._pick('1', integer)}",
            f"{self._pick(*scope.floats)} += {self._pick('0.5', number)}",
            f"{self._pick(*scope.mixed)} = {number}", f"{self._pick(*scope.mixed)} = {integer}",
            f"{self._pick(*scope.mixed)} = {self._test()}",
            f"{self._pick(*scope.flags)} = bool({self._test()})",
            f"{self._pick(*scope.flags)} = not {self._pick(*scope.flags)}", f"{optional} = {number}",
            f"{optional} = None",
            f"{array}[{self._place()}] = {number}", f"{array}[{self._place()}] += {self._pick('1', integer)}",
            f"{array}[{self._place()}] = {integer}",
            f"{array}[{begin}:{end}] = {other}[{begin}:{end}] % 8", f"{array}[{begin}:{end}] += 1",
            f"{array} = ({other} + {self._pick('1', '0.5', other)}) % 16", f"{array} = {other}",
            f"{array} = {other}[::-1]",
            f"{array} += 1", f"{array} %= 8", f"{array} = {other}.copy()", f"{array}[{array} > 5] = 1",
            f"{array}[...] = {other}[::-1] % 9",
            f"{array} = np.where({array} > {other}, {array}, {integer})",
            f"{array} = np.array([v % 6 for v in {other}])",
            f"{list_}.append({self._pick(number, integer, self._pick(*scope.arrays))})",
            f"{list_} = {list_} + [{integer}]",
            f"{list_} += [{number}]", f"{list_}[-1] = {number}",
            f"{list_} = [{self._pick('v', 'v * 2', 'bool(v)')} for v in {array} if v > {bound}]",
            f"{list_} = sorted({array})", f"{list_} = {array}.tolist()",
            f"{list_} = list(zip({array}, {other}))",
            f"{list_} = list(enumerate({array}))[:3]",
            f"{list_} = [*{list_}, {number}]",
            f"{self._pick(*scope.integers)}, {self._pick(*scope.floats)} = {integer}, {number}",
            f"keep({number})", f"LIMITS[1] = {number}", f"TABLE['a'] = {integer}",
            f"TABLE[{self._pick('3', repr('n'), integer)}] = {number}",
            f"LIMITS.append({integer})", f"OBJECT.n = {integer}", f"OTHER.u[{self._place()}] = {number}",
            f"first, *rest = {array}; {self._pick(*scope.floats)} = float(first) + len(rest)",
        ]  # fmt: skip
        if scope.owner:
            choices += [
                f"self.mix = {number}", "self.n, self.s = int(self.s), float(self.n)",
                "self.extra = value", "self.shared.append(1)",
                f"self.items = [v for v in self.items if v != {integer}]", "type(self).scale = 3",
                "self.n += 1", "self.s = value",
                f"if {self._test()}: return {number}", f"self.u = self.u + {number} % 2", "self.items.pop()",
            ]  # fmt: skip
        else:
            o = self._pick("o", "p", "OBJECT")
            choices += [
                f"{o}.add({number})", f"{o}.step({number}, extra={integer})", f"{o}.level = {number}",
                f"{o}[{self._place()}] = {number}",
                f"{o}[{self._place()}] += {integer}", f"{self._pick(*scope.mixed)} = {o}({number})",
                f"{o}.u = {array}", "p.u = o.u",
                "o, p = p, o",
                f"o = {self._pick('Base', 'Derived', 'type(o)')}({self._pick('u', 'x', 'x + 1')})",
                "d['o'] = o.n",
                f"d[{self._pick(repr('k'), 'i', integer)}] = {number}",
                f"d.update(s={number}, n={integer})", f"q = q.moved({number})", "q = q + POINT",
                f"q.a, q.b = {number}, {integer}", f"note({number})", f"kept.append(o.add({number}))",
                f"l.append({number})",
                f"l[2] = {number}", f"l[0], l[1] = {integer}, {number}", "u = x",
                f"y[{self._pick('0', '1', 'i % 2')}] = {self._pick('x', 'u', '1', 'y[0] + 1')}",
                "y[:, 1] += 1", "x, u = u, x",
                f"kept = [o.add(v) for v in {self._pick('x', '(1, 2)', 'x[:3]')}]",
                f"g = [note(v) for v in x][{self._pick('0', '-1')}]",
                "g = [step(n) for step in (o.add, p.step, weighted)][1]", f"d['n'] += {integer}",
                f"o.n -= {integer}", "o.flag ^= True",
                f"g = dict(zip('abc', {array}))['b']", f"kept.extend(running({array}[:3]))",
                f"setattr(o, 's', {number})", "del o.best; o.best = 1",
                "g = len(f'{i} {f:.1f} {o.s} {best}')", f"kept = [*map(note, {array}[:4])]",
                f"g = sum(filter(lambda v: v > 2, {array})) % 16",
                f"g = max(enumerate({array}), key=lambda each: each[1])[0]", f"d = {{**d, 's': {number}}}",
                f"l = l[::-1] if {self._test()} else l",
                f"kept = [step() for step in [lambda v=v: v + i for v in {array}[:3]]]",
                f"z = any(o.add(v) for v in {array})",
                f"o.items[{self._pick('0', '-1')}], i = i, {integer}", "d['u'] = d['u'] * 2 % 8",
                f"o.mix = p.mix = {number}",
            ]  # fmt: skip
        return str(self._pick(*choices))

    def _raising(self, depth: int) -> None:
        line = self._pick(
            f"assert {self._test()}, 'wrong'", f"assert {self._number()} >= 0",
            f"if {self._test()}: raise Refusal('no')",
            f"if {self._test()}: raise ValueError(f'is {{COUNT}}')",
            f"{self._pick(*self.scope.floats)} = 6 / {self._integer()} // 1",
            f"{self._pick(*self.scope.arrays)}[{self._integer()}] = 2",
            f"{self._pick(*self.scope.lists)}[1] = 1",
            f"{self._pick(*self.scope.floats)} = LIMITS[{self._integer()}]",
            f"{self._pick(*self.scope.integers)} = TABLE[{self._integer()}]",
        )  # fmt: skip
        self._write(depth, line)

    def _condition(self, depth: int, inside: int) -> None:
        self._write(depth, f"if {self._test()}:")
        self._block(depth + 1, inside)
        if self._chance(0.25):
            self._write(depth, f"elif {self._test()}:")
            self._block(depth + 1, inside)
        if self._chance(0.5):
            self._write(depth, "else:")
            self._block(depth + 1, inside)

    def _handled(self, depth: int, inside: int) -> None:
        self._write(depth, "try:")
        self._block(depth + 1, inside)
        if self._chance(0.6):
            self._raising(depth + 1)
        if self._chance(0.85):
            kinds = self._pick(
                "(IndexError, KeyError)",
                "Refusal",
                "(ValueError, ZeroDivisionError)",
                "Exception",
                "AssertionError",
            )
            self._write(depth, f"except {kinds} as error:")
            if self._chance(0.2):
                self._write(
                    depth + 1, "raise" if self._chance(0.5) else "raise Refusal(str(error)) from error"
                )
            else:
                self._block(depth + 1, inside)
            if self._chance(0.3):
                self._write(depth, "else:")
                self._block(depth + 1, inside)
            if self._chance(0.7):
                return
        self._write(depth, "finally:")
        self._block(depth + 1, inside, 1)

    def _context(self, depth: int, inside: int) -> None:
        target = self._pick("Meter()", "Meter((Refusal, IndexError))", "Meter(AssertionError)")
        self._write(depth, f"with {target} as meter:")
        self._block(depth + 1, inside)
        self._write(
            depth, self._pick("keep(meter.left)", f"{self._pick(*self.scope.integers)} = meter.entered")
        )

    def _loop(self, depth: int, inside: int) -> None:
        self.loops += 1
        name, array = f"k{self.loops}", self._pick(*self.scope.arrays)
        long, self.is_heavy = not self.is_heavy, True
        lengths = LENGTHS if long else ("0", "1", "3", "8")
        roll, counts = self.random.random(), True
        if roll < 0.45:
            own = () if self.scope.owner else ("len(o)", "int(n)", "i", "len(kept)")
            self._write(
                depth, f"for {name} in range({self._pick(*lengths, *lengths, 'COUNT', 'len(LIMITS)', *own)}):"
            )
        elif roll < 0.6:
            flag = "value" if self.scope.owner else "z"
            self._write(depth, f"{name} = 0")
            self._write(
                depth,
                f"while {name} < {self._pick(*lengths)} and ({self._test()} or {self._pick('True', flag)}):",
            )
            self._write(depth + 1, f"{name} += 1")
        elif roll < 0.8:
            items = self._pick(f"enumerate({array})", f"zip(range(8), {array})", f"enumerate({array}, 1)")
            self._write(depth, f"for {name}, e{name} in {items}:")
            self._write(depth + 1, f"{self._pick(*self.scope.floats)} = e{name}")
        else:
            counts = False
            own = (
                ()
                if self.scope.owner
                else (
                    "itertools.islice(o, 9)",
                    "y",
                    "l[:2]",
                    "d.values()",
                    "(o, p)",
                    "[q, POINT]",
                    "running(x)",
                    "map(note, x)",
                    "kept[:5]",
                )
            )
            items = self._pick(
                array,
                "LIMITS[:4]",
                "TABLE.values()",
                "(1, 2.5, True)",
                f"{array}[::-1]",
                f"sorted({array})",
                *own,
            )
            self._write(depth, f"for {name} in {items}:")
            values = {
                "(o, p)": f"{name}.n += 1",
                "[q, POINT]": f"{name}.a += 1",
                "y": f"{name} += 1",
                "d.values()": "j += 1",
            }
            self._write(depth + 1, values.get(items, f"{self._pick(*self.scope.mixed)} = {name}"))
        if counts:
            self.scope.counters.append(name)
        self._block(depth + 1, inside + 1, 3)
        if counts:
            self.scope.counters.pop()
        if self._chance(0.15):
            self._write(depth, "else:")
            self._block(depth + 1, inside, 1)
        self.is_heavy = not long
