"""The frame of one trace: its graph, its parameters and scalars, and the source line of each node."""

from __future__ import annotations

import sys
import weakref
from collections.abc import Callable, Hashable
from types import CodeType
from typing import TYPE_CHECKING, Any, ClassVar

import numpy

from ...api.calls import call
from ...api.frame import Frame, LazyValue, current_frame, innermost_frame, is_tensor
from ...arrays.layout import Strides, is_order_known, result_strides
from ...arrays.promotion import NUMBERS, Operand, Weak, from_numpy
from ...errors import TraceError, UnsupportedDTypeError
from ...ir.node import PAIR, Graph, Node, Shape
from ...ir.types import BOOL, PART_OF, DType
from ...runtime.device import CPU, Device
from ...settings import settings
from ..arguments.signature import NO_LIMIT_NS
from ..environment.handlers import RAISED, caught_among
from ..environment.user_code import Place, UserCode, place
from .cells import Cell
from .concrete import cut, leave
from .number_ranges import NumberRanges
from .parameter import Parameter, input_layout
from .python_numbers import checked, is_number, of_divmod, of_integer, rule_of
from .traced import ARRAY, NUMBER, SCALAR, TracedArray, needs_capture

if TYPE_CHECKING:
    from ...api.random.generator import Generator
    from ...api.random.random_stream import Stream
    from ...tensors.tensor import Tensor
    from ...tensors.transfers import Value
    from .concrete import Cutter
    from .draws import Step

ValueOf = Callable[["TraceFrame", Node], "numpy.ndarray | None"]
"""The value of a node of a frame's graph."""
_USER_CODE = UserCode()


class TraceFrame(Frame):
    """The frame that makes the values of one trace."""

    priority = 10
    captures = False
    """Whether it is a region whose code writes to arrays of enclosing frames."""
    runs = True
    """Whether its code runs at every call, unlike that of a branch, or of a loop that may have no
    iteration."""
    wraps = False
    """Whether Python's integers wrap around in it: in a loop whose iterations are declared independent."""
    compares_arrays = False
    """Whether captured code has asked whether two arrays are one."""
    cuts: Cutter | None = None
    """Computes values while tracing; None in a region."""
    copied: Any = None
    """The copy of the traced function, and everything that it read."""
    ended = False
    may_capture = False
    """Whether it may be traced again with its control flow captured."""
    may_leave = False
    """Whether it may be abandoned, so that Python answers the call (see `fallback`)."""
    may_rely = True
    """Whether its program may leave calls to Python whose arrays turn out to have other lengths."""
    relies = False
    """Whether it does."""
    most_operations = 0
    """The limit of such a trace: the operations of an unrolled loop."""
    traced_until_ns = NO_LIMIT_NS
    """The processor time of the thread at which a trace of loops, branches or cuts is abandoned."""
    left: tuple[str, bool] | None = None
    """The reason for which it would have been abandoned first, and whether that holds for all such calls."""
    quotes = False
    """Whether texts are made for an exception that may not be raised."""
    quoted = 0
    """The number of texts made of unknown values in regions; Python corrects them in exceptions."""
    regions_made = 0
    keeps_scalars = False
    """Whether scalar arguments that loops and conditions depend on stay dynamic."""
    effects: Any = None
    """The host functions that it calls; None where there are none."""
    hooks: Any = None
    """The hooks in place of control flow, where it is captured."""
    slots = 0
    """The number of generators that the trace has made."""
    iterations: tuple[int, Callable[[], Any]] | None = None
    """The count of a loop's iterations, where it is known, and the number of the present one."""
    doubts: list[TraceError] | None = None
    """Errors of a loop's iteration that vanish if another trace, with other dtypes, avoids them."""
    iteration: Callable[[], Any] | None = None
    """Returns the number of a region's present iteration."""
    entries: ClassVar[set[CodeType]] = set()
    """The code of the functions that run a trace: their callers are outside of the trace."""

    def __init__(
        self, name: str, graph: Graph | None = None, device: Device = CPU, asked: bool = False
    ) -> None:
        """`asked`: whether the user named the device."""
        self.name = name
        self.device = device
        self.asked = asked
        self.graph = Graph() if graph is None else graph
        if device.narrows:
            from ...arrays.narrow import fit_to  # the processor has all dtypes

            self.graph.fit = fit_to(device.narrows)
        self.enclosing: tuple[TraceFrame, ...] = ()
        """The frames that enclose this region, outermost first."""
        self.invariants: dict[Node, Node] = {}
        """The parameters of a region by the values of the enclosing frame."""
        self.parameters: list[Parameter] = []
        self.scalars: dict[int, int] = {}
        """The leaf number of each scalar of the graph that is an argument."""
        self._cells: list[weakref.ref[Cell]] = []
        self.wanted: set[int] = set()
        """Leaves whose values the trace needed: they have to become static."""
        self.imaginary: set[int] = set()
        """Scalars that are the imaginary parts of complex arguments."""
        self.operands: list[tuple[Shape, Strides | None, Node]] = []
        self.is_laid = True
        """Whether the strides of all operands are known."""
        self.has_orders = False
        """Of the outermost frame: whether an operand was met that is not in C order."""
        """Shapes, strides and nodes of the present operation's operands."""
        self.lines: dict[Node, list[Place]] = {}
        self.shared: dict[int, TracedArray] = {}
        """The user's arrays that overlap others, by identity."""
        self.graphs = [self.graph]
        """This graph and those of regions, which share its scalars."""
        self.ranges = NumberRanges()
        self.list_reads: dict[Node, Any] = {}
        """Reads of lists that are arrays, and the types of their items; None of mixed types."""
        self.assumed: list[Callable[[TraceFrame], TracedArray]] = []
        """Functions that make the conditions under which the present operation is done: its checks hold only
        there."""
        self.limit = settings().trace_limit
        self.unrolled_loops: dict[str, str] = {}
        """Loops that could not be captured, by file and line, and why: they are unrolled."""
        self._lifted: dict[int, tuple[numpy.ndarray, numpy.ndarray, Node]] = {}
        self._tensors: dict[int, Node] = {}
        self.draws: list[Step] = []
        """Draws from random generators, in order."""
        self.streams: dict[int, tuple[Stream, Stream]] = {}
        """Generators of `jf.random` in a region, by identity, and their stand-ins in an iteration."""
        self.given_streams: dict[Any, tuple[Generator, Any, int]] = {}
        """Generators from outside the trace; see `streams`."""
        self.number_streams: dict[Any, Any] = {}
        """NumPy's generators that loops and branches draw from; kept by the outermost frame."""
        self.taken: list[Callable[[], Any]] = []
        """Functions that undo their draws; kept by the outermost frame."""
        self.caught: dict[Node, set[type[Exception]]] = {}
        """The exceptions that handlers around a node's line catch; kept by the outermost frame."""
        self.tried: list[Node] = []
        """Nodes of its graph that are made inside a `try`."""
        self.looked: list[Node] = []
        """Python's numbers with a check: an exception is raised even where they are unused."""
        self.known: dict[Node, numpy.ndarray] = {}
        self.unknown: set[Node] = set()
        """Nodes without a known value while tracing; `known` has the others (see `known_value`)."""

    # The interface of Frame

    def is_asked(self) -> bool:
        """Traced code runs over views of its globals, and so does all user code that it calls. User code over
        other globals was not called by it, but interrupts it."""
        frame = sys._getframe(1)
        while frame is not None:
            if type(frame.f_globals) is not dict:
                return True
            if frame.f_code in self.entries:
                return not self.root.ended
            if _USER_CODE.code(frame.f_code, frame.f_globals.get("__name__")):
                return False
            frame = frame.f_back  # type: ignore[assignment]
        return False

    def begin(self) -> Graph:
        if len(self.graph) > self.limit:
            if not self.root.may_capture:
                # Without capture, what an unrolled loop comes to is worth it where Python takes long.
                captured = self.root.hooks is not None
                leave(self, f"its trace comes to more than {self.limit} operations", always=captured)
            raise needs_capture(self._too_long())
        self.operands.clear()
        self.is_laid = True
        return self.graph

    def wrap(self, graph: Graph, result: Node | Weak) -> TracedArray:
        if isinstance(result, Weak):
            node, kind = result.node, ARRAY if result.node.shape else NUMBER
            if node.dtype.is_integer:
                node = self.root.ranges.noted(self, node)
        else:
            node, kind = result, ARRAY if result.shape else SCALAR
            if node.dtype.is_integer:
                self.root.ranges.wrapping.add(node)
        if node.dtype is BOOL and kind != ARRAY and self.copied is not None:
            self.copied.identities.note_bool(kind == NUMBER)
        self.note(node)
        cell = Cell(self, node, result_strides(node, self.operands))
        cell.is_laid = len(node.shape) < 2 or (self.is_laid and is_order_known(node, self.operands))
        return TracedArray(cell, None, kind)

    def unary(self, function: Callable[..., Node], x: LazyValue, key: Hashable) -> Any:
        return call(function, (x,), key=key)

    def binary(self, function: Callable[..., Node], x: Any, y: Any) -> Any:
        if isinstance(y, TracedArray) and getattr(function, "__name__", "") == "power_operator":
            from .whole_powers import whole_power  # few programs have one

            power = whole_power(self, x, y)
            if power is not None:
                return power
            y = self._exponent(x, y)
        graph = self.begin()
        operands = [each if type(each) in NUMBERS else self.adopt(graph, each) for each in (x, y)]
        if any(type(each) is Node for each in operands):
            made: Any = self.wrap(graph, function(graph, *operands))
        else:
            made = call(function, (x, y))
        if made._kind != NUMBER or not (is_number(x) and is_number(y)):
            return made
        rule = rule_of(function)
        return made if rule is None else checked(rule, (x, y), made)

    def _exponent(self, x: Any, y: TracedArray) -> Any:
        """Returns the exponent of an array: an integer argument is static, as some exponents have faster
        code."""
        if (
            y._kind != NUMBER
            or not y._dtype.is_integer
            or self.root.keeps_scalars
            or not getattr(x, "shape", ())
        ):
            return y
        known = y._value_by_arguments()
        return y if known is None else int(known)

    def whole_number(self, value: TracedArray, made: TracedArray) -> Any:
        """Converts a float to a Python integer, with a check."""
        return checked(of_integer, (value,), made)

    def quotient_and_rest(self, x: Any, y: Any, made: Any) -> Any:
        """Returns the results of `divmod`, with checks."""
        if not (is_number(x) and is_number(y)):
            return made
        return tuple([checked(of_divmod, (x, y), each) for each in made])

    @property
    def is_traced_again(self) -> bool:
        """Whether the call is traced once more in any case, with more static leaves or slots."""
        return bool(self.wanted or (self.copied is not None and self.copied.wanted()))

    @property
    def tries(self) -> bool:
        """Whether some code of the trace has a `try` or a `with`."""
        copied = self.root.copied
        return copied is not None and copied.has_handlers

    def _note_handlers(self, node: Node) -> None:
        """Records the exceptions that the user's handlers around the current line catch."""
        caught = caught_among(RAISED)
        if not caught <= self.root.caught.get(node, set()):
            self.root.caught.setdefault(node, set()).update(caught)
            if self.tried[-1:] != [node]:
                self.tried.append(node)

    @property
    def looks_at_all(self) -> bool:
        """Whether exceptions are checked while tracing; see `looks_at_once`."""
        return self.hooks is None and self.cuts is not None and self.tries

    def looks_at_once(self, bad: Node, error: type[Exception]) -> bool:
        """Whether an exception is raised while tracing: in a `try` with handlers for it, where the trace is
        cut for the value."""
        if not self.looks_at_all or not caught_among((error,)):
            return False

        value = cut(self, bad, "whether an exception is raised")
        return value is not None and bool(value)

    def _too_long(self) -> TraceError:
        return TraceError(
            f"the trace of {self.name} has come to {self.limit} operations: a Python loop is unrolled, "
            "iteration after iteration. Write jf.fori_loop(0, n, lambda i, x: ..., x), jf.while_loop or "
            f"jf.scan, whose body is compiled once; or raise the limit, JITFRAME_TRACE_LIMIT={4 * self.limit}"
        )

    def lift(self, graph: Graph, array: numpy.ndarray) -> Node:
        """Lifts a raw ndarray in the trace to a node: it was made in it, unless an opaque object could have
        supplied it."""
        opaque = self.root.copied.reads.opaque if self.root.copied is not None else ()
        if opaque:
            names = ", ".join(name for name, _ in opaque)
            made = f"an array {array.dtype}{list(array.shape)}"
            came = f"{made} came from {names}, and changes to it could not be seen"
            leave(self, came)
            raise TraceError(
                f"{came}. Pass it as an argument, or keep it in a variable that the function reads"
            )
        return self.trusted(graph, array)

    def array(self, array: numpy.ndarray, copy: bool | None) -> LazyValue:
        graph = self.begin()
        node = self.trusted(graph, array) if copy is False else self.lift(graph, array)
        made = self.wrap(graph, node)
        made._kind = ARRAY
        return made

    def adopt(self, graph: Graph, value: LazyValue) -> Operand:
        if is_tensor(value):
            return self._tensor(graph, value)
        return value._operand(graph)

    def touch(self, value: TracedArray) -> None:
        """Called when this frame uses an array of an enclosing frame."""
        return

    def inside(self, node: Node, within: TraceFrame) -> Node:
        """Returns the node of this frame for a node of this frame or an enclosing one."""
        if within is self:
            return node
        raise TraceError(
            "a part of an array that was chosen inside a loop or condition is used outside of it, in "
            f"{self.name}; choose it again there"
        )

    @property
    def regions(self) -> tuple[TraceFrame, ...]:
        return (*self.enclosing[1:], self) if self.enclosing else ()

    @property
    def has_python_numbers(self) -> bool:
        """Whether Python's numbers behave as such in it; in the bodies of jf.fori_loop and its like, and of
        jf.prange, they behave as NumPy's."""
        return all(each.captures and not each.wraps for each in self.regions)

    def note_draw(self, generator: Stream, count: int) -> None:
        self.root.taken.append(lambda: generator._take_back(count))

    def take_back(self, before: int) -> None:
        """Undoes all draws but the first `before`, as the code that made them is traced again."""
        while len(self.taken) > before:
            self.taken.pop()()

    # Inputs

    @property
    def root(self) -> TraceFrame:
        return self.enclosing[0] if self.enclosing else self

    def trusted(self, graph: Graph, array: numpy.ndarray) -> Node:
        """Adds an array made while tracing as an input that every call gets."""
        if not array.ndim:
            return graph.number(array.item(), from_numpy(array.dtype))
        known = self._lifted.get(id(array))
        if known is not None and numpy.array_equal(known[0].view("u1"), known[1].view("u1")):
            return known[2]
        kept = numpy.array(array, order="C")
        node = self.parameter(kept, "", read_only=True, made=True)._cell.node
        if array.flags.c_contiguous:
            self._lifted[id(array)] = (array, kept, node)
        return node

    def parameter(
        self,
        array: Value,
        name: str,
        leaf: int | None = None,
        read_only: bool | None = None,
        made: bool = False,
        tensor: Tensor | None = None,
    ) -> TracedArray:
        """Adds an input."""
        index = len(self.parameters)
        dtype = from_numpy(array.dtype)
        self._check_input(dtype, name, leaf is not None)
        layout, strides, run_time = input_layout(array, self.device)
        if tensor is not None:
            strides = tensor._strides
        node = self.graph.parameter(index, array.shape, dtype, layout)
        cell = Cell(self, node, strides, index, name)
        self.parameters.append(Parameter(array, run_time, cell, node, leaf, made, tensor))
        locked = not array.flags.writeable if read_only is None else read_only  # type: ignore[union-attr]
        return TracedArray(cell, read_only=locked)

    def _check_input(self, dtype: DType, name: str, argument: bool) -> None:
        try:
            self.check(dtype)
        except UnsupportedDTypeError as error:
            if name:
                error.begin(f"the {'argument' if argument else 'array'} {name!r}: ")
            raise

    def drawn(self, shape: Shape, dtype: DType) -> int:
        """Adds an input that a random generator fills at each call; returns its number."""
        made = self.parameter(numpy.empty(shape, dtype.numpy_name), "", read_only=True)
        number = made._cell.source
        assert number is not None
        self.parameters[number].drawn = True
        return number

    def hidden(self, name: str, array: numpy.ndarray) -> TracedArray:
        """Adds an array that the function reads but was not given."""
        shared = self.shared.get(id(array))
        return self.parameter(array, name) if shared is None else shared

    def number(self, value: Any, leaf: int, name: str) -> TracedArray:
        """Adds an argument that is a scalar: read anew at each call."""
        strong = isinstance(value, numpy.generic)
        dtype = from_numpy(value.dtype if strong else numpy.dtype(type(value)))
        if strong:
            self._check_input(dtype, name, True)
        if dtype.is_complex:
            parts = [self._scalar(each, PART_OF[dtype], leaf) for each in (value.real, value.imag)]
            self.imaginary.add(parts[1].attribute("index"))
            node = self.graph.make(PAIR, *parts)
        else:
            node = self._scalar(value, dtype, leaf)
        return TracedArray(Cell(self, node, None, None, name), None, SCALAR if strong else NUMBER)

    def _scalar(self, value: Any, dtype: DType, leaf: int) -> Node:
        values = self.graph.scalar_values
        values.append(value)
        self.scalars[len(values) - 1] = leaf
        return self.graph.scalar(len(values) - 1, dtype)

    def _tensor(self, graph: Graph, tensor: Tensor) -> Node:
        node = self._tensors.get(id(tensor))
        if node is None:
            from ...tensors.transfers import moved, moved_unasked  # Tensors have loaded it

            value, instead = tensor._evaluated(), f"y = y.to_device({self.device.name!r}) before the call"
            asked = self.root.asked
            value = moved(value, self.device) if asked else moved_unasked(value, self.device, instead)
            made = self.parameter(value, "", read_only=True, tensor=tensor)
            node = self._tensors[id(tensor)] = made._cell.node
        return node

    def leaf_value(self, leaf: Node, value_of: ValueOf | None = None) -> numpy.ndarray | None:
        """Returns the value of a parameter or scalar of this graph that the trace itself made; None of
        others. `value_of` returns that of a region's operand."""
        index: int = leaf.attribute("index")
        if leaf.op.source == "scalar":
            given = index in self.root.scalars
            return None if given else numpy.asarray(self.graph.scalar_values[index], leaf.dtype.numpy_name)
        parameter = self.parameters[index]
        return parameter.array if parameter.made else None  # type: ignore[return-value]

    def outside(self, parameter: Node) -> Node | None:
        """Returns the operand of a region's parameter in the enclosing frame; None of a loop-carried one."""
        return None

    def rely_on(self, parameter: Node) -> None:
        """Records that the trace assumed a parameter's content to be the one outside the region."""

    def add_cell(self, cell: Cell) -> None:
        """Registers the memory of an array of the trace."""
        self._cells.append(weakref.ref(cell))

    def live_cells(self) -> list[Cell]:
        """Returns the memory of arrays that are still referenced."""
        cells = [cell for reference in self._cells if (cell := reference()) is not None]
        self._cells = [weakref.ref(cell) for cell in cells]
        return cells

    # Source lines

    def note(self, node: Node) -> None:
        """Records the user's line of a node; a node made at several lines has them all."""
        where = place()
        if where is None:
            return
        if self.tries:
            self._note_handlers(node)
        known = self.lines.get(node)
        if known is None:
            self.lines[node] = [where]
        elif where not in known:
            known.append(where)


def current_trace() -> TraceFrame:
    """Returns the present trace, or the present region of one."""
    frame = current_frame()
    assert isinstance(frame, TraceFrame)
    return frame


def run_traced(function: Callable[..., Any], *arguments: Any, **options: Any) -> Any:
    """Calls a function of jitframe's as traced code: its loops and conditions become those of the program."""
    frame: Any = innermost_frame()
    return frame.root.copied.traced(function)(*arguments, **options)
