"""expand_math: replaces the vector math functions by their bodies, so that they inline and fuse, but
for those that are called.

A body is built once for each function, format and set of features and kept as a template; expanding copies
its steps into the kernel, where equal steps (constants above all) are made once for each scope.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Sequence
from functools import cache, partial
from typing import Any

from ...ir.record import record
from ...ir.types import BY_NAME, F32, DType
from ..kernel.builder import KernelBuilder
from ..kernel.nodes import (
    Block,
    Buffer,
    Function,
    Instruction,
    Kernel,
    Value,
    constant_number,
    instructions_of,
)
from ..kernel.ops import KERNEL_OPS, PURE, KernelOp
from .formats import MathFeatures

Body = Callable[..., Value]

_INT4 = tuple(f"int4_{place}" for place in range(8))
_MODULES = {
    **dict.fromkeys(("exp", "exp2", "expm1"), "exponential"),
    **dict.fromkeys(("log", "log2", "log10"), "logarithm"),
    "log1p": "logarithm_of_sum",
    **dict.fromkeys(("sin", "cos", "tan", "sinc"), "trigonometric"),
    **dict.fromkeys(("asin", "acos", "atan", "atan2"), "inverse_trigonometric"),
    **dict.fromkeys(("tanh", "sinh", "cosh"), "hyperbolic"),
    **dict.fromkeys(("asinh", "acosh", "atanh"), "inverse_hyperbolic"),
    **dict.fromkeys(("cbrt", "hypot"), "roots"),
    **dict.fromkeys(("erf", "erfc"), "error_function"),
    **dict.fromkeys(("lgamma", "tgamma"), "gamma"),
    "pow": "power",
    "gcd": "exact",
    "multiply_add": "exact",
    **dict.fromkeys(("philox0", "philox1", "philox2", "philox3", "mul_high"), "philox"),
    **dict.fromkeys(_INT4, "packed_integers"),
}
"""The module of each function's body, under the function's name."""
_TWO_ARGUMENTS = frozenset(("pow", "hypot", "atan2"))
_OTHERS = {
    "multiply_add": 3,
    "gcd": 2,
    "mul_high": 2,
    **dict.fromkeys(("philox0", "philox1", "philox2", "philox3"), 6),
    **dict.fromkeys(_INT4, 1),
}
ARITY = {name: 2 if name in _TWO_ARGUMENTS else 1 for name in _MODULES if name not in _OTHERS}
"""The arity of the functions whose error is measured in ulp."""
MATH_NAMES = frozenset(_MODULES)
NEVER_CALLED = frozenset(("philox0", "philox1", "philox2", "philox3", "multiply_add", *_INT4))
"""Functions whose calls share steps where they have the same operands, or are one step."""
FIXED_POWERS = 16
"""Powers by multiples of a half up to this are multiplied out; for others `pow` takes fewer steps."""
EXACT = {"fmod": 2, "copysign": 2}
"""Exact arithmetic that is expanded too, where a target has no such instruction."""

Key = tuple[Any, ...]
FunctionKey = tuple[str, str]
"""A function and its operands' dtype, by name."""


class _Step(metaclass=record):
    """One instruction of a template; values are numbered, the arguments first."""

    op: KernelOp
    operands: tuple[int, ...]
    results: tuple[int, ...]
    result_types: tuple[DType, ...]
    attributes: dict[str, Any]
    blocks: tuple[tuple[_Step, ...], ...]
    parameters: tuple[tuple[tuple[int, DType], ...], ...]
    """The parameters of each block, by number and type."""
    captured: tuple[int, ...]
    """Values from outside that it reads: its operands and those of its blocks."""
    key: str
    """The identity of an instruction, apart from the values captured."""


class _Template(metaclass=record):
    steps: tuple[_Step, ...]
    size: int
    result: int


def expand_math(
    kernel: Kernel,
    features: MathFeatures,
    names: frozenset[str] = MATH_NAMES,
    called: Container[FunctionKey] = (),
) -> Kernel:
    """Replaces the instructions of `names` in a kernel by their bodies, those that are `called` by calls;
    returns the kernel itself where there are none."""
    if not any(instruction.op.name in names for instruction in instructions_of(kernel)):
        return kernel
    expansion = _Expansion(features, names, called)
    own = [Function(function.name, expansion.block(function.body)) for function in kernel.functions]
    body = expansion.block(kernel.body)
    return Kernel(
        kernel.name,
        kernel.buffers,
        kernel.indices,
        kernel.scalars,
        body,
        kernel.workgroup,
        (*expansion.functions.values(), *own),
    )


class _Expansion:
    """One pass over a kernel: the instructions so far, and the pure ones in scope."""

    def __init__(self, features: MathFeatures, names: frozenset[str], called: Container[FunctionKey]) -> None:
        self.features = features
        self.names = names
        self.called = called
        self.replaced: dict[Value, Value] = {}
        self.known: list[dict[Key, tuple[Value, ...]]] = []
        self.functions: dict[FunctionKey, Function] = {}
        """The functions that are called."""

    def block(self, source: Block) -> Block:
        instructions: list[Instruction] = []
        self.known.append({})
        for instruction in source.instructions:
            self._visit(instruction, instructions)
        self.known.pop()
        return Block(source.parameters, instructions)

    def _visit(self, instruction: Instruction, made: list[Instruction]) -> None:
        replaced = self.replaced
        operands = tuple([replaced.get(v, v) for v in instruction.operands])
        op = instruction.op
        if op.name in self.names:
            function = op.name, operands[0].dtype.name
            exponent = _fixed_exponent(op.name, operands[-1])
            if exponent:
                operands = operands[:1]
            elif function in self.called:
                self._call(function, instruction, operands, made)
                return
            template = _template(*function, self.features, exponent)
            values: list[Any] = [None] * template.size
            values[: len(operands)] = operands
            self._inline(template.steps, values, made)
            replaced[instruction.results[0]] = values[template.result]
            return
        key = _purity(op, instruction.attributes)
        if key is not None:
            full = (key, *operands)
            for scope in self.known:
                found = scope.get(full)
                if found is not None:
                    replaced.update(zip(instruction.results, found))
                    return
        if instruction.blocks or operands != instruction.operands:
            blocks = tuple([self.block(inner) for inner in instruction.blocks])
            types = tuple([v.dtype for v in instruction.results])
            copy = Instruction(op, operands, types, instruction.attributes, blocks)
            replaced.update(zip(instruction.results, copy.results, strict=True))
            instruction = copy
        made.append(instruction)
        if key is not None:
            self.known[-1][(key, *operands)] = instruction.results

    def _call(
        self, key: FunctionKey, instruction: Instruction, operands: tuple[Value, ...], made: list[Instruction]
    ) -> None:
        function = self.functions.get(key)
        if function is None:
            function = self.functions[key] = _function(key, self.features)
        full = (function.name, *operands)
        for scope in self.known:
            values = scope.get(full)
            if values is not None:
                self.replaced.update(zip(instruction.results, values))
                return
        types = tuple([value.dtype for value in instruction.results])
        call = Instruction(KERNEL_OPS["call"], operands, types, {"function": function.name})
        self.replaced.update(zip(instruction.results, call.results))
        made.append(call)
        self.known[-1][full] = call.results

    def _inline(self, steps: tuple[_Step, ...], values: list[Any], made: list[Instruction]) -> None:
        known = self.known
        innermost = known[-1]
        for step in steps:
            full = (step.key, *[values[number] for number in step.captured])
            found = None
            for scope in known:
                found = scope.get(full)
                if found is not None:
                    break
            if found is None:
                operands = tuple([values[number] for number in step.operands])
                blocks: tuple[Block, ...] = ()
                if step.blocks:
                    pairs = zip(step.blocks, step.parameters)
                    blocks = tuple([self._inline_block(inner, taken, values) for inner, taken in pairs])
                instruction = _instruction(step, operands, blocks)
                made.append(instruction)
                found = instruction.results
                if found:
                    innermost[full] = found
            for number, value in zip(step.results, found):
                values[number] = value

    def _inline_block(
        self, steps: tuple[_Step, ...], parameters: tuple[tuple[int, DType], ...], values: list[Any]
    ) -> Block:
        instructions: list[Instruction] = []
        taken = tuple([Value(dtype) for _, dtype in parameters])
        for (number, _), value in zip(parameters, taken):
            values[number] = value
        self.known.append({})
        self._inline(steps, values, instructions)
        self.known.pop()
        return Block(taken, instructions)


def _fixed_exponent(name: str, value: Value) -> float:
    """Returns the exponent of a power that is multiplied out, 0 where there is none."""
    exponent = constant_number(value) if name == "pow" else None
    if exponent is None or abs(exponent) > FIXED_POWERS or not float(2 * exponent).is_integer():
        return 0.0
    return 0.0 if exponent in (0.5, 1, -1) else float(exponent)


def _function(key: FunctionKey, features: MathFeatures) -> Function:
    body = function_block(*key, features)
    end = Instruction(KERNEL_OPS["return"], body.yielded)
    return Function(".".join(key), Block(body.parameters, [*body.instructions[:-1], end]))


def _instruction(step: _Step, operands: tuple[Value, ...], blocks: tuple[Block, ...]) -> Instruction:
    if step.op.name != "table":
        return Instruction(step.op, operands, step.result_types, step.attributes, blocks)
    instruction = Instruction(step.op, (), (), step.attributes)
    buffer = Buffer(step.attributes["dtype"], "table", "in")
    buffer.producer = instruction
    instruction.results = (buffer,)
    return instruction


def _purity(op: KernelOp, attributes: dict[str, Any]) -> str | None:
    """Returns a text that equal pure instructions share; None for the others."""
    if op.name not in PURE and op.name != "table":
        return None
    if op.name == "constant":
        # repr tells 0.0 from -0.0 and 1 from True and 1.0.
        return f"{attributes['dtype'].name} {attributes['value']!r}"
    return f"{op.name} {attributes}" if op.rule == "attribute" else op.name


def body_of(name: str) -> Body:
    """Returns the writer of a function's body; a first kernel loads only the modules it needs, of 33 ms for
    all."""
    module = "exact" if name in EXACT else _MODULES[name]
    body: Body = getattr(__import__(f"{__package__}.{module}", fromlist=(name,)), name)
    return body


@cache
def _template(name: str, dtype: str, features: MathFeatures, exponent: float = 0.0) -> _Template:
    """Returns the body of a function as a template. Bodies have no effects, so all of their steps may be
    shared."""
    block = function_block(name, dtype, features, exponent)
    numbering: dict[Value, int] = {value: number for number, value in enumerate(block.parameters)}
    steps = _steps(block.instructions[:-1], numbering)
    (result,) = block.yielded
    return _Template(steps, len(numbering), numbering[result])


@cache
def function_block(name: str, dtype: str, features: MathFeatures, exponent: float = 0.0) -> Block:
    """Returns the body of a function over its arguments, which yields the result; with an `exponent` that of
    `pow` over the base alone."""
    build = KernelBuilder(name)
    body: Body
    if exponent:
        from .fixed_power import fixed_power  # as in `body_of`

        body, count = partial(fixed_power, exponent=exponent), 1
    else:
        body, count = body_of(name), (ARITY | EXACT | _OTHERS)[name]
    arguments = [build.scalar(BY_NAME[dtype]) for _ in range(count)]
    if dtype in ("f16", "bf16"):
        wide = body(build, *[build.cast(x, F32) for x in arguments], features)
        result = build.cast(wide, BY_NAME[dtype])
    else:
        result = body(build, *arguments, features)
    instructions = [*build.finish().body.instructions, Instruction(KERNEL_OPS["yield"], (result,))]
    return Block(tuple(arguments), instructions)


def _steps(instructions: Sequence[Instruction], numbering: dict[Value, int]) -> tuple[_Step, ...]:
    steps = []
    for instruction in instructions:
        operands = tuple([numbering[v] for v in instruction.operands])
        outside = len(numbering)
        parameters = []
        for inner in instruction.blocks:
            for value in inner.parameters:
                numbering[value] = len(numbering)
            parameters.append(tuple([(numbering[value], value.dtype) for value in inner.parameters]))
        blocks = tuple([_steps(inner.instructions, numbering) for inner in instruction.blocks])
        captured = operands + tuple(_reached(blocks, outside))
        shape = ";".join(_shape(inner, captured, outside) for inner in blocks)
        for value in instruction.results:
            numbering[value] = len(numbering)
        steps.append(
            _Step(
                instruction.op,
                operands,
                tuple([numbering[v] for v in instruction.results]),
                tuple([v.dtype for v in instruction.results]),
                instruction.attributes,
                blocks,
                tuple(parameters),
                captured,
                (_purity(instruction.op, instruction.attributes) or instruction.op.name) + shape,
            )
        )
    return tuple(steps)


def _reached(blocks: tuple[tuple[_Step, ...], ...], outside: int) -> list[int]:
    """Returns the values below `outside` that blocks read, each once, in order."""
    found = dict.fromkeys(n for steps in blocks for step in steps for n in step.captured if n < outside)
    return list(found)


def _shape(steps: tuple[_Step, ...], captured: tuple[int, ...], outside: int) -> str:
    """Returns a text that equal blocks share whatever their values' numbers are."""

    def name(number: int) -> str:
        return f"@{captured.index(number)}" if number < outside else f"{number - outside}"

    return " ".join(f"{step.key}({','.join(name(n) for n in step.captured)})" for step in steps)
