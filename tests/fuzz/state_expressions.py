"""Expressions of random programs with Python state: the names that they may use, numbers, tests."""

from __future__ import annotations

import random
from typing import Any


class Scope:
    """The names that statements at a place may use."""

    def __init__(self, owner: str = "") -> None:
        self.counters: list[str] = []
        self.owner = owner
        """`self` in a method, "" in a program."""
        if owner:
            self.integers, self.floats, self.flags = ["self.n"], ["self.s"], ["self.flag"]
            self.arrays, self.mixed = ["self.u"], ["self.mix", "value"]
            self.optional, self.lists, self.objects = ["self.best"], ["self.items"], []
        else:
            self.integers = ["i", "j", "o.n", "p.n", "d['n']", "l[0]", "q.b"]
            self.floats = ["f", "h", "o.s", "p.s", "d['s']", "l[1]", "q.a"]
            self.flags = ["z", "o.flag"]
            self.arrays = ["x", "u", "o.u", "p.u", "d['u']"]
            self.mixed, self.optional = ["g", "o.mix"], ["best", "o.best"]
            self.lists, self.objects = ["o.items", "kept", "q.c"], ["o", "p", "o"]


class Expressions:
    """Writes expressions over the names of a scope."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.scope = Scope()

    def _pick(self, *choices: Any) -> Any:
        return self.random.choice(choices)

    def _chance(self, share: float) -> bool:
        return self.random.random() < share

    def _place(self) -> str:
        scope = self.scope
        return str(self._pick(
            f"int({self._pick(*scope.integers)}) % 8", str(self.random.randrange(8)), "-1",
            f"{self._pick(*(scope.counters or ['3']))} % 8",
            f"-1 - {self._pick(*(scope.counters or ['3']))} % 8",
            *([f"{scope.counters[-1]}"] if scope.counters and self._chance(0.3) else []),
        ))  # fmt: skip

    def _element(self) -> str:
        return f"{self._pick(*self.scope.arrays)}[{self._place()}]"

    def _integer(self) -> str:
        scope = self.scope
        one, other = (
            self._pick(*scope.integers, *scope.counters),
            self._pick(*scope.integers, *scope.counters, "3"),
        )
        choices = [
            one, f"({one} + {other}) % 16", f"({one} * {other}) % 13", f"int({self._number()})",
            f"len({self._pick(*scope.lists)})", f"{one} // 2 + {self.random.randint(0, 4)}", f"-{one} % 7",
            f"max({one}, {other})", f"({one} if {self._test()} else {other})", f"{one} + ({self._test()})",
            "COUNT", "(COUNT + 1) % 5", "LIMITS[0]", "TABLE['a']", "len(LIMITS)",
            f"divmod({one}, 3)[{self._pick(0, 1)}]",
            f"sum({self._test()} for _ in range(3))", f"{one} ^ 3", "keep(1)", f"round({self._number()})",
        ]  # fmt: skip
        if not scope.owner:
            choices += [
                "len(o)",
                "len(p)",
                f"note({self._element()})",
                "l[0]",
                "int(n)",
                "o.scale",
                "p.scale",
            ]
        else:
            choices += ["len(self)", "self.scale", "type(self).scale"]
        return str(self._pick(*choices))

    def _number(self) -> str:
        """A number of some kind."""
        scope = self.scope
        one = self._pick(*scope.floats, *scope.mixed, self._element(), *scope.counters)
        other = self._pick(*scope.floats, *scope.integers, "RATE", "2", "1.5", *scope.mixed)
        array = self._pick(*scope.arrays)
        choices = [
            one, self._element(), f"({one} + {other}) % 16", f"({one} - {other}) % 9",
            f"({one} * {other}) // 1 % 12",
            f"min({one}, {other})", f"max({one}, {other}, 1)", f"abs({one} - {other})", f"{array}.sum() % 16",
            f"{array}.max()", f"float({array}[:3].sum() % 8)", f"sum(v for v in {array}) % 16",
            f"np.max({array})",
            f"sum(map(lambda v: v % 3, {array})) % 16", f"({one} if {self._test()} else {other})", "RATE",
            "LIMITS[2]",
            "TABLE['b']", f"weighted({one})", f"weighted({one}, {other}, 1, offset={self._pick('1', one)})",
            f"weighted(*[{one}, 2], **{{'extra': {other}}})", f"sorted([{one}, {other}, 3])[1]",
            f"max({array}, key=lambda v: -v)", f"next(v for v in {array} if v >= 0)", f"{one} // 2",
            f"sum(a * b for a, b in zip({array}, {self._pick(*scope.arrays)})) // 1 % 16", f"-{one} % 5",
            f"list(running({array}))[-1]", f"functools.reduce(lambda a, b: (a + b) % 8, {array}, {other})",
            f"({array} > 3).sum()", f"len([v for v in {array} if v > {other}])", f"int({one})",
            f"float({other})",
            f"(w := {one}) + w * 2 % 4", f"{self._pick(*scope.optional)} or {one}",
            f"np.where({array} > 2, {array}, 0).sum() % 16", f"{self._element()}.item()",
            f"{array}.item({self._place()})", f"{array}.tolist()[{self._place()}]",
            f"sum({array}.tolist()) % 16",
        ]  # fmt: skip
        if not scope.owner:
            target = self._pick(*scope.objects)
            made = self._pick("o", "p")
            choices += [
                f"note({one})", f"{target}({one})", f"{made}.level", f"{made}({one}, 1, 2, by=2)",
                f"{made}.step({one})",
                f"{made}.add({one}, by={other})", f"{made}[{self._place()}]", "q.a", "q.moved(1.5).a",
                "(q + POINT).a",
                f"sum(v for v in {made}) % 16", f"{made}.add(*[{one}])", "OBJECT.s", "OBJECT.n", "n",
                "POINT.b",
                f"getattr({made}, 's', 1)", f"{made}.__dict__['n']", f"vars({made})['s']", "y[1, 2]",
                "y[0].sum() % 16",
                "sum(weighted(v) for v in y[0]) % 16", "sum(o.add(v) is None for v in (1, 2))", "Base.scale",
            ]  # fmt: skip
        else:
            choices += ["self.level" if self._chance(0.1) else "value", "value", "value % 4", "OTHER.n"]
        return str(self._pick(*choices))

    def _any(self) -> str:
        scope = self.scope
        return str(self._pick(
            self._number(), self._integer(), self._test(), self._number(), "None", self._pick(*scope.arrays),
            self._pick(*scope.lists), f"({self._integer()}, {self._number()})", self._pick(*scope.optional),
        ))  # fmt: skip

    def _test(self) -> str:
        scope = self.scope
        simple = self._pick(
            *scope.flags, f"{self._pick(*scope.integers, *scope.counters)} % 3 == {self.random.randrange(3)}",
            f"{self._pick(*scope.floats)} > {self.random.randint(0, 9)}",
            f"{self._element()} > {self.random.randint(0, 9)}",
            f"{self._pick(*scope.optional)} is None", f"{self._pick(*scope.arrays)}.sum() > 20",
            "COUNT > 2", "RATE < 1",
            f"any(v > {self.random.randint(4, 12)} for v in {self._pick(*scope.arrays)})",
            f"all(v >= {self.random.randint(0, 4)} for v in {self._pick(*scope.arrays)})",
            f"0 < {self._pick(*scope.mixed)} <= {self._element()}",
            f"isinstance({self._pick(*scope.mixed)}, {self._pick('int', 'float', 'bool')})",
            f"{self._pick(*scope.counters, '2')} in (1, 4, 8)", f"len({self._pick(*scope.lists)}) > 3",
        )  # fmt: skip
        if not scope.owner and self._chance(0.3):
            simple = self._pick(
                "o == p", "o is p", "isinstance(o, Derived)", "h in o", "hasattr(o, 'extra')", "'n' in d",
                "o and z",
                "note(x[0])", "o.add(x[1])", "l[2] is None", "callable(o)", "u is x", "q == POINT",
                "kept == [1]",
                "not kept", "o.flag or p.flag", "type(o) is Base",
            )  # fmt: skip
        roll = self.random.random()
        if roll < 0.75:
            return str(simple)
        if roll < 0.85:
            return f"(not {simple})"
        other = f"{self._pick(*scope.integers)} < {self.random.randint(0, 9)}"
        return f"({simple} {self._pick('and', 'or')} {other})"
