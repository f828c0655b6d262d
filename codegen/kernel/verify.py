"""The kernel verifier: every rule of the instruction set, checked on a whole kernel.

>>> verify(kernel)                       # raises KernelError, the printed kernel with the line marked
>>> verify(kernel, allow_fma=True)       # for targets that round a fused multiply-add once
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NoReturn

from ...ir.types import BOOL, INDEX, DType
from .nodes import Block, Buffer, Function, Instruction, Kernel, Value, constant_number, walk
from .ops import KERNEL_OPS
from .rewrite import inline_calls
from .text import marked_text
from .verify_effects import ATTRIBUTES, EFFECT_PROBLEMS, MEMORY_PROBLEMS, constant_problem
from .verify_flow import flow_fault

KIND_LETTER = {"bool": "b", "int": "i", "uint": "u", "float": "f", "index": "x"}
_LOOP_KINDS = ("serial", "unroll", "lanes", "scan")
_NOT_RARE = ("store", "allocate", "barrier", "fence", "exit", "lane_id")


class KernelError(AssertionError):
    """A kernel that breaks a rule: what is wrong, and the printed kernel with the line marked."""


def verify(kernel: Kernel, *, allow_fma: bool = False) -> None:
    """Check types, scoping, structure, access, barriers; raises KernelError at the first fault."""
    Verifier(kernel, allow_fma).run()


class Verifier:
    """One check of one kernel."""

    def __init__(self, kernel: Kernel, allow_fma: bool) -> None:
        self.kernel = kernel
        self.allow_fma = allow_fma
        self.current: Instruction | None = None
        self.defined: set[Value] = set()
        self.visible: set[Value] = set()
        self.lanes_loops = 0
        self.combining = 0
        self.conditions = 0
        self.functions: dict[str, Function] = {}
        """The functions defined so far, which may be called."""
        self.function: Function | None = None
        """The function that is being checked."""
        self.blocks: list[Block] = []

    def fail(self, message: str) -> NoReturn:
        raise KernelError(f"kernel {self.kernel.name}: {message}\n{marked_text(self.kernel, self.current)}")

    def require(self, condition: bool, message: str) -> None:
        if not condition:
            self.fail(message)

    def run(self) -> None:
        kernel = self.kernel
        self.require(kernel.workgroup >= 1, f"a workgroup of {kernel.workgroup} lanes")
        for buffer in kernel.buffers:
            self.require(buffer.space == "global", f"a buffer parameter in {buffer.space} memory")
            self.require(buffer.dtype is not INDEX, "a buffer of indices: memory holds i32 or i64")
            self.define(buffer)
        for index in kernel.indices:
            self.require(index.dtype is INDEX, f"an index parameter of dtype {index.dtype.name}")
            self.define(index)
        for scalar in kernel.scalars:
            self.require(scalar.dtype is not INDEX, "a scalar parameter of dtype index: indices stand apart")
            self.define(scalar)
        outside = self.visible
        for function in kernel.functions:
            self.visible = set()
            self.definition(function)
        self.visible = outside
        self.block(kernel.body, ())
        if kernel.functions:
            self.inlined()
            return
        fault = flow_fault(kernel)
        if fault is not None:
            self.current, message = fault
            self.fail(message)

    # Functions ----------------------------------------------------------------------------------------
    def definition(self, function: Function) -> None:
        self.function = function
        self.require(function.name not in self.functions, f"two functions are called {function.name}")
        for parameter in function.parameters:
            indices = isinstance(parameter, Buffer) and parameter.dtype is INDEX
            self.require(not indices, "a buffer of indices: memory holds i32 or i64")
        last = next(reversed(function.body.instructions), None)
        returns = last is not None and last.op.name == "return"
        self.require(returns, f"function {function.name} does not end in return")
        self.block(function.body, function.results)
        self.functions[function.name] = function
        self.function = None

    def inlined(self) -> None:
        """Checks a function's body as inlined code where it is called."""
        try:
            verify(inline_calls(self.kernel), allow_fma=self.allow_fma)
        except KernelError as problem:
            raise KernelError(f"with its calls inlined, {problem}") from None

    def call(self, instruction: Instruction) -> None:
        name, operands = instruction.attributes.get("function"), instruction.operands
        function = self.functions.get(str(name))
        if function is None:
            if self.function is not None and self.function.name == name:
                self.fail(f"function {name} calls itself: there is no recursion; write a loop")
            below = any(each.name == name for each in self.kernel.functions)
            self.fail(f"function {name} stands below its call" if below else f"no function is called {name}")
        due = function.parameters
        self.require(
            len(operands) == len(due), f"function {name} takes {len(due)} operands, not {len(operands)}"
        )
        for number, (operand, wanted) in enumerate(zip(operands, due, strict=True)):
            message = f"operand {number} of function {name} is {told(wanted)}, not {told(operand)}"
            self.require(_fits(operand, wanted), message)
        self.results(instruction, function.results)

    # Scopes -------------------------------------------------------------------------------------------
    def define(self, value: Value) -> None:
        self.require(value not in self.defined, "a value is defined twice")
        self.defined.add(value)
        self.visible.add(value)

    def use(self, value: Value) -> None:
        if value in self.visible:
            return
        if self.function is not None:
            self.fail(f"an operand from outside function {self.function.name}: give it as a parameter")
        self.fail(
            "an operand is out of scope here" if value in self.defined else "an operand is not defined above"
        )

    def block(self, block: Block, yields: tuple[DType, ...]) -> None:
        """Check a block in its own scope; it must yield values of these dtypes."""
        owner, outside = self.current, self.visible.copy()
        self.blocks.append(block)
        for parameter in block.parameters:
            self.define(parameter)
        for instruction in block.instructions:
            self.current = instruction
            self.instruction(instruction, last=instruction is block.instructions[-1])
        self.blocks.pop()
        self.current = owner
        dtypes = tuple(v.dtype for v in block.yielded)
        self.require(dtypes == yields, f"a block yields {types(dtypes)} where {types(yields)} is due")
        self.visible = outside

    def instruction(self, instruction: Instruction, *, last: bool) -> None:
        op, operands = instruction.op, instruction.operands
        self.require(KERNEL_OPS.get(op.name) is op, f"{op.name} is not in the instruction set")
        unknown = sorted(instruction.attributes.keys() - ATTRIBUTES.get(op.name, frozenset()))
        self.require(not unknown, f"{op.name} has no attribute {', '.join(unknown)}")
        for operand in operands:
            self.use(operand)
        if op.name == "return":
            ends = last and self.function is not None and len(self.blocks) == 1
            self.require(ends, "return stands only at the end of a function")
            self.values(operands)
            self.require(not instruction.results, "return gives nothing here")
            return
        if op.name == "yield":
            self.require(last and len(self.blocks) > 1, "yield stands only at the end of a nested block")
            self.values(operands)
            return
        structured = _STRUCTURED.get(op.name)
        if structured is not None:
            structured(self, instruction)
        else:
            self.require(not instruction.blocks, f"{op.name} owns no block")
            _RULES[op.rule](self, instruction)
        for result in instruction.results:
            self.define(result)

    # Types --------------------------------------------------------------------------------------------
    def values(self, values: Iterable[Value]) -> None:
        for value in values:
            self.require(not isinstance(value, Buffer), f"{self.name} takes values, not a buffer")

    @property
    def name(self) -> str:
        return self.current.op.name if self.current else ""

    def arity(self, instruction: Instruction) -> None:
        count = instruction.op.arity
        found = len(instruction.operands)
        self.require(count is None or found == count, f"{self.name} takes {count} operands, not {found}")

    def result(self, instruction: Instruction, dtype: DType) -> None:
        dtypes = tuple(v.dtype for v in instruction.results)
        self.require(dtypes == (dtype,), f"{self.name} gives {dtype.name}, not {types(dtypes)}")

    def kinds(self, instruction: Instruction, values: Iterable[Value]) -> None:
        for value in values:
            admitted = KIND_LETTER[value.dtype.kind] in instruction.op.kinds
            self.require(admitted, f"{self.name} does not admit {value.dtype.name}")

    def same(self, instruction: Instruction) -> None:
        self.arity(instruction)
        operands = instruction.operands
        self.values(operands)
        self.kinds(instruction, operands)
        if instruction.op.name == "fma":
            self.require(self.allow_fma, "fma was not asked for: this target rounds twice")
        self.agree(operands)
        self.result(instruction, operands[0].dtype)

    def agree(self, operands: tuple[Value, ...]) -> None:
        dtypes = tuple(v.dtype for v in operands)
        self.require(len(set(dtypes)) == 1, f"{self.name} takes operands of one dtype, not {types(dtypes)}")

    def compare(self, instruction: Instruction) -> None:
        self.arity(instruction)
        self.values(instruction.operands)
        self.kinds(instruction, instruction.operands)
        self.agree(instruction.operands)
        self.result(instruction, BOOL)

    def select(self, instruction: Instruction) -> None:
        self.arity(instruction)
        self.values(instruction.operands)
        condition, *branches = instruction.operands
        self.require(condition.dtype is BOOL, f"select chooses by a bool, not {condition.dtype.name}")
        self.agree(tuple(branches))
        self.result(instruction, branches[0].dtype)

    def shuffle(self, instruction: Instruction) -> None:
        self.arity(instruction)
        self.values(instruction.operands)
        value, distance = instruction.operands
        self.require(distance.dtype is INDEX, f"{self.name} moves by an index, not {distance.dtype.name}")
        self.result(instruction, value.dtype)

    def attribute(self, instruction: Instruction) -> None:
        self.arity(instruction)
        self.values(instruction.operands)
        dtype = instruction.attributes.get("dtype")
        self.require(isinstance(dtype, DType), f"{self.name} needs an attribute dtype")
        assert isinstance(dtype, DType)
        self.result(instruction, dtype)
        check = _ATTRIBUTE_CHECKS.get(instruction.op.name)
        if check is not None:
            check(self, instruction, dtype)

    def constant(self, instruction: Instruction, dtype: DType) -> None:
        problem = constant_problem(instruction.attributes.get("value"), dtype)
        self.require(not problem, problem)

    def position(self, instruction: Instruction, dtype: DType) -> None:
        self.require(dtype is INDEX, f"{self.name} is an index, not {dtype.name}")

    def bitcast(self, instruction: Instruction, dtype: DType) -> None:
        (source,) = instruction.operands
        message = f"bitcast keeps the width: {source.dtype.name} to {dtype.name}"
        self.require(source.dtype.bits == dtype.bits, message)

    def subgroup_reduce(self, instruction: Instruction, dtype: DType) -> None:
        kind, (value,) = instruction.attributes.get("kind"), instruction.operands
        self.require(
            kind in ("add", "min", "max"), f"subgroup_reduce combines by add, min or max, not {kind}"
        )
        self.require(
            value.dtype is dtype and dtype is not BOOL,
            f"subgroup_reduce of {value.dtype.name} to {dtype.name}",
        )

    def memory(self, instruction: Instruction, dtype: DType) -> None:
        self.require(not self.combining, f"{self.name} inside a combine block")
        problem = MEMORY_PROBLEMS[instruction.op.name](instruction)
        self.require(not problem, problem)
        shared = instruction.attributes.get("space") == "shared"
        top = len(self.blocks) == 1 and self.function is None
        self.require(not shared or top, "shared memory is allocated at the top of a kernel")

    def effect(self, instruction: Instruction) -> None:
        self.require(not self.combining, f"{self.name} inside a combine block")
        problem = EFFECT_PROBLEMS[instruction.op.name](instruction)
        self.require(not problem, problem)
        together = instruction.op.name in ("barrier", "exit")
        self.require(not (together and self.lanes_loops), f"{self.name} inside a lanes loop")
        asking = instruction.op.name == "exit" and self.conditions
        self.require(not asking, "exit inside the condition of a while: put it into the body")

    # Structure ----------------------------------------------------------------------------------------
    def loop(self, instruction: Instruction) -> None:
        kind, operands = instruction.attributes.get("kind"), instruction.operands
        self.require(kind in _LOOP_KINDS, f"a loop is serial, unroll, lanes or scan, not {kind}")
        self.require(len(operands) >= 3, "for takes lower, upper, step and the initial values")
        self.values(operands)
        bounds, initial = operands[:3], tuple(v.dtype for v in operands[3:])
        for value in bounds:
            self.require(
                value.dtype is INDEX, f"a loop bound of dtype {value.dtype.name}: bounds are indices"
            )
        step = constant_number(bounds[2])
        self.require(step is None or step > 0, f"a loop step of {step}: steps are positive")
        if kind == "unroll":
            known = all(constant_number(v) is not None for v in bounds)
            self.require(known, "an unrolled loop needs constant bounds")
        self.results(instruction, initial)
        reducing = kind == "lanes" and bool(initial)
        of_lanes = kind == "lanes" and not reducing
        self.require(
            of_lanes or "short" not in instruction.attributes, "short loops are of lanes that reduce nothing"
        )
        self.require(
            kind == "serial" or "appends" not in instruction.attributes, "loops that append are serial"
        )
        owned, count = ("a body and a combine block", 2) if reducing else ("a body", 1)
        if kind == "scan":
            owned, count = "a body, a combine and an emit block", 3
            self.require(bool(initial), "a scan carries at least one value")
            self.require(step == 1, "a scan's step is 1")
        self.require(len(instruction.blocks) == count, f"this loop owns {owned}")
        body = instruction.blocks[0]
        side_by_side = kind in ("lanes", "scan")
        carried = () if side_by_side else initial
        self.parameters(body, (INDEX, *carried))
        self.lanes_loops += side_by_side
        self.block(body, initial)
        for block in instruction.blocks[2:]:
            self.parameters(block, (INDEX, *initial))
            self.block(block, ())
        self.lanes_loops -= side_by_side
        self.combining += 1
        for block in instruction.blocks[1:2]:
            self.parameters(block, (*initial, *initial))
            self.block(block, initial)
        self.combining -= 1

    def repeat_while(self, instruction: Instruction) -> None:
        self.values(instruction.operands)
        carried = tuple(v.dtype for v in instruction.operands)
        self.results(instruction, carried)
        self.require(len(instruction.blocks) == 2, "while owns a condition and a body")
        condition, body = instruction.blocks
        self.parameters(condition, carried)
        self.conditions += 1
        self.block(condition, (BOOL,))
        self.conditions -= 1
        self.parameters(body, carried)
        self.block(body, carried)

    def branch(self, instruction: Instruction) -> None:
        self.arity(instruction)
        self.values(instruction.operands)
        (condition,) = instruction.operands
        self.require(condition.dtype is BOOL, f"if asks for a bool, not {condition.dtype.name}")
        self.require(len(instruction.blocks) == 2, "if owns a then and an else block")
        for block in instruction.blocks:
            self.parameters(block, ())
            self.block(block, tuple(v.dtype for v in instruction.results))
        if "rare" in instruction.attributes:
            then, orelse = instruction.blocks
            effects = [each.op.name for each in walk(then) if each.op.name in _NOT_RARE]
            self.require(not effects, f"{'/'.join(effects[:1])} in a rare branch, which only computes")
            self.require(len(orelse.instructions) <= 1, "the else block of a rare branch only yields")

    def results(self, instruction: Instruction, due: tuple[DType, ...]) -> None:
        dtypes = tuple(v.dtype for v in instruction.results)
        self.require(dtypes == due, f"{self.name} gives {types(dtypes)} where {types(due)} is due")

    def parameters(self, block: Block, due: tuple[DType, ...]) -> None:
        dtypes = tuple(v.dtype for v in block.parameters)
        self.require(dtypes == due, f"a block of {self.name} takes {types(dtypes)} where {types(due)} is due")


def told(value: Value) -> str:
    """Describes a parameter."""
    if isinstance(value, Buffer):
        return f"a buffer ({value.access} {value.space} {value.dtype.name})"
    return value.dtype.name


def _fits(given: Value, wanted: Value) -> bool:
    """Whether an argument fits a parameter: a buffer must allow the accesses."""
    if not isinstance(given, Buffer) or not isinstance(wanted, Buffer):
        return type(given) is type(wanted) and given.dtype is wanted.dtype
    alike = given.dtype is wanted.dtype and given.space == wanted.space
    return alike and given.access in ("inout", wanted.access)


def types(dtypes: tuple[DType, ...]) -> str:
    return "(" + ", ".join(d.name for d in dtypes) + ")"


_RULES: dict[str, Callable[[Verifier, Instruction], None]] = {
    "same": Verifier.same,
    "shift": Verifier.same,
    "compare": Verifier.compare,
    "select": Verifier.select,
    "shuffle": Verifier.shuffle,
    "attribute": Verifier.attribute,
    "memory": Verifier.effect,
    "effect": Verifier.effect,
    "call": Verifier.call,
}
_STRUCTURED: dict[str, Callable[[Verifier, Instruction], None]] = {
    "for": Verifier.loop,
    "while": Verifier.repeat_while,
    "if": Verifier.branch,
}
_ATTRIBUTE_CHECKS: dict[str, Callable[[Verifier, Instruction, DType], None]] = {
    "constant": Verifier.constant,
    "group_id": Verifier.position,
    "lane_id": Verifier.position,
    "bitcast": Verifier.bitcast,
    "allocate": Verifier.memory,
    "table": Verifier.memory,
    "subgroup_reduce": Verifier.subgroup_reduce,
}
