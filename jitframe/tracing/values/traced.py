"""`TracedArray`: an ndarray inside a trace, which is a cell seen through a view."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, NoReturn

import numpy

from ...api.array.lazy_array import UNROLL_LIMIT, LazyArray
from ...api.array.operators import yields
from ...api.calls import call, operand, store
from ...api.frame import SymbolicExtents, current_frame, frame_of, in_region, innermost_frame
from ...api.indexing.selection import is_basic, read_selection, select
from ...arrays.layout import Strides, contiguous_strides, shown_strides
from ...arrays.promotion import NUMBERS, Operand, Weak
from ...arrays.views import Pick, View
from ...base.arguments import order_of
from ...base.boundary import guarded
from ...errors import AliasError, DTypeError, TraceError, UnsupportedError
from ...functions.elementwise import rint
from ...functions.operands import cast
from ...ir.node import Graph, Node, Shape
from ...ir.record import replace
from ...ir.types import I64, DType
from ...runtime.device import named
from ..arguments.growing_list import list_arrays
from ..environment.user_code import class_where_asked, is_text_of_user
from . import concrete
from .cells import Cell, alias_error, may_share, refused_write

if TYPE_CHECKING:
    from ...api.indexing.selection import Selection
    from .traced_frame import TraceFrame

ARRAY, SCALAR, NUMBER = range(3)
"""The kind of NumPy's object in a traced value's place: an ndarray, a NumPy scalar, a Python number."""
TRACED = "Traced"
"""The prefix of the text of a traced value."""
_SEQUENCES = (list, tuple, str, bytes)
PYTHON_NUMBERS: dict[str, type] = {"bool": bool, "int": int, "float": float, "complex": complex}
"""Python's types by the kind of a dtype, whose width is the device's."""


class TracedArray(LazyArray):
    """A value of a trace: behaves as the ndarray, NumPy scalar or Python number in whose place it stands."""

    __slots__ = (
        "__weakref__", "_cell", "_kind", "_path", "_read_only", "_seen", "_seen_of", "_shape", "_within",
    )  # fmt: skip
    __class__ = property(class_where_asked)

    def __init__(
        self, cell: Cell, path: View | None = None, kind: int = ARRAY, read_only: bool = False
    ) -> None:
        self._cell = cell
        self._path = path
        """The view of the cell; None for all of it."""
        self._kind = kind
        self._read_only = read_only
        self._shape = cell.node.shape if path is None else path.shape
        self._within: Any = None
        """The frame with the positions that the path gathers; None where it gathers none."""
        self._seen_of: Node | None = None
        self._seen: Node = cell.node

    def __array_function__(self, function: Any, types: Any, arguments: Any, options: Any) -> Any:
        given = (
            tuple(map(concrete.as_array, arguments)),
            {key: concrete.as_array(each) for key, each in options.items()},
        )
        return super().__array_function__(function, types, *given)

    # Hooks of LazyValue

    @property
    def _frame(self) -> TraceFrame:
        frame = self._cell.frame
        current: TraceFrame = innermost_frame()  # type: ignore[assignment] # looked at where it is another
        if current is frame:
            return current
        if current is not None and frame in current.enclosing:
            current.touch(self)
            return current
        raise self._leaked()

    @property
    def shape(self) -> Shape:
        return self._shape

    @shape.setter
    def shape(self, shape: Any) -> None:
        """Changes the shape of an array in place, where no elements have to move."""
        made = self.reshape(shape)
        if (
            self._cell.source is not None
            or self._kind != ARRAY
            or in_region()
            or made._cell is not self._cell
        ):
            raise UnsupportedError(
                f"the shape of {self._described()} is set, which is of arrays that the function has made "
                "itself, outside of branches and loops, and whose elements stay where they are; write "
                "x = x.reshape(...)"
            )
        self._path, self._shape, self._within, self._seen_of = made._path, made._shape, made._within, None

    @property
    def _dtype(self) -> DType:
        dtype = self._cell.node.dtype
        return dtype if self._path is None else self._path.dtype(dtype)

    @property
    def _is_number(self) -> bool:  # type: ignore[override]
        return self._kind == NUMBER

    def _yields(self, other: Any) -> bool:
        return yields(other, self._kind == NUMBER, self._kind == ARRAY)

    @property
    def _is_one_number(self) -> bool:
        return self._kind != ARRAY

    def _node(self, graph: Graph) -> Node:
        """Returns the node of the view of the cell's present content, in the cell's own graph."""
        cell = self._cell
        if cell.ties:
            self._check_ties()
        if self._path is None:
            return cell.node
        if self._seen_of is not cell.node:
            self._seen = self._here.apply(graph, cell.node)
            self._seen_of = cell.node
        return self._seen

    @property
    def _here(self) -> View:
        """Returns the path, with positions in the cell's frame."""
        path, frame = self._path, self._cell.frame
        assert path is not None
        if self._within is None or self._within is frame:
            return path
        steps = [
            replace(step, indices=tuple([frame.inside(node, self._within) for node in step.indices]))
            if isinstance(step, Pick)
            else step
            for step in path.steps
        ]
        return View(path.source, tuple(steps), path.shape)

    def _check_ties(self) -> None:
        cells = [(other(), version) for other, version in self._cell.ties]
        if any(cell is not None and cell.version != version for cell, version in cells):
            raise alias_error(self._described(), "one of them was written to since")

    def _operand(self, graph: Graph) -> Operand:
        frame = self._cell.frame
        if frame.graph is not graph:
            adopted: Operand = self._frame.adopt(graph, self)
            return adopted
        plain = self._path is None and self._cell.strides is None
        node = self._node(graph)
        frame.operands.append((self._shape, None if plain else self._strides, node))
        if not (plain and self._cell.is_laid):
            frame.is_laid = frame.is_laid and self._cell.is_laid
            frame.root.has_orders = True
        return Weak(node) if self._kind == NUMBER else node

    @property
    def _strides(self) -> Strides | None:
        """NumPy's strides in elements; None for C order."""
        cell = self._cell
        if self._path is None:
            return cell.strides
        return shown_strides(self._path, cell.node.shape, cell.strides)

    def _lay(self, strides: Strides | None, is_known: bool = True) -> None:
        self._cell.strides, self._cell.is_laid = strides, is_known

    @property
    def _is_laid(self) -> bool:
        return self._cell.is_laid

    def _view(self, view: View) -> TracedArray:
        frame = self._frame
        cell = self._cell
        if frame is not cell.frame or self._kind != ARRAY:
            graph = frame.begin()
            given = operand(frame, graph, self)
            node = given.node if isinstance(given, Weak) else given
            assert isinstance(node, Node)
            return TracedArray(Cell(frame, view.apply(graph, node)))
        strides = self._strides
        is_copy = view.strides(contiguous_strides(self._shape) if strides is None else strides) is None
        may_copy = not cell.is_laid and view.strides(contiguous_strides(self._shape[::-1])[::-1]) is None
        if is_copy or may_copy:
            graph = frame.begin()
            copied = TracedArray(Cell(frame, view.apply(graph, self._node(graph))))
            copied._lay(None, self._is_laid)
            if not is_copy:
                may_share(cell, copied._cell)
            return copied
        path = view if self._path is None else self._here.join(view)
        array = TracedArray(cell, path if path.steps else None, read_only=self._read_only)
        if self._within is not None or any(hasattr(step, "indices") for step in view.steps):
            array._within = frame
        return array

    def _assign(self, graph: Graph, node: Node) -> None:
        self._write(graph, self._path and self._here, node, "output array is read-only")

    def _assign_view(self, graph: Graph, view: View, node: Node) -> None:
        path = view if self._path is None else self._here.join(view)
        self._write(graph, path, node, "assignment destination is read-only")

    def _write(self, graph: Graph, path: View | None, node: Node, refusal: str) -> None:
        cell = self._cell
        if self._kind != ARRAY:
            raise DTypeError(f"{self._described()} cannot be written to: it is a single number, not an array")
        if cell.frame.graph is not graph:
            raise TraceError(
                f"{getattr(current_frame(), 'name', 'the function')} writes to {self._described()}, which "
                "was made outside it; that would happen once. Return the new value from the body, and carry "
                "the array through it"
            )
        if cell.ties:
            raise refused_write(cell, self._described())
        if self._read_only or (path is not None and not path.writable):
            raise AliasError(refusal)
        if path is not None and not path.steps:
            path = None
        if node is (cell.node if path is None else path.apply(graph, cell.node)):
            return  # as `x[i] += y` ends: what is assigned is there already
        cell.write(node if path is None else path.update(graph, cell.node, node))
        cell.frame.note(cell.node)

    def _known(self) -> numpy.ndarray | None:
        """Returns the value where it depends on nothing outside the trace."""
        self._frame  # noqa: B018 - a leaked value says so first
        frame = self._cell.frame
        return concrete.known_value(frame, self._node(frame.graph))

    def _concrete(self, purpose: str, lasting: bool = False) -> numpy.ndarray:
        known = None if lasting else self._known()
        if known is None and not lasting and not self._is_captured(purpose):
            known = self._value_by_arguments()
        if known is None and not lasting:
            frame = self._cell.frame
            known = concrete.cut(frame, self._node(frame.graph), purpose)
        if known is None:
            raise needs_capture(TraceError(concrete.refusal(self, purpose)))
        return known

    def _is_captured(self, purpose: str) -> bool:
        """Whether it decides by floats, in a program that can be traced again with its control flow
        captured."""
        if not (purpose.startswith("a condition") and self._frame.root.may_capture):
            return False
        frame = self._cell.frame
        return concrete.is_decided_by_float(frame, self._node(frame.graph))

    def _at_hand(self, purpose: str) -> numpy.ndarray | None:
        known = self._known()
        return self._value_by_arguments() if known is None else known

    def _open_positions(self) -> tuple[Any, ...] | None:
        if self._at_hand("where a mask holds") is not None:
            return None
        from .packed_functions import open_positions  # programs without masks do not load it

        return open_positions(self)

    def _python_value(self, purpose: str = "a key of a dict or set") -> Any:
        """Returns the Python number or NumPy scalar that it is in this call."""
        value = self._concrete(purpose)
        return value.item() if self._kind == NUMBER else value[()]

    def _value_by_arguments(self) -> numpy.ndarray | None:
        """Returns the value in this call where it depends on scalar arguments alone, which become static."""
        frame = self._cell.frame
        return concrete.value_by_arguments(frame, self._node(frame.graph))

    def _leaked(self) -> TraceError:
        name = self._cell.frame.name
        return TraceError(
            f"a value of the trace of {name} is used outside of it: it has no value there. Return it from "
            f"{name}, "
            "and use what the call returns"
        )

    def _described(self) -> str:
        if self._cell.name:
            return f"the argument {self._cell.name!r}"
        dtype = self._dtype.numpy_name
        return f"a traced array {dtype}{list(self._shape)}" if self._shape else f"a traced {dtype} value"

    # Differences from other lazy arrays

    def to_device(self, device: Any, /, *, stream: Any = None, copy: bool | None = None) -> Any:
        """The array itself: a trace has one device."""
        here = self._frame.device
        wanted = named(device)
        if wanted is not here:
            raise UnsupportedError(
                f"to_device({wanted.name!r}) inside a jitted function, which runs on {here.name}; move "
                "arrays before the call, or its results after it"
            )
        return self.copy() if copy else self

    def __getitem__(self, index: Any) -> Any:
        if _moves(index):
            from .moving_slices import shown_by  # few programs have them

            shown, rest = shown_by(self, index)
            if shown is not self:
                return shown if rest is Ellipsis else shown[rest]
        if not is_basic(index):
            if any(map(concrete.has_open_number, concrete.masks_in(index))):
                from .masked import chosen_of  # as above

                found = chosen_of(self, index)
                if found is not None:
                    return found
            return self._selected(select(index, self._shape))
        return super().__getitem__(index)

    def __setitem__(self, index: Any, value: Any) -> None:
        if _moves(index) or isinstance(value, SymbolicExtents):
            from .moving_slices import assign  # as above

            if assign(self, index, value):
                return
        if not is_basic(index) and any(
            _is_single(value) or concrete.has_open_number(item) for item in concrete.masks_in(index)
        ):
            from .masked import assign_masked, seen_by_mask  # as above

            seen = seen_by_mask(self, index)
            if seen is not None and assign_masked(*seen, value):
                return
        super().__setitem__(index, value)

    def _selected(self, selection: Selection) -> Any:
        """Integers of the trace make a view, as NumPy's do; arrays a copy."""
        if selection.scalar and selection.result and self._kind == ARRAY:
            frame = frame_of((self, *selection.indices))
            if frame is self._cell.frame:
                graph = frame.begin()
                nodes = selection.nodes(frame, graph)
                array = self._view(selection.as_view(nodes))
                node = array._node(graph)
                # Positions are checked at run time: the error names the line of now.
                for each in (*nodes, *(node.inputs[:1] if node.op.renames else ()), node):
                    self._cell.frame.note(each)
                return array
        return read_selection(self._view(selection.view), selection)

    def __iter__(self) -> Iterator[Any]:
        if not self._shape:
            raise DTypeError("iteration over a 0-d array")
        if self._shape[0] > UNROLL_LIMIT:
            try:
                super().__iter__()
            except TraceError as error:
                raise needs_capture(error) from None
        return (self[position] for position in range(self._shape[0]))

    @guarded
    def copy(self, order: Any = "C") -> Any:
        frame = self._frame
        graph = frame.begin()
        made: Any = frame.wrap(graph, operand(frame, graph, self))  # type: ignore[arg-type]
        made._kind = ARRAY if self._kind == ARRAY else made._kind
        made._lay_as(self, order_of(order))
        return made

    @guarded
    def item(self, *position: Any) -> Any:
        from .conversions import item_of  # which knows of this class

        return item_of(self, position)

    @guarded
    def tolist(self) -> Any:
        return list_arrays().listed(self)

    def astype(self, *given: Any, **options: Any) -> Any:
        made = super().astype(*given, **options)
        made._kind = ARRAY if self._kind == ARRAY else made._kind
        return made

    @guarded
    def view(self, dtype: Any = numpy._NoValue, type: Any = None) -> Any:
        made = super().view(dtype, type)
        if self._kind != ARRAY:
            made._kind = SCALAR
        return made

    def _in_place(self, function: Callable[..., Node], other: Any) -> LazyArray:
        if self._kind != ARRAY:
            plain = other.__class__ in NUMBERS or isinstance(other, TracedArray)
            return self._frame.binary(function, self, other) if plain else call(function, (self, other))  # type: ignore[no-any-return]
        frame = frame_of((self, other))
        graph = frame.begin()
        result_node = function(graph, operand(frame, graph, self), operand(frame, graph, other))
        store(graph, result_node, self)
        return self

    def __mul__(self, other: Any) -> Any:
        return other * operator.index(self) if self._repeats(other) else super().__mul__(other)

    def __rmul__(self, other: Any) -> Any:
        return other * operator.index(self) if self._repeats(other) else super().__rmul__(other)

    def _repeats(self, other: Any) -> bool:
        """Whether a product with `other` repeats a sequence, as of integers and NumPy scalars."""
        return other.__class__ in _SEQUENCES and self._kind != ARRAY and self._dtype.is_integer

    def __hash__(self) -> int:  # type: ignore[override]
        if self._kind == ARRAY:
            raise TraceError(
                "unhashable type: 'numpy.ndarray'; a dict or set is keyed by numbers, such as x.item()"
            )
        return hash(self._python_value())

    def __round__(self, digits: Any = None) -> Any:
        if self._shape or digits is not None:
            return super().__round__(digits)
        frame: Any = self._frame
        graph = frame.begin()
        made = frame.wrap(graph, Weak(cast(graph, rint(graph, operand(frame, graph, self)), I64)))
        return frame.whole_number(self, made)

    def __divmod__(self, other: Any) -> Any:
        frame: Any = self._frame
        return frame.quotient_and_rest(self, other, super().__divmod__(other))

    def __rdivmod__(self, other: Any) -> Any:
        frame: Any = self._frame
        return frame.quotient_and_rest(other, self, super().__rdivmod__(other))

    def __repr__(self) -> str:
        return self._text(repr, "a text") if is_text_of_user() else self._shown()

    def __str__(self) -> str:
        return self._text(str, "a text")

    def __format__(self, spec: str) -> str:
        if not spec:
            return str(self)
        return self._text(lambda value: format(value, spec), f"a formatted string (:{spec})")

    def _shown(self) -> str:
        return f"{TRACED}({self._dtype.numpy_name}{list(self._shape)})"

    def _text(self, text_of: Callable[[Any], str], purpose: str) -> str:
        known = self._value_by_arguments() if self._kind == NUMBER else None
        root = self._frame.root
        if known is None and (root.quotes or in_region()):
            root.quoted += 1
            return self._shown()
        known = self._concrete(purpose) if known is None else known
        return text_of(known.item() if self._kind == NUMBER else known[()])

    def __getattr__(self, name: str) -> Any:
        if self._kind != ARRAY and not name.startswith("_") and not hasattr(numpy.ndarray, name):
            kind = PYTHON_NUMBERS[self._dtype.kind] if self._kind == NUMBER else self.dtype.type
            if hasattr(kind, name):
                return getattr(kind(self._concrete(f".{name} of a number")), name)
        return object.__getattribute__(self, name)  # raises what was raised, or Python's own error

    def __reduce__(self) -> NoReturn:
        raise TraceError("a value of a trace cannot be pickled; return it from the function")


def needs_capture(error: TraceError) -> TraceError:
    """Returns the error of a program that capture of its control flow may avoid."""
    error.needs_capture = True
    return error


def _moves(index: Any) -> bool:
    """Whether a slice has a traced bound, or an array of positions an unknown length."""
    items = index if index.__class__ is tuple else (index,)
    bounds = [each for item in items if item.__class__ is slice for each in (item.start, item.stop)]
    found = [*(each for each in items if isinstance(each, SymbolicExtents)), *bounds]
    return any(isinstance(each, (TracedArray, SymbolicExtents)) for each in found)


def _is_single(value: Any) -> bool:
    """Whether it is one value for all elements of an assignment."""
    if isinstance(value, (LazyArray, numpy.ndarray, numpy.generic)):
        return not value.shape
    return value.__class__ in NUMBERS
