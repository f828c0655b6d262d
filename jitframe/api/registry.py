"""The registry: the definition of a public function alone declares its names and namespaces.

A function composed of others is written in one place: in the module of this folder that fits, below `public`.

    @public("reduction", numpy=("max", "amax"), method=True)
    def max(a: Any, axis: Any = None) -> Any:
        ...

    @public("movement", name="linalg.diagonal", sample=lambda s: (s.x,))
    def linalg_diagonal(x: Any, /, *, offset: int = 0) -> Any:
        ...

A namespace of its own is a folder here, such as `nn` with its modules, and a module `jitframe/nn.py` that
takes its functions from the index, as `jitframe/linalg.py` does.

Functions that are made of one record each (ufuncs in `ufunc.py`, reductions in `reductions.py`) declare the
same in fields of that record. Then `python tools/make_stubs.py` writes `index.py`, by which `jitframe` knows
all names without loading a module, and the stubs. A primitive has a second place: its record in `ir/ops`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Literal, TypeVar

from ..ir.record import record
from ..ir.types import DType

if TYPE_CHECKING:
    from typing import TypedDict

    from .samples import Sample

Varied = Any
"""The annotation of a value whose type depends on the arguments: stubs leave it open. `Any` is an array, or a
value that becomes one."""
Kind = Literal["elementwise", "reduction", "movement", "product", "creation", "dtype"]
F = TypeVar("F", bound=Callable[..., Any])
_PLACE = f"{__package__}."


class Scalar(metaclass=record):
    """A function of the math module: float64 of rank 0 in, a Python number out."""

    name: str
    function: Callable[..., Any]
    """The function on nodes."""
    result: DType | None = None
    """The dtype of its result, where it differs from the function's own."""


class Fold(metaclass=record):
    """The `reduce` and `accumulate` of a ufunc. Ufuncs without one fold by loops."""

    reduce: Callable[..., Any]
    """The reduction on nodes."""
    takes_dtype: bool = False
    """Whether the reduction is computed in the dtype of `dtype=`."""
    takes_initial: bool = True
    of_truths: bool = False
    """Whether elements are first compared with zero."""
    cumulative: str = ""
    """The public function of `accumulate`, if there is one."""
    scan: str = ""
    """The kind of scan otherwise; "": a loop."""


class Declaration(metaclass=record):
    """The declaration of a public function."""

    function: Callable[..., Any]
    name: str
    """The name in `jitframe`; after a dot, in one of its namespaces: "linalg.norm"."""
    kind: Kind
    module: str
    """Its module in this folder; after a dot, in a subfolder: "nn.losses"."""
    numpy: tuple[str, ...]
    """Names in NumPy, where that has it; the first is the usual one."""
    scipy: str
    """The name in `scipy.special`."""
    math: Scalar | None
    """Its form in the math module."""
    method: bool
    """Whether arrays have a method of that name with its other parameters."""
    fold: Fold | None
    """The folds of the ufunc, where they are not loops."""
    sample: Callable[[Sample], tuple[Any, ...]]
    """The arguments of a small call, by which backends find out whether they can compute it."""
    makes_arrays: bool
    """Whether a result without axes is an ndarray too, which otherwise is a NumPy scalar."""
    says_bool: bool
    """Whether its result is a Python bool."""
    keeps_scalars: bool
    """Whether NumPy calls its argument's own method, so that NumPy's scalars stay scalars."""


if TYPE_CHECKING:

    class Said(TypedDict, total=False):
        """Optional fields in the declaration of a function that is made of a record."""

        numpy: tuple[str, ...]
        scipy: str
        method: bool
        sample: Callable[[Sample], tuple[Any, ...]]

    class SaidOfUfunc(Said, total=False):
        """Optional fields in the declaration of a ufunc."""

        math: str | Scalar
        """The name alone, where it does the same on nodes."""
        fold: Fold


DECLARED: dict[str, Declaration] = {}
"""The declarations of the loaded modules, by name."""


def _one_matrix(sample: Sample) -> tuple[Any, ...]:
    return (sample.x,)


def public(
    kind: Kind,
    *,
    name: str = "",
    numpy: tuple[str, ...] = (),
    scipy: str = "",
    math: Scalar | None = None,
    method: bool = False,
    fold: Fold | None = None,
    sample: Callable[[Sample], tuple[Any, ...]] = _one_matrix,
    makes_arrays: bool = False,
    says_bool: bool = False,
    keeps_scalars: bool = False,
) -> Callable[[F], F]:
    """Declares a public function; each argument is a field of `Declaration`.

    By default its name in `jitframe` is its own, and NumPy's is the same. By default a backend's sample call
    has one matrix.
    """

    def declared(function: F) -> F:
        called = name or function.__name__
        before = DECLARED.get(called)
        module = function.__module__.removeprefix(_PLACE)
        assert before is None or before.module == module, f"{called} is declared by {module} and {before}"
        DECLARED[called] = Declaration(
            function, called, kind, module, numpy or (called,), scipy, math, method, fold, sample,
            makes_arrays, says_bool, keeps_scalars,
        )  # fmt: skip
        return function

    return declared
