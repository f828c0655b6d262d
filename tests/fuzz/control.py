"""Random programs of Python's control flow, as source text, from a seed: loops in loops, conditions, `while`,
`break`, `continue`, `else`, early `return`, helpers, closures, objects, dicts and lists, numbers, flags and
arrays that are carried, elements, rows, slices and views written to.

All values are small whole numbers, so that every device has Python's results exactly.
"""

from __future__ import annotations

import random
from typing import Any

SIZE = 5
ROWS, COLUMNS = 3, 4
DEEPEST = 3
STATEMENTS = 26
RESULTS = "return a, b, s, t, z, g, u, v, c, box.n, box.s, box.u, d['n'], d['s'], h"
"""What every program returns; `g` begins as an integer and may become a float."""
NAMES = (*"abstzguvc", "box.n", "box.s", "box.u", "d['n']", "d['s']", "h")

_BEGIN = '''
class Box:
    def __init__(self, u):
        self.n, self.s, self.u = 0, 0.0, u

    def add(self, value):
        if value > 4:
            self.n = (self.n + 1) % 9
            return True
        self.s = (self.s + value) % 21
        return False


def first_of(p, q, limit):
    """With early returns."""
    if p > limit:
        return p - limit
    for step in range(3):
        if p + step > q:
            return step * 2
        q = q - step
    return q % 8


def last_below(values, limit):
    found = -1
    for place, value in enumerate(values):
        if value >= limit:
            continue
        found = place
        if value == 0:
            break
    else:
        return found + 1
    return found
'''.strip()


class Maker:
    """Writes one program: `def program(x, k, m, w, q)` with floats, integers, a matrix of floats, small
    integers and float32."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.lines: list[str] = []
        self.integers = ["a", "b", "box.n", "d['n']", "h[0]"]
        self.floats = ["s", "t", "box.s", "d['s']", "h[1]"]
        self.arrays = ["u", "u", "x", "v", "box.u"]
        self.counters: list[str] = []
        self.loops = 0
        self.count = 0

    def text(self) -> str:
        self.lines = [*_BEGIN.splitlines(), "", "", "def program(x, k, m, w, q):"]
        for line in (
            "a = 1", "b = int(k[0])", "s = 0.0", "t = float(x[1])", "z = False", "g = 0", "u = x * 2",
            "v = u",
            "c = m[1]", "box = Box(x + 1)", "d = {'n': 2, 's': 3.0}", "h = [3, 1.0]",
        ):  # fmt: skip
            self._line(1, line)
        self._line(1, "def note(value):")
        self._line(2, "nonlocal a, z")
        self._line(2, f"if value > {self.random.randint(1, 8)}:")
        self._line(3, "a = (a + 2) % 13")
        self._line(3, self._pick("z = not z", "return True", "return 1"))
        self._line(2, f"return {self._pick('z', 'a', '0')}")
        self._block(1, 0, self.random.randint(3, 7))
        self._line(1, RESULTS)
        return "\n".join(self.lines) + "\n"

    def _line(self, depth: int, line: str) -> None:
        self.lines.append("    " * depth + line)

    def _pick(self, *choices: Any) -> Any:
        return self.random.choice(choices)

    # Expressions --------------------------------------------------------------------------------------
    def _counter(self) -> str:
        return str(self._pick(*(self.counters or ["a"]), *self.integers))

    def _index(self, extent: int = SIZE) -> str:
        """A position on an axis, which may count from the end."""
        if self.counters and self.random.random() < 0.5:
            return f"{self._pick(*self.counters)} % {extent}"
        return str(
            self._pick(
                f"a % {extent}", f"b % {extent}", "0", "-1", str(self.random.randrange(extent)),
                f"-(b % {extent}) - 1", f"{extent - 1} - {self._counter()} % {extent}",
                f"{self._counter()} % {extent} - {extent}", f"int(k[{self._counter()} % 2]) % {extent}",
                f"({self._counter()} * 3 + {self._counter()}) % {extent}",
            )
        )  # fmt: skip

    def _integer(self) -> str:
        simple = self._pick(
            *self.integers, *self.counters, str(self.random.randint(-3, 4)), "int(k[1])",
            f"int(w[{self._index()}])", f"int({self._pick(*self.floats)})",
        )  # fmt: skip
        if self.random.random() < 0.4:
            return str(simple)
        other = self._pick(*self.integers, *self.counters, str(self.random.randint(1, 5)))
        return str(
            self._pick(
                f"({simple} + {other}) % 11", f"({simple} - {other}) % 7", f"{simple} * {other} % 13",
                f"max({simple}, {other}) % 17", f"abs({simple}) % 5", f"({simple} + {other}) // 2 % 8",
                f"({simple} if {self._test()} else {other}) % 9",
                f"divmod({simple}, {self._pick(2, 3, -4)})[1]",
                f"pow({simple} % 4, 2) % 15", f"min({simple}, {other}, 3)",
                f"round({self._pick(*self.floats)})",
                f"({simple} & 7) ^ ({other} % 4)", f"int({simple} > {other}) + 1", f"len(x) - {simple} % 3",
                f"first_of({simple} % 6, {other} % 5, {self.random.randint(0, 4)})",
                f"last_below({self._pick('x', 'u', 'v', 'm[2]')}, {self.random.randint(1, 8)})",
                f"({simple} << 1) % 19 >> 1", f"-{simple} % 6",
            )
        )  # fmt: skip

    def _element(self) -> str:
        return str(
            self._pick(
                f"x[{self._index()}]", f"u[{self._index()}]", f"v[{self._index()}]",
                f"box.u[{self._index()}]",
                f"m[{self._index(ROWS)}, {self._index(COLUMNS)}]", f"c[{self._index(COLUMNS)}]",
                f"float(q[{self._index()}])",
            )
        )  # fmt: skip

    def _float(self) -> str:
        simple = self._pick(*self.floats, self._element(), self._element())
        if self.random.random() < 0.35:
            return f"{simple} % 19"
        other = self._pick(
            *self.floats, f"x[{self._index()}]", "2.0", "-1.0", "u.sum()", "x.max()", "m.min()"
        )
        start = self._counter()
        return str(
            self._pick(
                f"({simple} + {other}) % 23", f"({simple} - {other}) % 17", f"min({simple}, {other}) % 9",
                f"({simple} if {self._test()} else {other}) % 13", f"abs({simple} - {other}) % 18",
                f"({simple} * {other}) % 16", f"max({simple}, {other}, 1.0) % 12", f"{simple} // 2 % 14",
                f"float({self._integer()})", f"divmod({simple}, 3)[0] % 10", f"pow({simple} % 5, 2)",
                f"x[{start} % 3 : {start} % 3 + 2].sum() % 20",
                f"sum(each for each in x if each > {other}) % 22",
                f"first_of({simple}, {other}, {self.random.randint(0, 6)}) % 24",
            )
        )  # fmt: skip

    def _test(self) -> str:
        simple = self._pick(
            f"{self._counter()} % 3 == {self.random.randrange(3)}", "z", "bool(k[1])",
            f"{self._pick(*self.floats)} > {self.random.randint(0, 9)}",
            f"x[{self._index()}] < u[{self._index()}]", f"u[{self._index()}] > 4", "u.sum() > 20",
            f"{self.random.randint(0, 3)} < {self._element()} <= {self.random.randint(4, 9)}",
            f"{self._counter()} % 6 in (1, 2, 5)", f"any(each > {self.random.randint(5, 20)} for each in u)",
            f"all(each > {self.random.randint(0, 3)} for each in x)", f"box.add({self._element()})",
            f"w[{self._index()}] > {self.random.randint(0, 9)}", f"note({self._element()})",
        )  # fmt: skip
        roll = self.random.random()
        if roll < 0.7:
            return str(simple)
        other = f"{self._pick(*self.integers)} < {self.random.randint(0, 6)}"
        return f"not {simple}" if roll < 0.78 else f"{simple} {self._pick('and', 'or')} {other}"

    # Statements ---------------------------------------------------------------------------------------
    def _block(self, depth: int, inside: int, count: int) -> None:
        for _ in range(count):
            self._statement(depth, inside)

    def _statement(self, depth: int, inside: int) -> None:
        """`inside`: how many loops it is in."""
        self.count += 1
        roll = self.random.random()
        nested = depth <= DEEPEST and self.count < STATEMENTS
        if roll < 0.16 and nested:
            self._condition(depth, inside)
        elif roll < 0.36 and nested:
            self._loop(depth, inside)
        elif roll < 0.42 and inside:
            self._line(depth, f"if {self._test()}:")
            self._line(depth + 1, self._pick("break", "continue", "break", RESULTS))
        elif roll < 0.48 and inside:
            self._growing(depth)
        elif roll < 0.52:
            self._line(depth, f"{self._pick(*self.integers)} = {self._integer()}")
        elif roll < 0.62:
            self._line(depth, f"{self._pick(*self.floats)} = float({self._float()})")
        elif roll < 0.72:
            self._scalars(depth)
        elif roll < 0.86:
            self._write(depth)
        else:
            self._whole(depth)

    def _scalars(self, depth: int) -> None:
        """Of several variables, flags, and a number that changes its kind."""
        float_, other = self._pick(*self.floats), self._pick(*self.floats)
        self._line(
            depth,
            self._pick(
                f"s, t = t, ({float_} + 1) % 25", "a, b = b, (a + b) % 10", f"z = bool({self._test()})",
                f"z = z or bool({self._test()})", f"z = not z and bool({self._test()})", "g = (g + 1) % 15",
                f"g = (g + {float_}) % 14", "g = g // 2 + 0.5", f"g = {self._integer()}",
                f"{float_} = {other}", f"{self._pick(*self.integers)} += 1", "s += 1", "note(s)",
                f"box.add({self._element()})", f"h[0], h[1] = {self._integer()}, float({self._float()})",
                f"(a, b), s = ({self._integer()}, {self._integer()}), float({self._float()})",
                f"a, t = divmod(a, 3)[0], float({self._float()})", "d['n'] += 1", "box.n -= 1",
            ),
        )  # fmt: skip

    def _write(self, depth: int) -> None:
        """To one element or row."""
        place = self._pick(
            *(f"{each}[{self._index()}]" for each in self.arrays), f"c[{self._index(COLUMNS)}]",
            f"m[{self._index(ROWS)}, {self._index(COLUMNS)}]",
            f"m[{self._index(ROWS)}][{self._index(COLUMNS)}]",
        )  # fmt: skip
        row = self._index(ROWS)
        self._line(
            depth,
            self._pick(
                f"{place} = {self._float()}", f"{place} = {self._float()}", f"{place} += {self._float()}",
                f"{place} %= {self._pick(5, 6, 7)}", f"{place} = {self._integer()}",
                f"m[{row}] = (m[{self._index(ROWS)}] + 1) % 12", f"m[{row}] -= x[1:]", f"m[:, {row}] = x[:3]",
                f"m[{row}, 1:] = m[{row}, :-1]", f"w[{self._index()}] = {self._counter()} % 7",
                f"w[{self._index()}] = w[{self._index()}] // 2 + 1",
                f"q[{self._index()}] = {self._integer()}",
                f"q[{self._index()}] += 1", f"w[{self._index()}] += 3",
            ),
        )  # fmt: skip

    def _whole(self, depth: int) -> None:
        begin = self.random.randrange(SIZE - 1)
        end = self.random.randint(begin + 1, SIZE)
        float_ = self._pick(*self.floats)
        start, row = self._counter(), self._index(ROWS)
        self._line(
            depth,
            self._pick(
                f"u[{begin}:{end}] = x[{begin}:{end}] + {float_}", f"u[{begin}:{end}] = u[{begin}:{end}] % 7",
                "u = (u + x) % 29", "u[...] = u[::-1] % 31", "x[1:] = (x[1:] + x[:-1]) % 15", "u[u > 5] = 1",
                "v = u.copy()", "u = np.where(u > x, u, x) % 21", "u[::2] = x[::2]", "u[1::2] += 1",
                "u[::-2] = u[::2] % 9", f"u[{start} % 3 : {start} % 3 + 2] = x[:2]",
                f"u[{start} % 2 :: 3] = {float_}" if start in ("a", "b") else "u[4::-3] = 2",
                "v = u[::-1].copy()",
                f"c = m[{row}].copy()", "m[1:] = (m[:-1] + m[1:]) % 13", "m[:, ::2] += 1", "m %= 11",
                "u %= 8",
                "u, v = v, u", "u = np.array([each % 6 for each in u])", "box.u = (box.u + u) % 10",
                "box.u[1:3] = u[:2]", "w = (w + 1) % 6", "q[:] = u", "m[m > 6] -= 2", "u += x",
                f"m[{row}, :] = {float_}", "c = (c + 1) % 9",
            ),
        )  # fmt: skip

    def _growing(self, depth: int) -> None:
        """To a slice whose length a loop decides, or of one."""
        e, f = self._length(), self._length()
        name, other = self._pick("x", "u", "v", "box.u"), self._pick("x", "u", "v", "box.u")
        float_, row, counter = self._pick(*self.floats), self._index(ROWS), self._counter()
        self._line(
            depth,
            self._pick(
                f"{name}[:{e}] += 1", f"{name}[{e}:] = {float_}", f"{name}[:{e}] = {other}[:{e}] % 7",
                f"{name}[{e}:] = {name}[{e}:][::-1] % 9", f"{name}[:{e}] %= 8", f"{name}[{e}:{f}] = {float_}",
                f"m[:{e}, 1] = {float_}", f"m[{row}, :{e}] += m[{row}, :{e}]", f"m[:, :{e}] %= 6",
                f"{float_} = float({name}[:{e}].sum() % 20)",
                f"{float_} = float(({name}[:{e}] * {other}[:{e}]).sum() % 19)",
                f"{float_} = float({name}[{e}:] @ {other}[{e}:] % 23)", f"a = len({name}[{e}:{f}])",
                f"{float_} = float(np.where({name}[:{e}] > 3, {name}[:{e}], 1).sum() % 14)",
                f"{float_} = float(m[:{e}, {self._index(COLUMNS)}].sum() % 9)",
                f"z = ({name}[{e}:{f}] > 4).any()",
                f"b = int(np.argmax({name}[{self._counter()} % 5 :]))",
                f"{name}[1 : {counter} % 5 + 1] = {other}[: {counter} % 5]",
                f"{name}[{e}:] = {name}[{e}:] + {other}[{e}:] % 3",
                f"m[:{e}] += 1",
            ),
        )  # fmt: skip

    def _length(self) -> str:
        """A bound of a slice, which may lie beyond the end, or count from it."""
        return str(
            self._pick(
                self._counter(),
                f"{self._counter()} % 7",
                f"{self._counter()} % 4 + 1",
                f"-({self._counter()} % 3) - 1",
            )
        )

    def _condition(self, depth: int, inside: int) -> None:
        self._line(depth, f"if {self._test()}:")
        self._block(depth + 1, inside, self.random.randint(1, 2))
        if self.random.random() < 0.3:
            self._line(depth, f"elif {self._test()}:")
            self._block(depth + 1, inside, 1)
        if self.random.random() < 0.5:
            self._line(depth, "else:")
            self._block(depth + 1, inside, self.random.randint(1, 2))

    def _loop(self, depth: int, inside: int) -> None:
        self.loops += 1
        name = f"i{self.loops}"
        kind = self.random.random()
        if kind < 0.5:
            self._counted(depth, inside, name)
        elif kind < 0.75:
            self._over_items(depth, inside, name)
        else:
            self._line(depth, f"{name} = 0")
            test = self._pick(f"{name} < 4", f"{name} < 5 and ({self._test()})", "True")
            self._line(depth, f"while {test}:")
            self._line(depth + 1, f"{name} += 1")
            if test == "True":
                self._line(depth + 1, f"if {name} > 3 or {self._test()}:")
                self._line(depth + 2, "break")
            self._block(depth + 1, inside + 1, self.random.randint(1, 2))
        if self.random.random() < 0.2:
            self._line(depth, "else:")
            self._block(depth + 1, inside, 1)

    def _counted(self, depth: int, inside: int, name: str) -> None:
        bounds = self._pick(
            "3", "4", "int(k[0])", "int(k[1])", f"1, {SIZE}", f"{SIZE - 1}, -1, -1", "0, 6, 2", "len(x)", "1",
            "0",
            f"{self._pick('a', 'b')} % 3, 4", "int(k[0]), -1, -2", "5, int(k[1]), -1", "m.shape[0]",
            "2, 2 + a % 2",
            "0, 4, int(k[1]) + 1",
            "a % 5, b % 5, 1 - 2 * (a % 2)", *[f"{each} % 4" for each in self.counters],
        )  # fmt: skip
        self._line(depth, f"for {name} in range({bounds}):")
        self.counters.append(name)
        self._block(depth + 1, inside + 1, self.random.randint(1, 3))
        self.counters.pop()

    def _over_items(self, depth: int, inside: int, name: str) -> None:
        """Over what is in arrays."""
        item = f"e{name}"
        target, items, line = self._pick(
            (f"{name}, {item}", f"enumerate({self._pick('x', 'u.copy()')})", f"s = (s + {item}) % 27"),
            (f"{name}, {item}", f"enumerate(u, {self.random.randint(0, 2)})", f"t = min({item}, t)"),
            (f"{item}, f{item}", "zip(x, u)", f"s = (s + {item} - f{item}) % 11"),
            (f"{name}, ({item}, f{item})", "enumerate(zip(v, x))", f"t = max({item}, f{item}, t) % 20"),
            (item, "reversed(u)", f"s = (s * 2 + {item}) % 13"),
            (item, "m", f"s = (s + {item}.sum()) % 17"), (item, "m", f"{item}[1] = ({item}[0] + 1) % 6"),
            (item, "m", f"{item} %= 7"), (item, "m.T", f"s = max(s, {item}[-1]) % 18"), (item, "w",
            f"a = (a + int({item})) % 12"),
            (item, "(1, 3, 4)", f"a = (a * {item}) % 9"), (item, "[x, u]", f"t = (t + {item}[2]) % 16"),
            (item, "m[:, 1]", f"z = z or {item} > 7"),
        )  # fmt: skip
        self._line(depth, f"for {target} in {items}:")
        counts = target.startswith(name)
        if counts:
            self.counters.append(name)
        self._line(depth + 1, line)
        self._block(depth + 1, inside + 1, self.random.randint(1, 2))
        if counts:
            self.counters.pop()
